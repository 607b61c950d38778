/**
 * Describes the expected shape of raw records: the kinds of their top-level fields, the required fields, and the key.
 * Reading a record with a shape is one pass over its text and builds no object.
 *
 * The key identifies a record, e.g. by its `dtxsid`. The first byte of a value determines its kind; the content is not checked
 * (`Ndjson.decodeSchema` does that). Unnamed fields are no drift. `Drift` decides what happens with drift; `RawArray` cuts
 * elements.
 */
import type { Schema } from "effect"
import * as Result from "effect/Result"
import { argument } from "../internal/argumentChecks.ts"
import { asciiText } from "../internal/decodeText.ts"
import { OPEN_ARRAY, OPEN_OBJECT } from "../internal/jsonBytes.ts"
import type { Elements } from "./internal/arrayElements.ts"
import { faultOf } from "./internal/fieldSpans.ts"
import { check } from "./internal/jsonGrammar.ts"
import { ANY_KIND, KIND_BITS, ObjectScanner } from "./internal/objectScanner.ts"
import { refuse } from "./internal/rawError.ts"
import { bytesOf } from "./internal/rawRecordClass.ts"
import { scalarAt } from "./internal/scalarValue.ts"
import { kindsOf } from "./internal/schemaKinds.ts"
import { skipSpace } from "./internal/skipJson.ts"
import { kindAt } from "./internal/valueKind.ts"
import type { RawJsonError } from "./RawJsonError.ts"
import * as RawRecord from "./RawRecord.ts"

/** The fields of a shape. */
export interface Options {
  /** The kinds of each field. `[]`, or an unnamed field: any kind. */
  readonly kinds?: Readonly<Record<string, RawRecord.Kind | ReadonlyArray<RawRecord.Kind>>> | undefined
  /** The required fields. Default: none. */
  readonly required?: ReadonlyArray<string> | undefined
  /** The field with the key of a record. Default: none. */
  readonly key?: string | undefined
}

/** One difference between a record and its shape. `field` is absent if the record is not an object. */
export interface Difference {
  readonly field?: string | undefined
  readonly expected: ReadonlyArray<RawRecord.Kind>
  /** The kind in the record, or `absent`. */
  readonly seen: string
}

/** A record with its key, as `RawRecord.value` returns it, and its differences from the shape. */
export class Reading extends RawRecord.RawRecord {
  declare readonly key: RawRecord.Value<unknown>
  declare readonly drift: ReadonlyArray<Difference>

  constructor(
    bytes: Uint8Array,
    start: number,
    end: number,
    key: RawRecord.Value<unknown>,
    drift: ReadonlyArray<Difference>
  ) {
    super(bytes, start, end)
    this.key = key
    this.drift = drift
  }
}

/** A shape, prepared for many records. */
export interface RawShape {
  /** Reads the elements of a `RawArray`. */
  readonly elements: Elements<Reading>
}

/**
 * Makes a shape from the kinds of the fields.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawRecord, RawShape } from "@chemstream/ndjson"
 *
 * const shape = RawShape.make({ kinds: { mass: ["number", "null"] }, required: ["name"], key: "id" })
 * const reading = Result.getOrThrow(RawShape.read(shape, RawRecord.fromText('{"id":7,"mass":"12"}')))
 * reading.key // => 7
 * reading.drift
 * // => [{ field: "mass", expected: ["number", "null"], seen: "string" }, { field: "name", expected: [], seen: "absent" }]
 * ```
 */
export const make = (options: Options): RawShape => {
  argument("options", "an object", options)
  const kinds = new Map(Object.entries(options.kinds ?? {}).map(([name, kind]) => [name, [kind].flat()]))
  const required = new Set(options.required)
  const names = [...new Set([...kinds.keys(), ...required])]
  const fields = names.map((name) => ({
    name,
    allowedKinds: (kinds.get(name) ?? []).reduce((bits, kind) => bits | KIND_BITS[kind], 0) || ANY_KIND,
    required: required.has(name)
  }))
  return shapeOf(new ObjectScanner(fields, options.key), fields)
}

/**
 * Makes the shape of the encoded side of a schema. A field is required unless it is optional.
 *
 * A schema without named fields makes a shape that allows everything.
 *
 * @example
 * ```ts
 * import { Result, Schema } from "effect"
 * import { RawRecord, RawShape } from "@chemstream/ndjson"
 *
 * const Substance = Schema.Struct({ id: Schema.String, mass: Schema.NullOr(Schema.FiniteFromString) })
 * const shape = RawShape.fromSchema(Substance, { key: "id" })
 * const reading = Result.getOrThrow(RawShape.read(shape, RawRecord.fromText('{"id":"a","mass":12}')))
 * reading.drift // => [{ field: "mass", expected: ["string", "null"], seen: "number" }]
 * ```
 */
export const fromSchema = (
  schema: Schema.Constraint,
  options?: { readonly key?: string | undefined }
): RawShape => make({ ...kindsOf(schema), key: options?.key })

/** Reads one record with a shape. Fails with reason and offset if the top level of the text is malformed. */
export const read = (shape: RawShape, record: RawRecord.RawRecord): Result.Result<Reading, RawJsonError> => {
  const out: Array<Reading> = []
  argument("shape", "a RawShape", shape)
  const fault = shape.elements.take(bytesOf(record), record.start, record.end, false, out)
  return fault === undefined ? Result.succeed(out[0] as Reading) : refuse(record, fault)
}

const NO_DIFFERENCES: ReadonlyArray<Difference> = []

type Fields = ReadonlyArray<{ readonly name: string; readonly allowedKinds: number }>

/** Makes the shape that reads objects with a walk. An element that the scanner of the array has walked is not walked again. */
const shapeOf = (walk: ObjectScanner, fields: Fields): RawShape => ({
  elements: {
    walk: (bytes, start, end) => walk.scan(bytes, start, end),
    take: (bytes, start, end, isWalked, out) => {
      if (!isWalked) {
        const first = skipSpace(bytes, start, end)
        if (first < end && bytes[first] !== OPEN_OBJECT) {
          const fault = check(bytes, start, end)
          if (fault !== undefined) return fault
          const difference: Difference = { expected: ["object"], seen: kindAt(bytes[first] as number) }
          out.push(new Reading(bytes, start, end, undefined, [difference]))
          return undefined
        }
        const after = first === end ? -1 : walk.scan(bytes, first, end)
        if (after === -1 || skipSpace(bytes, after, end) !== end) return faultOf(bytes, start, end)
      }
      const drift = walk.drift === undefined ? NO_DIFFERENCES : differences(walk.drift, fields)
      out.push(new Reading(bytes, start, end, walk.idStart < 0 ? undefined : idAt(bytes, walk), drift))
      return undefined
    }
  }
})

/** Returns the key of the object that was scanned last. */
const idAt = (bytes: Uint8Array, { idStart, idEnd, idIsPlain }: ObjectScanner): RawRecord.Value<unknown> => {
  if (idIsPlain) return asciiText(bytes, idStart + 1, idEnd - 1)
  const first = bytes[idStart]
  return first === OPEN_OBJECT || first === OPEN_ARRAY
    ? RawRecord.make(bytes, idStart, idEnd)
    : scalarAt(bytes, idStart, idEnd)
}

/** Returns the differences of a scan: pairs of the number of a field and the bit of its kind (`ObjectScanner.drift`). */
const differences = (drift: ReadonlyArray<number>, fields: Fields): ReadonlyArray<Difference> => {
  const out: Array<Difference> = []
  for (let k = 0; k < drift.length; k += 2) {
    const { name, allowedKinds } = fields[drift[k] as number] as Fields[number]
    out.push({
      field: name,
      expected: kindsIn(allowedKinds),
      seen: kindsIn(drift[k + 1] as number)[0] ?? "absent"
    })
  }
  return out
}

const kindsIn = (bits: number): ReadonlyArray<RawRecord.Kind> =>
  bits === ANY_KIND
    ? []
    : (Object.keys(KIND_BITS) as Array<RawRecord.Kind>).filter((kind) => (KIND_BITS[kind] & bits) !== 0)
