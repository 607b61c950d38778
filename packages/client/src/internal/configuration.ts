/**
 * What a client's settings leave open, from configuration: as a rule environment variables (the README lists them).
 *
 * Whether a value makes sense is checked where the settings are. Proxies are the transport's; functions, the availability
 * and the cache have no text, so no variable.
 */
import { Config, Duration, Effect, Option, type Redacted } from "effect"

/** The settings that have a variable. Times in milliseconds. */
export interface Configured {
  readonly baseUrl: string | URL | undefined
  readonly apiKey: Redacted.Redacted | undefined
  readonly keyHeader: string | undefined
  readonly pageParameter: string | undefined
  readonly dialect: string | undefined
  readonly retries: number | undefined
  readonly requestsPerSecond: number | undefined
  readonly inFlight: number | undefined
  readonly headersTimeout: number | undefined
  readonly bodyTimeout: number | undefined
}

/** A variable that cannot be read. The message names it and quotes no value. */
export interface Problem {
  readonly message: string
}

/** The settings given, completed; a variable whose setting is given is not looked at. */
export const complete = (given: Configured): Effect.Effect<Configured, Problem> =>
  Effect.all({
    baseUrl: read(given.baseUrl, "CHEMSTREAM_BASE_URL", text),
    apiKey: read(given.apiKey, "CHEMSTREAM_API_KEY", { config: Config.Redacted, wanted: "a text" }),
    keyHeader: read(given.keyHeader, "CHEMSTREAM_KEY_HEADER", text),
    pageParameter: read(given.pageParameter, "CHEMSTREAM_PAGE_PARAMETER", text),
    dialect: read(given.dialect, "CHEMSTREAM_DIALECT", text),
    retries: read(given.retries, "CHEMSTREAM_RETRIES", count),
    requestsPerSecond: read(given.requestsPerSecond, "CHEMSTREAM_REQUESTS_PER_SECOND", number),
    inFlight: read(given.inFlight, "CHEMSTREAM_IN_FLIGHT", count),
    headersTimeout: read(given.headersTimeout, "CHEMSTREAM_HEADERS_TIMEOUT", duration),
    bodyTimeout: read(given.bodyTimeout, "CHEMSTREAM_BODY_TIMEOUT", duration)
  })

/** How a variable is read, and what to say it must be. */
interface Kind<A> {
  readonly config: (name: string) => Config.Config<A>
  readonly wanted: string
}

const text: Kind<string> = { config: Config.String, wanted: "a text" }

const number: Kind<number> = { config: Config.Finite, wanted: "a number" }

const count: Kind<number> = {
  config: (name) => Config.map(Config.Int(name), (value) => (value < 0 ? Number.NaN : value)),
  wanted: "a whole number of 0 or more"
}

const duration: Kind<number> = {
  config: (name) => Config.map(Config.Duration(name), Duration.toMillis),
  wanted: 'a time with its unit, e.g. "30 seconds"'
}

const read = <A, B>(
  given: B | undefined,
  name: string,
  kind: Kind<A>
): Effect.Effect<A | B | undefined, Problem> => {
  if (given !== undefined) return Effect.succeed(given)
  const problem: Problem = { message: `${name} must be ${kind.wanted}` }
  return Effect.gen(function* () {
    const value = Option.getOrUndefined(yield* Config.option(kind.config(name)))
    return Number.isNaN(value) ? yield* Effect.fail(problem) : value
  }).pipe(Effect.mapError(() => problem))
}
