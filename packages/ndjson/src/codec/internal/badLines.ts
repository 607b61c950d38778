/** Passes lines to a handler. A bad line stops the stream, is skipped and counted, or becomes a failure in its place. */
import * as Result from "effect/Result"
import { atLeastOne, knownOptions } from "../../internal/optionChecks.ts"
import type { Feeder } from "../../streams/internal/pushParser.ts"
import { type Handler, Lines } from "./lineCutter.ts"
import { errorOf, type NdjsonError } from "./ndjsonError.ts"

/** The default of `maxLineBytes`: 64 MiB. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024

/** Counts the bad lines that a decoder skipped. `skipTally` makes one. */
export interface SkipTally {
  count: number
  /** The first skipped line. */
  first: NdjsonError | undefined
}

/** The options of reading lines. */
export interface LineOptions {
  /**
   * The longest line, in bytes without its line break. A longer line is refused with `line-too-large` before it fills
   * memory. Default: 64 MiB.
   */
  readonly maxLineBytes?: number | undefined
}

/** The options of decoding lines. */
export interface DecodeOptions extends LineOptions {
  /** Skips bad lines and counts them here. Default: the first bad line fails the stream. */
  readonly skip?: SkipTally | undefined
}

/**
 * Makes a counter for the option `skip`.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Ndjson } from "@chemstream/ndjson"
 *
 * const skip = Ndjson.skipTally()
 * const bytes = Stream.make('1\n{"a"\n2\n').pipe(Stream.encodeText)
 * await Effect.runPromise(bytes.pipe(Ndjson.decode({ skip }), Stream.runCollect)) // => [1, 2]
 * skip.count // => 1
 * skip.first?.line // => 2
 * ```
 */
export const skipTally = (): SkipTally => ({ count: 0, first: undefined })

/** Stops at the first bad line, or skips and counts bad lines. */
export const lineDecoder = <Out>(
  handler: Handler<Out>,
  options: DecodeOptions | undefined
): (() => Feeder<Uint8Array, Out, NdjsonError>) => {
  const max = maxOf(handler, options)
  const skip = options?.skip
  return () =>
    feeder(
      new Lines(max, handler, (refused) => {
        if (skip === undefined) return false
        skip.count++
        skip.first ??= errorOf(refused)
        return true
      })
    )
}

/** Returns each bad line in its place. */
export const resultDecoder = <Out>(
  handler: Handler<Out>,
  options: LineOptions | undefined
): (() => Feeder<Uint8Array, Result.Result<Out, NdjsonError>, never>) => {
  const max = maxOf(handler, options)
  return () => {
    const good: Array<Out> = []
    let results: Array<Result.Result<Out, NdjsonError>> = []
    // Adds the lines that were good since the last bad one.
    const settle = (): void => {
      for (let i = 0; i < good.length; i++) results.push(Result.succeed(good[i] as Out))
      good.length = 0
    }
    const lines = new Lines(max, handler, (refused) => {
      settle()
      results.push(Result.fail(errorOf(refused)))
      return true
    })
    return {
      push: (chunk, out) => {
        results = out
        lines.push(chunk, good)
        settle()
        return undefined
      },
      end: (out) => {
        results = out
        lines.end(good)
        settle()
        return undefined
      }
    }
  }
}

/** Returns the longest line in bytes, as the options and the handler allow. */
const maxOf = <Out>(handler: Handler<Out>, options: LineOptions | undefined): number => {
  knownOptions("Ndjson", options, optionNames)
  return Math.min(
    atLeastOne("maxLineBytes", options?.maxLineBytes ?? MAX_LINE_BYTES),
    handler.maxBytes ?? Number.POSITIVE_INFINITY
  )
}

/** The options of all decoders, those with a schema included. */
const optionNames = { maxLineBytes: true, skip: true, validate: true, drift: true } as const

const feeder = <Out>(lines: Lines<Out>): Feeder<Uint8Array, Out, NdjsonError> => ({
  push: (chunk, out) => {
    const refused = lines.push(chunk, out)
    return refused && errorOf(refused)
  },
  end: (out) => {
    const refused = lines.end(out)
    return refused && errorOf(refused)
  }
})
