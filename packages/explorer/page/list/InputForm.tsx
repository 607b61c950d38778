/** The form for an input: a box for pasted text and dropped files, and a button to choose a file. */
import { useRef } from "preact/hooks"

interface Properties {
  readonly label: string
  readonly placeholder: string
  /** The text of the button for pasted text. */
  readonly action: string
  readonly onInput: (name: string, bytes: Uint8Array) => unknown
}

/** The form. */
export const InputForm = ({ action, label, onInput, placeholder }: Properties) => {
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
      <label for="identifiers">{label}</label>
      <textarea id="identifiers" ref={box} rows={6} spellcheck={false} placeholder={placeholder} />
      <div>
        <button type="submit">{action}</button>
        <label class="file">
          or choose or drop a file{" "}
          <input
            type="file"
            accept=".txt,.csv,.tsv,.xlsx,.parquet,.arrow,.ndjson,.json,.gz"
            onChange={(event) => open(event.currentTarget.files)}
          />
        </label>
      </div>
    </form>
  )
}
