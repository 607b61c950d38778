/**
 * Lines of JSON: bytes to values or raw records, values or raw records to bytes, as functions on `Stream`.
 *
 * Works on whole chunks: bytes in any cut, bytes out in large pieces. Takes LF and CRLF, a last line without either, a
 * byte-order mark at the start; leaves out blank lines; writes LF after every line. A JSON array is `RawArray`'s, the
 * fields of a raw line are `RawRecord`'s. Other faces than Effect's: `AsyncIteration`, `WebStream` and `NodeStream`.
 */
import type { Result, Schema, Stream } from "effect"
import type { Drift, Validate } from "../raw/Drift.ts"
import * as DriftTally from "../raw/Drift.ts"
import { joinLines } from "../raw/internal/lineJoin.ts"
import { RawRecord } from "../raw/RawRecord.ts"
import { type Feeder, feed } from "../streams/internal/feeder.ts"
import { collecting, failing, telling } from "./internal/decoder.ts"
import { type BigInts, encodeRecords, encodeValues } from "./internal/encoder.ts"
import type { Handler } from "./internal/lines.ts"
import { values } from "./internal/lineValues.ts"
import type { NdjsonEncodeError, NdjsonError } from "./internal/ndjsonError.ts"
import { decoding, encoding, watching } from "./internal/schemaCodec.ts"

export {
  type DecodeReason,
  type EncodeReason,
  EXCERPT_LENGTH,
  NdjsonEncodeError,
  NdjsonError
} from "./internal/ndjsonError.ts"

/** The default of `maxLineBytes`: 64 MiB. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024

// The longest string of V8; a longer line can be passed on raw, but not parsed.
const LONGEST_TEXT = 0x1fffffe8

/** Counts the bad lines that a decoder has skipped: make one with `skipped`. */
export interface Skipped {
  count: number
  /** The first of them. */
  first: NdjsonError | undefined
}

/** How lines are read. */
export interface LineOptions {
  /**
   * The longest line, in bytes without its line break; a longer one is refused with `line-too-large` before it is held
   * in memory. Default 64 MiB.
   */
  readonly maxLineBytes?: number | undefined
}

/** How lines become values. */
export interface DecodeOptions extends LineOptions {
  /** Leave bad lines out, and count them here. Default: the first bad line ends the run with its error. */
  readonly skip?: Skipped | undefined
}

/** How lines become values of a schema. */
export interface SchemaOptions extends DecodeOptions {
  /**
   * `strict`, the default: values are decoded, and one that does not fit is a bad line. `warn`: every value passes on
   * as it came, and what does not fit is added to `drift`. `off`: the schema is not used.
   */
  readonly validate?: Validate | undefined
  /** Where `warn` counts. */
  readonly drift?: Drift | undefined
}

/** How values become lines. */
export interface EncodeOptions {
  /** How a BigInt is written: `refuse` (the default), as a `number` with all its digits, or as a `string` of them. */
  readonly bigints?: BigInts | undefined
}

/** A raw record and the number of the line it stood on, from 1, blank lines counted. */
export interface NumberedRecord {
  readonly line: number
  readonly record: RawRecord
}

/**
 * A counter for the option `skip`.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Ndjson } from "@chemstream/ndjson"
 *
 * const skip = Ndjson.skipped()
 * const bytes = Stream.make('1\n{"a"\n2\n').pipe(Stream.encodeText)
 * await Effect.runPromise(bytes.pipe(Ndjson.decode({ skip }), Stream.runCollect)) // => [1, 2]
 * skip.count // => 1
 * skip.first?.line // => 2
 * ```
 */
export const skipped = (): Skipped => ({ count: 0, first: undefined })

/**
 * The values of the lines, by `JSON.parse`: `__proto__` is a key like any other, a number is the nearest double.
 * Values before a bad line are emitted before its error; with `skip` it is left out and counted instead.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Ndjson } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make('{"id":1}\r\n\n{"i', 'd":2}').pipe(Stream.encodeText)
 * await Effect.runPromise(bytes.pipe(Ndjson.decode(), Stream.runCollect)) // => [{ id: 1 }, { id: 2 }]
 * ```
 */
export const decode = (
  options?: DecodeOptions
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<unknown, E | NdjsonError, R>) =>
  feed(decoder(Math.min(maxOf(options), LONGEST_TEXT), values, options))

/**
 * As `decode`, each bad line as a failure in its place: nothing ends the stream. To have the bad lines as a stream beside
 * the good ones, partition it.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Ndjson } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make('{"id":1}\n{"id":}\n{"id":3}\n').pipe(Stream.encodeText)
 * const program = Effect.gen(function* () {
 *   const results = bytes.pipe(Ndjson.decodeResults())
 *   const [good, bad] = yield* Stream.partition(results, (result) => result)
 *   const lines = bad.pipe(Stream.map((error) => error.line))
 *   return yield* Effect.all([Stream.runCollect(good), Stream.runCollect(lines)], { concurrency: 2 })
 * })
 * await Effect.runPromise(Effect.scoped(program)) // => [[{ id: 1 }, { id: 3 }], [2]]
 * ```
 */
export const decodeResults = (
  options?: LineOptions
): (<E, R>(
  self: Stream.Stream<Uint8Array, E, R>
) => Stream.Stream<Result.Result<unknown, NdjsonError>, E, R>) =>
  feed(collecting(Math.min(maxOf(options), LONGEST_TEXT), values))

/**
 * The values of the lines, decoded with a schema. A value that does not fit is a bad line, with `schema-mismatch`.
 *
 * With `validate: "warn"` every value passes on as it came, undecoded, and what does not fit is counted in `drift`. The
 * schema decodes what `JSON.parse` gives: use `Schema.toCodecJson` where its encoded side is not JSON (dates, BigInts).
 * The schema is compiled; it must decode synchronously and without services.
 *
 * @example
 * ```ts
 * import { Effect, Schema, Stream } from "effect"
 * import { Drift, Ndjson } from "@chemstream/ndjson"
 *
 * const Substance = Schema.Struct({ id: Schema.String, mass: Schema.NullOr(Schema.Number) })
 * const bytes = Stream.make('{"id":"a","mass":1.5}\n{"id":"b","mass":"2"}\n').pipe(Stream.encodeText)
 * const error = await Effect.runPromise(bytes.pipe(Ndjson.decodeSchema(Substance), Stream.runDrain, Effect.flip))
 * error.line // => 2
 * error.reason // => "schema-mismatch"
 *
 * const drift = Drift.make()
 * const warned = bytes.pipe(Ndjson.decodeSchema(Substance, { validate: "warn", drift }), Stream.runCount)
 * await Effect.runPromise(warned) // => 2
 * drift.fields // => [{ field: "mass", expected: "number | null", seen: "string", count: 1 }]
 * ```
 */
export const decodeSchema: {
  <S extends Schema.ConstraintDecoder<unknown>>(
    schema: S,
    options?: SchemaOptions & { readonly validate?: "strict" | undefined }
  ): <E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<S["Type"], E | NdjsonError, R>
  (
    schema: Schema.ConstraintDecoder<unknown>,
    options: SchemaOptions
  ): <E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<unknown, E | NdjsonError, R>
} = (
  schema: Schema.ConstraintDecoder<unknown>,
  options?: SchemaOptions
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<unknown, E | NdjsonError, R>) =>
  feed(decoder(Math.min(maxOf(options), LONGEST_TEXT), handlerOf(schema, options), options))

/**
 * The lines as raw records, without their line breaks. Only cuts: what stands in a line is not checked.
 *
 * A line inside one chunk is a view of it; one that spans chunks is copied once.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Ndjson, RawRecord } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make('{"mass":3850.0}\n{"mass":1e2}\n').pipe(Stream.encodeText)
 * const texts = bytes.pipe(Ndjson.decodeRaw(), Stream.map(RawRecord.toText), Stream.runCollect)
 * await Effect.runPromise(texts) // => ['{"mass":3850.0}', '{"mass":1e2}']
 * ```
 */
export const decodeRaw = <A = unknown>(
  options?: DecodeOptions
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<RawRecord<A>, E | NdjsonError, R>) =>
  feed(decoder(maxOf(options), raw, options)) as never

/**
 * As `decodeRaw`, each record with the number of its line: for what has to name the line later.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Ndjson } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make('{"id":1}\n\n{"id":2}\n').pipe(Stream.encodeText)
 * const numbers = bytes.pipe(Ndjson.decodeNumbered(), Stream.map(({ line }) => line), Stream.runCollect)
 * await Effect.runPromise(numbers) // => [1, 3]
 * ```
 */
export const decodeNumbered = (
  options?: DecodeOptions
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<NumberedRecord, E | NdjsonError, R>) =>
  feed(decoder(maxOf(options), numbered, options))

/**
 * One line for each value, as `JSON.stringify` writes it; the lines of the values at hand in one `Uint8Array`
 * of at least 64 KiB, where there are that many.
 *
 * Fails on what JSON cannot carry, with its path: functions, symbols, BigInts unless `bigints` says how, cycles, `undefined` as the whole value.
 * Values before it are written. As `JSON.stringify` has it, a field that is `undefined` is left out, `NaN` and the
 * infinities are `null`.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Ndjson } from "@chemstream/ndjson"
 *
 * const text = Stream.make({ id: 1 }, { id: 2 }).pipe(Ndjson.encode(), Stream.decodeText, Stream.mkString)
 * await Effect.runPromise(text) // => '{"id":1}\n{"id":2}\n'
 * ```
 */
export const encode = (
  options?: EncodeOptions
): (<A, E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Uint8Array, E | NdjsonEncodeError, R>) =>
  feed(() => encodeValues(options?.bigints ?? "refuse"))

/**
 * As `encode`, each value first encoded with a schema. Fails with `schema-mismatch` on a value that is not of it.
 *
 * @example
 * ```ts
 * import { Effect, Schema, Stream } from "effect"
 * import { Ndjson } from "@chemstream/ndjson"
 *
 * const Seen = Schema.toCodecJson(Schema.Struct({ at: Schema.Date }))
 * const text = Stream.make({ at: new Date(0) }).pipe(Ndjson.encodeSchema(Seen), Stream.decodeText, Stream.mkString)
 * await Effect.runPromise(text) // => '{"at":"1970-01-01T00:00:00.000Z"}\n'
 * ```
 */
export const encodeSchema = <S extends Schema.ConstraintEncoder<unknown>>(
  schema: S,
  options?: EncodeOptions
): (<E, R>(self: Stream.Stream<S["Type"], E, R>) => Stream.Stream<Uint8Array, E | NdjsonEncodeError, R>) => {
  const prepare = encoding(schema)
  return feed(() => encodeValues(options?.bigints ?? "refuse", prepare))
}

/**
 * One line for each record, its text as it was (`RawRecord.toLine`); of the records at hand, those that
 * stand in a chunk as lines one after another in a view of it, all others copied once into as few pieces.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Ndjson, RawArray } from "@chemstream/ndjson"
 *
 * const body = Stream.make('[ {"mass": 3850.0},\n {"mass": 1e2} ]').pipe(Stream.encodeText)
 * const text = body.pipe(RawArray.decode(), Ndjson.encodeRaw(), Stream.decodeText, Stream.mkString)
 * await Effect.runPromise(text) // => '{"mass": 3850.0}\n{"mass": 1e2}\n'
 * ```
 */
export const encodeRaw = (): (<E, R>(
  self: Stream.Stream<RawRecord, E, R>
) => Stream.Stream<Uint8Array, E, R>) => feed(encodeRecords)

/**
 * The lines of some records in one `Uint8Array`, for code that holds the records already. A view of their bytes where they stand there as lines one after another, else copied once.
 *
 * @example
 * ```ts
 * import { Ndjson, RawRecord } from "@chemstream/ndjson"
 *
 * const bytes = Ndjson.lines([RawRecord.fromText('{"mass":3850.0}'), RawRecord.fromText("{}")])
 * new TextDecoder().decode(bytes) // => '{"mass":3850.0}\n{}\n'
 * ```
 */
export const lines = (records: ReadonlyArray<RawRecord>): Uint8Array => joinLines(records)

const maxOf = (options: LineOptions | undefined): number => options?.maxLineBytes ?? MAX_LINE_BYTES

const decoder = <Out>(
  max: number,
  handler: Handler<Out>,
  options: DecodeOptions | undefined
): (() => Feeder<Uint8Array, Out, NdjsonError>) => {
  const skip = options?.skip
  if (skip === undefined) return failing(max, handler)
  const tell = (error: NdjsonError): void => {
    skip.count++
    skip.first ??= error
  }
  return telling(max, handler, tell)
}

const handlerOf = (
  schema: Schema.ConstraintDecoder<unknown>,
  options: SchemaOptions | undefined
): Handler<unknown> => {
  switch (options?.validate) {
    case "off":
      return values
    case "warn":
      return watching(schema, options.drift ?? DriftTally.make())
    default:
      return decoding(schema)
  }
}

const raw: Handler<RawRecord> = {
  line: (bytes, start, end, out) => {
    out.push(new RawRecord(bytes, start, end))
    return undefined
  }
}

const numbered: Handler<NumberedRecord> = {
  line: (bytes, start, end, out, line) => {
    out.push({ line, record: new RawRecord(bytes, start, end) })
    return undefined
  }
}
