/**
 * Lines of JSON: bytes to values or raw records, values or raw records to bytes, as functions on `Stream`.
 *
 * Works on whole chunks: bytes in any cut, one `Uint8Array` out for each chunk of values. Takes LF and CRLF, a last
 * line without either, a byte-order mark at the start; leaves out blank lines; writes LF after every line. A JSON array
 * is `RawArray`'s, the fields of a raw line are `RawRecord`'s. The first bad line ends a stream.
 */
import { type Array as Arr, Data, Stream } from "effect"
import { atLeastOne } from "./internal/bound.ts"
import { plainlyCarried, type Uncarried, uncarried } from "./internal/carried.ts"
import { feed } from "./internal/feed.ts"
import { joinLines } from "./internal/join.ts"
import { type Handler, Lines, type Refusal, type RefusedLine } from "./internal/lines.ts"
import { decodeLenient } from "./internal/text.ts"
import { values } from "./internal/values.ts"
import { RawRecord } from "./RawRecord.ts"

/** The default of `maxLineBytes`: 64 MiB. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024

/** The most characters an error quotes of a line. */
export const EXCERPT_LENGTH: number = 80

// The longest string of V8; a longer line can be passed on raw, but not parsed.
const LONGEST_TEXT = 0x1fffffe8

// Characters of text that are turned into bytes at once: far below the longest string, far above a usual chunk.
const FLUSH_LENGTH = 16 * 1024 * 1024

/** Why a line could not be decoded. */
export type DecodeReason = Refusal["reason"]

/** Why a value could not be written. */
export type EncodeReason = Uncarried["reason"]

/**
 * A line that could not be decoded: which (`line` from 1, blank ones counted; `offset` of its first byte in the
 * input), where in it (`column` in characters from 1, absent when the whole line is meant), and what it says there.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Ndjson } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make('{"a":1}\n{"a":,}\n').pipe(Stream.encodeText)
 * const error = await Effect.runPromise(bytes.pipe(Ndjson.decode(), Stream.runDrain, Effect.flip))
 * console.log(error.line, error.offset, error.column, error.reason) // 2 8 6 invalid-json
 * ```
 */
export class NdjsonError extends Data.TaggedError("NdjsonError")<{
  readonly reason: DecodeReason
  readonly line: number
  readonly offset: number
  readonly column?: number | undefined
  readonly excerpt: string
  readonly message: string
}> {}

/**
 * A value that could not be written: the `index` of the value in the stream, from 0, the `path` of what JSON cannot
 * carry, for example `$.links[2]`, and what that is. `to-json`: a `toJSON` method threw, `cause` is what it threw.
 */
export class NdjsonEncodeError extends Data.TaggedError("NdjsonEncodeError")<{
  readonly reason: EncodeReason
  readonly index: number
  readonly path: string
  readonly message: string
  readonly cause?: unknown
}> {}

export interface DecodeOptions {
  /**
   * The longest line, in bytes without its line break; a longer one fails with `line-too-large` before it is held in
   * memory. Default 64 MiB.
   */
  readonly maxLineBytes?: number | undefined
}

/**
 * The values of the lines, by `JSON.parse`: `__proto__` is a key like any other, a number is the nearest double.
 * Values before a bad line are emitted before its error.
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
  decodeWith(Math.min(options?.maxLineBytes ?? MAX_LINE_BYTES, LONGEST_TEXT), values)

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
  decodeWith(options?.maxLineBytes ?? MAX_LINE_BYTES, raw)

/** A raw record and the number of the line it stood on, from 1, blank lines counted. */
export interface NumberedRecord {
  readonly line: number
  readonly record: RawRecord
}

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
  decodeWith(options?.maxLineBytes ?? MAX_LINE_BYTES, numbered)

/**
 * One line for each value, as `JSON.stringify` writes it; the lines of one chunk of values in one `Uint8Array`.
 *
 * Fails on what JSON cannot carry, with its path: functions, symbols, BigInts, cycles, `undefined` as the whole value.
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
export const encode =
  (): (<A, E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Uint8Array, E | NdjsonEncodeError, R>) =>
  <A, E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<Uint8Array, E | NdjsonEncodeError, R> =>
    self.pipe(
      Stream.chunks,
      feed<Arr.NonEmptyReadonlyArray<A>, Uint8Array, NdjsonEncodeError>(() => {
        let index = 0
        return {
          push: (chunk, out) => {
            const error = writeLines(chunk, index, out)
            index += chunk.length
            return error
          },
          end: () => undefined
        }
      })
    )

/**
 * One line for each record, its text as it was (`RawRecord.toLine`); the lines of one chunk of records in one
 * `Uint8Array`, copied once.
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
export const encodeRaw =
  (): (<E, R>(self: Stream.Stream<RawRecord, E, R>) => Stream.Stream<Uint8Array, E, R>) =>
  <E, R>(self: Stream.Stream<RawRecord, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.mapArray(self, (records) => [joinLines(records)])

/**
 * The lines of some records in one `Uint8Array`, copied once: what `encodeRaw` makes of each chunk, for code that
 * holds the records already.
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

const decodeWith = <Out>(
  maxLineBytes: number,
  handler: Handler<Out>
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<Out, E | NdjsonError, R>) => {
  const max = atLeastOne("maxLineBytes", maxLineBytes)
  return feed<Uint8Array, Out, NdjsonError>(() => {
    const lines = new Lines(max, handler)
    return {
      push: (chunk, out) => refuse(lines.push(chunk, out)),
      end: (out) => refuse(lines.end(out))
    }
  })
}

const refuse = (refused: RefusedLine | undefined): NdjsonError | undefined => {
  if (refused === undefined) return undefined
  const { reason, line, offset, detail, index, bytes, start, end } = refused
  const column = index === undefined ? undefined : decodeLenient(bytes, start, index).length + 1
  const excerpt = quote(bytes, start, end, index ?? start)
  const place = `Line ${line} (byte ${offset}${column === undefined ? "" : `, column ${column}`})`
  const step =
    reason === "line-too-large"
      ? "Raise maxLineBytes if such lines are expected, or check that the input is one JSON value a line"
      : "Correct or remove the line"
  const message = `${place} is refused: ${detail}. ${step}. It reads: ${excerpt}`
  return new NdjsonError({ reason, line, offset, column, excerpt, message })
}

// At most EXCERPT_LENGTH characters around an index. Control characters would act on a terminal, so they are shown as
// spaces.
const quote = (bytes: Uint8Array, start: number, end: number, index: number): string => {
  const reach = EXCERPT_LENGTH / 2 - 1
  const whole = end - start <= EXCERPT_LENGTH
  const from = whole ? start : Math.max(start, Math.min(index - reach, end - 2 * reach))
  const to = whole ? end : Math.min(end, from + 2 * reach)
  // A cut through a character leaves replacement characters at the edges.
  const text = decodeLenient(bytes, from, to)
  const inner = whole ? text : text.replace(from > start ? /^\ufffd+/ : /^(?!)/, "").replace(/\ufffd+$/, "")
  const shown = inner.replace(/[\p{Cc}\u2028\u2029]/gu, " ")
  return `${from > start ? "…" : ""}${shown}${to < end ? "…" : ""}`
}

const encoder = new TextEncoder()

const writeLines = (
  chunk: ReadonlyArray<unknown>,
  index: number,
  out: Array<Uint8Array>
): NdjsonEncodeError | undefined => {
  let text = ""
  let error: NdjsonEncodeError | undefined
  for (let i = 0; i < chunk.length; i++) {
    const line = writeLine(chunk[i], index + i)
    if (typeof line !== "string") {
      error = line
      break
    }
    text += line
    text += "\n"
    if (text.length >= FLUSH_LENGTH) {
      out.push(encoder.encode(text))
      text = ""
    }
  }
  if (text !== "") out.push(encoder.encode(text))
  return error
}

const writeLine = (value: unknown, index: number): string | NdjsonEncodeError => {
  let found = plainlyCarried(value) ? undefined : uncarried(value)
  let cause: unknown
  if (found === undefined) {
    try {
      const line = JSON.stringify(value) as string | undefined
      if (line !== undefined) return line
      found = { reason: "undefined", path: "$" }
    } catch (thrown) {
      cause = thrown
      found = uncarried(value) ?? { reason: thrown instanceof RangeError ? "too-deep" : "to-json", path: "$" }
    }
  }
  const message = `Value ${index} cannot be written as JSON: ${found.path} ${WHAT[found.reason]}`
  return new NdjsonEncodeError({ reason: found.reason, path: found.path, index, message, cause })
}

const WHAT: Record<EncodeReason, string> = {
  undefined: "is undefined. Leave the value out, or write null",
  function: "is a function. Leave it out of the value",
  symbol: "is a symbol. Write its description instead",
  bigint: "is a BigInt. Write it as a string, or as a number if it is small enough",
  cycle: "refers back to something that contains it. Write an identifier instead",
  "too-deep": "is nested too deeply, or too long for one string. Split the value",
  "to-json": "has a toJSON method that threw. See the cause"
}
