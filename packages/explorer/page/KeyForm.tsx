/** Asks for the API key. */
import { useLayoutEffect, useRef } from "preact/hooks"

interface Properties {
  /** The reason why the previous key was rejected. */
  readonly problem: string | undefined
  readonly enter: (key: string) => void
}

export const KeyForm = ({ enter, problem }: Properties) => {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    const key = field.current?.value.trim() ?? ""
    if (key !== "") enter(key)
  }
  return (
    <main class="key-form">
      <h1>chemstream explorer</h1>
      <p>
        The service needs an API key. This tab keeps it until you close it, and sends it to this service only.
      </p>
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <form onSubmit={submit}>
        <label for="key">API key</label>
        <input id="key" ref={field} type="password" autocomplete="off" required />
        <button type="submit">Continue</button>
      </form>
      <p class="note">
        If no key was given, <code>chemstream serve</code> prints the one that it made.
      </p>
    </main>
  )
}
