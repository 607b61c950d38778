/** The further data of a substance, by family. A family is requested when it is first opened. */
import type { Row } from "@chemstream/api"
import { Blank, Listing } from "@chemstream/stream"
import { useState } from "preact/hooks"
import { useRequest } from "../connection.ts"
import { Problem } from "../parts/Problem.tsx"
import { recordsOf, type Section, sections } from "./sections.ts"
import { type Cell, innermost, isExample, type Table, tableOf } from "./table.ts"

interface OfSubstance {
  readonly dtxsid: string
}

/** All families, closed. */
export const Families = ({ dtxsid }: OfSubstance) => (
  <section>
    <h2>Further data</h2>
    {sections.map((section) => (
      <Family key={section.title} section={section} dtxsid={dtxsid} />
    ))}
  </section>
)

const Family = ({ dtxsid, section }: OfSubstance & { readonly section: Section }) => {
  const [isOpened, setOpened] = useState(false)
  return (
    <details class="family" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>
        <h3>{section.title}</h3> <span class="note">{section.description}</span>
      </summary>
      {isOpened ? section.rows.map((row) => <Records key={row.name} row={row} dtxsid={dtxsid} />) : null}
    </details>
  )
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The maximum number of records in a table. */
const maxRows = 100

const Records = ({ dtxsid, row }: OfSubstance & { readonly row: Row.Row }) => {
  const request = useRequest(() => recordsOf(row, dtxsid), [row, dtxsid])
  const title = sentence(row.what)
  if (request.state === "pending") return <p role="status">{title}: loading…</p>
  if (request.state === "failed") {
    return (
      <>
        <h4>{title}</h4>
        <Problem failure={request.failure} />
      </>
    )
  }
  const records = request.value
  if (records.length === 0) return <p class="note">{title}: none</p>
  // The page is about one substance.
  const hidden = ["dtxsid", ...(row.scalar === undefined ? [] : ["query"])]
  const shown = records.slice(0, maxRows).map(Blank.toNull(row))
  const examples = records.filter(isExample).length
  return (
    <section>
      <h4>
        {title} <span class="note">{records.length}</span>
      </h4>
      {examples === 0 ? null : (
        <p class="example">
          Example data: {examples === records.length ? "all" : examples} of these values are made up.
        </p>
      )}
      {row.note === undefined ? null : <p class="note">{row.note.replaceAll("`", "")}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <RecordTable {...innermost(tableOf(shown, Listing.schemaOf(row), hidden))} />
      </div>
      {records.length > maxRows ? (
        <p class="note">
          The first {maxRows} of {records.length} records.
        </p>
      ) : null}
    </section>
  )
}

const RecordTable = ({ columns, rows }: Table) => (
  <table>
    <thead>
      <tr>
        {columns.map(({ meaning, name, unit }) => (
          <th key={name} scope="col" title={meaning}>
            {unit === undefined ? name : `${name} (${unit})`}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, at) => (
        <tr key={at}>
          {row.map((cell, column) => (
            <Value key={columns[column]?.name} cell={cell} />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

const Value = ({ cell }: { readonly cell: Cell | undefined }) => {
  if (cell === undefined) return <td />
  if ("text" in cell) return <td class={cell.isNumber ? "number" : undefined}>{cell.text}</td>
  return (
    <td>
      <details>
        <summary>
          {cell.rows.length} {cell.rows.length === 1 ? "record" : "records"}
        </summary>
        <RecordTable {...cell} />
      </details>
    </td>
  )
}
