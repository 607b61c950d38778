/**
 * The codec as values, and its faces: Effect streams and channels, web `TransformStream`s and async iterables.
 *
 * A codec is one state machine, the same behind every face. Node streams are `NodeStream` of `@chemstream/ndjson/node`;
 * for Effect streams `Ndjson` and `RawArray` have shorter names. What an option or a codec does in detail, those say.
 */
import type { Array as Arr, Channel, Result, Schema, Stream } from "effect"
import type { Drift, Validate } from "./Drift.ts"
import * as DriftTally from "./Drift.ts"
import { collecting, failing, telling } from "./internal/decoder.ts"
import { cutting, type ElementOptions } from "./internal/elements.ts"
import { type BigInts, encodeRecords, encodeValues } from "./internal/encoder.ts"
import { type Feeder, feed, feedChannel } from "./internal/feed.ts"
import type { Handler } from "./internal/lines.ts"
import type { NdjsonEncodeError, NdjsonError } from "./internal/ndjsonError.ts"
import { records } from "./internal/scanner.ts"
import { decoding, encoding, watching } from "./internal/schema.ts"
import { type Steps, steps } from "./internal/steps.ts"
import { values } from "./internal/values.ts"
import type { RawJsonError } from "./RawJsonError.ts"
import { RawRecord } from "./RawRecord.ts"

/** The default of `maxLineBytes`: 64 MiB. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024

// The longest string of V8; a longer line can be passed on raw, but not parsed.
const LONGEST_TEXT = 0x1fffffe8

/** A codec from `In` to `Out` that may end with an `Err`: each run has its own state. */
export interface Codec<In, Out, Err> {
  readonly make: () => Feeder<In, Out, Err>
}

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
 * import { Codec } from "@chemstream/ndjson"
 *
 * const skip = Codec.skipped()
 * const good = [...Codec.iterate(Codec.decode({ skip }), [new TextEncoder().encode('1\n{"a"\n2\n')])]
 * good // => [1, 2]
 * skip.count // => 1
 * skip.first?.line // => 2
 * ```
 */
export const skipped = (): Skipped => ({ count: 0, first: undefined })

/** Lines to values: `Ndjson.decode`. */
export const decode = (options?: DecodeOptions): Codec<Uint8Array, unknown, NdjsonError> =>
  decoder(Math.min(maxOf(options), LONGEST_TEXT), values, options)

/** Lines to raw records: `Ndjson.decodeRaw`. */
export const decodeRaw = (options?: DecodeOptions): Codec<Uint8Array, RawRecord, NdjsonError> =>
  decoder(maxOf(options), raw, options)

/** Lines to raw records with the numbers of their lines: `Ndjson.decodeNumbered`. */
export const decodeNumbered = (options?: DecodeOptions): Codec<Uint8Array, NumberedRecord, NdjsonError> =>
  decoder(maxOf(options), numbered, options)

/** Lines to values and errors, each in its place: `Ndjson.decodeResults`. */
export const decodeResults = (
  options?: LineOptions
): Codec<Uint8Array, Result.Result<unknown, NdjsonError>, never> => ({
  make: collecting(Math.min(maxOf(options), LONGEST_TEXT), values)
})

/** Lines to values of a schema: `Ndjson.decodeSchema`. */
export const decodeSchema: {
  <S extends Schema.ConstraintDecoder<unknown>>(
    schema: S,
    options?: SchemaOptions & { readonly validate?: "strict" | undefined }
  ): Codec<Uint8Array, S["Type"], NdjsonError>
  (schema: Schema.ConstraintDecoder<unknown>, options: SchemaOptions): Codec<Uint8Array, unknown, NdjsonError>
} = (
  schema: Schema.ConstraintDecoder<unknown>,
  options?: SchemaOptions
): Codec<Uint8Array, unknown, NdjsonError> =>
  decoder(Math.min(maxOf(options), LONGEST_TEXT), handlerOf(schema, options), options)

/** The elements of a JSON array as raw records: `RawArray.decode`. */
export const decodeArray = (options?: ElementOptions): Codec<Uint8Array, RawRecord, RawJsonError> => ({
  make: cutting(records, options)
})

/** Values to lines: `Ndjson.encode`. */
export const encode = (options?: EncodeOptions): Codec<unknown, Uint8Array, NdjsonEncodeError> => ({
  make: () => encodeValues(options?.bigints ?? "refuse")
})

/** Values of a schema to lines: `Ndjson.encodeSchema`. */
export const encodeSchema = <S extends Schema.ConstraintEncoder<unknown>>(
  schema: S,
  options?: EncodeOptions
): Codec<S["Type"], Uint8Array, NdjsonEncodeError> => {
  const prepare = encoding(schema)
  return { make: () => encodeValues(options?.bigints ?? "refuse", prepare) }
}

/** Raw records to lines: `Ndjson.encodeRaw`. */
export const encodeRaw = (): Codec<RawRecord, Uint8Array, never> => ({ make: encodeRecords })

/** A codec over an Effect stream. */
export const stream = <In, Out, Err>(
  codec: Codec<In, Out, Err>
): (<E, R>(self: Stream.Stream<In, E, R>) => Stream.Stream<Out, E | Err, R>) => feed(codec.make)

/**
 * A codec as an Effect channel of arrays.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Codec } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make("1\n2", "\n3").pipe(Stream.encodeText)
 * const values = bytes.pipe(Stream.pipeThroughChannel(Codec.channel(Codec.decode())), Stream.runCollect)
 * await Effect.runPromise(values) // => [1, 2, 3]
 * ```
 */
export const channel = <In, Out, Err, E = never, Done = void>(
  codec: Codec<In, Out, Err>
): Channel.Channel<Arr.NonEmptyReadonlyArray<Out>, E | Err, Done, Arr.NonEmptyReadonlyArray<In>, E, Done> =>
  feedChannel(codec.make)

/**
 * A codec as a pair of web streams, for `pipeThrough`; one item a read and a write. An error of the codec errors both,
 * after what was complete before it has been read.
 *
 * @example
 * ```ts
 * import { Codec } from "@chemstream/ndjson"
 *
 * const body = new Blob(['{"id":1}\n{"id":2}\n']).stream()
 * const values = []
 * for await (const value of body.pipeThrough(Codec.webStreams(Codec.decode()))) values.push(value)
 * values // => [{ id: 1 }, { id: 2 }]
 * ```
 */
export const webStreams = <In, Out, Err>(codec: Codec<In, Out, Err>): ReadableWritablePair<Out, In> => {
  // A TransformStream alone would drop what is queued when it errors.
  const { readable: source, writable } = new TransformStream<In, In>()
  const reader = source.getReader()
  const run = steps(codec)
  let done = false
  const readable = new ReadableStream<Out>(
    {
      pull: async (controller) => {
        // Nothing is queued here, for it is called when a read waits.
        let out: ReadonlyArray<Out> = []
        while (out.length === 0 && !done && run.failure === undefined) {
          const next = await reader.read()
          done = next.done
          out = next.done ? run.end() : atOnce(run, next.value)
        }
        if (out.length > 0) for (const item of out) controller.enqueue(item)
        else if (run.failure === undefined) controller.close()
        else {
          await reader.cancel(run.failure.error)
          throw run.failure.error
        }
      },
      cancel: (reason) => reader.cancel(reason)
    },
    { highWaterMark: 0 }
  )
  return { readable, writable }
}

/**
 * What a codec makes of the inputs at hand: a lazy iterable. Throws the error of the codec, after what was complete
 * before it.
 *
 * @example
 * ```ts
 * import { Codec } from "@chemstream/ndjson"
 *
 * const lines = [...Codec.iterate(Codec.encode(), [{ id: 1 }, { id: 2 }])]
 * lines.map((bytes) => new TextDecoder().decode(bytes)) // => ['{"id":1}\n{"id":2}\n']
 * ```
 */
export function* iterate<In, Out, Err>(
  codec: Codec<In, Out, Err>,
  inputs: Iterable<In>
): Generator<Out, void, undefined> {
  const run = steps(codec)
  for (const input of inputs) {
    yield* run.push(input)
    if (run.failure !== undefined) throw run.failure.error
  }
  yield* run.end()
  if (run.failure !== undefined) throw run.failure.error
}

/**
 * As `iterate`, of inputs that arrive: a file, a socket, a response, an async generator. What one input gives is given
 * before the next one is asked for.
 *
 * @example
 * ```ts
 * import { Codec } from "@chemstream/ndjson"
 *
 * const body = new Response('[{"mass":3850.0},\n{"mass":1e2}]').body ?? []
 * const texts = []
 * for await (const record of Codec.iterateAsync(Codec.decodeArray(), body)) texts.push(String(record))
 * texts // => ['{"mass":3850.0}', '{"mass":1e2}']
 * ```
 */
export async function* iterateAsync<In, Out, Err>(
  codec: Codec<In, Out, Err>,
  inputs: AsyncIterable<In> | Iterable<In>
): AsyncGenerator<Out, void, undefined> {
  const run = steps(codec)
  for await (const input of inputs) {
    yield* atOnce(run, input)
    if (run.failure !== undefined) throw run.failure.error
  }
  yield* run.end()
  if (run.failure !== undefined) throw run.failure.error
}

// Nothing is kept back where the next input may be long in coming.
const atOnce = <In, Out, Err>(run: Steps<In, Out, Err>, input: In): ReadonlyArray<Out> => {
  const out = run.push(input)
  return run.failure === undefined ? [...out, ...run.flush()] : out
}

const maxOf = (options: LineOptions | undefined): number => options?.maxLineBytes ?? MAX_LINE_BYTES

const decoder = <Out>(
  max: number,
  handler: Handler<Out>,
  options: DecodeOptions | undefined
): Codec<Uint8Array, Out, NdjsonError> => {
  const skip = options?.skip
  if (skip === undefined) return { make: failing(max, handler) }
  const tell = (error: NdjsonError): void => {
    skip.count++
    skip.first ??= error
  }
  return { make: telling(max, handler, tell) }
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
  },
  isView: true
}

const numbered: Handler<NumberedRecord> = {
  line: (bytes, start, end, out, line) => {
    out.push({ line, record: new RawRecord(bytes, start, end) })
    return undefined
  },
  isView: true
}
