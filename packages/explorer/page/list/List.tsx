/** A list: its input, its run, and its results as a table to filter, sort and download. */
import type { Resolve } from "@chemstream/stream"
import { useMemo, useState } from "preact/hooks"
import { type Column, DataTable } from "../parts/DataTable.tsx"
import { DownloadButtons } from "../parts/DownloadButtons.tsx"
import { Problem } from "../parts/StateMessages.tsx"
import { saveFile } from "../parts/saveFile.ts"
import { InputForm } from "./InputForm.tsx"
import * as ListInput from "./listInput.ts"
import { ledgerOf, Progress, SubstanceLink, statusColumn, stemOf } from "./RunProgress.tsx"
import * as ResolveRun from "./resolveRun.ts"
import { KeyColumns, TableChoice } from "./TableChoice.tsx"
import { type Run, useListRun } from "./useListRun.ts"

/** The view of a list. */
export const List = () => {
  const resolve = (given: ListInput.Input, table: ListInput.Table | undefined, keys: ReadonlyArray<string>) =>
    begin(given, table, ListInput.identifiersOf(given, table, keys), (rows, onResult) =>
      ResolveRun.resolve(rows, keys, onResult)
    )
  const { begin, input, problem, read, run, stop } = useListRun<Resolve.RowResult>(
    ListInput.identifierColumns,
    (list) => resolve(list, undefined, [])
  )
  return (
    <>
      <h1>List</h1>
      <InputForm
        label="Identifiers of any kind, one on each line, or a table with a header"
        placeholder={"80-05-7\nBenzene\nDTXSID0020232"}
        action="Resolve"
        onInput={read}
      />
      {problem === undefined ? null : <Problem failure={problem} />}
      {input === undefined ? null : (
        <TableChoice
          tables={input.tables}
          form={(table) => <KeyColumns table={table} choose={(keys) => resolve(input, table, keys)} />}
        />
      )}
      {run === undefined ? null : (
        <Progress run={run} ledger={ledger(run)} stop={stop}>
          <Results {...run} />
        </Progress>
      )}
    </>
  )
}

type ListRun = Run<Resolve.RowResult>

const ledger = ({ results, total }: ListRun): string => ledgerOf("rows", ResolveRun.statuses, results, total)

const columns: ReadonlyArray<Column<Resolve.RowResult>> = [
  { title: "Line", isNumber: true, value: ({ line }) => line },
  { title: "Input", value: ({ input }) => input },
  { title: "Kind", value: ({ kind }) => kind },
  statusColumn,
  {
    title: "Substance",
    value: ({ candidates }) => candidates[0]?.preferredName,
    show: (result) => <Candidates {...result} />
  },
  { title: "Note", value: ({ note }) => note }
]

const filtered = (results: ReadonlyArray<Resolve.RowResult>, status: string, text: string) => {
  const wanted = text.trim().toLowerCase()
  const texts = (result: Resolve.RowResult) => [
    ...columns.map(({ value }) => value(result)),
    ...result.candidates.map(({ dtxsid }) => dtxsid)
  ]
  const isShown = (result: Resolve.RowResult) =>
    (status === "" || result.status === status) &&
    (wanted === "" || texts(result).some((one) => `${one ?? ""}`.toLowerCase().includes(wanted)))
  return results.filter(isShown)
}

const Results = (run: ListRun) => {
  const { columns: given, name, results } = run
  const [status, setStatus] = useState("")
  const [text, setText] = useState("")
  const ordered = useMemo(() => results.toSorted((one, other) => one.line - other.line), [results])
  const shown = useMemo(() => filtered(ordered, status, text), [ordered, status, text])
  const saveReport = () =>
    saveFile(`${stemOf(name)}-report.html`, "text/html", [ResolveRun.toReport(name, ordered, ledger(run))])
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
        <DownloadButtons
          stem={`${stemOf(name)}-resolved`}
          content={() => ResolveRun.contentOf(ordered, given)}
        >
          <button type="button" class="quiet" onClick={saveReport}>
            Report
          </button>
        </DownloadButtons>
      </div>
      <DataTable label="Rows" columns={columns} rows={shown} />
    </section>
  )
}

/** The maximum number of candidates in a cell. Downloads have all of them. */
const maxCandidates = 3

const Candidates = ({ candidates, more }: Resolve.RowResult) => (
  <>
    {candidates.slice(0, maxCandidates).map(({ dtxcid, dtxsid, preferredName }) => {
      const id = dtxsid ?? dtxcid ?? ""
      return (
        <div key={id}>
          <SubstanceLink id={id} name={preferredName ?? id} />
        </div>
      )
    })}
    {candidates.length + more > maxCandidates ? (
      <span class="note">and {candidates.length + more - maxCandidates} more</span>
    ) : null}
  </>
)
