/** The errors of reading and writing lines. `Ndjson` exports them. */
import * as Data from "effect/Data"
import { decodeLenient } from "../../internal/decodeText.ts"
import type { Refusal, RefusedLine } from "./lineCutter.ts"
import type { Unencodable } from "./unencodable.ts"

/** The longest excerpt of a line in an error, in characters. */
export const EXCERPT_LENGTH: number = 80

/** Why a line could not be decoded. */
export type DecodeReason = Refusal["reason"]

/** Why a value could not be written. */
export type EncodeReason = Unencodable["reason"]

/**
 * A line could not be decoded. `line` counts from 1, with blank lines. `offset` is the position of its first byte in
 * the input. `column` is the position of the fault in characters, from 1; it is absent if the whole line is wrong.
 * `excerpt` is the text at the fault.
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
  /** What is wrong and where, without advice. */
  readonly problem: string
  readonly message: string
}> {}

/**
 * A value could not be written. `index` is its position in the stream, from 0. `path` is the part that JSON cannot
 * encode, for example `$.links[2]`. `to-json`: a `toJSON` method threw `cause`.
 */
export class NdjsonEncodeError extends Data.TaggedError("NdjsonEncodeError")<{
  readonly reason: EncodeReason
  readonly index: number
  readonly path: string
  readonly message: string
  readonly cause?: unknown
}> {}

/** Makes the error of a refused line. */
export const errorOf = (refused: RefusedLine): NdjsonError => {
  const { reason, line, offset, detail, index, bytes, start, end } = refused
  const column = index === undefined ? undefined : decodeLenient(bytes, start, index).length + 1
  const excerpt = quote(bytes, start, end, index ?? start)
  const place = `Line ${line} (byte ${offset}${column === undefined ? "" : `, column ${column}`})`
  const step =
    reason === "line-too-large"
      ? "Raise maxLineBytes if such lines are expected, or check that the input is one JSON value a line"
      : "Correct or remove the line"
  const problem = `${place} is refused: ${detail}`
  const message = `${problem}. ${step}. It reads: ${excerpt}`
  return new NdjsonError({ reason, line, offset, column, excerpt, problem, message })
}

// Returns at most EXCERPT_LENGTH characters around an index. Control characters become spaces, because a terminal
// would act on them.
const quote = (bytes: Uint8Array, start: number, end: number, index: number): string => {
  const reach = EXCERPT_LENGTH / 2 - 1
  const whole = end - start <= EXCERPT_LENGTH
  const first = whole ? start : Math.max(start, Math.min(index - reach, end - 2 * reach))
  const from = first === start ? start : characterStart(bytes, first, 1)
  const to = characterStart(bytes, whole ? end : Math.min(end, first + 2 * reach), -1)
  const shown = decodeLenient(bytes, from, to).replace(/[\p{Cc}\u2028\u2029]/gu, " ")
  return `${from > start ? "…" : ""}${shown}${to < end ? "…" : ""}`
}

/** Returns the nearest start of a character in the direction of `step`. A character has at most three further bytes. */
const characterStart = (bytes: Uint8Array, index: number, step: 1 | -1): number => {
  let at = index
  while (Math.abs(at - index) < 3 && ((bytes[at] as number) & 0xc0) === 0x80) at += step
  return at
}
