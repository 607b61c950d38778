/**
 * Counts how records differ from what was expected: each field once, with a count. Records pass unchanged unless the
 * policy is `strict`.
 *
 * `Ndjson.decodeSchema` compares values with a schema; `watch` compares raw records with a `RawShape`, without
 * building objects.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { atLeastOne } from "../internal/optionChecks.ts"
import type * as RawRecord from "./RawRecord.ts"
import * as RawShape from "./RawShape.ts"

/** The most fields that a tally lists, if `maxFields` is not given: 1000. */
export const MAX_FIELDS: number = 1000

/**
 * The policy for a record that differs.
 *
 * - `strict`: the stream fails with an error that names the record.
 * - `warn`: the record passes unchanged, and its drift is counted.
 * - `off`: nothing is checked.
 */
export type Validate = "strict" | "warn" | "off"

/** One difference of a field: what was expected, what was found, and in how many records. */
export interface FieldDrift {
  /** The path of the field; `[]` for members of an array. Absent: the record itself. */
  readonly field?: string | undefined
  readonly expected: string
  readonly seen: string
  readonly count: number
}

/** A record differs from its shape, under `strict`. The error holds the record, so nothing is lost. */
export class DriftError extends Data.TaggedError("DriftError")<{
  readonly record: RawRecord.RawRecord
  readonly key: RawRecord.Value<unknown>
  readonly message: string
}> {}

/** The options of a tally. */
export interface Options {
  /** Called for each new difference, with a count of 1. */
  readonly onDrift?: ((drift: FieldDrift) => void) | undefined
  /** The largest number of separate differences. Others count only in `overflow`. Default: 1000. */
  readonly maxFields?: number | undefined
}

/** A tally of differences, over any number of streams. */
export interface Drift {
  /** The number of checked records. */
  readonly records: number
  /** Occurrences past `maxFields`. */
  readonly overflow: number
  /** All differences, in order of their first occurrence. */
  readonly fields: ReadonlyArray<FieldDrift>
  /** Adds to the number of checked records. */
  readonly addRecords: (records: number) => void
  /** Adds one occurrence. */
  readonly add: (field: string | undefined, expected: string, seen: string) => void
}

/**
 * Makes an empty tally.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Drift, Ndjson, RawShape } from "@chemstream/ndjson"
 *
 * const drift = Drift.make()
 * const shape = RawShape.make({ kinds: { mass: ["number", "null"] } })
 * const lines = Stream.make('{"mass":1.50}\n{"mass":"1.5"}\n{"mass":"2"}\n').pipe(Stream.encodeText)
 * const passed = lines.pipe(Ndjson.decodeRaw(), Drift.watch(shape, { drift }), Stream.runCount)
 *
 * await Effect.runPromise(passed) // => 3
 * drift.fields // => [{ field: "mass", expected: "number | null", seen: "string", count: 2 }]
 * ```
 */
export const make = (options?: Options): Drift => {
  const max = atLeastOne("maxFields", options?.maxFields ?? MAX_FIELDS)
  const fields = new Map<string, { -readonly [K in keyof FieldDrift]: FieldDrift[K] }>()
  let records = 0
  let overflow = 0
  return {
    get records() {
      return records
    },
    get overflow() {
      return overflow
    },
    get fields() {
      return [...fields.values()].map((drift) => ({ ...drift }))
    },
    addRecords: (more) => {
      records += more
    },
    add: (field, expected, seen) => {
      const id = JSON.stringify([field, expected, seen])
      const known = fields.get(id)
      if (known !== undefined) known.count++
      else if (fields.size >= max) overflow++
      else {
        const drift = { field, expected, seen, count: 1 }
        fields.set(id, drift)
        options?.onDrift?.({ ...drift })
      }
    }
  }
}

/** The options of `watch`. */
export interface WatchOptions {
  /** Default: `warn`. */
  readonly validate?: Validate | undefined
  /** The tally to add to. Default: none. */
  readonly drift?: Drift | undefined
}

/**
 * Checks raw records against a shape, and passes them unchanged. A reading of `RawArray.decodeWith` is not checked
 * again: the differences from its own shape count.
 *
 * A record that is not a well-formed object counts as a difference of the record itself. Under `strict`, the stream
 * fails with a `DriftError` at the first difference, after the records before it.
 */
export const watch =
  (
    shape: RawShape.RawShape,
    options?: WatchOptions
  ): (<A extends RawRecord.RawRecord, E, R>(
    self: Stream.Stream<A, E, R>
  ) => Stream.Stream<A, E | DriftError, R>) =>
  <A extends RawRecord.RawRecord, E, R>(
    self: Stream.Stream<A, E, R>
  ): Stream.Stream<A, E | DriftError, R> => {
    const validate = options?.validate ?? "warn"
    if (validate === "off") return self
    const drift = options?.drift ?? make()
    const addDrift = (record: A) => {
      drift.addRecords(1)
      const { key, drift: differences } = readingOf(shape, record)
      for (const { field, expected, seen } of differences) drift.add(field, kindsText(expected), seen)
      return { key, differences }
    }
    if (validate === "warn")
      return Stream.mapArray(self, (records) => {
        for (const record of records) addDrift(record)
        return records
      })
    return Stream.mapEffect(self, (record) => {
      const { key, differences } = addDrift(record)
      return differences.length === 0 ? Effect.succeed(record) : refuse(record, key, differences)
    })
  }

type Reading = Pick<RawShape.Reading, "key" | "drift">

const readingOf = (shape: RawShape.RawShape, record: RawRecord.RawRecord): Reading => {
  if (record instanceof RawShape.Reading) return record
  return Result.getOrElse(RawShape.read(shape, record), (error) => ({
    key: undefined,
    drift: [{ expected: ["object" as const], seen: `malformed (${error.reason})` }]
  }))
}

const refuse = (
  record: RawRecord.RawRecord,
  key: Reading["key"],
  differences: Reading["drift"]
): DriftError => {
  const parts = differences.map(
    ({ field, expected, seen }) =>
      `${field === undefined ? "it" : JSON.stringify(field)} is ${seen} where ${kindsText(expected)} is expected`
  )
  const name = key === undefined ? "A record" : `The record ${String(key)}`
  const message = `${name} does not fit its shape: ${parts.join(", ")}. Set validate to "warn" to pass it unchanged`
  return new DriftError({ record, key, message })
}

const kindsText = (kinds: ReadonlyArray<RawRecord.Kind>): string =>
  kinds.length === 0 ? "any value" : kinds.join(" | ")
