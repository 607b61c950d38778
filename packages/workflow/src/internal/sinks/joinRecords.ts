/**
 * Joins the records of all parts into one file, in the format of its name. A table needs all its columns before its
 * first row, so the records are then read twice.
 */
import { Format, Ndjson, RawRecord, type Table } from "@chemstream/ndjson"
import { FileFormat, type MissingPackage } from "@chemstream/ndjson/node"
import { Effect, Result, Stream } from "effect"

/** Returns the bytes of the file, with the parts in order. */
export const joinRecords = <E>(
  parts: ReadonlyArray<Stream.Stream<Uint8Array, E>>,
  name: string
): Stream.Stream<Uint8Array, E | Ndjson.NdjsonError | Table.TableError | MissingPackage.MissingPackage> => {
  const format = Format.ofPath(name)
  const records = Stream.flatMap(
    Stream.fromIterable(parts),
    Ndjson.decodeRaw({ maxLineBytes: Number.MAX_SAFE_INTEGER })
  )
  if (!tableFormats.has(format.kind)) return records.pipe(FileFormat.encodeRaw(format))
  return Stream.unwrap(
    Effect.map(
      Stream.runFold(records, () => new Map<string, Table.ColumnType | undefined>(), addTypes),
      (known) => records.pipe(FileFormat.encodeRaw(format, { columns: columnsOf(known) }))
    )
  )
}

const tableFormats: ReadonlySet<Format.Kind | undefined> = new Set<Format.Kind>([
  "csv",
  "tsv",
  "parquet",
  "arrow"
])

type Types = Map<string, Table.ColumnType | undefined>

/** The column type of a kind. Undefined for null, which fits every type. */
const typeOf: Readonly<Record<RawRecord.Kind, Table.ColumnType | undefined>> = {
  string: "text",
  number: "number",
  boolean: "boolean",
  null: undefined,
  array: "json",
  object: "json"
}

const addTypes = (known: Types, record: RawRecord.RawRecord): Types => {
  // A record that is not an object fails when it is written.
  const kinds = RawRecord.kinds(record)
  if (Result.isFailure(kinds)) return known
  for (const [name, kind] of kinds.success) {
    const before = known.get(name)
    const type = typeOf[kind] ?? before
    known.set(name, before === undefined || before === type ? type : "json")
  }
  return known
}

const columnsOf = (known: Types): ReadonlyArray<Table.Column> =>
  known.size === 0
    ? // A table needs a column even without records.
      [{ name: "id", type: "text" }]
    : Array.from(known, ([name, type]) => ({ name, type: type ?? "json" }))
