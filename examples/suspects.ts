/**
 * The peaks of a mass spectrum to the substances they may be, by MS-ready mass within some ppm (5 when not given): in a
 * CSV with the columns mz and adduct ([M+H]+ or [M-H]-), out a row a candidate, which keeps all columns of its peak.
 *
 *   node examples/suspects.ts peaks.csv 5 > candidates.csv
 *
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY say which service. Exit code 1: something failed; 2: usage; 3: key refused.
 */
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Csv } from "@chemstream/ndjson"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, Stdio, Stream } from "effect"

const [file, ppm = "5"] = process.argv.slice(2)
const refuse: (why: string) => never = (why) => {
  console.error(why)
  process.exit(2)
}
if (file === undefined || !(Number(ppm) > 0)) refuse("usage: suspects.ts FILE [PPM]")
const shifts: Record<string, number> = { "[M+H]+": -1.007276466, "[M-H]-": 1.007276466 }
const added = ["neutralMass", "dtxsid", "preferredName", "molFormula", "monoisotopicMass", "smiles"]

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { details, msready } = yield* ChemClient.ChemClient

  if (!(yield* fs.exists(file))) refuse(`there is no file ${file}`)
  const rows = yield* fs.stream(file).pipe(Csv.decode(), Stream.runCollect)
  const given = Object.keys(rows[0] ?? refuse(`${file} has no rows`))
  for (const name of ["mz", "adduct"]) if (!given.includes(name)) refuse(`${file} has no column ${name}`)
  const free = (name: string): string => (given.includes(name) ? free(`${name}_found`) : name)

  const candidates = Effect.fnUntraced(function* (peak: Readonly<Record<string, string>>) {
    const { adduct = "", mz = "" } = peak
    const shift = shifts[adduct.trim()]
    const mass = Number(mz) + (shift ?? Number.NaN)
    const delta = (Number(mz) * Number(ppm)) / 1e6
    const dtxsids = mass > 0 ? yield* msready.byMass(mass - delta, mass + delta) : []
    const why = shift === undefined ? "Unknown adduct of" : mass > 0 ? "Missing" : "Invalid"
    if (dtxsids.length === 0) console.error(`${why} m/z ${mz} ${adduct}`)
    // Asked for at the same time, these go out in few calls, together with those of other peaks.
    const get = (id: string) => details.get(id, { projection: "compact" })
    const records = yield* Effect.forEach(dtxsids, get, { concurrency: "unbounded" })
    return records.map((record) => {
      const own = Object.entries({ neutralMass: mass.toFixed(5), ...record })
      return { ...peak, ...Object.fromEntries(own.map(([name, value]) => [free(name), value])) }
    })
  })

  const found = Stream.mapEffect(Stream.fromIterable(rows), candidates, { concurrency: 4 })
  const csv = Csv.encode({ columns: [...given, ...added.map(free)] })
  yield* Stream.run(csv(Stream.flattenIterable(found)), (yield* Stdio.Stdio).stdout())
})

const client = ChemClient.layerConfig().pipe(Layer.provide(Transport.layer()))
await Effect.runPromise(Effect.provide(program, [client, NodeServices.layer])).catch((error) => {
  console.error(error.message)
  process.exitCode = error._tag === "Unauthorized" ? 3 : 1
})
