/**
 * The store of a run that cannot be continued: its records go to standard output, a pipe or a device. An errors file of a run that stops
 * early is kept as `FILE.partial`. A value is settled when its
 * outcome is written.
 */
import { Quote } from "@chemstream/api"
import { Ndjson, type RawRecord, type Table } from "@chemstream/ndjson"
import { FileFormat } from "@chemstream/ndjson/node"
import { Ledger } from "@chemstream/stream"
import { Effect, type Scope, Stream } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import * as WorkbookWriter from "../tables/workbookWriter.ts"
import * as Messages from "../terminal/messages.ts"
import { counted } from "../terminal/quantities.ts"
import { type Losses, noLosses, type Origin, refuse, refusedText } from "./lostValues.ts"
import * as OutputFiles from "./outputFiles.ts"
import { type Files, outcomesOf, type Store } from "./runStore.ts"
import * as TableFile from "./tableFile.ts"

/** Opens the files of a run. */
export const open = (files: Files, kind: TableFile.Kind): Effect.Effect<Store, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    if (files.output === undefined) yield* TableFile.checkTerminal(kind, "give --output FILE")
    const { commit, keep, outputs, regular } = yield* OutputFiles.openFiles({
      output: files.output,
      errors: files.errors
    })
    const records = outputs.output ?? OutputFiles.standard()
    const ledger = Ledger.make()
    const origins = new WeakMap<RawRecord.RawRecord, Origin>()
    const losses = noLosses((_, record) => origins.get(record as RawRecord.RawRecord))
    /** The number of values at the beginning of the input that are settled. 0 after a failed write. */
    let settled = 0
    return {
      ledger,
      earlier: 0,
      resumePoint: undefined,
      isComplete: false,
      hasFiles: regular.size > 0,
      write: (parts) =>
        withEnd(parts, (whole) =>
          whole.pipe(
            Stream.tap((part) => writeTo(outputs.errors, part.problems)),
            Stream.map((part) => {
              for (const { from, to } of part.batch.spans)
                if (from <= settled) settled = Math.max(settled, to)
              if (kind !== "ndjson")
                for (const { outcome, records } of outcomesOf(part))
                  for (const record of records) origins.set(record, outcome as Origin)
              return part.records
            }),
            kind === "ndjson" ? Stream.map(Ndjson.lines) : encode(kind, files, losses),
            Stream.runForEachArray((pieces) =>
              writeTo(records, pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
            ),
            Effect.onError(() =>
              Effect.sync(() => {
                settled = 0
              })
            )
          )
        ),
      keep: Effect.gen(function* () {
        if (Ledger.sum(ledger) === 0) return undefined
        const kept = yield* keep("errors")
        const sentences = [
          ...(kept.length === 0 ? [] : [`kept the errors so far in ${kept.join(" and ")}`]),
          ...(settled === 0
            ? []
            : [
                `the first ${counted(settled, "value")} of the input (without blank lines and comments) ${settled === 1 ? "is" : "are"} settled`,
                "a run with --output FILE is continued by the same command"
              ])
        ]
        return sentences.length === 0 ? undefined : sentences.join("; ")
      }),
      complete: Effect.gen(function* () {
        yield* commit("output", "errors")
        if (losses.refused > 0)
          Messages.say(`chemstream: ${refusedText(losses)}. Write to a file, which keeps every value\n`)
        return TableFile.reportCut(losses) && losses.refused === 0
      })
    } satisfies Store
  })

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

/** Encodes the records as they arrive, without compression. */
const encode =
  (kind: TableFile.Kind, { fields, columns: expected, ...style }: Files, losses: Losses) =>
  <E, R>(
    parts: Stream.Stream<ReadonlyArray<RawRecord.RawRecord>, E, R>
  ): Stream.Stream<Uint8Array, E | CommandFailure, R> => {
    const records = Stream.flattenIterable(parts)
    if (kind === "xlsx") {
      // A workbook is made in memory.
      return Stream.unwrap(
        Effect.map(Stream.runCollect(records), (all) =>
          WorkbookWriter.encode(Stream.fromIterable(all), expected, {
            cutCells: style.cutCells,
            losses,
            sheet: style.inputSheet
          })
        )
      )
    }
    // Text formats need only the names of columns.
    const columns = TableFile.binary.has(kind)
      ? undefined
      : fields?.map((name) => ({ name, type: "text" as const }))
    const { forSpreadsheet, unquotedEmpty } = style
    const onRefused = (error: Table.TableError, record: unknown): void => {
      const field = error.field === undefined ? "" : ` (field ${Quote.value(error.field)})`
      refuse(losses, error.index, record, `${refusalReasons[error.reason] ?? error.message}${field}`)
    }
    const known: Stream.Stream<RawRecord.RawRecord, { readonly _tag: "Before"; readonly error: E }, R> =
      Stream.mapError(records, (error) => ({ _tag: "Before", error }))
    return known.pipe(
      FileFormat.encodeRaw(
        { kind, compression: undefined },
        { unquotedEmpty, forSpreadsheet, columns, expected, onRefused }
      ),
      Stream.mapError((error) =>
        error._tag === "Before" ? error.error : TableFile.encodeFailure(kind, error)
      )
    )
  }

/** Why a table cannot have a value, in words. Default: the message of the error. */
const refusalReasons: { readonly [R in Table.TableReason]?: string } = {
  "unknown-field": "it has a field that earlier records lack, so the table has no column for it",
  "type-mismatch": "its value does not fit the type of its column",
  "lone-surrogate": "its text has half a surrogate pair, which UTF-8 cannot encode"
}

const writeTo = (
  output: OutputFiles.Output | undefined,
  bytes: Uint8Array
): Effect.Effect<void, CommandFailure | OutputFiles.ReaderGone> =>
  output === undefined || bytes.length === 0 ? Effect.void : output.write(bytes)
