/**
 * The flags for the service and for the limits of the client, and the client made from them.
 *
 * Without a flag, the environment or `chemstream config` gives the setting (`settings/effectiveSettings.ts`). There is no flag for the key
 * itself, because every user of the machine can see flags.
 */
import type { DetailProjection } from "@chemstream/api"
import { ChemClient, Dialect, type InvalidOption, RetryPolicy } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Command } from "effect/cli"
import { HttpClient } from "effect/http"
import { CommandFailure, exitCodes, settingFailure } from "../CommandFailure.ts"
import * as FileCheck from "../output/fileCheck.ts"
import * as RequestLog from "../run/requestLog.ts"
import * as EffectiveSettings from "../settings/effectiveSettings.ts"
import { defaultBaseUrl } from "../settings/environmentVariables.ts"
import { defaultWhole, optional, optionalChoice, optionalText, parsedText, switchFlag } from "./flagTypes.ts"
import * as MetricsFlags from "./metricsFlags.ts"
import * as RequestRate from "./requestRate.ts"
import * as TimeFlag from "./timeFlag.ts"

export const flags = {
  baseUrl: optionalText(
    "base-url",
    "URL",
    `The URL of the service [default: that of chemstream config, else ${defaultBaseUrl}]`
  ),
  apiKeyFile: optionalText(
    "api-key-file",
    "FILE",
    "File of the API key [default: the key of chemstream config]"
  ),
  dialect: optionalChoice(
    "dialect",
    Dialect.names,
    "Dialect of the service; ctx is the dialect of the public service [default: that of chemstream config, else ctx for hosts below epa.gov, else specification]"
  ),
  retries: defaultWhole("retries", 0, "Retries of a failed request", RetryPolicy.defaultPolicy.attempts - 1),
  timeout: TimeFlag.withDefault("timeout", "Timeout for the headers of a response, and again for its body", {
    least: 1,
    otherwise: 60_000
  }),
  rate: parsedText(
    "rate",
    "N/s",
    "Highest rate of requests, e.g. 5/s, 300/min or 1000/h [default: 1/s for the public service (dialect ctx, not on this machine), else as the service allows]",
    RequestRate.parse,
    "a number of requests in a time: 5/s, 300/min or 1000/h"
  ).pipe(optional),
  verbose: switchFlag("verbose", "Log each request with its status, time and attempt on standard error"),
  ...MetricsFlags.flags
}

/** Prints the plan of a run instead of running it. */
export const dryRun = switchFlag(
  "dry-run",
  "Print the number of requests, their time and the files to write, and send nothing"
)

/** The parsed options of the client. */
export type Settings = Command.Command.Config.Infer<typeof flags>

/** The files that the flags name. */
export const files = (
  settings: Pick<Settings, "apiKeyFile" | "metricsFile">
): ReadonlyArray<FileCheck.Use> => [
  ...FileCheck.ofOption("--api-key-file", settings.apiKeyFile),
  ...MetricsFlags.files(settings)
]

/** The detail projection that has every field in the dialect of the flags and the environment. */
export const wholeRecord = (
  settings: Pick<Settings, "baseUrl" | "dialect">
): Effect.Effect<DetailProjection.DetailProjection, CommandFailure> =>
  Effect.map(
    EffectiveSettings.service(settings),
    ({ dialect }) => Dialect.dialects[dialect.value].wholeRecord
  )

/** How a command uses its client. */
export interface Use {
  /** Whether requests are printed instead of sent. Default: false. */
  readonly dryRun?: boolean
  /** How long calls outside a run over values wait for an unavailable service, in milliseconds. Default: they do not wait. */
  readonly patience?: number
}

/** Makes the client of the flags and the environment. */
export const layer = (
  settings: Settings,
  { dryRun = false, patience }: Use = {}
): Layer.Layer<ChemClient.ChemClient, CommandFailure> =>
  dryRun ? dryLayer(settings) : clientLayer(settings, patience)

/**
 * Runs the work of a command with the client of the flags and the environment. Exit code 2 means that nothing was requested, so a failure
 * after the first request has exit code 1 instead.
 */
export const provide =
  (settings: Settings, options?: Use) =>
  <A, E, R>(
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | CommandFailure, Exclude<R, ChemClient.ChemClient>> =>
    Effect.suspend(() => {
      let hasRequested = false
      const onRequest = (): void => {
        hasRequested = true
      }
      return Effect.provide(work, layer(settings, options)).pipe(
        Effect.provideService(OnRequest, onRequest),
        Effect.provideService(RequestRate.Given, settings.rate && RequestRate.perSecond(settings.rate)),
        Effect.mapError((error) =>
          hasRequested && error instanceof CommandFailure && error.exitCode === exitCodes.usage
            ? new CommandFailure({ exitCode: exitCodes.failed, message: error.message })
            : error
        )
      )
    })

/** Called before each request of the client. */
const OnRequest = Context.Reference<() => void>("chemstream/OnRequest", { defaultValue: () => () => {} })

const clientLayer = (
  settings: Settings,
  patience: number | undefined
): Layer.Layer<ChemClient.ChemClient, CommandFailure> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { baseUrl, dialect } = yield* EffectiveSettings.service(settings)
      const apiKey = yield* EffectiveSettings.apiKey(settings.apiKeyFile)
      const client = make(
        {
          baseUrl: baseUrl.value,
          apiKey: apiKey.value,
          dialect: dialect.value,
          timeouts: { headers: settings.timeout, body: settings.timeout },
          retry: RetryPolicy.make({ attempts: settings.retries + 1 }),
          availability: patience === undefined ? undefined : { wait: patience },
          limits:
            settings.rate === undefined ? {} : { requestsPerSecond: RequestRate.perSecond(settings.rate) }
        },
        settings.verbose,
        { baseUrl: baseUrl.from, apiKey: apiKey.from }
      )
      return Layer.provideMerge(client, Layer.effectDiscard(MetricsFlags.start(settings)))
    })
  )

/** Makes a client that prints its requests instead of sending them. It needs no key. */
const dryLayer = (settings: Settings): Layer.Layer<ChemClient.ChemClient, CommandFailure> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { baseUrl, dialect } = yield* EffectiveSettings.service(settings)
      const client = ChemClient.layer({
        baseUrl: baseUrl.value,
        apiKey: Redacted.make("none"),
        dialect: dialect.value,
        retry: RetryPolicy.make({ attempts: 1 }),
        limits: { requestsPerSecond: 1e6 }
      })
      return withSettingFailures(
        Layer.provide(client, Layer.succeed(HttpClient.HttpClient, RequestLog.dry)),
        {
          baseUrl: baseUrl.from
        }
      )
    })
  )

/** The source of each setting, in words. */
type Origins = Readonly<Record<string, string>>

/** Makes a client over Node's connections, through the proxy of the environment. */
export const make = (
  settings: ChemClient.Settings,
  isVerbose = false,
  origins: Origins = {}
): Layer.Layer<ChemClient.ChemClient, CommandFailure> => {
  const transport = Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      const onRequest = yield* OnRequest
      const client = HttpClient.transform(yield* HttpClient.HttpClient, (effect) =>
        Effect.suspend(() => {
          onRequest()
          return effect
        })
      )
      return isVerbose ? RequestLog.verbose(client) : client
    })
  ).pipe(Layer.provide(Transport.layer()))
  return withSettingFailures(ChemClient.layer(settings).pipe(Layer.provide(transport)), origins)
}

/** Turns an invalid setting into the failure of the command. */
const withSettingFailures = (
  client: Layer.Layer<ChemClient.ChemClient, InvalidOption.InvalidOption>,
  origins: Origins
): Layer.Layer<ChemClient.ChemClient, CommandFailure> =>
  Layer.catchTag(client, "InvalidOption", (error) =>
    Layer.effect(
      ChemClient.ChemClient,
      Effect.fail(settingFailure(error.from(origins[error.option] ?? error.source)))
    )
  )
