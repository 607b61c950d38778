/**
 * Runs a push parser over a stream: a `Feeder`, which gets one input after another and adds its output to a list. The output of
 * one input is emitted before the next input is read, and before a failure.
 */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import { InvalidOption } from "../../InvalidOption.ts"

/** Reads one input, adds its output to `out`, and returns the error that ends the stream. */
export interface Feeder<In, Out, Err> {
  readonly push: (input: In, out: Array<Out>) => Err | undefined
  /** Called when no further input is available. Adds the output that waits for a piece to fill. */
  readonly flush?: (out: Array<Out>) => void
  /** Called after the last input and flush. */
  readonly end: (out: Array<Out>) => Err | undefined
  /** Called instead of `end` when the input fails. Adds the output that waits for further inputs. */
  readonly cut?: (out: Array<Out>) => void
}

/** Makes the output stream of a feeder, with a new feeder for each run. `check` throws for an input that cannot be read. */
export const feed =
  <In, Out, Err>(make: () => Feeder<In, Out, Err>, check: (input: In) => In = identity) =>
  <E, R>(self: Stream.Stream<In, E, R>): Stream.Stream<Out, E | Err, R> =>
    Stream.transformPull(streamOf(self), (upstream) => Effect.sync(() => pullFrom(upstream, make(), check)))

/** As `feed`, for a parser of bytes. */
export const feedBytes = <Out, Err>(make: () => Feeder<Uint8Array, Out, Err>) => feed(make, bytesOf)

/** Returns a stream. Throws `InvalidOption` for anything else. */
export const streamOf = <S extends Stream.Stream<unknown, unknown, unknown>>(
  self: S,
  name = "the input"
): S => {
  if (Stream.isStream(self)) return self
  throw new InvalidOption(
    name,
    "must be a stream of Effect, or use AsyncIteration, WebStream or NodeStream",
    self
  )
}

/** Returns a chunk of bytes. Throws `InvalidOption` for anything else. */
export const bytesOf = (chunk: Uint8Array): Uint8Array => {
  if (chunk instanceof Uint8Array) return chunk
  const wanted =
    "must be bytes (Uint8Array): set no encoding on the stream that reads the file, or encode its texts, e.g. with Stream.encodeText"
  throw new InvalidOption("the input", wanted, chunk)
}

type Chunks<A, E> = Pull.Pull<Arr.NonEmptyReadonlyArray<A>, E>

const pullFrom = <In, Out, Err, E>(
  upstream: Chunks<In, E>,
  feeder: Feeder<In, Out, Err>,
  check: (input: In) => In
): Chunks<Out, E | Err> => {
  let failure: Chunks<never, E | Err> | undefined
  let done = false
  // The available inputs, and the next one.
  let inputs: ReadonlyArray<In> = []
  let next = 0

  const emit = (out: Array<Out>, error: Err | undefined): Chunks<Out, E | Err> | undefined => {
    if (error !== undefined) failure = Effect.fail(error)
    return Arr.isArrayNonEmpty(out) ? Effect.succeed(out) : failure
  }

  const take = (): Chunks<Out, E | Err> | undefined => {
    const out: Array<Out> = []
    let error: Err | undefined
    while (next < inputs.length && out.length === 0 && error === undefined)
      error = feeder.push(check(inputs[next++] as In), out)
    if (next === inputs.length) {
      inputs = []
      next = 0
      if (error === undefined) feeder.flush?.(out)
    }
    return emit(out, error)
  }

  const pull: Chunks<Out, E | Err> = Effect.suspend((): Chunks<Out, E | Err> => {
    if (failure !== undefined) return failure
    if (done) return Cause.done()
    const more = next < inputs.length ? take() : undefined
    if (more !== undefined) return more
    return Pull.matchEffect(upstream, {
      onSuccess: (arrived): Chunks<Out, E | Err> => {
        inputs = arrived
        next = 0
        return take() ?? pull
      },
      onFailure: (cause): Chunks<Out, E | Err> => {
        failure = Effect.failCause(cause)
        const out: Array<Out> = []
        feeder.cut?.(out)
        return emit(out, undefined) ?? failure
      },
      onDone: (): Chunks<Out, E | Err> => {
        done = true
        const out: Array<Out> = []
        return emit(out, feeder.end(out)) ?? Cause.done()
      }
    })
  })
  return pull
}
