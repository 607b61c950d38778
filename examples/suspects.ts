/**
 * Finds candidate substances for the peaks of a mass spectrum, by MS-ready mass. The input is a CSV with the columns mz and adduct
 * ([M+H]+, 2M+Na …). The output has one row for each candidate, with all columns of its peak. The tolerance is in ppm. Default: 5.
 *
 *   node examples/suspects.ts peaks.csv 5 > candidates.csv
 * The command does the same: chemstream suspects --input peaks.csv --mz mz --ppm 5 --format csv
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY set the service. Exit code 1: something failed; 2: wrong usage; 3: key rejected.
 */
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Csv, RawRecord } from "@chemstream/ndjson"
import { Identifiers, Suspects } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, Option, Stdio, Stream } from "effect"

const [file, ppm = "5"] = process.argv.slice(2)
const refuse: (why: string) => never = (why) => {
  console.error(why)
  process.exit(2)
}
if (file === undefined || !(Number(ppm) > 0)) refuse("usage: suspects.ts FILE [PPM]")
const fields = ["dtxsid", "preferredName", "molFormula", "monoisotopicMass", "smiles"]

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file))) refuse(`there is no file ${file}`)
  const rows = fs.stream(file).pipe(Csv.decode())
  const first = yield* Stream.runHead(rows)
  const given = Object.keys(Option.getOrElse(first, () => refuse(`${file} has no rows`)))
  for (const name of ["mz", "adduct"]) if (!given.includes(name)) refuse(`${file} has no column ${name}`)
  const free = (name: string): string => (given.includes(name) ? free(`${name}_found`) : name)

  const found = rows.pipe(
    Identifiers.fromItems({
      id: ({ adduct, mz = "" }) => Suspects.feature(mz, adduct),
      carried: (peak) => peak
    }),
    Suspects.outcomes({ tolerance: { ppm: Number(ppm) }, projection: "compact" }),
    Stream.map(({ carried, input, note, status, suspects }) => {
      if (status !== "found") console.error(`${status}: m/z ${input}: ${note}`)
      if (status === "failed") process.exitCode = 1
      return suspects.map(({ neutralMass, record }) => {
        const own = fields.map((name) => [free(name), RawRecord.value(record, name)])
        return {
          ...(carried as object),
          [free("neutralMass")]: neutralMass.toFixed(5),
          ...Object.fromEntries(own)
        }
      })
    })
  )
  const csv = Csv.encode({ columns: [...given, ...["neutralMass", ...fields].map(free)] })
  yield* Stream.run(csv(Stream.flattenIterable(found)), (yield* Stdio.Stdio).stdout())
})

const client = ChemClient.layerConfig().pipe(Layer.provide(Transport.layer()))
await Effect.runPromise(Effect.provide(program, [client, NodeServices.layer])).catch((error) => {
  console.error(error.message)
  process.exitCode = error._tag === "Unauthorized" ? 3 : 1
})
