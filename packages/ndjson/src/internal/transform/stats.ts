/**
 * What the fields of a stream of records hold: `stats`. Raw records are counted from their text, without parsing nested
 * values.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as RawRecord from "../../RawRecord.ts"
import { atLeastOne } from "../bound.ts"
import { fieldSpans, whyNot } from "../fields.ts"
import { decodeKey } from "../text.ts"
import { kindAt, scalarAt } from "../value.ts"
import { TransformError } from "./error.ts"
import { compareText } from "./order.ts"
import { isRaw, own, unreadable } from "./record.ts"

/** The default of `stats`'s `maxFields`. */
export const MAX_FIELDS: number = 10_000

/** What is counted, and its bound. */
export interface StatsOptions {
  /** The most different field names; one more fails with `too-large`. Default 10,000. */
  readonly maxFields?: number | undefined
}

/** The least and the greatest of the values of one kind. */
export interface Range<V> {
  readonly min: V
  readonly max: V
}

/** What one field holds. */
export interface FieldStats {
  readonly field: string
  /** Records that have the field, `null` included. */
  readonly present: number
  /** Records that do not. */
  readonly absent: number
  readonly nulls: number
  /** How often it holds each kind of value. */
  readonly kinds: { readonly [K in Exclude<RawRecord.Kind, "null">]: number }
  /** Of its numbers, as doubles. */
  readonly numbers: Range<number> | undefined
  /** Of its strings, by code point. */
  readonly strings: Range<string> | undefined
}

/** What the records of a stream hold, the fields in the order they were first seen. */
export interface Stats {
  readonly records: number
  readonly fields: ReadonlyArray<FieldStats>
}

/**
 * Reads a stream to its end and counts what its records hold, field by field. Nested values count as `array` or `object`:
 * `flatten` first to look into them. Of a key that stands twice in a raw record the last value counts.
 *
 * In objects, what JSON leaves out (`undefined`, functions, symbols) is absent, and `NaN` and the infinities are `null`.
 * Fails with `too-large` past `maxFields`, and with `malformed` on a raw record whose fields cannot be read.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const rows = Stream.make({ id: "a", mass: 228.1 }, { id: "b", mass: null }, { id: "c" })
 * const { records, fields } = await Effect.runPromise(rows.pipe(Transform.stats()))
 * records // => 3
 * fields[1]
 * // => {
 * //   field: "mass", present: 2, absent: 1, nulls: 1,
 * //   kinds: { string: 0, number: 1, boolean: 0, array: 0, object: 0 },
 * //   numbers: { min: 228.1, max: 228.1 }, strings: undefined
 * // }
 * ```
 */
export const stats = (
  options?: StatsOptions
): (<A extends object, E, R>(
  self: Stream.Stream<A, E, R>
) => Effect.Effect<Stats, E | TransformError, R>) => {
  const maxFields = atLeastOne("maxFields", options?.maxFields ?? MAX_FIELDS)
  return (self) =>
    Effect.suspend(() => {
      const counts = new Counts(maxFields)
      return self.pipe(
        Stream.runForEachArray((records) => {
          for (const record of records) {
            const error = counts.add(record)
            if (error !== undefined) return Effect.fail(error)
          }
          return Effect.void
        }),
        Effect.map(() => counts.result())
      )
    })
}

interface Tally {
  present: number
  nulls: number
  readonly kinds: { -readonly [K in keyof FieldStats["kinds"]]: number }
  numbers: Range<number> | undefined
  strings: Range<string> | undefined
  /** The last raw record that was counted. */
  counted: number
}

class Counts {
  private readonly fields = new Map<string, Tally>()
  private readonly maxFields: number
  private records = 0

  constructor(maxFields: number) {
    this.maxFields = maxFields
  }

  add(record: object): TransformError | undefined {
    const index = this.records++
    if (isRaw(record)) return this.addRaw(record, index)
    for (const field of Object.keys(record)) {
      const value = own(record, field)
      const kind = kindOf(value)
      if (kind === undefined) continue
      const tally = this.tallyOf(field)
      if (tally === undefined) return this.tooMany(index, field)
      count(tally, kind, value)
    }
    return undefined
  }

  result(): Stats {
    const fields = Array.from(this.fields, ([field, { present, nulls, kinds, numbers, strings }]) => ({
      field,
      present,
      absent: this.records - present,
      nulls,
      kinds: { ...kinds },
      numbers,
      strings
    }))
    return { records: this.records, fields }
  }

  private addRaw(record: RawRecord.RawRecord, index: number): TransformError | undefined {
    const { bytes, start, end } = record
    const spans = fieldSpans(bytes, start, end)
    if (!Array.isArray(spans)) return unreadable("stats", index, record, spans)
    const tallies: Array<Tally> = []
    for (let k = 0; k < spans.length; k += 4) {
      let field: string
      try {
        field = decodeKey(bytes, spans[k] as number, spans[k + 1] as number)
      } catch {
        return unreadable("stats", index, record, whyNot(bytes, start, end))
      }
      const tally = this.tallyOf(field)
      if (tally === undefined) return this.tooMany(index, field)
      tallies.push(tally)
    }
    // From the end, so that of a key that stands twice the last value counts.
    for (let i = tallies.length - 1; i >= 0; i--) {
      const tally = tallies[i] as Tally
      if (tally.counted === index) continue
      tally.counted = index
      const valueStart = spans[i * 4 + 2] as number
      const kind = kindAt(bytes[valueStart] as number)
      const nested = kind === "array" || kind === "object"
      const value = nested ? null : scalarAt(bytes, valueStart, spans[i * 4 + 3] as number)
      if (value === undefined) return unreadable("stats", index, record, whyNot(bytes, start, end))
      count(tally, kind, value)
    }
    return undefined
  }

  /** Undefined when there is no room for the field. */
  private tallyOf(field: string): Tally | undefined {
    let tally = this.fields.get(field)
    if (tally === undefined && this.fields.size < this.maxFields) {
      const kinds = { string: 0, number: 0, boolean: 0, array: 0, object: 0 }
      tally = { present: 0, nulls: 0, kinds, numbers: undefined, strings: undefined, counted: -1 }
      this.fields.set(field, tally)
    }
    return tally
  }

  private tooMany(index: number, field: string): TransformError {
    return new TransformError({
      reason: "too-large",
      transform: "stats",
      index,
      field,
      message: `stats: record ${index} has one field name more than the ${this.maxFields} allowed, ${JSON.stringify(field)}. Raise maxFields, or look whether names are data here`
    })
  }
}

const count = (tally: Tally, kind: RawRecord.Kind, value: unknown): void => {
  tally.present++
  if (kind === "null") tally.nulls++
  else tally.kinds[kind]++
  if (kind === "number") tally.numbers = widen(tally.numbers, Number(value), (a, b) => a - b)
  if (kind === "string") tally.strings = widen(tally.strings, value as string, compareText)
}

const widen = <V>(range: Range<V> | undefined, value: V, compare: (a: V, b: V) => number): Range<V> => {
  if (range === undefined) return { min: value, max: value }
  if (compare(value, range.min) < 0) return { min: value, max: range.max }
  return compare(value, range.max) > 0 ? { min: range.min, max: value } : range
}

const kindOf = (value: unknown): RawRecord.Kind | undefined => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return typeof value as "string" | "boolean"
    case "bigint":
      return "number"
    case "number":
      return Number.isFinite(value) ? "number" : "null"
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "array" : "object"
    default:
      return undefined
  }
}
