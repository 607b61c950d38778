/**
 * Writes files of records, with one JSON object on each line. A file is written whole (`WholeFile`).
 */
import { join } from "node:path"
import { Compression, WholeFile } from "@chemstream/ndjson/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, type PlatformError, type Scope } from "effect"
import { type CommandFailure, reasonOf, runFailure } from "../CommandFailure.ts"

type Records = ReadonlyArray<{ readonly record: Uint8Array }>

/** A file of records that is being written. */
export interface RecordFile {
  readonly append: (records: Records) => Effect.Effect<void, CommandFailure>
  /** Gives the complete file its name. */
  readonly publish: Effect.Effect<void, CommandFailure>
}

/**
 * Opens `<kind>.ndjson`, or `<kind>.ndjson.gz` if `gzipped`, in a folder. Creates the folder if it does not exist. Without `publish`, the
 * file is removed when the scope closes.
 */
export const openFile = (
  folder: string,
  kind: string,
  gzipped: boolean
): Effect.Effect<RecordFile, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const file = join(folder, `${kind}.ndjson${gzipped ? ".gz" : ""}`)
    const asFailure = Effect.mapError(({ reason }: PlatformError.PlatformError) =>
      runFailure(`${file} cannot be written: ${reasonOf(reason.cause ?? reason)}`)
    )
    const fs = yield* FileSystem.FileSystem
    yield* asFailure(fs.makeDirectory(folder, { recursive: true }))
    const { append, publish } = yield* asFailure(WholeFile.open(file))
    return {
      append: (records) =>
        Effect.suspend(() => {
          if (records.length === 0) return Effect.void
          const lines = Buffer.concat(records.flatMap(({ record }) => [record, newline]))
          // Each batch is one gzip member. Concatenated members are one gzip file (RFC 1952, section 2.2).
          return Effect.flatMap(Compression.member(gzipped ? "gzip" : undefined, lines), (bytes) =>
            asFailure(append(bytes))
          )
        }),
      publish: asFailure(publish())
    } satisfies RecordFile
  }).pipe(Effect.provide(NodeServices.layer))

const newline = Buffer.from("\n")
