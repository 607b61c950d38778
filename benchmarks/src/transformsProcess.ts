/** Does the steps of `peers/transforms.mjs` with the transforms of the package: `node transformsProcess.mjs FILE > out.ndjson.gz`. */
import { Ndjson, RawRecord, Transform } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Stdio, Stream } from "effect"

interface Substance {
  readonly dtxsid: string
  readonly monoisotopicMass: number | null
}

const program = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const { stdout } = yield* Stdio.Stdio
  yield* files.stream(process.argv[2] ?? "").pipe(
    Ndjson.decodeRaw<Substance>(),
    Transform.filter("monoisotopicMass", (mass): mass is number => typeof mass === "number" && mass >= 200),
    Transform.uniqueBy("dtxsid"),
    Transform.derive({
      massDefect: (record) => {
        const mass = RawRecord.value(record, "monoisotopicMass")
        return mass - Math.round(mass)
      }
    }),
    // All in memory, as in the plain program.
    Transform.sortBy({ by: "monoisotopicMass", direction: "descending" }, { maxBytes: 256 * 1024 * 1024 }),
    Ndjson.encodeRaw(),
    Compression.compress("gzip"),
    Stream.run(stdout())
  )
})

await Effect.runPromise(Effect.provide(program, NodeServices.layer))
