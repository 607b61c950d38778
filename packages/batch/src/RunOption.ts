/**
 * Checks the options of a run when it starts: a value that makes no sense fails the run before it asks for anything.
 */
import { Data, Duration, Stream } from "effect"

/** An option of a run cannot be used. */
export class InvalidRunOption extends Data.TaggedError("InvalidRunOption")<{
  /** The name of the option, e.g. `concurrency`. */
  readonly option: string
  readonly value: unknown
  readonly message: string
}> {
  constructor({
    option,
    value,
    wanted
  }: {
    readonly option: string
    readonly value: unknown
    readonly wanted: string
  }) {
    const shown = typeof value === "string" ? JSON.stringify(value) : String(value)
    super({ option, value, message: `The option ${option} is ${shown}. Give ${wanted}.` })
  }
}

/** A check of one option: what is wrong with it, if anything is. */
export type Check = InvalidRunOption | undefined

/** An option that counts: a whole number of at least 1. */
export const count = (option: string, value: number | undefined): Check =>
  value === undefined || (Number.isSafeInteger(value) && value >= 1)
    ? undefined
    : new InvalidRunOption({ option, value, wanted: "a whole number of at least 1" })

/** An option that is a rate: a number above 0. */
export const rate = (option: string, value: number | undefined): Check =>
  value === undefined || (Number.isFinite(value) && value > 0)
    ? undefined
    : new InvalidRunOption({ option, value, wanted: "a number above 0" })

/** An option that is a time; with `isBounded`, not an infinite one. */
export const time = (option: string, value: Duration.Input | undefined, isBounded: boolean): Check => {
  if (value === undefined) return undefined
  const milliseconds = millisecondsOf(value)
  return milliseconds >= 0 && (!isBounded || milliseconds < Number.POSITIVE_INFINITY)
    ? undefined
    : new InvalidRunOption({ option, value, wanted: 'a time of 0 or more, e.g. "5 seconds"' })
}

/** Makes the state of a run and its stream when the run starts, or fails with the first problem. */
export const start = <A, E, R>(
  checks: ReadonlyArray<Check>,
  run: () => Stream.Stream<A, E, R>
): Stream.Stream<A, E | InvalidRunOption, R> =>
  Stream.suspend((): Stream.Stream<A, E | InvalidRunOption, R> => {
    const problem = checks.find((check) => check !== undefined)
    return problem === undefined ? run() : Stream.fail(problem)
  })

const millisecondsOf = (value: Duration.Input): number => {
  if (typeof value === "number") return value
  try {
    return Duration.toMillis(Duration.fromInputUnsafe(value))
  } catch {
    return Number.NaN
  }
}
