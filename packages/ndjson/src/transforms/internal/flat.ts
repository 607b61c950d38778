/** Makes a field of each field of nested objects: `flat`. */

import * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import * as RawRecord from "../../raw/RawRecord.ts"
import { isPlain, isRaw, malformedRecord, ownValue, setField } from "./record.ts"
import { runStep } from "./recordStep.ts"
import { TransformError } from "./transformError.ts"

/** A record whose fields are scalars, arrays or empty objects. */
export type Flat<A> = A extends RawRecord.RawRecord ? RawRecord.RawRecord : Readonly<Record<string, unknown>>

interface Member {
  readonly key: string
  readonly value: unknown
}

interface Nested extends Member {
  readonly name: string
  /** The keys from the record to the value. */
  readonly path: string
}

const empty = RawRecord.fromText("{}")

/**
 * Replaces each object in a record by its fields, with names as `mc5Param.ac50`, at any depth. Arrays and empty
 * objects stay. A record without objects is returned unchanged.
 *
 * Fails with `field-taken` if two values would have one name, and with `malformed` for a malformed raw record.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { RawRecord, Transform } from "@chemstream/ndjson"
 *
 * const fits = Stream.make(RawRecord.fromText('{"aeid":1,"mc5Param":{"ac50":1.50,"flags":["a"]}}'))
 * await Effect.runPromise(fits.pipe(Transform.flat(), Stream.map(String), Stream.runCollect))
 * // => ['{"aeid":1,"mc5Param.ac50":1.50,"mc5Param.flags":["a"]}']
 * ```
 */
export const flat = <A extends object>(): (<E, R>(
  self: Stream.Stream<A, E, R>
) => Stream.Stream<Flat<A>, E | TransformError, R>) =>
  runStep<A, Flat<A>>(() => (record, index, out) => {
    const fields = flatten(record, index)
    if (fields instanceof TransformError) return fields
    out.push((fields === undefined ? record : build(record, fields)) as Flat<A>)
    return undefined
  })

/** Returns the values by their names. Undefined: the record has no objects. */
const flatten = (record: object, index: number): Map<string, Nested> | TransformError | undefined => {
  const fields = new Map<string, Nested>()
  let isNested = false
  const members = membersOf(record, index)
  if (members instanceof TransformError) return members
  const rest = members.map((member) => nested(undefined, member)).reverse()
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { name, path, value } = next
    const inner = isObject(value) ? membersOf(value, index) : []
    if (inner instanceof TransformError) return inner
    if (inner.length > 0) {
      isNested = true
      for (const member of inner.toReversed()) rest.push(nested(next, member))
      continue
    }
    const other = fields.get(name)
    // Duplicate keys are one field.
    if (other !== undefined && other.path !== path) return taken(index, name)
    fields.set(name, next)
  }
  return isNested ? fields : undefined
}

const nested = (parent: Nested | undefined, { key, value }: Member): Nested =>
  parent === undefined
    ? { key, value, name: key, path: key }
    : { key, value, name: `${parent.name}.${key}`, path: `${parent.path}\0${key}` }

const isObject = (value: unknown): value is object =>
  isRaw(value) ? value.bytes[value.start] === 0x7b : isPlain(value)

const membersOf = (record: object, index: number): ReadonlyArray<Member> | TransformError => {
  if (!isRaw(record)) return Object.keys(record).map((key) => ({ key, value: ownValue(record, key) }))
  const entries = RawRecord.entries(record)
  return Result.isSuccess(entries) ? entries.success : malformedRecord("flat", index, entries.failure)
}

const build = (record: object, fields: ReadonlyMap<string, Nested>): object => {
  if (isRaw(record)) {
    const members = Array.from(fields, ([name, { value }]) => [name, value as RawRecord.RawRecord] as const)
    return Result.getOrThrow(RawRecord.prepend(empty, members))
  }
  const out: Record<string, unknown> = {}
  for (const [name, { value }] of fields) setField(out, name, value)
  return out
}

const taken = (index: number, name: string): TransformError =>
  new TransformError({
    reason: "field-taken",
    transform: "flat",
    index,
    field: name,
    message: `flat: record ${index} has two values for the field ${JSON.stringify(name)}. Rename one of them first`
  })
