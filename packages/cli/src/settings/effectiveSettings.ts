/**
 * Which service a command asks, in which dialect and with which key, and who said so: a flag, else the environment, else what
 * `chemstream config` keeps.
 */
import { readFile } from "node:fs/promises"
import { Dialect } from "@chemstream/client"
import { Effect, Option, Redacted } from "effect"
import { CommandFailure, exitCodes, reasonOf, usage } from "../CommandFailure.ts"
import * as Settings from "./settings.ts"
import { apiKeyVariable, baseUrlVariable, dialectVariable } from "./variables.ts"

/** What `from` says of a setting that nobody said. */
export const byDefault = "the default"

/** What `from` says of a setting that `chemstream config` keeps. */
const kept = "chemstream config"

/** A setting, and where it was found, in words. */
export interface Found<A> {
  readonly value: A
  readonly from: string
}

/** Where the service is. */
export const baseUrl = (
  flag: Option.Option<string>,
  otherwise: string
): Effect.Effect<Found<string>, CommandFailure> => {
  if (Option.isSome(flag)) return Effect.succeed({ value: flag.value, from: "--base-url" })
  const variable = process.env[baseUrlVariable]
  if (variable !== undefined) return Effect.succeed({ value: variable, from: baseUrlVariable })
  return Effect.map(Settings.read, (settings) =>
    settings.baseUrl === undefined
      ? { value: otherwise, from: byDefault }
      : { value: settings.baseUrl, from: kept }
  )
}

/** The dialect of the service at `baseUrl`. */
export const dialect = (
  flag: Option.Option<Dialect.Name>,
  baseUrl: string
): Effect.Effect<Found<Dialect.Name>, CommandFailure> => {
  if (Option.isSome(flag)) return Effect.succeed({ value: flag.value, from: "--dialect" })
  const variable = process.env[dialectVariable]
  if (variable !== undefined) {
    return Dialect.isName(variable)
      ? Effect.succeed({ value: variable, from: dialectVariable })
      : Effect.fail(usage(`${dialectVariable} must be ${Dialect.names.join(" or ")}`))
  }
  return Effect.map(Settings.read, (settings) =>
    settings.dialect === undefined
      ? { value: Dialect.ofHost(baseUrl), from: byDefault }
      : { value: settings.dialect, from: kept }
  )
}

/** The key. Fails as unauthorized where there is none. */
export const apiKey = (
  file: Option.Option<string>
): Effect.Effect<Found<Redacted.Redacted>, CommandFailure> => {
  if (Option.isSome(file)) {
    return Effect.map(
      Effect.tryPromise({
        try: () => readFile(file.value, "utf8"),
        catch: (cause) => usage(`cannot read the API key: ${reasonOf(cause)}`)
      }),
      (text) => ({ value: Redacted.make(text.trim()), from: "--api-key-file" })
    )
  }
  const variable = process.env[apiKeyVariable]
  if (variable !== undefined) return Effect.succeed({ value: Redacted.make(variable), from: apiKeyVariable })
  return Effect.flatMap(Settings.read, (settings) =>
    settings.apiKey === undefined
      ? Effect.fail(noKey)
      : Effect.succeed({ value: settings.apiKey, from: kept })
  )
}

const noKey = new CommandFailure({
  exitCode: exitCodes.unauthorized,
  message: `no API key: set ${apiKeyVariable}, give --api-key-file FILE, or keep one with chemstream config set api-key`
})
