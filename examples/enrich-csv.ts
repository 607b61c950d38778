/**
 * Adds DTXSID, name, formula and mass to a CSV with CAS numbers. Every row and cell stays; new cells are empty where the
 * service does not know the number, which standard error tells. A column whose name is taken is added as NAME_found.
 *
 *   node examples/enrich-csv.ts samples.csv casrn > enriched.csv
 *
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY say which service. Exit code 1: something failed; 2: usage; 3: key refused.
 */
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Csv, RawRecord } from "@chemstream/ndjson"
import { Crawl, Details, Identifiers, Outcome, Search } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, Stdio, Stream } from "effect"

const [file, column] = process.argv.slice(2)
const refuse: (why: string) => never = (why) => {
  console.error(why)
  process.exit(2)
}
if (file === undefined || column === undefined) refuse("usage: enrich-csv.ts FILE COLUMN")
const added = ["dtxsid", "preferredName", "molFormula", "monoisotopicMass"]
const lookup = Details.byDtxsid({ projection: "compact" })

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file))) refuse(`there is no file ${file}`)
  const rows = yield* fs.stream(file).pipe(Csv.decode(), Stream.runCollect)
  const given = Object.keys(rows[0] ?? refuse(`${file} has no rows`))
  if (!given.includes(column)) refuse(`${file} has no column ${column}; it has ${given.join(", ")}`)
  const free = (name: string): string => (given.includes(name) ? free(`${name}_found`) : name)

  // Search each number, and look up what the searches find: the best hit comes first.
  const numbers = rows.map((row) => row[column]?.trim() ?? "")
  const dtxsids = new Map<string, string | undefined>()
  const records = new Map<string | undefined, RawRecord.RawRecord | undefined>()
  const steps = Crawl.outcomes(Identifiers.fromIterable(numbers), { search: Search.equal(), lookup })
  for (const step of yield* Stream.runCollect(steps)) {
    const { id, line, _tag } = step.outcome
    if (_tag !== "Found") console.error(`row ${line}: ${Outcome.describe(step.outcome)}`)
    if (_tag === "Failed") process.exitCode = 1
    if (step._tag === "Query") dtxsids.set(id, step.leads[0])
    else if (step.outcome._tag === "Found") records.set(id, step.outcome.records[0])
  }

  const enriched = rows.map((row, index) => {
    const record = records.get(dtxsids.get(numbers[index] ?? ""))
    const cells = added.map((name) => [free(name), record && RawRecord.value(record, name)])
    return { ...row, ...Object.fromEntries(cells) }
  })
  const csv = Csv.encode({ columns: [...given, ...added.map(free)] })
  yield* Stream.run(csv(Stream.fromIterable(enriched)), (yield* Stdio.Stdio).stdout())
})

const client = ChemClient.layerConfig().pipe(Layer.provide(Transport.layer()))
await Effect.runPromise(Effect.provide(program, [client, NodeServices.layer])).catch((error) => {
  console.error(error.message)
  process.exitCode = error._tag === "Unauthorized" ? 3 : 1
})
