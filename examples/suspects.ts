/**
 * The peaks of a mass spectrum to the substances they may be: a CSV with the columns mz and adduct ([M+H]+ or [M-H]-)
 * in, a row a candidate out, found by MS-ready mass within a tolerance in ppm (5 when not given).
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
if (file === undefined || !(Number(ppm) > 0)) {
  console.error("usage: suspects.ts FILE [PPM]")
  process.exit(2)
}
const proton = 1.007276466
const shifts: Record<string, number> = { "[M+H]+": -proton, "[M-H]-": proton }

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { stdout } = yield* Stdio.Stdio
  const { details, msready } = yield* ChemClient.ChemClient

  const candidates = ({ adduct = "", mz = "" }: Readonly<Record<string, string>>) =>
    Effect.gen(function* () {
      const mass = Number(mz) + (shifts[adduct] ?? Number.NaN)
      const delta = (Number(mz) * Number(ppm)) / 1e6
      const dtxsids = mass > 0 ? yield* msready.byMass(mass - delta, mass + delta) : []
      if (!(mass > 0)) console.error(`Invalid m/z ${mz} ${adduct}`)
      else if (dtxsids.length === 0) console.error(`Missing m/z ${mz} ${adduct}`)
      // Asked for at the same time, these go out in few calls, together with those of other peaks.
      const records = yield* Effect.forEach(dtxsids, (id) => details.get(id, { projection: "compact" }), {
        concurrency: "unbounded"
      })
      return records.map((record) => ({ mz, adduct, neutralMass: mass.toFixed(5), ...record }))
    })

  const found = ["dtxsid", "preferredName", "molFormula", "monoisotopicMass", "smiles"]
  yield* fs
    .stream(file)
    .pipe(
      Csv.decode(),
      Stream.mapEffect(candidates, { concurrency: 4 }),
      Stream.flattenIterable,
      Csv.encode({ columns: ["mz", "adduct", "neutralMass", ...found] }),
      Stream.run(stdout())
    )
})

const client = ChemClient.layerConfig().pipe(Layer.provide(Transport.layer()))
await Effect.runPromise(Effect.provide(program, [client, NodeServices.layer])).catch((error) => {
  console.error(error.message)
  process.exitCode = error._tag === "Unauthorized" ? 3 : 1
})
