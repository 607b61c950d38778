/**
 * The effective base URL, dialect and key of a command, each with its source: a flag, the environment, or `chemstream config`, in this
 * order.
 */
import { readFile } from "node:fs/promises"
import { Dialect } from "@chemstream/client"
import { Effect, Redacted } from "effect"
import { CommandFailure, exitCodes, reasonOf, usageFailure } from "../CommandFailure.ts"
import { apiKeyVariable, baseUrlVariable, defaultBaseUrl, dialectVariable } from "./environmentVariables.ts"
import * as StoredSettings from "./storedSettings.ts"

/** The source of a default value, in messages. */
export const byDefault = "the default"

/** The source of a setting that `chemstream config` stores. */
const storedSettings = "chemstream config"

/** A setting and its source, in words. */
export interface Found<A> {
  readonly value: A
  readonly from: string
}

/** The base URL of the service. */
export const baseUrl = (flag: string | undefined): Effect.Effect<Found<string>, CommandFailure> => {
  if (flag !== undefined) return Effect.succeed({ value: flag, from: "--base-url" })
  const variable = process.env[baseUrlVariable]
  if (variable !== undefined) return Effect.succeed({ value: variable, from: baseUrlVariable })
  return Effect.map(StoredSettings.read, (settings) =>
    settings.baseUrl === undefined
      ? { value: defaultBaseUrl, from: byDefault }
      : { value: settings.baseUrl, from: storedSettings }
  )
}

/** The dialect of the service at `baseUrl`. */
export const dialect = (
  flag: Dialect.Name | undefined,
  baseUrl: string
): Effect.Effect<Found<Dialect.Name>, CommandFailure> => {
  if (flag !== undefined) return Effect.succeed({ value: flag, from: "--dialect" })
  const variable = process.env[dialectVariable]
  if (variable !== undefined) {
    return Dialect.isName(variable)
      ? Effect.succeed({ value: variable, from: dialectVariable })
      : usageFailure(`${dialectVariable} must be ${Dialect.names.join(" or ")}`)
  }
  return Effect.map(StoredSettings.read, (settings) =>
    settings.dialect === undefined
      ? { value: Dialect.ofHost(baseUrl), from: byDefault }
      : { value: settings.dialect, from: storedSettings }
  )
}

/** The base URL and the dialect of the service. */
export const service = (
  flags: { readonly baseUrl?: string | undefined; readonly dialect?: Dialect.Name | undefined } = {}
) =>
  Effect.gen(function* () {
    const url = yield* baseUrl(flags.baseUrl)
    return { baseUrl: url, dialect: yield* dialect(flags.dialect, url.value) }
  })

/** The API key. Fails with exit code 3 if there is none. */
export const apiKey = (file: string | undefined): Effect.Effect<Found<Redacted.Redacted>, CommandFailure> => {
  if (file !== undefined) {
    return Effect.map(
      Effect.tryPromise({
        try: () => readFile(file, "utf8"),
        catch: (cause) => usageFailure(`cannot read the API key: ${reasonOf(cause)}`)
      }),
      (text) => ({ value: Redacted.make(text.trim()), from: "--api-key-file" })
    )
  }
  const variable = process.env[apiKeyVariable]
  if (variable !== undefined) return Effect.succeed({ value: Redacted.make(variable), from: apiKeyVariable })
  return Effect.flatMap(StoredSettings.read, (settings) =>
    settings.apiKey === undefined
      ? Effect.fail(noKey)
      : Effect.succeed({ value: settings.apiKey, from: storedSettings })
  )
}

const noKey = new CommandFailure({
  exitCode: exitCodes.unauthorized,
  message: `no API key: set ${apiKeyVariable}, give --api-key-file FILE, or store one with chemstream config set api-key`
})
