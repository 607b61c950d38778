/**
 * Reads the records of a file of any text format: NDJSON, a JSON array, CSV, TSV, or a workbook. Each run of the stream reads the file
 * anew.
 */
import { createReadStream } from "node:fs"
import { Csv, Format, Ndjson, RawArray, RawRecord } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { TableRows } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { type CommandFailure, reasonOf, usageFailure } from "../CommandFailure.ts"
import * as TableInput from "../input/tableInput.ts"
import * as Workbook from "./workbook.ts"

type Records = Stream.Stream<RawRecord.RawRecord, CommandFailure>

/** The records of a file. */
export interface RecordInput {
  readonly records: Records
  /** Whether every value is text, as in CSV. */
  readonly isText: boolean
}

/** Opens a file by its extension. Another extension is NDJSON. */
export const open = (file: string, sheet: string | undefined): Effect.Effect<RecordInput, CommandFailure> => {
  if (Workbook.isWorkbook(file)) {
    return Effect.map(Workbook.read(file, sheet), ({ columns, rows }) => ({
      isText: true,
      records: Stream.fromIterable(
        rows.map(({ cells }) =>
          recordOf(Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ""])))
        )
      )
    }))
  }
  const { kind = "ndjson" } = Format.ofPath(file)
  switch (kind) {
    case "csv":
    case "tsv":
      return Effect.succeed({
        isText: true,
        records: Stream.unwrap(
          Effect.map(TableInput.firstLines(Stream.mapError(bytesOf(file), asFailure(file))), (start) =>
            bytesOf(file).pipe(
              Csv.decode({ separator: TableRows.separatorOf(start, kind) }),
              Stream.map(recordOf),
              Stream.mapError(asFailure(file))
            )
          )
        )
      })
    case "json":
      return Effect.succeed({
        isText: false,
        records: bytesOf(file).pipe(RawArray.decode(), Stream.mapError(asFailure(file)))
      })
    case "ndjson":
      return Effect.succeed({ isText: false, records: lines(file, file) })
    default:
      return Effect.fail(
        usageFailure(
          `cannot read ${file}: convert reads NDJSON, JSON, CSV, TSV and .xlsx. For ${kind}, use DuckDB or pyarrow`
        )
      )
  }
}

/** Reads the records of an NDJSON file. */
export const lines = (file: string, name: string): Records =>
  bytesOf(file).pipe(
    Ndjson.decodeRaw({ maxLineBytes: Number.MAX_SAFE_INTEGER }),
    Stream.mapError(asFailure(name))
  )

const recordOf = (fields: Readonly<Record<string, string>>): RawRecord.RawRecord =>
  RawRecord.fromText(JSON.stringify(fields))

interface ReadFailure {
  readonly _tag: "ReadFailure"
  readonly message: string
}

/** Reads the decompressed bytes. */
const bytesOf = (file: string): Stream.Stream<Uint8Array, ReadFailure> => {
  const { compression } = Format.ofPath(file)
  const again: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () =>
      (createReadStream(file, { highWaterMark: chunkBytes }) as AsyncIterable<Uint8Array>)[
        Symbol.asyncIterator
      ]()
  }
  const failure = (cause: unknown): ReadFailure => ({ _tag: "ReadFailure", message: reasonOf(cause) })
  const bytes = Stream.fromAsyncIterable(again, failure)
  return compression === undefined
    ? bytes
    : bytes.pipe(
        Compression.decompress({ format: compression }),
        Stream.mapError((error) => (error._tag === "ReadFailure" ? error : failure(error)))
      )
}

const chunkBytes = 1 << 18

const asFailure =
  (file: string) =>
  ({ message }: { readonly message: string }): CommandFailure =>
    usageFailure(`cannot read ${file}: ${message}`)
