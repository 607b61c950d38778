/** A feature table: its input, the settings of the search, and the candidates of each feature. */
import { RawRecord } from "@chemstream/ndjson"
import { Suspects as Screening, SuspectRows } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { useMemo, useState } from "preact/hooks"
import { type Column, DataTable } from "../parts/DataTable.tsx"
import { DownloadButtons } from "../parts/DownloadButtons.tsx"
import type { Content } from "../parts/encodeRecords.ts"
import { Problem } from "../parts/StateMessages.tsx"
import { InputForm } from "./InputForm.tsx"
import * as ListInput from "./listInput.ts"
import { ledgerOf, Progress, SubstanceLink, statusColumn, stemOf } from "./RunProgress.tsx"
import { wait } from "./resolveRun.ts"
import { readSettings, type Settings, SuspectForm } from "./SuspectForm.tsx"
import { TableChoice } from "./TableChoice.tsx"
import { type Run, useListRun } from "./useListRun.ts"

/** The view of a feature table. */
export const Suspects = () => {
  const { begin, input, problem, read, run, stop } = useListRun<Screening.FeatureResult>(ListInput.mzColumns)
  const screen = (given: ListInput.Input, table: ListInput.Table | undefined) => (settings: Settings) => {
    const keys = settings.adduct === "" ? [settings.mz] : [settings.mz, settings.adduct]
    const options = readSettings(settings)
    const features = ListInput.identifiersOf(given, table, keys, ([mz = "", adduct]) =>
      Screening.feature(mz, adduct)
    )
    begin(given, table, Effect.andThen(options, features), (rows, onResult) =>
      Effect.flatMap(options, (read) =>
        Stream.fromIterable(rows).pipe(
          Screening.outcomes({ ...read, availability: { wait } }),
          Stream.runForEach((result) => Effect.sync(() => onResult(result)))
        )
      )
    )
  }
  return (
    <>
      <h1>Suspects</h1>
      <InputForm
        label="The m/z of features, one on each line, or a feature table with a header"
        placeholder={"mz,rt,adduct\n229.1223,5.21,[M+H]+\n227.1077,5.20,[M-H]-"}
        action="Read"
        onInput={read}
      />
      {problem === undefined ? null : <Problem failure={problem} />}
      {input === undefined ? null : input.tables.length === 0 ? (
        <SuspectForm columns={undefined} choose={screen(input, undefined)} />
      ) : (
        <TableChoice
          tables={input.tables}
          form={(table) => <SuspectForm columns={table.columns} choose={screen(input, table)} />}
        />
      )}
      {run === undefined ? null : (
        <Progress run={run} ledger={ledgerOf("features", statuses, run.results, run.total)} stop={stop}>
          <Results {...run} />
        </Progress>
      )}
    </>
  )
}

const statuses = ["found", "missing", "invalid", "failed"] as const

/** A feature with one of its candidates, or without any. */
interface Pair extends Omit<Screening.FeatureResult, "suspects"> {
  readonly suspect: Screening.Suspect | undefined
}

const pairsOf = ({ suspects, ...feature }: Screening.FeatureResult): ReadonlyArray<Pair> =>
  suspects.length === 0
    ? [{ ...feature, suspect: undefined }]
    : suspects.map((suspect) => ({ ...feature, suspect }))

const fieldOf = ({ suspect }: Pair, field: string): string | number | undefined => {
  const value = suspect === undefined ? undefined : RawRecord.value(suspect.record, field)
  return typeof value === "string" || typeof value === "number" ? value : undefined
}

const columns: ReadonlyArray<Column<Pair>> = [
  { title: "Line", isNumber: true, value: ({ line }) => line },
  { title: "Feature", value: ({ input }) => input },
  statusColumn,
  { title: "Rank", isNumber: true, value: ({ suspect }) => suspect?.rank },
  { title: "Ion", value: ({ suspect }) => suspect?.adduct },
  {
    title: "Error (ppm)",
    meaning: "The difference between the measured m/z and that of the candidate",
    isNumber: true,
    value: ({ suspect }) => suspect?.error?.ppm.toFixed(2)
  },
  {
    title: "Substance",
    value: (pair) => fieldOf(pair, "preferredName"),
    show: (pair) =>
      pair.suspect === undefined ? null : (
        <SubstanceLink
          id={pair.suspect.dtxsid}
          name={fieldOf(pair, "preferredName") ?? pair.suspect.dtxsid}
        />
      )
  },
  { title: "CAS number", value: (pair) => fieldOf(pair, "casrn") },
  { title: "Formula", value: (pair) => fieldOf(pair, "molFormula") },
  { title: "Data sources", isNumber: true, value: (pair) => fieldOf(pair, "sourcesCount") },
  { title: "Note", value: ({ note }) => note }
]

/** Returns the rows that `chemstream suspects` writes. */
const contentOf = ({ columns: given, results }: Run<Screening.FeatureResult>): Content => {
  const isTable = given !== undefined
  const layout = { columns: given, isTable, fields: SuspectRows.defaultFields, isMerged: false }
  return {
    records: results.flatMap(SuspectRows.make(layout)),
    columns: SuspectRows.names(layout),
    unquotedEmpty: isTable
  }
}

const Results = (run: Run<Screening.FeatureResult>) => {
  const [isBest, setBest] = useState(false)
  const pairs = useMemo(
    () => run.results.flatMap(pairsOf).filter(({ suspect }) => !isBest || (suspect?.rank ?? 1) === 1),
    [run.results, isBest]
  )
  return (
    <section aria-label="Results">
      <div class="tools">
        <label class="choice">
          <input type="checkbox" checked={isBest} onChange={() => setBest(!isBest)} /> Only the best candidate
        </label>
        <DownloadButtons stem={`${stemOf(run.name)}-suspects`} content={() => contentOf(run)} />
      </div>
      <DataTable label="Candidates" columns={columns} rows={pairs} />
    </section>
  )
}
