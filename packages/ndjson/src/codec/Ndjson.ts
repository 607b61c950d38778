/**
 * Reads and writes lines of JSON, as values or raw records: functions on `Stream`.
 *
 * Chunks may be cut anywhere. Lines end with LF or CRLF; the last one needs neither. A byte-order mark at the start
 * and blank lines are skipped. Every written line ends with LF. `RawArray` reads JSON arrays; `RawRecord` reads
 * fields. `AsyncIteration`, `WebStream` and `NodeStream` do the same without Effect.
 */
import type { Result, Schema, Stream } from "effect"
import { argument } from "../internal/argumentChecks.ts"
import { checkSchema } from "../internal/optionChecks.ts"
import { joinLines } from "../raw/internal/joinLines.ts"
import type { RawRecord } from "../raw/RawRecord.ts"
import { feed, feedBytes } from "../streams/internal/pushParser.ts"
import { type DecodeOptions, type LineOptions, lineDecoder, resultDecoder } from "./internal/badLines.ts"
import { type BigInts, encodeRecords, encodeValues } from "./internal/lineEncoder.ts"
import type { NdjsonEncodeError, NdjsonError } from "./internal/ndjsonError.ts"
import { values } from "./internal/parsedLines.ts"
import { type NumberedRecord, numberedRecords, rawRecords } from "./internal/rawLines.ts"
import { type SchemaOptions, schemaLines } from "./internal/schemaLines.ts"

export {
  type DecodeOptions,
  type LineOptions,
  MAX_LINE_BYTES,
  type SkipTally,
  skipTally
} from "./internal/badLines.ts"
export {
  type DecodeReason,
  type EncodeReason,
  EXCERPT_LENGTH,
  NdjsonEncodeError,
  NdjsonError
} from "./internal/ndjsonError.ts"
export type { NumberedRecord } from "./internal/rawLines.ts"
export type { SchemaOptions } from "./internal/schemaLines.ts"

/** The options of encoding values. */
export interface EncodeOptions {
  /** The form of a BigInt: `refuse`, a `number` with all its digits, or a `string` of them. Default: `refuse`. */
  readonly bigints?: BigInts | undefined
}

/**
 * Parses each line with `JSON.parse`. A number becomes the nearest double, and `__proto__` is an ordinary key. Values
 * before a bad line are emitted before its error. With `skip`, a bad line is counted instead.
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
  feedBytes(lineDecoder(values, options))

/**
 * Like `decode`, but emits a failure in the place of each bad line, and continues. `Stream.partition` separates good
 * and bad lines.
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
) => Stream.Stream<Result.Result<unknown, NdjsonError>, E, R>) => feedBytes(resultDecoder(values, options))

/**
 * Decodes each line with a schema. A mismatch is a bad line, with `schema-mismatch`.
 *
 * With `validate: "warn"`, values pass undecoded, and mismatches are counted in `drift`. The schema decodes results
 * of `JSON.parse`; use `Schema.toCodecJson` if its encoded side is not JSON (dates, BigInts). The schema is compiled;
 * it must be synchronous and need no services.
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
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<unknown, E | NdjsonError, R>) => {
  checkSchema(schema)
  return feedBytes(lineDecoder(schemaLines(schema, options), options))
}

/**
 * Cuts lines into raw records, without their line breaks. The content is not checked.
 *
 * A line within a chunk is a view of it. A line that spans chunks is copied once.
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
  feedBytes(lineDecoder(rawRecords, options)) as never

/**
 * Like `decodeRaw`, and adds the line number to each record, for later messages.
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
  feedBytes(lineDecoder(numberedRecords, options))

/**
 * Writes one line for each value, as `JSON.stringify` does. Joins lines into pieces of at least 64 KiB, but does not
 * wait for more values to fill a piece.
 *
 * Fails at a function, a symbol, a BigInt without `bigints`, a cycle or `undefined`. The error has its path. Values
 * before it are written. As with `JSON.stringify`, undefined fields are omitted, and `NaN` and the infinities are
 * `null`.
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
 * Writes one line for each record, with its original text (`RawRecord.toLine`). Neighbouring lines of a chunk are
 * written as one view of it. Other records are copied once, into few pieces.
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
 * Returns the lines of records as one `Uint8Array`: a view of their bytes if they are neighbouring lines, else a
 * copy.
 *
 * @example
 * ```ts
 * import { Ndjson, RawRecord } from "@chemstream/ndjson"
 *
 * const bytes = Ndjson.lines([RawRecord.fromText('{"mass":3850.0}'), RawRecord.fromText("{}")])
 * new TextDecoder().decode(bytes) // => '{"mass":3850.0}\n{}\n'
 * ```
 */
export const lines = (records: ReadonlyArray<RawRecord>): Uint8Array =>
  joinLines(argument("records", "a list of RawRecords", records))
