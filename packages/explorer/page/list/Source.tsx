/** The source of a list: a box to paste into or drop files on, and a button to choose a file. */
import { useRef } from "preact/hooks"

interface Properties {
  readonly take: (name: string, bytes: Uint8Array) => void
}

/** The form. */
export const Source = ({ take }: Properties) => {
  const box = useRef<HTMLTextAreaElement>(null)
  const open = async (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file !== undefined) take(file.name, new Uint8Array(await file.arrayBuffer()))
  }
  const drop = (event: DragEvent) => {
    if (event.dataTransfer?.files.length === 0) return
    event.preventDefault()
    open(event.dataTransfer?.files)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    take("pasted list", new TextEncoder().encode(box.current?.value ?? ""))
  }
  return (
    <form class="source" onSubmit={submit} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <label for="identifiers">Identifiers of any kind, one a line, or a table with a header</label>
      <textarea
        id="identifiers"
        ref={box}
        rows={8}
        spellcheck={false}
        placeholder={"80-05-7\nBenzene\nDTXSID0020232"}
      />
      <div>
        <button type="submit">Resolve</button>
        <label class="file">
          or a file (drop it here, too){" "}
          <input type="file" accept=".txt,.csv,.tsv" onChange={(event) => open(event.currentTarget.files)} />
        </label>
      </div>
    </form>
  )
}
