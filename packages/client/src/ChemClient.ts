/**
 * The client of a chemical-information service: typed calls with API key, timeouts and retries.
 *
 * Paths, parameters and records come from the contract (`@chemstream/api`). It needs an `HttpClient`:
 * `@effect/platform-node` on Node, `FetchHttpClient` elsewhere. `@chemstream/stream` handles streams of identifiers.
 */
import { Access, Details, Dialect } from "@chemstream/api"
import { Availability, InvalidOption } from "@chemstream/batch"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { HttpClient } from "effect/http"
import type { BioactivityCalls } from "./calls/BioactivityCalls.ts"
import type { DetailCalls } from "./calls/DetailCalls.ts"
import type { Raw } from "./calls/Endpoint.ts"
import type { MakeCalls } from "./calls/EndpointCalls.ts"
import * as groups from "./calls/internal/groups.ts"
import * as request from "./calls/internal/request.ts"
import { make as makeSend } from "./calls/internal/sendRequest.ts"
import type * as Mode from "./calls/Mode.ts"
import type { MsReadyCalls } from "./calls/MsReadyCalls.ts"
import type { SearchCalls } from "./calls/SearchCalls.ts"
import type { SynonymCalls } from "./calls/SynonymCalls.ts"
import * as redaction from "./errors/internal/redaction.ts"
import * as configuration from "./internal/configuration.ts"
import { checkBaseUrl, checkDialect, checkHeader, checkKey, checkPageParameter } from "./internal/settings.ts"
import * as Batching from "./pipeline/Batching.ts"
import * as batching from "./pipeline/internal/batching.ts"
import * as pipeline from "./pipeline/internal/pipeline.ts"
import * as redirect from "./pipeline/internal/redirect.ts"
import type { Limits } from "./pipeline/Limits.ts"
import type { ResponseCache } from "./pipeline/ResponseCache.ts"
import * as RetryPolicy from "./pipeline/RetryPolicy.ts"

/** The default of both timeouts. */
const defaultTimeout: Duration.Input = "1 minute"

/** The default of `maxBodyBytes`: about eighty thousand full detail records. */
const defaultMaxBodyBytes = 256 * 1024 * 1024

/**
 * The timeouts of an attempt. `headers` includes the time to connect. The HTTP client may have a shorter timeout for
 * that (`Transport` of `@chemstream/client/node`).
 */
export interface Timeouts {
  /** From sending the request to the headers of the response. Default: 1 minute. */
  readonly headers?: Duration.Input | undefined
  /** From the headers to the end of the body. Default: 1 minute. */
  readonly body?: Duration.Input | undefined
}

/** The settings of a client. */
export interface Settings {
  /** The `http:` or `https:` URL of the service, with its path, e.g. `https://host/ctx-api`. */
  readonly baseUrl: string | URL
  /** The API key. */
  readonly apiKey: Redacted.Redacted
  /** The request header with the key. Default: `x-api-key`. */
  readonly keyHeader?: string | undefined
  /** The query parameter with the page number of the list of all chemicals. Default: `next`. */
  readonly pageParameter?: string | undefined
  /** The dialect of the service (`Dialect`). Default: `ctx` for hosts below `epa.gov`, else `specification`. */
  readonly dialect?: Dialect.Name | undefined
  /** How the `get` methods collect the identifiers of many fibers into batches. */
  readonly batching?: Batching.Settings | undefined
  /** When a failed call is retried: numbers, a schedule or a function. Default: `RetryPolicy.defaultPolicy`. */
  readonly retry?: RetryPolicy.Retries | undefined
  /**
   * The limits on requests. Default: 32 in flight, fewer after a 429 or 503. With the dialect `ctx`, also 1 request a
   * second, unless the service is on this machine.
   */
  readonly limits?: Limits | undefined
  /**
   * How long calls wait while the service is unavailable or asks to wait. They then fail with `ServiceUnavailable`. A
   * run has its own options. Default: `{ wait: 0 }`; a call fails after its attempts, and waits at most ten minutes for
   * a service that asks to wait.
   */
  readonly availability?: Availability.Options | undefined
  /** The cache of responses. Default: none. */
  readonly cache?: ResponseCache | undefined
  /** The timeouts of one attempt. */
  readonly timeouts?: Timeouts | undefined
  /** The largest body of a response, in bytes. Default: 256 MiB. */
  readonly maxBodyBytes?: number | undefined
}

/** The calls of a client. The mode says whether they return effects and streams, or promises and async iterables. */
export interface Calls<F extends Mode.Mode = Mode.Effects> {
  /** The URL of the service, as given. */
  readonly baseUrl: string
  /** The dialect that requests are sent in. */
  readonly dialect: Dialect.Name
  /** Chemical detail records and the list of all chemicals (docs/service.md, section 3.1). */
  readonly details: DetailCalls<F>
  /** Search by name, identifier and formula (docs/service.md, section 3.2). */
  readonly search: SearchCalls<F>
  /** MS-ready chemicals by compound, formula and mass (docs/service.md, section 3.3). */
  readonly msready: MsReadyCalls<F>
  /** Synonyms (docs/service.md, section 3.4). */
  readonly synonyms: SynonymCalls<F>
  /** Bioactivity data (docs/service.md, section 3.5). */
  readonly bioactivity: BioactivityCalls<F>
  /** Makes the calls of a row, also of one that the contract does not have. */
  readonly endpoint: MakeCalls<F>
  /** Calls any of these endpoints by its name, with a reader of the caller. */
  readonly raw: Raw<F>
}

/**
 * The client service.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { Effect, Layer, Redacted } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const program = Effect.gen(function* () {
 *   const client = yield* ChemClient.ChemClient
 *   return yield* client.details.byDtxsidBatch(["DTXSID7020182", "DTXSID3039242"])
 * })
 *
 * const layer = ChemClient.layer({
 *   baseUrl: "http://127.0.0.1:8080",
 *   apiKey: Redacted.make("my key")
 * }).pipe(Layer.provide(FetchHttpClient.layer))
 * const runnable = Effect.provide(program, layer)
 * ```
 */
export class ChemClient extends Context.Service<
  ChemClient,
  Calls & {
    /** The availability of the service, which the runs of the client share. */
    readonly availability: Availability.Availability
  }
>()("@chemstream/client/ChemClient") {}

/** Makes a client for the scope. Sends no request. Fails with `InvalidOption`. */
export const make = Effect.fnUntraced(function* (
  settings: Settings
): Effect.fn.Return<ChemClient["Service"], InvalidOption.InvalidOption, HttpClient.HttpClient> {
  yield* InvalidOption.refuse(nameChecks(settings))
  const baseUrl = yield* checkBaseUrl(settings.baseUrl)
  const key = yield* checkKey(settings.apiKey)
  const keyHeader = yield* checkHeader(settings.keyHeader ?? Access.defaultKeyHeader)
  yield* InvalidOption.refuse(checks(settings))
  const pageParameter = yield* checkPageParameter(settings.pageParameter ?? Details.defaultPageParameter)
  const dialect = yield* checkDialect(settings.dialect ?? Dialect.ofHost(baseUrl))
  const send = yield* makeSend({ baseUrl, key, keyHeader, pageParameter })
  const redact = redaction.make(Redacted.value(key))
  const { availability, run } = yield* pipeline.make({
    address: baseUrl,
    dialect: dialect.name,
    retry: settings.retry ?? RetryPolicy.defaultPolicy,
    cache: settings.cache,
    limits: {
      ...settings.limits,
      requestsPerSecond: settings.limits?.requestsPerSecond ?? Dialect.pace(dialect.name, baseUrl)
    },
    availability: { wait: 0, ...settings.availability },
    timeouts: {
      headers: Duration.toMillis(settings.timeouts?.headers ?? defaultTimeout),
      body: Duration.toMillis(settings.timeouts?.body ?? defaultTimeout)
    },
    maxBodyBytes: settings.maxBodyBytes ?? defaultMaxBodyBytes,
    redact,
    responds: redirect.make(yield* HttpClient.HttpClient)
  })
  const callOperation = request.make(send, run, pageParameter, dialect)
  const window = settings.batching?.window ?? Batching.defaults.window
  const size = settings.batching?.size ?? Batching.defaults.size
  const makeGet = batching.make({ window, size }, availability)
  return ChemClient.of({
    baseUrl,
    dialect: dialect.name,
    ...groups.make(callOperation, makeGet, redact),
    endpoint: groups.endpoint(callOperation),
    raw: request.raw(callOperation),
    availability
  })
})

/** The client as a layer. */
export const layer = (
  settings: Settings
): Layer.Layer<ChemClient, InvalidOption.InvalidOption, HttpClient.HttpClient> =>
  Layer.effect(ChemClient, make(settings))

/**
 * The client from settings and environment. A setting that is not given is read from `CHEMSTREAM_BASE_URL`,
 * `CHEMSTREAM_API_KEY` or an optional variable of the README. Fails with `InvalidOption`; its `source` names the
 * variable.
 */
export const layerConfig = (
  settings: Partial<Settings> = {}
): Layer.Layer<ChemClient, InvalidOption.InvalidOption, HttpClient.HttpClient> =>
  Layer.effect(
    ChemClient,
    Effect.gen(function* () {
      const configurable = configurableSettings(settings)
      const complete = withConfiguration(settings, yield* configuration.complete(configurable))
      return yield* Effect.mapError(make(complete), (error) =>
        configuration.withVariable(configurable, error)
      )
    })
  )

/** Returns the settings that have a variable. */
const configurableSettings = (settings: Partial<Settings>): configuration.Configurable => ({
  baseUrl: settings.baseUrl,
  apiKey: settings.apiKey,
  keyHeader: settings.keyHeader,
  pageParameter: settings.pageParameter,
  dialect: settings.dialect,
  // A given policy replaces the variable.
  "retry.attempts": settings.retry === undefined ? undefined : 1,
  "limits.requestsPerSecond": settings.limits?.requestsPerSecond,
  "limits.inFlight": settings.limits?.inFlight,
  "timeouts.headers": settings.timeouts?.headers,
  "timeouts.body": settings.timeouts?.body
})

/** Adds the values of variables to the settings. */
const withConfiguration = (settings: Partial<Settings>, values: configuration.Configurable): Settings => {
  const attempts = values["retry.attempts"]
  return {
    ...settings,
    // `make` refuses missing settings and unknown dialects.
    baseUrl: values.baseUrl as Settings["baseUrl"],
    apiKey: values.apiKey as Settings["apiKey"],
    dialect: values.dialect as Settings["dialect"],
    keyHeader: values.keyHeader,
    pageParameter: values.pageParameter,
    retry: settings.retry ?? (attempts === undefined ? undefined : RetryPolicy.make({ attempts })),
    limits: {
      ...settings.limits,
      requestsPerSecond: values["limits.requestsPerSecond"],
      inFlight: values["limits.inFlight"]
    },
    timeouts: { ...settings.timeouts, headers: values["timeouts.headers"], body: values["timeouts.body"] }
  }
}

const names: InvalidOption.Names<Settings> = {
  baseUrl: true,
  apiKey: true,
  keyHeader: true,
  pageParameter: true,
  dialect: true,
  batching: true,
  retry: true,
  limits: true,
  availability: true,
  cache: true,
  timeouts: true,
  maxBodyBytes: true
}

/** Checks the names of settings, so that a misspelt setting is not reported as missing. */
const nameChecks = (settings: Settings): ReadonlyArray<InvalidOption.Check> => [
  InvalidOption.known(settings, names),
  InvalidOption.known(settings.timeouts, { headers: true, body: true }, "timeouts"),
  InvalidOption.known(settings.limits, { requestsPerSecond: true, inFlight: true, adaptive: true }, "limits"),
  InvalidOption.known(settings.batching, { window: true, size: true }, "batching"),
  InvalidOption.known(settings.cache, { store: true, ttl: true, missingTtl: true, staleFor: true }, "cache")
]

/** Checks the numbers and durations. */
const checks = ({
  availability,
  batching,
  cache,
  limits,
  maxBodyBytes,
  retry,
  timeouts
}: Settings): ReadonlyArray<InvalidOption.Check> => [
  InvalidOption.time("timeouts.headers", timeouts?.headers, "positive"),
  InvalidOption.time("timeouts.body", timeouts?.body, "positive"),
  InvalidOption.rate("limits.requestsPerSecond", limits?.requestsPerSecond),
  InvalidOption.count("limits.inFlight", limits?.inFlight),
  InvalidOption.time("batching.window", batching?.window, "finite"),
  InvalidOption.count("batching.size", batching?.size),
  ...RetryPolicy.checks("retry", retry),
  ...Availability.checks("availability", availability),
  InvalidOption.time("cache.ttl", cache?.ttl, "infinite"),
  InvalidOption.time("cache.missingTtl", cache?.missingTtl, "infinite"),
  InvalidOption.time("cache.staleFor", cache?.staleFor, "infinite"),
  InvalidOption.count("maxBodyBytes", maxBodyBytes)
]
