/** Makes a field of each field of nested objects: `flat`. */

import * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import { decodeKey } from "../../internal/decodeText.ts"
import { faultOf } from "../../raw/internal/fieldSpans.ts"
import type { Fault } from "../../raw/internal/jsonGrammar.ts"
import { type NestedVisitor, visitNested } from "../../raw/internal/nestedFields.ts"
import * as RawRecord from "../../raw/RawRecord.ts"
import { isPlain, isRaw, ownValue, setField, unreadableRecord } from "./recordFields.ts"
import { runStep } from "./recordStep.ts"
import { failure, TransformError } from "./transformError.ts"

/** A record whose fields are scalars, arrays or empty objects. */
export type Flat<A> = A extends RawRecord.RawRecord ? RawRecord.RawRecord : Readonly<Record<string, unknown>>

/** The place of a value. */
interface Place {
  readonly name: string
  /** The keys from the record to the value. */
  readonly path: string
}

/** A value that is not a non-empty object, and its place. */
interface Leaf {
  readonly path: string
  readonly value: unknown
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

/** The values of a record by their names, and the keys of each from the record. Duplicate keys are one field. */
class Fields {
  readonly values = new Map<string, Leaf>()
  isNested = false
  /** The first name that two values would have. */
  taken: string | undefined

  add(name: string, path: string, value: unknown): void {
    const other = this.values.get(name)
    if (other !== undefined && other.path !== path) this.taken ??= name
    this.values.set(name, { path, value })
  }
}

/** Returns the values by their names. Undefined: the record has no objects. */
const flatten = (record: object, index: number): ReadonlyMap<string, Leaf> | TransformError | undefined => {
  const fields = new Fields()
  const error = isRaw(record) ? readRaw(record, index, fields) : readPlain(record, index, fields)
  if (error !== undefined) return error
  if (fields.taken !== undefined) return taken(index, fields.taken)
  return fields.isNested ? fields.values : undefined
}

/** `parent` is the place of the object in a record that is not raw. */
const readRaw = (
  record: RawRecord.RawRecord,
  index: number,
  fields: Fields,
  parent?: Place
): TransformError | undefined => {
  const { bytes, end, start } = record
  const parents: Array<Place> = parent === undefined ? [] : [parent]
  const placeAt = (keyStart: number, keyEnd: number): Place =>
    placeOf(parents.at(-1), decodeKey(bytes, keyStart, keyEnd))
  const visitor: NestedVisitor = {
    open: (keyStart, keyEnd) => {
      fields.isNested = true
      parents.push(placeAt(keyStart, keyEnd))
    },
    close: () => parents.pop(),
    leaf: (keyStart, keyEnd, from, to) => {
      const { name, path } = placeAt(keyStart, keyEnd)
      fields.add(name, path, RawRecord.fromBytes(bytes.subarray(from, to)))
    }
  }
  const fault = (found: Fault) => unreadableRecord("flat", index, record, found)
  try {
    const found = visitNested(bytes, start, end, visitor)
    return found === undefined ? undefined : fault(found)
  } catch {
    // A key is not UTF-8.
    return fault(faultOf(bytes, start, end))
  }
}

const readPlain = (record: object, index: number, fields: Fields): TransformError | undefined => {
  const rest = membersOf(record, undefined).reverse()
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { place, value } = next
    if (isRaw(value) && Result.getOrElse(RawRecord.entries(value), () => []).length > 0) {
      fields.isNested = true
      const error = readRaw(value, index, fields, place)
      if (error !== undefined) return error
      continue
    }
    const inner = isPlain(value) ? membersOf(value, place) : []
    if (inner.length === 0) fields.add(place.name, place.path, value)
    else {
      fields.isNested = true
      for (const member of inner.reverse()) rest.push(member)
    }
  }
  return undefined
}

const membersOf = (record: object, parent: Place | undefined) =>
  Object.keys(record).map((key) => ({ place: placeOf(parent, key), value: ownValue(record, key) }))

const placeOf = (parent: Place | undefined, key: string): Place =>
  parent === undefined
    ? { name: key, path: key }
    : { name: `${parent.name}.${key}`, path: `${parent.path}\0${key}` }

/** Makes the flat record of the values. */
const build = (record: object, fields: ReadonlyMap<string, Leaf>): object => {
  if (isRaw(record)) {
    const members = Array.from(fields, ([name, { value }]) => [name, value as RawRecord.RawRecord] as const)
    return Result.getOrThrow(RawRecord.prepend(empty, members))
  }
  const out: Record<string, unknown> = {}
  for (const [name, { value }] of fields) setField(out, name, value)
  return out
}

const taken = (index: number, name: string): TransformError =>
  failure(
    "flat",
    "field-taken",
    `record ${index} has two values for the field ${JSON.stringify(name)}. Rename one of them first`,
    { index, field: name }
  )
