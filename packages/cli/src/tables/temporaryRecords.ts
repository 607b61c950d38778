/**
 * Keeps records in a temporary file, so that records that can be read once are read twice: for the columns, and to write them.
 */
import { Ndjson, type RawRecord } from "@chemstream/ndjson"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, type Scope, Stream } from "effect"
import { type CommandFailure, reasonOf, runFailure } from "../CommandFailure.ts"
import * as RecordReader from "./recordReader.ts"

type Records = Stream.Stream<RawRecord.RawRecord, CommandFailure>

/** Reads all records into a file, which is removed when the scope closes. */
export const make = (records: Records): Effect.Effect<Records, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = yield* files.makeTempFileScoped({ prefix: "chemstream-", suffix: ".ndjson" })
    yield* records.pipe(Ndjson.encodeRaw(), Stream.run(files.sink(file)))
    return RecordReader.lines(file, "the temporary file of the records")
  }).pipe(
    Effect.mapError((error) =>
      error._tag === "CommandFailure"
        ? error
        : runFailure(`cannot keep the records in a temporary file: ${reasonOf(error.reason.cause ?? error)}`)
    ),
    Effect.provide(NodeServices.layer)
  )
