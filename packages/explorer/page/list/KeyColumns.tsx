/** Lets a person choose the columns with identifiers. */
import { useState } from "preact/hooks"
import { suggestedKeys } from "./input.ts"

interface Properties {
  readonly columns: ReadonlyArray<string>
  readonly choose: (keys: ReadonlyArray<string>) => void
}

/** A checkbox for each column. Columns named like identifiers are ticked, the most reliable first. */
export const KeyColumns = ({ choose, columns }: Properties) => {
  const [keys, setKeys] = useState(() => suggestedKeys(columns))
  const submit = (event: Event) => {
    event.preventDefault()
    choose(keys)
  }
  const toggle = (column: string) =>
    setKeys(keys.includes(column) ? keys.filter((key) => key !== column) : [...keys, column])
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend>Columns with identifiers, most reliable first</legend>
        {columns.map((column) => (
          <label key={column} class="choice">
            <input type="checkbox" checked={keys.includes(column)} onChange={() => toggle(column)} /> {column}
            {keys.includes(column) ? ` (${keys.indexOf(column) + 1})` : ""}
          </label>
        ))}
      </fieldset>
      <button type="submit" disabled={keys.length === 0}>
        Resolve the table
      </button>
    </form>
  )
}
