/** Separates the records of a run from its other outcomes, which go to a function of the caller. */
import { Options as Declared } from "@chemstream/batch"
import { Effect, Stream } from "effect"
import type { Outcome } from "../Outcome.ts"
import type { Problem } from "../Problem.ts"

/**
 * Returns the records of each chunk of a run. The other outcomes go to `onProblem`. If it throws, the records of its chunk come before
 * the failure.
 */
export const recordsOf = <A, E, C, EX, R>(
  run: Stream.Stream<Outcome<A, E, C>, EX, R>,
  onProblem: ((problem: Problem<E, C>) => unknown) | undefined
): Stream.Stream<ReadonlyArray<A>, unknown, R> =>
  Declared.start({ handler: handlerSet }, [{ onProblem }], () => run).pipe(
    Stream.chunks,
    Stream.flatMap((chunk) => {
      const records = chunk.flatMap((outcome) => (outcome._tag === "Found" ? outcome.records : []))
      const problems = chunk.filter((outcome) => outcome._tag !== "Found")
      const handled =
        onProblem === undefined
          ? Effect.void
          : Effect.forEach(problems, (problem) => callHandler(onProblem, problem), { discard: true })
      return Stream.unwrap(
        Effect.match(handled, {
          onFailure: (error) => Stream.concat(Stream.succeed(records), Stream.fail(error)),
          onSuccess: () => Stream.succeed(records)
        })
      )
    }),
    Stream.filter((records) => records.length > 0)
  )

const handlerSet = /* @__PURE__ */ Declared.set<{ readonly onProblem?: unknown }>()({
  onProblem: Declared.func
})

/** Calls a function of the caller, and waits for its promise. */
export const callHandler = <A>(handler: (value: A) => unknown, value: A): Effect.Effect<void, unknown> =>
  Effect.tryPromise({ try: async () => handler(value), catch: (error) => error })
