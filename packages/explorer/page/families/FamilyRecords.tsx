/** The records of a family about a substance, one table for each kind, as the service sent them. */
import type { Row } from "@chemstream/api"
import { Blank, Listing } from "@chemstream/stream"
import { type Column, DataTable } from "../parts/DataTable.tsx"
import { DownloadButtons } from "../parts/DownloadButtons.tsx"
import { Empty, Loading, Problem } from "../parts/StateMessages.tsx"
import { useRequest, useService } from "../session.ts"
import { hasRecords, recordsOf, type Section } from "./familySections.ts"
import { type Cell, innermost, isExample, type Table, tableOf } from "./familyTable.ts"

interface OfSubstance {
  readonly dtxsid: string
}

/** All kinds of records of a family. */
export const FamilyRecords = ({ dtxsid, section }: OfSubstance & { readonly section: Section }) => {
  const service = useService()
  if (service !== undefined && !hasRecords(service, section.rows))
    return <Empty title={`This service has no records of ${section.title.toLowerCase()}`} />
  return (
    <>
      <p class="note">{section.description}</p>
      {section.rows.map((row) => (
        <Records key={row.name} row={row} dtxsid={dtxsid} />
      ))}
    </>
  )
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const Records = ({ dtxsid, row }: OfSubstance & { readonly row: Row.Row }) => {
  const request = useRequest(() => recordsOf(row, dtxsid), [row, dtxsid])
  const title = sentence(row.what)
  if (request.state === "pending") return <Loading what={title} />
  if (request.state === "done" && request.value.length === 0) return <p class="note none">{title}: none</p>
  return (
    <section>
      <h2>{title}</h2>
      {row.note === undefined ? null : <p class="note">{row.note.replaceAll("`", "")}</p>}
      {request.state === "failed" ? <Problem {...request} /> : null}
      {request.state === "done" ? <Found {...{ dtxsid, row, title }} records={request.value} /> : null}
    </section>
  )
}

interface FoundProperties extends OfSubstance {
  readonly row: Row.Row
  readonly title: string
  readonly records: Parameters<typeof tableOf>[0]
}

const Found = ({ dtxsid, records, row, title }: FoundProperties) => {
  // The page is about one substance.
  const hidden = ["dtxsid", ...(row.scalar === undefined ? [] : ["query"])]
  const table = innermost(tableOf(records.map(Blank.toNull(row)), Listing.schemaOf(row), hidden))
  const examples = records.filter(isExample).length
  return (
    <>
      <div class="tools">
        <span class="note">
          {records.length} {records.length === 1 ? "record" : "records"}
        </span>
        {examples === 0 ? null : (
          <span class="example">
            Example data: {examples === records.length ? "all" : examples} of these values are made up.
          </span>
        )}
        <DownloadButtons stem={`${dtxsid}-${row.name}`} title={title} content={() => ({ records })} />
      </div>
      <DataTable label={title} columns={columnsOf(table)} rows={table.rows} />
    </>
  )
}

type Cells = Table["rows"][number]

const columnsOf = ({ columns, rows }: Table): ReadonlyArray<Column<Cells>> =>
  columns.map(({ meaning, name, unit }, at) => ({
    title: unit === undefined ? name : `${name} (${unit})`,
    meaning,
    isNumber: rows.every((row) => isNumber(row[at])),
    value: (row) => textOf(row[at]),
    show: (row) => <Value cell={row[at]} />
  }))

const isNumber = (cell: Cell | undefined): boolean => cell === undefined || ("text" in cell && cell.isNumber)

const textOf = (cell: Cell | undefined): string | undefined =>
  cell !== undefined && "text" in cell ? cell.text : undefined

/** A text, or the table of a nested list. */
const Value = ({ cell }: { readonly cell: Cell | undefined }) => {
  if (cell === undefined || "text" in cell) return <>{cell?.text}</>
  const count = `${cell.rows.length} ${cell.rows.length === 1 ? "record" : "records"}`
  return (
    <details>
      <summary>{count}</summary>
      <DataTable label={count} columns={columnsOf(cell)} rows={cell.rows} />
    </details>
  )
}
