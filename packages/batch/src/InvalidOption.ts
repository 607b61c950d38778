/**
 * Defines the error of an unknown option or of a value out of range, and the checks of options. A run is checked
 * before its first call, and a client when it is made.
 */
import { Data, Duration, Effect, Stream } from "effect"
import { nearest } from "./internal/nearest.ts"

export { nearest }

/** An option is unknown, or its value is out of range. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{
  /** The path of the option, e.g. `concurrency` or `limits.inFlight`. */
  readonly option: string
  /** Where its value comes from: `argument`, or the name of the variable or file. */
  readonly source: string
  /** Its value. Absent if it may be a secret. */
  readonly value?: unknown
  /** The accepted values, e.g. `a number above 0`. For an unknown option: the names of options. */
  readonly wanted: string
  /** Whether no option has this name. `value` is then absent. */
  readonly isUnknown?: boolean | undefined
  readonly message: string
}> {
  constructor(about: About) {
    const { option, source = "argument", wanted } = about
    const origin = source === "argument" ? "" : `, from ${source},`
    super({ ...about, source, message: `The option ${option}${origin} ${stateOf(about)}. Give ${wanted}.` })
  }

  /** Returns the same error for a value from another source than an argument. */
  from(source: string): InvalidOption {
    const value = "value" in this ? { value: this.value } : {}
    return new InvalidOption({ option: this.option, source, wanted: this.wanted, ...value })
  }
}

/** The fields of the error. `value` is left out if it may be a secret. */
interface About {
  readonly option: string
  readonly source?: string
  readonly value?: unknown
  readonly wanted: string
  readonly isUnknown?: boolean | undefined
}

const stateOf = (about: About): string => {
  if (about.isUnknown) return "is unknown"
  if (!("value" in about)) return "cannot be used"
  const { value } = about
  if (value === undefined) return "is missing"
  return `is ${typeof value === "string" ? JSON.stringify(value) : String(value)}`
}

/** The result of a check. Undefined: the option is valid. */
export type Check = InvalidOption | undefined

/** Checks a count: a whole number of at least 1. With `"infinite"`, `Infinity` is valid too. */
export const count = (option: string, value: number | undefined, bound?: "infinite"): Check =>
  value === undefined ||
  (Number.isSafeInteger(value) && value >= 1) ||
  (bound === "infinite" && value === Number.POSITIVE_INFINITY)
    ? undefined
    : new InvalidOption({ option, value, wanted: "a whole number of at least 1" })

/** Checks a rate: a number above 0. */
export const rate = (option: string, value: number | undefined): Check =>
  value === undefined || (Number.isFinite(value) && value > 0)
    ? undefined
    : new InvalidOption({ option, value, wanted: "a number above 0" })

/** The times that an option accepts. `finite` and `infinite` include 0; `positive` is finite and above 0. */
export type Times = "finite" | "infinite" | "positive"

/** Checks a time. */
export const time = (option: string, value: Duration.Input | undefined, times: Times): Check => {
  if (value === undefined) return undefined
  const milliseconds = millisecondsOf(value)
  const isAllowed =
    milliseconds >= 0 &&
    (times === "infinite" || milliseconds < Number.POSITIVE_INFINITY) &&
    (times !== "positive" || milliseconds > 0)
  const least = times === "positive" ? "a time above 0" : "a time of 0 or more"
  return isAllowed ? undefined : new InvalidOption({ option, value, wanted: `${least}, e.g. "5 seconds"` })
}

/** Checks that a value is one of these names. The error suggests the nearest name, or lists all. */
export const oneOf = (option: string, value: unknown, names: ReadonlyArray<string>): Check => {
  if (typeof value === "string" && names.includes(value)) return undefined
  const meant = typeof value === "string" ? nearest(value, names) : undefined
  const wanted = meant === undefined ? `one of ${names.join(", ")}` : JSON.stringify(meant)
  return new InvalidOption({ option, value, wanted })
}

/** The names of all options of a type. */
export type Names<Options> = { readonly [Name in keyof Options]-?: true }

/**
 * Checks that there are no other options. An option that is undefined counts as absent. `parent` is the option that
 * contains them.
 */
export const known = <Options extends object>(
  options: Options | undefined,
  names: Names<Options>,
  parent?: string
): Check => {
  const unknown = Object.entries(options ?? {}).find(
    ([name, value]) => value !== undefined && !Object.hasOwn(names, name)
  )
  if (unknown === undefined) return undefined
  const [name] = unknown
  const pathOf = (one: string): string => (parent === undefined ? one : `${parent}.${one}`)
  const paths = Object.keys(names).map(pathOf)
  const wanted = nearest(pathOf(name), paths) ?? `one of ${paths.join(", ")}`
  // The value may be a secret under a misspelt name.
  return new InvalidOption({ option: pathOf(name), wanted, isUnknown: true })
}

/** Fails with the first problem. */
export const refuse = (checks: ReadonlyArray<Check>): Effect.Effect<void, InvalidOption> => {
  const problem = checks.find((check) => check !== undefined)
  return problem === undefined ? Effect.void : Effect.fail(problem)
}

/** Returns a stream that checks options before it starts a run. Fails with the first problem. */
export const start = <A, E, R>(
  checks: ReadonlyArray<Check>,
  run: () => Stream.Stream<A, E, R>
): Stream.Stream<A, E | InvalidOption, R> => Stream.unwrap(Effect.map(refuse(checks), run))

const millisecondsOf = (value: Duration.Input): number => {
  if (typeof value === "number") return value
  try {
    return Duration.toMillis(Duration.fromInputUnsafe(value))
  } catch {
    return Number.NaN
  }
}
