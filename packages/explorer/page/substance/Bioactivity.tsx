/** The bioactivity of a substance: hit calls against AC50, and the curve of the chosen record. */
import type { BioactivityData, BioactivitySummary } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { AssayNames } from "@chemstream/stream"
import { Effect } from "effect"
import { useCallback, useState } from "preact/hooks"
import { type Column, DataTable } from "../parts/DataTable.tsx"
import { DownloadButtons } from "../parts/DownloadButtons.tsx"
import { InteractiveFigure } from "../parts/InteractiveFigure.tsx"
import { Empty, Loading, Problem } from "../parts/StateMessages.tsx"
import { useRequest } from "../session.ts"
import { draw } from "./drawPlot.ts"
import { points, record } from "./substanceRequests.ts"

interface Properties {
  readonly dtxsid: string
  readonly name: string
  readonly summary: BioactivitySummary.ChemicalSummary | undefined
}

/** The plot, its records as a table, and the chosen curve. */
export const Bioactivity = ({ dtxsid, name, summary }: Properties) => {
  const [chosen, setChosen] = useState<number>()
  const choose = useCallback((title: string) => {
    const m4id = Number(/^m4id (\d+)$/m.exec(title)?.[1])
    if (Number.isInteger(m4id)) setChosen(m4id)
  }, [])
  const request = useRequest(
    () =>
      Effect.gen(function* () {
        const records = yield* points(dtxsid)
        if (records.length === 0) return { records, names: new Map<number, string>(), svg: undefined }
        const cytotoxLowerUm = summary?.cytotoxLowerUm
        const names = AssayNames.plain(yield* AssayNames.of(records.map(({ aeid }) => Number(aeid))))
        const svg = yield* draw("hitCalls", records, { title: name, cytotoxLowerUm, assayNames: names })
        return { records, names, svg }
      }),
    [dtxsid]
  )
  if (request.state === "pending") return <Loading what="Bioactivity" />
  if (request.state === "failed") return <Problem {...request} />
  const { names, records, svg } = request.value
  if (svg === undefined) return <Empty title="The service has no bioactivity data for this substance" />
  return (
    <>
      <InteractiveFigure svg={svg} onChoose={choose} />
      {chosen === undefined ? null : <Curve m4id={chosen} names={names} />}
      <div class="tools no-print">
        <span class="note">
          {records.length} {records.length === 1 ? "record" : "records"}
        </span>
        <DownloadButtons stem={`${dtxsid}-bioactivity`} content={() => ({ records: records.map(rawOf) })} />
      </div>
      <DataTable label="Bioactivity records" columns={columnsOf(names, setChosen)} rows={records} />
    </>
  )
}

/** The names of assay endpoints, by number. */
type Names = ReadonlyMap<number, string>

const Curve = ({ m4id, names }: { readonly m4id: number; readonly names: Names }) => {
  const request = useRequest(
    () => Effect.flatMap(record(m4id), (one) => draw("curve", one, { assayNames: names })),
    [m4id, names]
  )
  if (request.state === "failed") return <Problem {...request} />
  return request.state === "pending" ? (
    <Loading what="The curve" />
  ) : (
    <InteractiveFigure svg={request.value} />
  )
}

const rawOf = (point: BioactivityData.PlotPoint) => RawRecord.fromText(JSON.stringify(point))

const columnsOf = (
  names: Names,
  choose: (m4id: number) => void
): ReadonlyArray<Column<BioactivityData.PlotPoint>> => [
  {
    title: "Assay endpoint",
    value: ({ aeid }) => `${aeid} ${names.get(Number(aeid)) ?? ""}`.trim()
  },
  { title: "Hit call", isNumber: true, value: ({ hitc }) => hitc },
  { title: "AC50 (µM)", isNumber: true, value: ({ ac50 }) => ac50 },
  {
    title: "Curve",
    isNumber: true,
    value: ({ m4id }) => m4id,
    show: ({ m4id }) =>
      typeof m4id === "number" ? (
        <button type="button" class="quiet" onClick={() => choose(m4id)}>
          m4id {m4id}
        </button>
      ) : null
  }
]
