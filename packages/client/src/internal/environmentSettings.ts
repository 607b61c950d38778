/**
 * Completes the settings of a client from environment variables, or another configuration of Effect (the README lists the names).
 *
 * `ChemClient` checks the values. `Transport` reads the proxies. Functions, availability and cache have no variable.
 */
import { InvalidOption } from "@chemstream/batch"
import { Config, type Duration, Effect, Option, type Redacted } from "effect"
import * as RetryPolicy from "../pipeline/RetryPolicy.ts"

/** How to read a variable, and what its value must be. */
interface Kind<A> {
  readonly config: (name: string) => Config.Config<A>
  readonly wanted: string
}

const text: Kind<string> = { config: Config.String, wanted: "a text" }

const secret: Kind<Redacted.Redacted> = { config: Config.Redacted, wanted: "a text" }

const number: Kind<number> = { config: Config.Finite, wanted: "a number" }

const count: Kind<number> = { config: Config.Int, wanted: "a whole number" }

/** The variable counts the attempts after the first. */
const retries: Kind<RetryPolicy.RetryPolicy | undefined> = {
  config: (name) =>
    Config.map(Config.Int(name), (value) =>
      value < 0 ? undefined : RetryPolicy.make({ attempts: value + 1 })
    ),
  wanted: "a whole number of 0 or more"
}

const duration: Kind<Duration.Duration> = {
  config: Config.Duration,
  wanted: 'a time with its unit, e.g. "30 seconds"'
}

/** The settings that have a variable: the path of the option, its variable, and how that is read. */
const variables = [
  { option: "baseUrl", name: "CHEMSTREAM_BASE_URL", kind: text },
  { option: "apiKey", name: "CHEMSTREAM_API_KEY", kind: secret },
  { option: "keyHeader", name: "CHEMSTREAM_KEY_HEADER", kind: text },
  { option: "pageParameter", name: "CHEMSTREAM_PAGE_PARAMETER", kind: text },
  { option: "dialect", name: "CHEMSTREAM_DIALECT", kind: text },
  { option: "retry.attempts", name: "CHEMSTREAM_RETRIES", kind: retries, path: ["retry"] },
  { option: "limits.requestsPerSecond", name: "CHEMSTREAM_REQUESTS_PER_SECOND", kind: number },
  { option: "limits.inFlight", name: "CHEMSTREAM_IN_FLIGHT", kind: count },
  { option: "timeouts.headers", name: "CHEMSTREAM_HEADERS_TIMEOUT", kind: duration },
  { option: "timeouts.body", name: "CHEMSTREAM_BODY_TIMEOUT", kind: duration }
].map((variable) => ({ path: variable.option.split("."), ...variable }))

type Variable = (typeof variables)[number]

/** Settings by name. */
type Values = Readonly<Record<string, unknown>>

/** Returns the value at a path of one or two names, e.g. `limits.inFlight`. */
const valueIn = (settings: Values, [name = "", part]: ReadonlyArray<string>): unknown =>
  part === undefined ? settings[name] : (settings[name] as Values | undefined)?.[part]

const withValue = (settings: Values, [name = "", part]: ReadonlyArray<string>, value: unknown): Values => ({
  ...settings,
  [name]: part === undefined ? value : { ...(settings[name] as Values | undefined), [part]: value }
})

/** Completes checked settings. The variable of a given setting is not read. The result may lack required settings. */
export const complete = (settings: Values): Effect.Effect<Values, InvalidOption.InvalidOption> =>
  Effect.gen(function* () {
    let values = settings
    for (const variable of variables) {
      if (valueIn(values, variable.path) !== undefined) continue
      const value = yield* fromVariable(variable)
      if (value !== undefined) values = withValue(values, variable.path, value)
    }
    return values
  })

/** Returns the error of a setting, so that it names the variable: as the source of a wrong value, or as what to set. */
export const withVariable = (
  settings: Values,
  error: InvalidOption.InvalidOption
): InvalidOption.InvalidOption => {
  const variable = variables.find(({ option }) => option === error.option)
  if (variable === undefined || valueIn(settings, variable.path) !== undefined) return error
  if (!("value" in error) || error.value !== undefined) return error.from(variable.name)
  return new InvalidOption.InvalidOption({ ...error, wanted: `${error.wanted}, or set ${variable.name}` })
}

/** Reads a variable. Undefined: it is not set. */
const fromVariable = ({
  kind,
  name,
  option
}: Variable): Effect.Effect<unknown, InvalidOption.InvalidOption> => {
  const problem = new InvalidOption.InvalidOption({ option, source: name, wanted: kind.wanted })
  const config: Config.Config<unknown> = kind.config(name)
  return Effect.flatMap(Config.option(config), (value) =>
    Option.isSome(value) && value.value === undefined
      ? Effect.fail(problem)
      : Effect.succeed(Option.getOrUndefined(value))
  ).pipe(Effect.mapError(() => problem))
}
