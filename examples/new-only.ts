/**
 * A step between two shell commands, NDJSON in and out: of the records on standard input, those with a structure (a
 * DTXCID) whose DTXSID is not in the file KNOWN yet, and of these the DTXSID. So a collection grows by what is new:
 *
 *   chemstream all --projection all-ids | node examples/new-only.ts known.ndjson | chemstream details >> known.ndjson
 *
 * KNOWN is read to its end before the first record is written. Asks no service. Exit code 1: something failed; 2: usage.
 */
import { Ndjson, type RawRecord, Transform } from "@chemstream/ndjson"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Stdio, Stream } from "effect"

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error("usage: new-only.ts KNOWN < RECORDS")
  process.exit(2)
}

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { stdin, stdout } = yield* Stdio.Stdio
  const known = (yield* fs.exists(file)) ? fs.stream(file) : Stream.empty

  yield* stdin.pipe(
    Ndjson.decodeRaw(),
    Transform.filter("dtxcid", (dtxcid) => typeof dtxcid === "string"),
    Transform.uniqueBy("dtxsid"),
    Transform.join({
      table: known.pipe(Ndjson.decodeRaw(), Transform.pick("dtxsid")),
      on: "dtxsid",
      kind: "left",
      combine: (record, row): RawRecord.RawRecord | undefined => (row === undefined ? record : undefined)
    }),
    Stream.filter((record) => record !== undefined),
    Transform.pick("dtxsid"),
    Ndjson.encodeRaw(),
    Stream.run(stdout())
  )
})

await Effect.runPromise(Effect.provide(program, NodeServices.layer)).catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
