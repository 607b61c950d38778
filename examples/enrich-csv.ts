/**
 * Adds DTXSID, name, formula and mass to a CSV with identifiers of any kind, even damaged CAS numbers. Every row and cell stays.
 * Without exactly one substance, the new cells are empty, and standard error lists the row. A used column name gets _found.
 *
 *   node examples/enrich-csv.ts samples.csv casrn > enriched.csv
 *
 * The command does the same: chemstream resolve --input samples.csv --key casrn --format csv
 *
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY set the service. Exit code 1: something failed; 2: wrong usage; 3: key rejected.
 */
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Csv, RawRecord } from "@chemstream/ndjson"
import { Identifiers, Resolve } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, Option, Stdio, Stream } from "effect"

const [file, column] = process.argv.slice(2)
const refuse: (why: string) => never = (why) => {
  console.error(why)
  process.exit(2)
}
if (file === undefined || column === undefined) refuse("usage: enrich-csv.ts FILE COLUMN")
const added = ["dtxsid", "preferredName", "molFormula", "monoisotopicMass"]

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file))) refuse(`there is no file ${file}`)
  const rows = fs.stream(file).pipe(Csv.decode())
  const first = yield* Stream.runHead(rows)
  const given = Object.keys(Option.getOrElse(first, () => refuse(`${file} has no rows`)))
  if (!given.includes(column)) refuse(`${file} has no column ${column}; it has ${given.join(", ")}`)
  const free = (name: string): string => (given.includes(name) ? free(`${name}_found`) : name)

  const enriched = rows.pipe(
    Identifiers.fromItems({ id: (row) => row[column] ?? "", carried: (row) => row }),
    Resolve.outcomes({ projection: "compact" }),
    Stream.map(({ candidates: [found], carried, line, note, status }) => {
      if (status !== "found") console.error(`row ${line}: ${status}: ${note}`)
      if (status === "failed") process.exitCode = 1
      const record = status === "found" ? found?.record : undefined
      const cells = added.map((name) => [free(name), record && RawRecord.value(record, name)])
      return { ...(carried as object), ...Object.fromEntries(cells) }
    })
  )
  const csv = Csv.encode({ columns: [...given, ...added.map(free)] })
  yield* Stream.run(csv(enriched), (yield* Stdio.Stdio).stdout())
})

const client = ChemClient.layerConfig().pipe(Layer.provide(Transport.layer()))
await Effect.runPromise(Effect.provide(program, [client, NodeServices.layer])).catch((error) => {
  console.error(error.message)
  process.exitCode = error._tag === "Unauthorized" ? 3 : 1
})
