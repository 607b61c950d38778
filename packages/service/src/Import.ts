/**
 * Records from files into a store: NDJSON or a JSON array, plain or gzipped, in one transaction for all files.
 *
 * Checks that every record is a JSON object with a well-formed identifier, and nothing else: fields the specification
 * does not name are kept, and so is the text of every value. Only white space between tokens is not kept.
 */

import { existsSync, rmSync } from "node:fs"
import { Dtxsid } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Result, Stream } from "effect"
import {
  checkReadable,
  faultOf,
  ImportError,
  nothingImported,
  open,
  type PlacedRecord
} from "./internal/jsonFile.ts"
import type { StoreError } from "./Store.ts"
import { type DetailEntry, StoreWriter, type Transaction } from "./StoreWriter.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export { ImportError } from "./internal/jsonFile.ts"

/**
 * What an import has done.
 *
 * - `records`: how many records the files held.
 * - `replaced`: how many of them took the place of an earlier record with the same identifier, in the database or in
 *   the files.
 * - `bytes`: how many bytes were read, as the files lie on the disk.
 */
export interface Report {
  readonly records: number
  readonly replaced: number
  readonly bytes: number
}

/** Which files. */
export interface Options {
  readonly files: ReadonlyArray<string>
}

/**
 * Imports detail records into a database file, which is made where there is none: all files or nothing. A record
 * replaces the one that has its `dtxsid`.
 *
 * Fails with `ImportError`, which names the file and the line or element, or with `StoreError`. Memory is bounded by
 * the longest record (64 MiB at most), not by the files.
 *
 * @example
 * ```ts
 * import { Import } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * Import.details({ database: "chemicals.sqlite", files: ["details.ndjson", "more.json.gz"] }).pipe(
 *   Effect.map((report) => `${report.records} records, ${report.replaced} of them replaced others`)
 * )
 * ```
 */
export const details = (
  options: Options & { readonly database: string }
): Effect.Effect<Report, ImportError | StoreError> =>
  // Looked at first, so that a misspelt name does not leave an empty database behind.
  Effect.gen(function* () {
    yield* Effect.forEach(options.files, checkReadable, { discard: true })
    const isNew = !existsSync(options.database)
    return yield* detailsInto(options).pipe(
      Effect.provide(SqliteStore.layerWriter({ file: options.database })),
      Effect.onError(() => (isNew ? removeEmpty(options.database) : Effect.void))
    )
  })

// A first import that fails leaves no database behind, unless another import has put something into it meanwhile.
const removeEmpty = (database: string): Effect.Effect<void> =>
  SqliteStore.make({ file: database }).pipe(
    Effect.flatMap((store) => store.counts),
    Effect.scoped,
    Effect.tap((counts) =>
      Effect.sync(() => {
        const files = counts.details > 0 ? [] : ["", "-wal", "-shm"].map((suffix) => `${database}${suffix}`)
        for (const file of files) rmSync(file, { force: true })
      })
    ),
    Effect.ignore
  )

/** Imports detail records into any store; see `details`. */
export const detailsInto = (options: Options): Effect.Effect<Report, ImportError | StoreError, StoreWriter> =>
  StoreWriter.use((writer) =>
    writer.transaction(
      Effect.fnUntraced(function* (transaction) {
        const before = yield* transaction.counts
        let records = 0
        let bytes = 0
        for (const file of options.files) {
          records += yield* importFile(file, transaction, (read) => {
            bytes += read
          })
        }
        const after = yield* transaction.counts
        return { records, replaced: records - (after.details - before.details), bytes }
      })
    )
  )

// Succeeds with the number of records.
const importFile = (
  file: string,
  transaction: Transaction,
  onRead: (bytes: number) => void
): Effect.Effect<number, ImportError | StoreError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const records = yield* open(file, onRead)
      let count = 0
      yield* Stream.runForEachArray(
        records,
        Effect.fnUntraced(function* (batch) {
          const entries: Array<DetailEntry> = []
          for (const { place, record } of batch) {
            const entry = toEntry(record)
            if (Result.isFailure(entry)) return yield* refuse(file, place, entry.failure)
            entries.push(entry.success)
            count++
          }
          yield* transaction.putDetails(entries)
        })
      )
      return count
    })
  )

interface Refused {
  readonly reason: "malformed" | "identifier"
  readonly message: string
}

const toEntry = (record: RawRecord.RawRecord): Result.Result<DetailEntry, Refused> => {
  // Parsed to check it; what is stored is the text.
  const parsed = RawRecord.parse(record)
  if (Result.isFailure(parsed)) return Result.fail({ reason: "malformed", message: faultOf(parsed.failure) })
  const value = parsed.success
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return Result.fail({
      reason: "malformed",
      message: `a record must be a JSON object, this is ${kind(value)}`
    })
  }
  const dtxsid: unknown = (value as { readonly dtxsid?: unknown }).dtxsid
  if (typeof dtxsid !== "string") {
    const what = dtxsid === undefined ? "has no dtxsid" : `has a dtxsid that is ${kind(dtxsid)}`
    return Result.fail({ reason: "identifier", message: `the record ${what}, by which it would be found` })
  }
  const checked = Dtxsid.parse(dtxsid)
  if (Result.isFailure(checked))
    return Result.fail({ reason: "identifier", message: checked.failure.message })
  if (checked.success !== dtxsid) {
    return Result.fail({
      reason: "identifier",
      message: `the dtxsid ${JSON.stringify(dtxsid)} must be written ${checked.success}`
    })
  }
  return Result.succeed({ dtxsid, record: RawRecord.toLine(record) })
}

const refuse = (
  file: string,
  place: PlacedRecord["place"],
  { reason, message }: Refused
): Effect.Effect<never, ImportError> => {
  const where = "line" in place ? `line ${place.line}` : `element ${place.element}`
  const text = `${file}, ${where}: ${message}. ${nothingImported}`
  return Effect.fail(new ImportError({ file, reason, ...place, message: text }))
}

const kind = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}
