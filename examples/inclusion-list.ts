/**
 * Turns detail records (NDJSON) into an inclusion list for an instrument (CSV): one row for each ion of a structure, with formula
 * and m/z, sorted by m/z. Stereoisomers have the same skeleton (the first block of the InChIKey) and count as one structure. The
 * arguments are the adducts. Default: [M+H]+ and [M-H]-.
 *
 *   chemstream details --input dtxsids.txt | node examples/inclusion-list.ts '[M+H]+' '[M+Na]+' > inclusion.csv
 *
 * Sends no request. Exit code 1: something failed; 2: wrong usage.
 */
import { Adduct } from "@chemstream/api"
import { Csv, Ndjson, RawRecord, Transform } from "@chemstream/ndjson"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Result, Stdio, Stream } from "effect"

interface Substance {
  readonly preferredName: string
  readonly molFormula: string
  readonly monoisotopicMass: number | null
  readonly inchikey: string | null
}

const given = process.argv.slice(2)
const adducts = new Map(
  (given.length === 0 ? ["[M+H]+", "[M-H]-"] : given).map((text) => [
    text,
    Result.getOrElse(Adduct.parse(text), ({ message }) => {
      console.error(`usage: inclusion-list.ts [ADDUCT…] < RECORDS\n${message}`)
      return process.exit(2)
    })
  ])
)

const program = Effect.gen(function* () {
  const { stdin, stdout } = yield* Stdio.Stdio
  yield* stdin.pipe(
    Ndjson.decodeRaw<Substance>(),
    Transform.filter("monoisotopicMass", (mass) => typeof mass === "number"),
    Transform.filter("inchikey", (key) => typeof key === "string"),
    Transform.uniqueBy((record) => RawRecord.value(record, "inchikey").slice(0, 14)),
    Transform.derive({ adduct: () => [...adducts.keys()] }),
    Transform.unnest("adduct"),
    Transform.derive({
      mz: (record) => {
        const adduct = adducts.get(RawRecord.value(record, "adduct") ?? "") ?? Adduct.neutral
        return Number(Adduct.mz(adduct, RawRecord.value(record, "monoisotopicMass")).toFixed(5))
      }
    }),
    Transform.sortBy("mz"),
    Transform.pick("preferredName", "molFormula", "adduct", "mz"),
    Transform.rename({ preferredName: "Compound", molFormula: "Formula", adduct: "Adduct", mz: "m/z" }),
    Csv.encodeRaw({ columns: ["Compound", "Formula", "Adduct", "m/z"] }),
    Stream.run(stdout())
  )
})

await Effect.runPromise(Effect.provide(program, NodeServices.layer)).catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
