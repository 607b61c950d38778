/**
 * The records of all parts as one file, in the format that its name says. A table needs to know its columns before its
 * first row, so the records are read twice for one: nothing that a later record has is left out.
 */
import { Format, Ndjson, RawRecord, type Table } from "@chemstream/ndjson"
import { FileFormat, type MissingPackage } from "@chemstream/ndjson/node"
import { Effect, Result, Stream } from "effect"

/** The bytes of the file, of the parts in their order. */
export const joinedRecords = <E>(
  parts: ReadonlyArray<Stream.Stream<Uint8Array, E>>,
  name: string
): Stream.Stream<Uint8Array, E | Ndjson.NdjsonError | Table.TableError | MissingPackage.MissingPackage> => {
  const format = Format.ofPath(name)
  const records = Stream.flatMap(
    Stream.fromIterable(parts),
    Ndjson.decodeRaw({ maxLineBytes: Number.MAX_SAFE_INTEGER })
  )
  if (!tables.has(format.kind)) return records.pipe(FileFormat.encodeRaw(format))
  return Stream.unwrap(
    Effect.map(
      Stream.runFold(records, () => new Map<string, Table.ColumnType | undefined>(), learn),
      (known) => records.pipe(FileFormat.encodeRaw(format, { columns: columnsOf(known) }))
    )
  )
}

const tables: ReadonlySet<Format.Kind | undefined> = new Set<Format.Kind>(["csv", "tsv", "parquet", "arrow"])

type Types = Map<string, Table.ColumnType | undefined>

/** What a kind is as a column; undefined for null, which any column takes. */
const typeOf: Readonly<Record<RawRecord.Kind, Table.ColumnType | undefined>> = {
  string: "text",
  number: "number",
  boolean: "boolean",
  null: undefined,
  array: "json",
  object: "json"
}

const learn = (known: Types, record: RawRecord.RawRecord): Types => {
  // A record that is no object has no place in the table: writing it says so.
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
    ? // Without a record there is no field, and a table must have a column all the same.
      [{ name: "id", type: "text" }]
    : Array.from(known, ([name, type]) => ({ name, type: type ?? "json" }))
