/** The bioactivity of a substance: hit calls against AC50, and the curve of the chosen record. */
import type { BioactivityData, BioactivitySummary } from "@chemstream/api"
import { AssayNames } from "@chemstream/stream"
import { Effect } from "effect"
import { useCallback, useState } from "preact/hooks"
import { useRequest } from "../connection.ts"
import { Figure } from "../parts/Figure.tsx"
import { Problem } from "../parts/Problem.tsx"
import { points, record } from "./facts.ts"

const drawing = Effect.promise(() => import("./plots.ts"))

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
        const Plot = yield* drawing
        const cytotoxLowerUm = summary?.cytotoxLowerUm
        const names = yield* AssayNames.plain
        const svg = yield* Plot.hitCalls(records, { title: name, cytotoxLowerUm, assayNames: names })
        return { records, names, svg }
      }),
    [dtxsid]
  )
  return (
    <section>
      <h2>Bioactivity</h2>
      {request.state === "failed" ? <Problem failure={request.failure} /> : null}
      {request.state === "pending" ? <p role="status">Loading…</p> : null}
      {request.state !== "done" ? null : request.value.svg === undefined ? (
        <p class="note">The service has no bioactivity data for this substance.</p>
      ) : (
        <>
          <Figure svg={request.value.svg} onChoose={choose} />
          {chosen === undefined ? null : <Curve m4id={chosen} names={request.value.names} />}
          <Records {...request.value} choose={setChosen} />
        </>
      )}
    </section>
  )
}

/** The names of assay endpoints, by number. */
type Names = ReadonlyMap<number, string>

const Curve = ({ m4id, names }: { readonly m4id: number; readonly names: Names }) => {
  const request = useRequest(
    () =>
      Effect.gen(function* () {
        const Plot = yield* drawing
        return yield* Plot.curve(yield* record(m4id), { assayNames: names })
      }),
    [m4id, names]
  )
  if (request.state === "failed") return <Problem failure={request.failure} />
  return request.state === "pending" ? (
    <p role="status">Loading the curve…</p>
  ) : (
    <Figure svg={request.value} />
  )
}

/** The maximum number of records in the table. */
const maxRows = 500

interface RecordsProperties {
  readonly records: ReadonlyArray<BioactivityData.PlotPoint>
  readonly names: Names
  readonly choose: (m4id: number) => void
}

const Records = ({ choose, names, records }: RecordsProperties) => (
  <details>
    <summary>
      {records.length} {records.length === 1 ? "record" : "records"} as a table
      {records.length > maxRows ? `, the first ${maxRows}` : ""}
    </summary>
    <div class="scroll" tabIndex={0} role="region" aria-label="Bioactivity records">
      <table>
        <thead>
          <tr>
            <th scope="col">Assay endpoint</th>
            <th scope="col">Hit call</th>
            <th scope="col">AC50 (µM)</th>
            <th scope="col">Curve</th>
          </tr>
        </thead>
        <tbody>
          {records.slice(0, maxRows).map(({ ac50, aeid, hitc, m4id }, at) => (
            <tr key={m4id ?? at}>
              <td>
                {aeid} {names.get(Number(aeid))}
              </td>
              <td class="number">{hitc}</td>
              <td class="number">{ac50}</td>
              <td>
                {typeof m4id === "number" ? (
                  <button type="button" class="quiet" onClick={() => choose(m4id)}>
                    m4id {m4id}
                  </button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
)
