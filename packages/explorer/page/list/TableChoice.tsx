/** Lets a person choose a sheet of a workbook, and the columns with identifiers. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { suggestedKeys, type Table } from "./listInput.ts"

interface Properties {
  readonly tables: ReadonlyArray<Table>
  /** The form for the chosen table. */
  readonly form: (table: Table) => ComponentChildren
}

/** A list of sheets, if there are several, and the form for the chosen one. */
export const TableChoice = ({ form, tables }: Properties) => {
  const [at, setAt] = useState(0)
  const table = tables[at]
  if (table === undefined) return null
  const { header, sheet } = table
  return (
    <>
      {tables.length < 2 ? null : (
        <label>
          Sheet{" "}
          <select value={at} onChange={(event) => setAt(Number(event.currentTarget.value))}>
            {tables.map(({ sheet }, index) => (
              <option key={sheet} value={index}>
                {sheet}
              </option>
            ))}
          </select>
        </label>
      )}
      {header === undefined ? null : (
        <p class="note">
          {sheet === undefined ? "" : `Sheet ${sheet}. `}The header is row {header}.
        </p>
      )}
      <div key={at}>{form(table)}</div>
    </>
  )
}

interface ColumnsProperties {
  readonly table: Table
  readonly choose: (keys: ReadonlyArray<string>) => void
}

/** A checkbox for each column. Columns named like identifiers are ticked, the most reliable first. */
export const KeyColumns = ({ choose, table: { columns } }: ColumnsProperties) => {
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
        <div class="choices">
          {columns.map((column) => (
            <label key={column} class="choice">
              <input type="checkbox" checked={keys.includes(column)} onChange={() => toggle(column)} />{" "}
              {column}
              {keys.includes(column) ? ` (${keys.indexOf(column) + 1})` : ""}
            </label>
          ))}
        </div>
      </fieldset>
      <button type="submit" disabled={keys.length === 0}>
        Resolve the table
      </button>
    </form>
  )
}
