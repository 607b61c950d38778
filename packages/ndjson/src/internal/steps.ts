/**
 * A run of a codec, step by step, for the faces that are not Effect's.
 */
import type { Feeder } from "./feed.ts"

export interface Steps<In, Out, Err> {
  /** Why the run has ended, once it has. What is given before it is complete. */
  readonly failure: { readonly error: Err } | undefined
  /** What an input gives. */
  readonly push: (input: In) => ReadonlyArray<Out>
  /** What was kept back to make larger pieces: for when no further input is at hand. */
  readonly flush: () => ReadonlyArray<Out>
  /** What the end of the input gives. */
  readonly end: () => ReadonlyArray<Out>
}

export const steps = <In, Out, Err>(codec: {
  readonly make: () => Feeder<In, Out, Err>
}): Steps<In, Out, Err> => {
  const feeder = codec.make()
  let failure: { readonly error: Err } | undefined
  const ended = (error: Err | undefined): void => {
    if (error !== undefined) failure = { error }
  }
  return {
    get failure() {
      return failure
    },
    push: (input) => {
      const out: Array<Out> = []
      ended(feeder.push(input, out))
      return out
    },
    flush: () => {
      const out: Array<Out> = []
      feeder.flush?.(out)
      return out
    },
    end: () => {
      const out: Array<Out> = []
      feeder.flush?.(out)
      ended(feeder.end(out))
      return out
    }
  }
}
