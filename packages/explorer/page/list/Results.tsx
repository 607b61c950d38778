/** Shows the results of a list as a table to sort, filter and download, one page at a time. */
import type { Resolve } from "@chemstream/stream"
import type { Effect } from "effect"
import { useMemo, useState } from "preact/hooks"
import { type Failure, useSession } from "../connection.ts"
import { download } from "../parts/download.ts"
import { href } from "../routing.ts"
import * as ResolveRun from "./resolveRun.ts"

interface Properties {
  readonly name: string
  readonly columns: ReadonlyArray<string> | undefined
  readonly total: number
  readonly results: ReadonlyArray<Resolve.RowResult>
}

/** The number of rows on a page. */
const pageSize = 100

const columns = {
  Line: ({ line }: Resolve.RowResult) => line,
  Input: ({ input }: Resolve.RowResult) => input,
  Kind: ({ kind }: Resolve.RowResult) => kind ?? "",
  Status: ({ status }: Resolve.RowResult) => status,
  Substance: ({ candidates }: Resolve.RowResult) => candidates[0]?.preferredName ?? "",
  Note: ({ note }: Resolve.RowResult) => note ?? ""
}

type Column = keyof typeof columns

const names = Object.keys(columns) as ReadonlyArray<Column>

interface Order {
  readonly by: Column
  readonly isDescending: boolean
}

const compare = (one: string | number, other: string | number): number =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : String(one).localeCompare(String(other))

const sorted = (results: ReadonlyArray<Resolve.RowResult>, { by, isDescending }: Order) => {
  const value = columns[by]
  const direction = isDescending ? -1 : 1
  return results.toSorted(
    (one, other) => direction * compare(value(one), value(other)) || one.line - other.line
  )
}

const filtered = (results: ReadonlyArray<Resolve.RowResult>, status: string, text: string) => {
  const wanted = text.trim().toLowerCase()
  return results.filter(
    (result) =>
      (status === "" || result.status === status) &&
      (wanted === "" ||
        names.some((name) => String(columns[name](result)).toLowerCase().includes(wanted)) ||
        result.candidates.some(({ dtxsid }) => dtxsid?.toLowerCase().includes(wanted)))
  )
}

/** The table of results. */
export const Results = (run: Properties) => {
  const { results } = run
  const [status, setStatus] = useState("")
  const [text, setText] = useState("")
  const [order, setOrder] = useState<Order>({ by: "Line", isDescending: false })
  const [page, setPage] = useState(0)
  const shown = useMemo(() => sorted(filtered(results, status, text), order), [results, status, text, order])
  const pages = Math.max(1, Math.ceil(shown.length / pageSize))
  const at = Math.min(page, pages - 1)
  return (
    <section aria-label="Results">
      <div class="tools">
        <label>
          Status{" "}
          <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
            <option value="">all</option>
            {ResolveRun.statuses.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Filter <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <Downloads {...run} />
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Rows">
        <table>
          <thead>
            <tr>
              {names.map((name) => (
                <Heading key={name} name={name} order={order} setOrder={setOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(at * pageSize, (at + 1) * pageSize).map((result) => (
              <Row key={result.line} {...result} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="tools">
        <button type="button" disabled={at === 0} onClick={() => setPage(at - 1)}>
          Previous
        </button>
        <span>
          Page {at + 1} of {pages}, {shown.length} of {results.length} rows
        </span>
        <button type="button" disabled={at === pages - 1} onClick={() => setPage(at + 1)}>
          Next
        </button>
      </p>
    </section>
  )
}

interface HeadingProperties {
  readonly name: Column
  readonly order: Order
  readonly setOrder: (order: Order) => void
}

const Heading = ({ name, order, setOrder }: HeadingProperties) => {
  const isActive = order.by === name
  const isDescending = isActive && !order.isDescending
  return (
    <th scope="col" aria-sort={isActive ? (order.isDescending ? "descending" : "ascending") : undefined}>
      <button type="button" class="quiet" onClick={() => setOrder({ by: name, isDescending })}>
        {name}
        {isActive ? (order.isDescending ? " ↓" : " ↑") : ""}
      </button>
    </th>
  )
}

/** The maximum number of candidates in a cell. Downloads have all of them. */
const maxCandidates = 3

const Row = ({ candidates, input, kind, line, more, note, status }: Resolve.RowResult) => (
  <tr>
    <td class="number">{line}</td>
    <td>{input}</td>
    <td>{kind}</td>
    <td>
      <span class={`status ${status}`}>{status}</span>
    </td>
    <td>
      {candidates.slice(0, maxCandidates).map(({ dtxcid, dtxsid, preferredName }) => {
        const id = dtxsid ?? dtxcid ?? ""
        return (
          <div key={id}>
            <a href={href({ view: "substance", id })}>{preferredName ?? id}</a> <span class="note">{id}</span>
          </div>
        )
      })}
      {candidates.length + more > maxCandidates ? (
        <span class="note">and {candidates.length + more - maxCandidates} more</span>
      ) : null}
    </td>
    <td>{note}</td>
  </tr>
)

const Downloads = ({ columns, name, results, total }: Properties) => {
  const { connection } = useSession()
  const stem = name.replace(/\.\w+$/, "").replaceAll(/\W+/g, "-")
  const ordered = () => results.toSorted((one, other) => one.line - other.line)
  const save = (extension: string, type: string, bytes: Effect.Effect<ReadonlyArray<Uint8Array>, Failure>) =>
    connection.run(bytes).then((exit) => {
      if (exit._tag === "Success") {
        download(`${stem}-resolved.${extension}`, type, exit.value as ReadonlyArray<Uint8Array<ArrayBuffer>>)
      }
    })
  const saveReport = () =>
    download(`${stem}-report.html`, "text/html", [ResolveRun.toReport(name, ordered(), total)])
  return (
    <span class="downloads">
      Download:{" "}
      <button type="button" onClick={() => save("csv", "text/csv", ResolveRun.toCsv(ordered(), columns))}>
        CSV
      </button>{" "}
      <button
        type="button"
        onClick={() => save("ndjson", "application/x-ndjson", ResolveRun.toNdjson(ordered(), columns))}
      >
        NDJSON
      </button>{" "}
      <button type="button" onClick={saveReport}>
        Report
      </button>
    </span>
  )
}
