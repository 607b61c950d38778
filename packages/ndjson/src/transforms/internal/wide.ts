/** Makes one record of the records of a key, with a column for each name: `wide`. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { atLeastOne, knownOptions } from "../../internal/optionChecks.ts"
import { findField, match } from "../../raw/internal/fieldSpans.ts"
import * as RawRecord from "../../raw/RawRecord.ts"
import { Arena } from "./copiedRecords.ts"
import { LongNumber, numberName } from "./exactNumber.ts"
import { appendRaw } from "./rawFields.ts"
import { type Field, isRaw, ownValue, setField, weigh } from "./recordFields.ts"
import { keyName, keyReader, type Scalar } from "./recordKey.ts"
import { runEach } from "./recordStep.ts"
import { failure, TransformError } from "./transformError.ts"

/** The default of `maxBytes` of `wide`: 256 MiB. */
export const MAX_WIDE_BYTES: number = 256 * 1024 * 1024

/** The most columns of a wide table, if `maxColumns` is not given: 10,000. */
export const MAX_WIDE_COLUMNS: number = 10_000

// The overhead of a row in memory, in bytes.
const ROW_BYTES = 256

/** The options of `wide`. */
export interface WideOptions<F extends string> {
  /** The field with the name of the column. Further fields come in parentheses, as in `Boiling Point (°C, OPERA)`. */
  readonly name: F | ReadonlyArray<F>
  /** The field with the value. */
  readonly value: F
  /** The fields of a row: records in which they are equal become one row. A record without any is a row of its own. */
  readonly per: F | ReadonlyArray<F>
  /**
   * The largest memory, in bytes. A value counts the bytes of its text plus 64, and a row 256 and its key. More fail
   * with `too-large`. Default: 256 MiB.
   */
  readonly maxBytes?: number | undefined
  /** The most columns. More fail with `too-large`. Default: 10,000. */
  readonly maxColumns?: number | undefined
}

/** A row of `wide`. */
export type Wide<A> = A extends RawRecord.RawRecord ? RawRecord.RawRecord : Readonly<Record<string, unknown>>

/** The different values of one column in one row. */
class Several {
  readonly values: Array<unknown>

  constructor(...values: Array<unknown>) {
    this.values = values
  }
}

/** A row of the output: the values of the fields of its key, and its cells. */
interface Row {
  readonly isRaw: boolean
  readonly per: ReadonlyArray<unknown>
  /** By the number of the column. */
  readonly cells: Array<unknown>
}

/** The rows by their keys, and the numbers of the columns by their names. */
interface Table {
  readonly rows: ReadonlyMap<string | number, Row>
  readonly columns: ReadonlyMap<string, number>
}

/**
 * Turns long records into wide ones: a row for each key, and a column for each name. Rows and columns come in the order of
 * their first record. Every row has all columns, `null` without a value; an empty text is none. Different values for one column
 * of a row become an array, so none is lost; equal ones are written once. Other fields are omitted.
 *
 * Reads the whole stream before it emits. Fails with `too-large` beyond `maxBytes` or `maxColumns`, with `no-name` if
 * a value has no name, with `field-taken` if a name is one of `per`, and with `not-a-key` and `malformed` as
 * `uniqueBy` does.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const long = Stream.make(
 *   { id: "a", property: "Melting Point", unit: "°C", value: 153 },
 *   { id: "a", property: "LogP", unit: null, value: 3.3 },
 *   { id: "b", property: "LogP", unit: null, value: 2.1 }
 * )
 * const wide = long.pipe(Transform.wide({ name: ["property", "unit"], value: "value", per: "id" }))
 * await Effect.runPromise(Stream.runCollect(wide))
 * // => [
 * //   { id: "a", "Melting Point (°C)": 153, "LogP": 3.3 },
 * //   { id: "b", "Melting Point (°C)": null, "LogP": 2.1 }
 * // ]
 * ```
 */
export const wide = <A extends object, const F extends Field<A>>(
  options: WideOptions<F>
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Wide<A>, E | TransformError, R>) => {
  knownOptions(
    "wide",
    options,
    { name: true, value: true, per: true, maxBytes: true, maxColumns: true },
    true
  )
  const per = [options.per].flat() as ReadonlyArray<F>
  return (self) =>
    Stream.unwrap(
      Effect.map(
        collect(self, { ...options, per }),
        (table) => Stream.fromIterable(build(table, per), { chunkSize: 64 }) as Stream.Stream<Wide<A>>
      )
    )
}

/** Reads all records. */
const collect = <A extends object, F extends Field<A>, E, R>(
  self: Stream.Stream<A, E, R>,
  options: WideOptions<F> & { readonly per: ReadonlyArray<F> }
): Effect.Effect<Table, E | TransformError, R> =>
  Effect.suspend(() => {
    const maxBytes = atLeastOne("maxBytes", options.maxBytes ?? MAX_WIDE_BYTES)
    const maxColumns = atLeastOne("maxColumns", options.maxColumns ?? MAX_WIDE_COLUMNS)
    const { per, value: valueField } = options
    const readName = nameReader<A, F>([options.name].flat() as ReadonlyArray<F>)
    const readKey = keyReader<A>("wide", per)
    const rows = new Map<string | number, Row>()
    const columns = new Map<string, number>()
    const arena = new Arena()
    let index = 0
    let bytes = 0
    const add = (record: A): TransformError | undefined => {
      const scalars = readKey(record, index)
      if (scalars instanceof TransformError) return scalars
      const name = readName(record, index)
      if (name instanceof TransformError) return name
      const key = keyName(scalars) ?? index
      let row = rows.get(key)
      if (row === undefined) {
        row = { isRaw: isRaw(record), per: per.map((field) => arena.keep(valueAt(record, field))), cells: [] }
        rows.set(key, row)
        bytes += ROW_BYTES + 2 * String(key).length
        for (const one of row.per) bytes += weigh(one).bytes
      }
      if (name !== undefined && per.includes(name as F)) return taken(index, name)
      if (name !== undefined && !columns.has(name)) columns.set(name, columns.size)
      const value = valueAt(record, valueField)
      if (!isNothing(value)) {
        if (name === undefined) return nameless(index, options.name)
        const kept = arena.keep(value)
        bytes += weigh(kept).bytes
        put(row.cells, columns.get(name) as number, kept)
      }
      if (bytes > maxBytes || columns.size > maxColumns)
        return tooLarge(
          index,
          rows.size,
          columns.size > maxColumns ? `${maxColumns} columns` : `${maxBytes} bytes`
        )
      index++
      return undefined
    }
    return Effect.as(runEach(self, add), { rows, columns })
  })

/** Prepares reading the name of the column of a record. Undefined: it has none. */
const nameReader = <A, F extends string>(
  fields: ReadonlyArray<F>
): ((record: A, index: number) => string | undefined | TransformError) => {
  const readers = fields.map((field) => keyReader<A>("wide", field as never))
  return (record, index) => {
    const parts: Array<string> = []
    for (const [at, read] of readers.entries()) {
      const scalars = read(record, index)
      if (scalars instanceof TransformError) return scalars
      const [scalar] = scalars
      if (scalar !== undefined && scalar !== "") parts.push(textOf(scalar))
      else if (at === 0) return undefined
    }
    const [name, ...others] = parts
    return others.length === 0 ? name : `${name} (${others.join(", ")})`
  }
}

const textOf = (scalar: Exclude<Scalar, undefined>): string =>
  scalar instanceof LongNumber ? numberName(scalar) : String(scalar)

/** Returns the value of a field, of a raw record with its text. The record is checked before. */
const valueAt = (record: object, field: string): unknown => {
  if (!isRaw(record)) return ownValue(record, field)
  const { bytes, end, start } = record
  return findField(bytes, start, end, field) === true
    ? RawRecord.make(bytes, match.start, match.end)
    : undefined
}

/** An empty cell of a table is an empty text. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (isRaw(value) && /^(null|"")$/.test(RawRecord.toText(value)))

/** Puts a value into a cell. Equal values are one, and different ones become an array. */
const put = (cells: Array<unknown>, at: number, value: unknown): void => {
  const known = cells[at]
  if (known instanceof Several) {
    if (!known.values.some((one) => isSame(one, value))) known.values.push(value)
  } else if (known === undefined) cells[at] = value
  else if (!isSame(known, value)) cells[at] = new Several(known, value)
}

const isSame = (a: unknown, b: unknown): boolean =>
  isRaw(a) && isRaw(b) ? RawRecord.toText(a) === RawRecord.toText(b) : Object.is(a, b)

const none = new TextEncoder().encode("null")

const empty = RawRecord.fromText("{}")

/** Makes the rows one by one, because they are much larger than their values if many columns are empty. */
function* build({ columns, rows }: Table, per: ReadonlyArray<string>): Generator<object> {
  const names = [...per, ...columns.keys()]
  const append = appendRaw(names)
  for (const row of rows.values()) {
    const values = [...row.per, ...Array.from({ length: columns.size }, (_, at) => row.cells[at])]
    if (row.isRaw) yield Result.getOrThrow(append(empty, values.map(rawText)))
    else {
      const out: Record<string, unknown> = {}
      for (const [at, name] of names.entries()) setField(out, name, plainValue(values[at]))
      yield out
    }
  }
}

const plainValue = (value: unknown): unknown => (value instanceof Several ? value.values : (value ?? null))

const rawText = (value: unknown): Uint8Array => {
  if (value instanceof Several)
    return RawRecord.toBytes(RawRecord.fromText(`[${value.values.map(String).join(",")}]`))
  return isRaw(value) ? RawRecord.toBytes(value) : none
}

const taken = (index: number, name: string): TransformError =>
  failure(
    "wide",
    "field-taken",
    `the name of the column of record ${index} is ${JSON.stringify(name)}, which is a field of the rows. Rename that field first`,
    { index }
  )

const nameless = (index: number, name: string | ReadonlyArray<string>): TransformError =>
  failure(
    "wide",
    "no-name",
    `record ${index} has a value, but no name for its column in ${JSON.stringify([name].flat()[0])}. Filter such records first, or name another field`,
    { index }
  )

const tooLarge = (index: number, rows: number, limit: string): TransformError =>
  failure(
    "wide",
    "too-large",
    `the table exceeds ${limit} at record ${index}, after ${rows} rows. Check that the field of the names has few of them, filter records first, or raise the limit`,
    { index }
  )
