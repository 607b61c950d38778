/**
 * Runs a push parser over a stream: a whole array of chunks at a time, what was found before a failure first.
 */
import { Array as Arr, Cause, Effect, Pull, Stream } from "effect"

/** Takes one input at a time, adds what it found to `out`, and returns the error that ends it. */
export interface Feeder<In, Out, Err> {
  readonly push: (input: In, out: Array<Out>) => Err | undefined
  /** After the last input. */
  readonly end: (out: Array<Out>) => Err | undefined
}

/** The stream of what a feeder finds; a fresh feeder for each run. */
export const feed =
  <In, Out, Err>(make: () => Feeder<In, Out, Err>) =>
  <E, R>(self: Stream.Stream<In, E, R>): Stream.Stream<Out, E | Err, R> =>
    Stream.transformPull(self, (upstream) => Effect.sync(() => pullFrom(upstream, make())))

type Upstream<In, E> = Pull.Pull<Arr.NonEmptyReadonlyArray<In>, E, void>
type Downstream<Out, E> = Pull.Pull<Arr.NonEmptyReadonlyArray<Out>, E, void>

const pullFrom = <In, Out, Err, E>(
  upstream: Upstream<In, E>,
  feeder: Feeder<In, Out, Err>
): Downstream<Out, E | Err> => {
  let failure: { readonly error: Err } | undefined
  let done = false

  const emit = (out: Array<Out>, error: Err | undefined): Downstream<Out, Err> | undefined => {
    if (error !== undefined) failure = { error }
    if (Arr.isArrayNonEmpty(out)) return Effect.succeed(out)
    return error === undefined ? undefined : Effect.fail(error)
  }

  const pull: Downstream<Out, E | Err> = Effect.suspend((): Downstream<Out, E | Err> => {
    if (failure !== undefined) return Effect.fail(failure.error)
    if (done) return Cause.done()
    return Pull.matchEffect(upstream, {
      onSuccess: (inputs): Downstream<Out, E | Err> => {
        const out: Array<Out> = []
        let error: Err | undefined
        for (let i = 0; i < inputs.length && error === undefined; i++)
          error = feeder.push(inputs[i] as In, out)
        return emit(out, error) ?? pull
      },
      onFailure: Effect.failCause,
      onDone: (): Downstream<Out, E | Err> => {
        done = true
        const out: Array<Out> = []
        return emit(out, feeder.end(out)) ?? Cause.done()
      }
    })
  })
  return pull
}
