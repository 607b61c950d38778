/** A button that copies a text. */
import { useState } from "preact/hooks"

interface Properties {
  readonly text: string
  /** The name of the copied value, for screen readers. */
  readonly name: string
}

/** The button. Its label says whether the text was copied, or the browser did not allow it. */
export const Copy = ({ text, name }: Properties) => {
  const [label, setLabel] = useState<"Copy" | "Copied" | "Not allowed">("Copy")
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setLabel("Copied"),
      () => setLabel("Not allowed")
    )
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`${label} ${name}`}
      onClick={copy}
      onBlur={() => setLabel("Copy")}
    >
      {label}
    </button>
  )
}
