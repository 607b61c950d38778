/**
 * The flags that say which service to ask and how patiently, and the client they make.
 *
 * The key comes from the environment or a file, never from a flag: flags are visible to every user of the machine.
 */
import { readFile } from "node:fs/promises"
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Config, Effect, Layer, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { CommandFailure, exitCodes, ofSetting, reasonOf, usage } from "./CommandFailure.ts"
import { defaultPort } from "./commands/serve.ts"

/** Where the service is looked for when nothing else is said: where `chemstream serve` listens. */
const defaultBaseUrl = `http://127.0.0.1:${defaultPort}`

export const flags = {
  baseUrl: Flag.String("base-url").pipe(
    Flag.withDescription(`Where the service is (CHEMSTREAM_BASE_URL; ${defaultBaseUrl} when not set)`),
    Flag.withMetavar("URL"),
    Flag.optional
  ),
  apiKeyFile: Flag.String("api-key-file").pipe(
    Flag.withDescription("File that holds the API key (else CHEMSTREAM_API_KEY)"),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  retries: Flag.Int("retries").pipe(
    Flag.withDescription(
      `How often a failed request is sent again at most (${RetryPolicy.defaultPolicy.attempts - 1} when not given)`
    ),
    Flag.filter(
      (value) => value >= 0,
      () => "a whole number of 0 or more"
    ),
    Flag.withDefault(RetryPolicy.defaultPolicy.attempts - 1)
  ),
  timeout: Flag.Finite("timeout").pipe(
    Flag.withDescription(
      "Seconds to wait for the beginning of an answer, and then for its end (60 when not given)"
    ),
    Flag.filter(
      (value) => value > 0,
      () => "a number of seconds above 0"
    ),
    Flag.withDefault(60)
  )
}

export interface Settings {
  readonly baseUrl: Option.Option<string>
  readonly apiKeyFile: Option.Option<string>
  readonly retries: number
  readonly timeout: number
}

/** The client of the flags and the environment. */
export const layer = (settings: Settings): Layer.Layer<ChemClient.ChemClient, CommandFailure> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const baseUrl = Option.getOrElse(
        settings.baseUrl,
        () => process.env["CHEMSTREAM_BASE_URL"] ?? defaultBaseUrl
      )
      const apiKey = yield* findKey(settings.apiKeyFile)
      return make({
        baseUrl,
        apiKey,
        timeouts: { headers: settings.timeout * 1000, body: settings.timeout * 1000 },
        retry: RetryPolicy.make({ attempts: settings.retries + 1 })
      })
    })
  )

/** A client over Node's own connections, through the proxy of the environment. */
export const make = (settings: ChemClient.Settings): Layer.Layer<ChemClient.ChemClient, CommandFailure> =>
  ChemClient.layer(settings).pipe(
    Layer.provide(Transport.layer()),
    Layer.catchTag("InvalidSetting", (error) =>
      Layer.effect(ChemClient.ChemClient, Effect.fail(ofSetting(error)))
    )
  )

const findKey = (file: Option.Option<string>): Effect.Effect<Redacted.Redacted, CommandFailure> =>
  Option.match(file, {
    onNone: () =>
      Effect.mapError(
        Config.Redacted("CHEMSTREAM_API_KEY"),
        () =>
          new CommandFailure({
            exitCode: exitCodes.unauthorized,
            message: "no API key: set CHEMSTREAM_API_KEY or give --api-key-file FILE"
          })
      ),
    onSome: (path) =>
      Effect.map(
        Effect.tryPromise({
          try: () => readFile(path, "utf8"),
          catch: (cause) => usage(`cannot read the API key: ${reasonOf(cause)}`)
        }),
        (text) => Redacted.make(text.trim())
      )
  })
