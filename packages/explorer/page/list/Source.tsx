/** The form for a list: a box for pasted text and dropped files, and a button to choose a file. */
import { useRef } from "preact/hooks"

interface Properties {
  readonly onInput: (name: string, bytes: Uint8Array) => unknown
}

/** The form. */
export const Source = ({ onInput }: Properties) => {
  const box = useRef<HTMLTextAreaElement>(null)
  const open = async (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file !== undefined) onInput(file.name, new Uint8Array(await file.arrayBuffer()))
  }
  const drop = (event: DragEvent) => {
    if (event.dataTransfer?.files.length === 0) return
    event.preventDefault()
    open(event.dataTransfer?.files)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    onInput("pasted list", new TextEncoder().encode(box.current?.value ?? ""))
  }
  return (
    <form class="source" onSubmit={submit} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <label for="identifiers">Identifiers of any kind, one on each line, or a table with a header</label>
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
          or choose or drop a file{" "}
          <input
            type="file"
            accept=".txt,.csv,.tsv,.xlsx,.ndjson,.json,.gz"
            onChange={(event) => open(event.currentTarget.files)}
          />
        </label>
      </div>
    </form>
  )
}
