/**
 * Writes the hit calls of assay endpoints as a matrix: a row for each chemical and a column for each endpoint (aeid). A cell is
 * 1 if a sample is active, 0 if all tested samples are inactive, and empty if no sample was tested. Counts go to standard error.
 *
 *   node examples/hit-calls.ts 101 102 > matrix.csv
 * With the hit calls themselves: chemstream bioactivity data --by aeid 101 102 | chemstream convert --wide aeid=hitc --per dtxsid --format csv
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY set the service. Exit code 1: something failed; 2: wrong usage; 3: key rejected.
 */
import { BioactivityData } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Csv, RawRecord } from "@chemstream/ndjson"
import { Bioactivity, Identifiers, Lookup, Outcome } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Stdio, Stream } from "effect"

const aeids = process.argv.slice(2)
if (aeids.length === 0) {
  console.error("usage: hit-calls.ts AEID…")
  process.exit(2)
}

// With one concentration, the hit call is 1 or 0. With several, it is continuous, and 0.9 or more means active.
const isActive = (record: RawRecord.RawRecord): boolean => {
  const hitCall = Number(RawRecord.value(record, "hitc") ?? 0)
  return RawRecord.value(record, "nconc") === 1 ? hitCall === 1 : hitCall >= BioactivityData.activeFrom
}

const matrix = new Map<string, Record<string, unknown>>()
const columns = ["dtxsid", "name"]

const program = Effect.gen(function* () {
  const { stdout } = yield* Stdio.Stdio
  // One endpoint per call: its records can be many megabytes.
  yield* Lookup.outcomes(Identifiers.fromIterable(aeids), Bioactivity.byAeid(), { batchSize: 1 }).pipe(
    Stream.runForEach((outcome) =>
      Effect.sync(() => {
        if (outcome._tag === "Failed") process.exitCode = 1
        if (outcome._tag !== "Found") return console.error(Outcome.describe(outcome))
        const { id: aeid, records } = outcome
        for (const record of records) {
          const dtxsid = RawRecord.value(record, "dtxsid")
          if (typeof dtxsid !== "string") continue // a control sample
          const row = matrix.get(dtxsid) ?? { dtxsid, name: RawRecord.value(record, "chnm") }
          matrix.set(dtxsid, { ...row, [aeid]: isActive(record) ? 1 : (row[aeid] ?? 0) })
        }
        columns.push(aeid)
        console.error(`${aeid}: ${records.filter(isActive).length} of ${records.length} samples active`)
      })
    )
  )
  yield* Stream.run(Csv.encode({ columns })(Stream.fromIterable(matrix.values())), stdout())
})

const client = ChemClient.layerConfig().pipe(Layer.provide(Transport.layer()))
await Effect.runPromise(Effect.provide(program, [client, NodeServices.layer])).catch((error) => {
  console.error(error.message)
  process.exitCode = error._tag === "Unauthorized" ? 3 : 1
})
