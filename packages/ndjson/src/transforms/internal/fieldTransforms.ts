/**
 * Selects, renames and computes fields: `pick`, `rename` and `derive`. In a raw record, values keep their text and
 * fields their order.
 */

import type { Stream } from "effect"
import * as Result from "effect/Result"
import { InvalidOption } from "../../InvalidOption.ts"
import { checkEach } from "../../internal/optionChecks.ts"
import * as RawProjection from "../../raw/RawProjection.ts"
import type { RawRecord } from "../../raw/RawRecord.ts"
import { appendRaw, renameRaw } from "./rawFields.ts"
import {
  type Field,
  isRaw,
  malformedRecord,
  ownValue,
  type Parsed,
  type Simple,
  setField
} from "./recordFields.ts"
import { runStep } from "./recordStep.ts"
import { failure, type RawFailure, TransformError } from "./transformError.ts"

/** A record with only the picked fields. */
export type Picked<A, F extends string> = Reshaped<A, PickedFields<ValueOf<A>, F>>

type PickedFields<V, F> = Simple<Pick<V, F & keyof V>>

/** A record with renamed fields. */
export type Renamed<A, N> = Reshaped<A, RenamedFields<ValueOf<A>, N>>

type RenamedFields<V, N> = Simple<{
  [K in keyof V as K extends keyof N ? (N[K] extends string ? N[K] : K) : K]: V[K]
}>

/** A record with added or replaced fields. */
export type Derived<A, D> = Reshaped<A, DerivedFields<ValueOf<A>, D>>

type DerivedFields<V, D> = Simple<
  Omit<V, keyof D> & { [K in keyof D]: D[K] extends (record: never) => infer W ? Parsed<W> : never }
>

/** The type of the object, or of the value of a raw record. */
type ValueOf<A> = A extends RawRecord<infer V> ? V : A

/** A record of the same kind with another type. A raw record of unknown type stays one. */
type Reshaped<A, B> = A extends RawRecord<infer V> ? RawRecord<unknown extends V ? unknown : B> : B

/**
 * Keeps only these fields, in this order. Skips fields that the record lacks. An object always has integer keys such
 * as `"1"` first, because JavaScript orders them so; a raw record does not.
 *
 * Fails only for a malformed raw record (`malformed`).
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { RawRecord, Transform } from "@chemstream/ndjson"
 *
 * const values = Stream.make({ id: 1, mass: 3850, name: "x" }).pipe(Transform.pick("mass", "id"))
 * await Effect.runPromise(Stream.runCollect(values)) // => [{ mass: 3850, id: 1 }]
 *
 * const raw = Stream.make(RawRecord.fromText('{"id":1,"mass":3850.0}')).pipe(Transform.pick("mass"))
 * await Effect.runPromise(raw.pipe(Stream.map(String), Stream.runCollect)) // => ['{"mass":3850.0}']
 * ```
 */
export const pick = <A extends object, const F extends ReadonlyArray<Field<A>>>(
  ...fields: F
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Picked<A, F[number]>, E | RawFailure<A>, R>) => {
  for (const field of fields)
    if (typeof field !== "string") throw new InvalidOption("a field of pick", "must be a text", field)
  return reshape("pick", RawProjection.picker(fields, { missing: "omit" }), (record) => {
    const out: Record<string, unknown> = {}
    for (const field of fields)
      if (Object.hasOwn(record, field)) setField(out, field, ownValue(record, field))
    return out
  })
}

/**
 * Renames fields, each in its place. Two names can be swapped.
 *
 * Fails with `field-taken` if the record already has another field of the new name, so that no value is lost. Fails
 * for raw records as `pick` does.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const renamed = Stream.make({ id: 1, casrn: "80-05-7" }).pipe(Transform.rename({ casrn: "cas" }))
 * await Effect.runPromise(Stream.runCollect(renamed)) // => [{ id: 1, cas: "80-05-7" }]
 * ```
 */
export const rename = <A extends object, const N extends { readonly [K in Field<A>]?: string }>(
  names: N
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Renamed<A, N>, E | TransformError, R>) => {
  checkEach("rename", names, "a new name", (value) => typeof value === "string")
  const byField = new Map<string, string>(Object.entries(names as Record<string, string>))
  const renameText = renameRaw(byField)
  return runStep<A, Renamed<A, N>>(() => (record, index, out) => {
    const renamed = isRaw(record) ? renameText(record) : renameValue(record, byField)
    if (typeof renamed === "string") return fieldTaken("rename", index, renamed)
    if (Result.isFailure(renamed)) return malformedRecord("rename", index, renamed.failure)
    out.push(renamed.success as Renamed<A, N>)
    return undefined
  })
}

/**
 * Computes fields from each record. A field of the same name is replaced in its place; a new one is added at the end.
 * Each function gets the original record. An exception in a function is a defect.
 *
 * In a raw record, a value is written as JSON, and a `RawRecord` with its text. `undefined` omits the field.
 *
 * Fails only for raw records: with `malformed`, or with `not-json` if JSON cannot encode the value.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { RawRecord, Transform } from "@chemstream/ndjson"
 *
 * const derived = Stream.make({ id: 1, mass: 228.115 }).pipe(
 *   Transform.derive({ heavy: (record) => record.mass > 200, mass: (record) => Math.round(record.mass) })
 * )
 * await Effect.runPromise(Stream.runCollect(derived)) // => [{ id: 1, mass: 228, heavy: true }]
 *
 * const raw = Stream.make(RawRecord.fromText('{"id":1,"mass":228.10}')).pipe(
 *   Transform.derive({ heavy: (record) => Number(RawRecord.value(record, "mass")) > 200 })
 * )
 * await Effect.runPromise(raw.pipe(Stream.map(String), Stream.runCollect))
 * // => ['{"id":1,"mass":228.10,"heavy":true}']
 * ```
 */
export const derive = <A extends object, D extends Record<string, (record: NoInfer<A>) => unknown>>(
  fields: D
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Derived<A, D>, E | RawFailure<A>, R>) => {
  checkEach("derive", fields, "a function of the record", (value) => typeof value === "function")
  const functions = Object.entries(fields)
  const append = appendRaw(functions.map(([field]) => field))
  return reshape(
    "derive",
    (record, index) => {
      const values: Array<Uint8Array | undefined> = []
      for (const [field, f] of functions) {
        const text = jsonText(f(record as NoInfer<A>), field, index)
        if (text instanceof TransformError) return text
        values.push(text)
      }
      return append(record, values)
    },
    (record) => {
      const out: Record<string, unknown> = {}
      for (const key of Object.keys(record)) setField(out, key, ownValue(record, key))
      for (const [field, f] of functions) setField(out, field, f(record as NoInfer<A>))
      return out
    }
  )
}

const encoder = new TextEncoder()

/** Returns the JSON text of a value as bytes, or the error of a value without one. */
const jsonText = (value: unknown, field: string, index: number): Uint8Array | undefined | TransformError => {
  if (isRaw(value)) return value.bytes.subarray(value.start, value.end)
  try {
    const text = JSON.stringify(value) as string | undefined
    return text === undefined ? undefined : encoder.encode(text)
  } catch (cause) {
    return failure(
      "derive",
      "not-json",
      `JSON cannot encode the value of ${JSON.stringify(field)} for record ${index}. Return a string, number, boolean, null, or an array or object of these`,
      { index, field, cause }
    )
  }
}

/** Makes the error of two fields with one name. */
export const fieldTaken = (transform: string, index: number, field: string): TransformError =>
  failure(
    transform,
    "field-taken",
    `record ${index} already has a field ${JSON.stringify(field)}. Pick one of the two, or choose another name`,
    { index, field }
  )

/** Makes a transform from one record to one record. Only a raw record can be refused. */
const reshape = <A extends object, B>(
  transform: string,
  raw: (
    record: RawRecord,
    index: number
  ) => Result.Result<RawRecord, { readonly message: string }> | TransformError,
  plain: (record: object) => object
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<B, E | RawFailure<A>, R>) =>
  runStep<A, B>(() => (record, index, out) => {
    if (isRaw(record)) {
      const reshaped = raw(record, index)
      if (reshaped instanceof TransformError) return reshaped
      if (Result.isFailure(reshaped)) return malformedRecord(transform, index, reshaped.failure)
      out.push(reshaped.success as B)
    } else out.push(plain(record) as B)
    return undefined
  }) as <E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<B, E | RawFailure<A>, R>

/** Returns the renamed record, or the name that two fields would have. */
const renameValue = (record: object, names: ReadonlyMap<string, string>): Result.Result<object> | string => {
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(record)) {
    const name = names.get(key) ?? key
    if (Object.hasOwn(out, name)) return name
    setField(out, name, ownValue(record, key))
  }
  return Result.succeed(out)
}
