/**
 * The store of a run that cannot be continued: standard output, pipes, devices, and files of formats with a footer. If the run stops
 * early, the file is completed and kept as `FILE.partial`.
 */
import { type Format, Ndjson, type RawRecord, type Table } from "@chemstream/ndjson"
import { FileFormat, type MissingPackage } from "@chemstream/ndjson/node"
import { Ledger } from "@chemstream/stream"
import { Effect, type Scope, Stream } from "effect"
import { type CommandFailure, runFailure, usageFailure } from "../CommandFailure.ts"
import * as SummaryFile from "../run/summaryFile.ts"
import * as Workbook from "../tables/workbook.ts"
import * as Output from "./output.ts"
import type { Files, Store } from "./store.ts"

/** The output formats. */
export type Kind = Format.Kind | "xlsx"

/** The binary formats. */
const binary: ReadonlySet<Kind> = new Set(["parquet", "arrow", "xlsx"])

/** Opens the files of a run. */
export const open = (files: Files, kind: Kind): Effect.Effect<Store, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    if (files.output === undefined && binary.has(kind) && process.stdout.isTTY) {
      return yield* usageFailure(`refusing to write binary data (${kind}) to a terminal: give --output FILE`)
    }
    const { commit, keep, outputs, regular } = yield* Output.openFiles({
      output: files.output,
      errors: files.errors
    })
    const records = outputs.output ?? Output.standard()
    const ledger = Ledger.make()
    // Whether the header of the output is written, and whether its footer is.
    let isBegun = false
    let isEnded = false
    const writeRecords = (bytes: Uint8Array) =>
      Effect.tap(writeTo(records, bytes), () =>
        Effect.sync(() => {
          isBegun = true
        })
      )
    return {
      ledger,
      earlier: 0,
      resumePoint: undefined,
      isComplete: false,
      isContinuable: false,
      hasFiles: regular.size > 0,
      write: (parts) =>
        withEnd(parts, (whole) =>
          whole.pipe(
            Stream.tap((part) => writeTo(outputs.errors, part.problems)),
            Stream.map((part) => part.records),
            kind === "ndjson" ? Stream.map(Ndjson.lines) : encode(kind, files),
            // Writes a part in one piece, so that on a full disk the file ends between two parts.
            Stream.runForEachArray((pieces) =>
              writeRecords(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
            ),
            Effect.tap(() =>
              Effect.sync(() => {
                isEnded = true
              })
            )
          )
        ),
      keep: Effect.gen(function* () {
        if (Ledger.sum(ledger) === 0) return undefined
        // On a full disk the footer did not fit, and its write was undone.
        if (isBegun && !isEnded && kind === "json") yield* Effect.ignore(records.write(endOfArray))
        // Parquet and Arrow cannot be read without their footer, which has the offsets.
        const isReadable = isEnded || (isBegun && !binary.has(kind))
        const keptFiles = yield* keep("errors", ...(isReadable ? (["output"] as const) : []))
        return keptFiles.length === 0
          ? undefined
          : `kept the results so far in ${keptFiles.join(" and ")}. Only a run into an NDJSON file can be continued; the same command starts over`
      }),
      complete: commit("output", "errors"),
      writeSummary: (bytes) => SummaryFile.write(files.jsonSummary, bytes)
    } satisfies Store
  })

const endOfArray = new TextEncoder().encode("\n]\n")

/** Ends the stream at an error, so that the format writes its footer. Then fails with the error. */
const withEnd = <A, E, R, E2, R2>(
  parts: Stream.Stream<A, E, R>,
  write: (whole: Stream.Stream<A, never, R>) => Effect.Effect<void, E2, R2>
): Effect.Effect<void, E | E2, R2> =>
  Effect.suspend(() => {
    let stopped: { readonly error: E } | undefined
    const whole = Stream.catch(parts, (error) => {
      stopped = { error }
      return Stream.empty
    })
    return Effect.flatMap(
      Effect.exit(write(whole)),
      (exit): Effect.Effect<void, E | E2> => (stopped === undefined ? exit : Effect.fail(stopped.error))
    )
  })

/** Encodes the records as the bytes of a file, without compression. */
const encode =
  (
    kind: Kind,
    { unquotedEmpty, columns: expected, fields }: Pick<Files, "unquotedEmpty" | "columns" | "fields">
  ) =>
  <E, R>(
    parts: Stream.Stream<ReadonlyArray<RawRecord.RawRecord>, E, R>
  ): Stream.Stream<Uint8Array, E | CommandFailure, R> => {
    if (kind === "xlsx") {
      const rows = Stream.runCollect(Stream.flattenIterable(parts))
      const names = fields ?? expected.map(({ name }) => name)
      return Stream.fromEffect(Effect.flatMap(rows, (records) => Workbook.encode(records, names)))
    }
    // Text formats need only the names of columns. Binary formats check the expected types on the first records.
    const columns = binary.has(kind) ? undefined : fields?.map((name) => ({ name, type: "text" as const }))
    const known: Stream.Stream<RawRecord.RawRecord, { readonly _tag: "Before"; readonly error: E }, R> =
      Stream.mapError(Stream.flattenIterable(parts), (error) => ({ _tag: "Before", error }))
    return known.pipe(
      FileFormat.encodeRaw({ kind, compression: undefined }, { unquotedEmpty, columns, expected }),
      Stream.mapError((error) => (error._tag === "Before" ? error.error : encodeFailure(kind, error)))
    )
  }

const encodeFailure = (
  kind: Kind,
  error: Table.TableError | MissingPackage.MissingPackage
): CommandFailure => {
  if (error._tag === "MissingPackage") return usageFailure(error.message)
  const record = `record ${error.index + 1}`
  switch (error.reason) {
    case "no-columns":
      return runFailure(
        `cannot write ${kind}: no record has a field, and without fields there are no columns`
      )
    case "unknown-field":
      return runFailure(
        `cannot write ${record} as ${kind}: it has a field ${JSON.stringify(error.field)} that earlier records lack, so the table has no column for it; name the columns with --any-fields --fields A,B,C`
      )
    case "type-mismatch":
      return runFailure(
        `cannot write ${record} as ${kind}: its field ${JSON.stringify(error.field)} has another type than in earlier records; omit it with --fields A,B,C, or write NDJSON`
      )
    default:
      return runFailure(`cannot write ${record} as ${kind}: ${error.message}`)
  }
}

const writeTo = (
  output: Output.Output | undefined,
  bytes: Uint8Array
): Effect.Effect<void, CommandFailure | Output.ReaderGone> =>
  output === undefined || bytes.length === 0 ? Effect.void : output.write(bytes)
