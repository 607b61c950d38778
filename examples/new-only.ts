/**
 * Filters NDJSON between two shell commands. It writes the DTXSID of each record with a structure (a DTXCID) that the file KNOWN
 * lacks. So a collection grows by the new substances only:
 *
 *   chemstream all --projection all-ids | node examples/new-only.ts known.ndjson | chemstream details >> known.ndjson
 *
 * It reads all of KNOWN before it writes the first record. Sends no request. Exit code 1: something failed; 2: wrong usage.
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
