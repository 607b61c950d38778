/** Encodes records as files. The page loads this module with the first download. */
import { Csv, Ndjson, RawRecord } from "@chemstream/ndjson"
import { Effect, Result, Stream } from "effect"

/** The records of a file. */
export interface Content {
  readonly records: ReadonlyArray<RawRecord.RawRecord>
  /** The columns of a CSV. Default: all fields of the records. */
  readonly columns?: ReadonlyArray<string> | undefined
  /** Whether an empty value has no quotes, as the command writes the rows of a table. */
  readonly unquotedEmpty?: boolean
}

const namesOf = (records: Content["records"]): ReadonlyArray<string> => [
  ...new Set(
    records.flatMap((record) => Result.getOrElse(RawRecord.entries(record), () => []).map(({ key }) => key))
  )
]

/** Encodes records as CSV. */
export const csv = ({ columns, records, unquotedEmpty = false }: Content) =>
  Stream.fromIterable(records).pipe(
    Csv.encodeRaw({ columns: columns ?? namesOf(records), unquotedEmpty }),
    Stream.runCollect
  )

/** Encodes records as NDJSON. */
export const ndjson = ({ records }: Content) =>
  Stream.fromIterable(records).pipe(Ndjson.encodeRaw(), Stream.runCollect)

/** Encodes records in a format. */
export const encode = (format: "csv" | "ndjson", content: Content) =>
  Effect.map(
    format === "csv" ? csv(content) : ndjson(content),
    (parts) => parts as ReadonlyArray<Uint8Array<ArrayBuffer>>
  )
