/** A quiet icon that copies a text. It appears when the pointer or the focus is at the text. */
import { useState } from "preact/hooks"

interface Properties {
  readonly text: string
  /** The name of the copied value, for screen readers. */
  readonly name: string
}

const shapes = {
  Copy: "M5.5 4.5h8v10h-8zM2.5 11.5v-10h8",
  Copied: "M2 8.5l4 4 8-9",
  "Not allowed": "M3 3l10 10M13 3L3 13"
}

/** The icon. Its name says whether the text was copied, or the browser did not allow it. */
export const CopyButton = ({ text, name }: Properties) => {
  const [state, setState] = useState<keyof typeof shapes>("Copy")
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState("Copied"),
      () => setState("Not allowed")
    )
  const label = `${state} ${name}`
  return (
    <button
      type="button"
      class="copy"
      aria-label={label}
      title={label}
      onClick={copy}
      onBlur={() => setState("Copy")}
    >
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d={shapes[state]} />
      </svg>
    </button>
  )
}
