/** Passes lines to a handler, and treats bad lines in one of three ways. */
import * as Result from "effect/Result"
import { atLeastOne } from "../../internal/bounds.ts"
import type { Feeder } from "../../streams/internal/feeder.ts"
import { type Handler, Lines } from "./lines.ts"
import { errorOf, type NdjsonError } from "./ndjsonError.ts"

/** Stops at the first bad line. */
export const failing = <Out>(
  max: number,
  handler: Handler<Out>
): (() => Feeder<Uint8Array, Out, NdjsonError>) => {
  atLeastOne("maxLineBytes", max)
  return () => feeder(new Lines(max, handler, () => false))
}

/** Reports each bad line, and continues after it. */
export const telling = <Out>(
  max: number,
  handler: Handler<Out>,
  tell: (error: NdjsonError) => void
): (() => Feeder<Uint8Array, Out, NdjsonError>) => {
  atLeastOne("maxLineBytes", max)
  return () =>
    feeder(
      new Lines(max, handler, (refused) => {
        tell(errorOf(refused))
        return true
      })
    )
}

/** Returns each bad line in its place. */
export const collecting = <Out>(
  max: number,
  handler: Handler<Out>
): (() => Feeder<Uint8Array, Result.Result<Out, NdjsonError>, never>) => {
  atLeastOne("maxLineBytes", max)
  return () => {
    const good: Array<Out> = []
    let results: Array<Result.Result<Out, NdjsonError>> = []
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
