/**
 * Completes the settings of a client from configuration, normally environment variables (the README lists them).
 *
 * `ChemClient` checks the values. `Transport` reads the proxies. Functions, availability and cache have no variable.
 */
import { InvalidOption } from "@chemstream/batch"
import { Config, type Duration, Effect, Option, type Redacted } from "effect"

/** The settings that have a variable, by their paths. */
export interface Configurable {
  readonly baseUrl: string | URL | undefined
  readonly apiKey: Redacted.Redacted | undefined
  readonly keyHeader: string | undefined
  readonly pageParameter: string | undefined
  readonly dialect: string | undefined
  readonly "retry.attempts": number | undefined
  readonly "limits.requestsPerSecond": number | undefined
  readonly "limits.inFlight": number | undefined
  readonly "timeouts.headers": Duration.Input | undefined
  readonly "timeouts.body": Duration.Input | undefined
}

/** The variable of each setting. */
const variables: Readonly<Record<keyof Configurable, string>> = {
  baseUrl: "CHEMSTREAM_BASE_URL",
  apiKey: "CHEMSTREAM_API_KEY",
  keyHeader: "CHEMSTREAM_KEY_HEADER",
  pageParameter: "CHEMSTREAM_PAGE_PARAMETER",
  dialect: "CHEMSTREAM_DIALECT",
  "retry.attempts": "CHEMSTREAM_RETRIES",
  "limits.requestsPerSecond": "CHEMSTREAM_REQUESTS_PER_SECOND",
  "limits.inFlight": "CHEMSTREAM_IN_FLIGHT",
  "timeouts.headers": "CHEMSTREAM_HEADERS_TIMEOUT",
  "timeouts.body": "CHEMSTREAM_BODY_TIMEOUT"
}

/** Completes the given settings. The variable of a given setting is not read. */
export const complete = (
  settings: Configurable
): Effect.Effect<Configurable, InvalidOption.InvalidOption> => {
  const read = <A, K extends keyof Configurable>(setting: K, kind: Kind<A>): Read<A | Configurable[K]> =>
    settings[setting] === undefined ? fromVariable(setting, kind) : Effect.succeed(settings[setting])
  return Effect.all({
    baseUrl: read("baseUrl", text),
    apiKey: read("apiKey", { config: Config.Redacted, wanted: "a text" }),
    keyHeader: read("keyHeader", text),
    pageParameter: read("pageParameter", text),
    dialect: read("dialect", text),
    "retry.attempts": read("retry.attempts", retries),
    "limits.requestsPerSecond": read("limits.requestsPerSecond", number),
    "limits.inFlight": read("limits.inFlight", count),
    "timeouts.headers": read("timeouts.headers", duration),
    "timeouts.body": read("timeouts.body", duration)
  })
}

/** The error of a setting with a variable. */
export const withVariable = (
  settings: Configurable,
  error: InvalidOption.InvalidOption
): InvalidOption.InvalidOption => {
  const option = error.option as keyof Configurable
  const variable = settings[option] === undefined ? variables[option] : undefined
  if (variable === undefined) return error
  if (!("value" in error) || error.value !== undefined) return error.from(variable)
  return new InvalidOption.InvalidOption({ ...error, wanted: `${error.wanted}, or set ${variable}` })
}

type Read<A> = Effect.Effect<A | undefined, InvalidOption.InvalidOption>

/** How to read a variable, and what its value must be. */
interface Kind<A> {
  readonly config: (name: string) => Config.Config<A>
  readonly wanted: string
}

const text: Kind<string> = { config: Config.String, wanted: "a text" }

const number: Kind<number> = { config: Config.Finite, wanted: "a number" }

const count: Kind<number> = { config: Config.Int, wanted: "a whole number" }

/** The variable counts the attempts after the first. */
const retries: Kind<number> = {
  config: (name) => Config.map(Config.Int(name), (value) => (value < 0 ? Number.NaN : value + 1)),
  wanted: "a whole number of 0 or more"
}

const duration: Kind<Duration.Duration> = {
  config: Config.Duration,
  wanted: 'a time with its unit, e.g. "30 seconds"'
}

const fromVariable = <A>(option: keyof Configurable, { config, wanted }: Kind<A>): Read<A> => {
  const source = variables[option]
  const problem = new InvalidOption.InvalidOption({ option, source, wanted })
  return Effect.gen(function* () {
    const value = Option.getOrUndefined(yield* Config.option(config(source)))
    return Number.isNaN(value) ? yield* Effect.fail(problem) : value
  }).pipe(Effect.mapError(() => problem))
}
