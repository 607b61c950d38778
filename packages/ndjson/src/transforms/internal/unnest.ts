/** Makes a record of each item of an array field: `unnest`. */
import type { Stream } from "effect"
import * as Result from "effect/Result"
import { fieldSpans, lastField } from "../../raw/internal/fieldSpans.ts"
import { kindAt } from "../../raw/internal/valueKind.ts"
import * as RawArray from "../../raw/RawArray.ts"
import * as RawRecord from "../../raw/RawRecord.ts"
import {
  type Field,
  isRaw,
  malformedRecord,
  ownValue,
  type Simple,
  setField,
  unreadableRecord
} from "./recordFields.ts"
import { runStep } from "./recordStep.ts"
import { failure, TransformError } from "./transformError.ts"

type Item<V> = V extends ReadonlyArray<infer I> ? I : never

/** A record with one item instead of the array. */
export type Unnested<A, F> =
  A extends RawRecord.RawRecord<infer V>
    ? RawRecord.RawRecord<unknown extends V ? unknown : UnnestedField<V, F>>
    : UnnestedField<A, F>

type UnnestedField<A, F> = Simple<
  Omit<A, F & PropertyKey> & { [K in keyof Pick<A, F & keyof A>]-?: Item<A[K]> }
>

/**
 * Makes a record of each item of the array in a field. The item replaces the array; the other fields and the order
 * stay. An empty array, `null` and an absent field make no records.
 *
 * Fails with `not-an-array` if the field is anything else, and with `malformed` for a malformed raw record.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { RawRecord, Transform } from "@chemstream/ndjson"
 *
 * const rows = Stream.make({ id: 1, hit: ["a", "b"] }, { id: 2, hit: [] })
 * await Effect.runPromise(rows.pipe(Transform.unnest("hit"), Stream.runCollect))
 * // => [{ id: 1, hit: "a" }, { id: 1, hit: "b" }]
 *
 * const raw = Stream.make(RawRecord.fromText('{"id":1,"mass":[1.50,2.0]}')).pipe(Transform.unnest("mass"))
 * await Effect.runPromise(raw.pipe(Stream.map(String), Stream.runCollect))
 * // => ['{"id":1,"mass":1.50}', '{"id":1,"mass":2.0}']
 * ```
 */
export const unnest = <A extends object, const F extends Field<A>>(
  field: F
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Unnested<A, F>, E | TransformError, R>) =>
  runStep<A, Unnested<A, F>>(() => (record, index, out) => {
    const items: ReadonlyArray<unknown> | TransformError = isRaw(record)
      ? rawItems(record, field, index)
      : plainItems(record, field, index)
    if (items instanceof TransformError) return items
    for (const item of items) out.push(item as Unnested<A, F>)
    return undefined
  })

const plainItems = (record: object, field: string, index: number): Array<unknown> | TransformError => {
  const items = ownValue(record, field) ?? []
  if (!Array.isArray(items)) return notAnArray(field, index)
  return items.map((item) => {
    const out: Record<string, unknown> = {}
    for (const key of Object.keys(record)) setField(out, key, key === field ? item : ownValue(record, key))
    return out
  })
}

const rawItems = (
  record: RawRecord.RawRecord,
  field: string,
  index: number
): ReadonlyArray<RawRecord.RawRecord> | TransformError => {
  const { bytes, start, end } = record
  const spans = fieldSpans(bytes, start, end)
  if (!Array.isArray(spans)) return unreadableRecord("unnest", index, record, spans)
  const k = lastField(bytes, spans, field)
  if (k < 0) return []
  // The start and the end of the value of the field.
  const from = spans[k + 2] as number
  const to = spans[k + 3] as number
  const kind = kindAt(bytes[from] as number)
  if (kind === "null") return []
  if (kind !== "array") return notAnArray(field, index)
  const items = RawArray.cut(bytes.subarray(from, to))
  if (Result.isFailure(items)) return malformedRecord("unnest", index, items.failure)
  return items.success.map((item) => {
    const out = new Uint8Array(end - start - (to - from) + item.end - item.start)
    out.set(bytes.subarray(start, from))
    out.set(RawRecord.toBytes(item), from - start)
    out.set(bytes.subarray(to, end), from - start + item.end - item.start)
    return RawRecord.fromBytes(out)
  })
}

const notAnArray = (field: string, index: number): TransformError =>
  failure(
    "unnest",
    "not-an-array",
    `field ${JSON.stringify(field)} of record ${index} is not an array. Filter such records first, or derive an array`,
    { index, field }
  )
