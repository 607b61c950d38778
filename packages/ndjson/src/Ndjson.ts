/**
 * Lines of JSON: bytes to values or raw records, values or raw records to bytes, as functions on `Stream`.
 *
 * Works on whole chunks: bytes in any cut, bytes out in large pieces. Takes LF and CRLF, a last line without either, a
 * byte-order mark at the start; leaves out blank lines; writes LF after every line. A JSON array is `RawArray`'s, the
 * fields of a raw line are `RawRecord`'s, other faces of the same codec (channels, web streams, iterables) `Codec`'s.
 */
import type { Result, Schema, Stream } from "effect"
import * as Codec from "./Codec.ts"
import { joinLines } from "./internal/join.ts"
import type { NdjsonEncodeError, NdjsonError } from "./internal/ndjsonError.ts"
import type { RawRecord } from "./RawRecord.ts"

export { MAX_LINE_BYTES } from "./Codec.ts"
export {
  type DecodeReason,
  type EncodeReason,
  EXCERPT_LENGTH,
  NdjsonEncodeError,
  NdjsonError
} from "./internal/ndjsonError.ts"

/** How lines are read. */
export type LineOptions = Codec.LineOptions
/** How lines become values. */
export type DecodeOptions = Codec.DecodeOptions
/** How lines become values of a schema. */
export type SchemaOptions = Codec.SchemaOptions
/** How values become lines. */
export type EncodeOptions = Codec.EncodeOptions
/** A raw record and the number of its line. */
export type NumberedRecord = Codec.NumberedRecord

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
  Codec.stream(Codec.decode(options))

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
) => Stream.Stream<Result.Result<unknown, NdjsonError>, E, R>) => Codec.stream(Codec.decodeResults(options))

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
  Codec.stream(options === undefined ? Codec.decodeSchema(schema) : Codec.decodeSchema(schema, options))

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
export const decodeRaw = (
  options?: DecodeOptions
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<RawRecord, E | NdjsonError, R>) =>
  Codec.stream(Codec.decodeRaw(options))

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
  Codec.stream(Codec.decodeNumbered(options))

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
  Codec.stream(Codec.encode(options))

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
): (<E, R>(self: Stream.Stream<S["Type"], E, R>) => Stream.Stream<Uint8Array, E | NdjsonEncodeError, R>) =>
  Codec.stream(Codec.encodeSchema(schema, options))

/**
 * One line for each record, its text as it was (`RawRecord.toLine`); the lines of the records at hand in
 * one `Uint8Array`: a view of their bytes where they stand there as lines one after another, else copied once.
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
) => Stream.Stream<Uint8Array, E, R>) => Codec.stream(Codec.encodeRaw())

/**
 * The lines of some records in one `Uint8Array`: what `encodeRaw` makes of each chunk, for code that holds the records
 * already. A view of their bytes where they stand there as lines one after another, else copied once.
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
