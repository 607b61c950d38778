/** A button that copies a text. */
import { useState } from "preact/hooks"

interface Properties {
  readonly text: string
  /** The name of the copied value, for screen readers. */
  readonly what: string
}

/** The button. For a while it says that the text was copied, or that the browser did not allow it. */
export const Copy = ({ text, what }: Properties) => {
  const [said, setSaid] = useState<"Copy" | "Copied" | "Not allowed">("Copy")
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Not allowed")
    )
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`${said} ${what}`}
      onClick={copy}
      onBlur={() => setSaid("Copy")}
    >
      {said}
    </button>
  )
}
