/**
 * The flags that say which service to ask and how patiently, and the client they make.
 *
 * What they leave open the environment and `chemstream config` say (`settingsInForce`). The key never comes from a flag:
 * flags are visible to every user of the machine.
 */
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Effect, Layer, Option } from "effect"
import { Flag } from "effect/cli"
import { type CommandFailure, ofSetting } from "./CommandFailure.ts"
import { defaultPort } from "./defaultPort.ts"
import { whole } from "./numberFlags.ts"
import * as Rate from "./rate.ts"
import * as RunFiles from "./runFiles.ts"
import * as InForce from "./settingsInForce.ts"

/** Where the service is looked for when nothing else is said: where `chemstream serve` listens. */
export const defaultBaseUrl = `http://127.0.0.1:${defaultPort}`

export const flags = {
  baseUrl: Flag.String("base-url").pipe(
    Flag.withDescription(
      `Where the service is (else CHEMSTREAM_BASE_URL, else chemstream config, else ${defaultBaseUrl})`
    ),
    Flag.withMetavar("URL"),
    Flag.optional
  ),
  apiKeyFile: Flag.String("api-key-file").pipe(
    Flag.withDescription("File that holds the API key (else CHEMSTREAM_API_KEY, else chemstream config)"),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  retries: whole("retries", 0).pipe(
    Flag.withDescription(
      `How often a failed request is sent again at most (${RetryPolicy.defaultPolicy.attempts - 1} when not given)`
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
  ),
  rate: Flag.String("rate").pipe(
    Flag.withMetavar("N/s"),
    Flag.withDescription(
      "Requests sent at most, e.g. 5/s, 300/min or 1000/h (as the service allows when not given)"
    ),
    Flag.filterMap(Rate.parse, () => "a number of requests in a time: 5/s, 300/min or 1000/h"),
    Flag.optional
  )
}

export interface Settings {
  readonly baseUrl: Option.Option<string>
  readonly apiKeyFile: Option.Option<string>
  readonly retries: number
  readonly timeout: number
  readonly rate: Option.Option<Rate.Rate>
}

/** The files that the flags have the command read. */
export const files = ({ apiKeyFile }: Pick<Settings, "apiKeyFile">): ReadonlyArray<RunFiles.Use> =>
  RunFiles.ofOption("--api-key-file", apiKeyFile)

/** The client of the flags and the environment. */
export const layer = (settings: Settings): Layer.Layer<ChemClient.ChemClient, CommandFailure> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const baseUrl = yield* InForce.baseUrl(settings.baseUrl, defaultBaseUrl)
      const apiKey = yield* InForce.apiKey(settings.apiKeyFile)
      return make({
        baseUrl: baseUrl.value,
        apiKey: apiKey.value,
        timeouts: { headers: settings.timeout * 1000, body: settings.timeout * 1000 },
        retry: RetryPolicy.make({ attempts: settings.retries + 1 }),
        limits: Option.match(settings.rate, {
          onNone: () => ({}),
          onSome: (rate) => ({ requestsPerSecond: Rate.perSecond(rate) })
        })
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
