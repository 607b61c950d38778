/**
 * The client of a chemical-information service: typed calls with API key, timeouts and retries.
 *
 * Paths, parameters and records come from the contract (`@chemstream/api`). It needs an `HttpClient`:
 * `@effect/platform-node` on Node, `FetchHttpClient` elsewhere. `@chemstream/stream` handles streams of identifiers.
 */
import { Access, Details, Dialect } from "@chemstream/api"
import { Availability, type InvalidOption, Options } from "@chemstream/batch"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { HttpClient } from "effect/http"
import type { Raw } from "./calls/Endpoint.ts"
import type { MakeCalls } from "./calls/EndpointCalls.ts"
import type { Groups } from "./calls/Groups.ts"
import * as batching from "./calls/internal/batchedGet.ts"
import * as operations from "./calls/internal/callOperation.ts"
import * as groups from "./calls/internal/makeGroups.ts"
import * as rawCall from "./calls/internal/rawCall.ts"
import { make as makeSend } from "./calls/internal/sendRequest.ts"
import type * as Mode from "./calls/Mode.ts"
import * as redaction from "./errors/internal/redaction.ts"
import * as environment from "./internal/environmentSettings.ts"
import * as kinds from "./internal/settingKinds.ts"
import {
  type TestFault,
  type TestRecords,
  type TestRequest,
  type TestService,
  transport
} from "./internal/testService.ts"
import * as Batching from "./pipeline/Batching.ts"
import * as pipeline from "./pipeline/internal/pipeline.ts"
import * as redirect from "./pipeline/internal/redirectTarget.ts"
import * as Limits from "./pipeline/Limits.ts"
import * as ResponseCache from "./pipeline/ResponseCache.ts"
import * as RetryPolicy from "./pipeline/RetryPolicy.ts"

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

/** The settings that all clients have. */
export interface CommonSettings {
  /** The request header with the key. Default: `x-api-key`. */
  readonly keyHeader?: string | undefined
  /** The query parameter with the page number of the list of all chemicals. Default: `next`. */
  readonly pageParameter?: string | undefined
  /** The dialect of the service (`Dialect`). Default: `ctx` for hosts below `epa.gov`, else `specification`. */
  readonly dialect?: Dialect.Name | undefined
  /** How the `get` methods collect the identifiers of many fibers into batches. */
  readonly batching?: Batching.Settings | undefined
  /**
   * When a failed call is retried: the number of attempts, numbers of a policy, a schedule or a function. Default:
   * `RetryPolicy.defaultPolicy`.
   */
  readonly retry?: RetryPolicy.Retries | undefined
  /**
   * The limits on requests. Default: 32 in flight, fewer after a 429 or 503. With the dialect `ctx`, also 1 request a
   * second, unless the service is on this machine.
   */
  readonly limits?: Limits.Limits | undefined
  /**
   * How long calls wait while the service is unavailable or asks to wait. They then fail with `ServiceUnavailable`. Runs
   * without options of their own wait as long. Default: `{ wait: 0 }` for calls, which fail after their attempts, and wait at
   * most ten minutes for a service that asks to wait; 1 minute for runs.
   */
  readonly availability?: Availability.Options | undefined
  /** The timeouts of one attempt. Default: 1 minute to the headers, and 1 minute to the end of the body. */
  readonly timeouts?: Timeouts | undefined
  /** The largest body of a response, in bytes. Default: 256 MiB. */
  readonly maxBodyBytes?: number | undefined
}

/** The settings of a client. */
export interface Settings extends CommonSettings {
  /** The `http:` or `https:` URL of the service, with its path, e.g. `https://host/ctx-api`. */
  readonly baseUrl: string | URL
  /** The key that each request carries. It is redacted in logs and errors. */
  readonly apiKey: Redacted.Redacted
  /** The cache of responses. Default: none. */
  readonly cache?: ResponseCache.ResponseCache | undefined
}

/** The settings of a client whose service and key may be those of the environment. */
export interface ConfigSettings extends CommonSettings {
  /** The URL of the service, as in `Settings`. Default: that of the environment. */
  readonly baseUrl?: string | URL
  /** The API key. Default: that of the environment. */
  readonly apiKey?: Redacted.Redacted
  /** The cache of responses. Default: none. */
  readonly cache?: ResponseCache.ResponseCache | undefined
}

/** The declaration of the timeouts. */
const timeouts = Options.set<Timeouts>()({
  headers: Options.withDefault(Options.time("positive"), "1 minute"),
  body: Options.withDefault(Options.time("positive"), "1 minute")
})

/** The declaration of the settings. `maxBodyBytes` is about eighty thousand full detail records. */
export const optionSet = Options.set<Settings>()({
  baseUrl: Options.required(kinds.baseUrl),
  apiKey: Options.required(kinds.apiKey),
  keyHeader: Options.withDefault(kinds.keyHeader, Access.defaultKeyHeader),
  pageParameter: Options.withDefault(kinds.pageParameter, Details.defaultPageParameter),
  dialect: kinds.dialect,
  batching: Batching.optionSet,
  retry: Options.withDefault(RetryPolicy.retries, RetryPolicy.defaultPolicy),
  limits: Limits.optionSet,
  availability: Availability.optionSet,
  cache: ResponseCache.optionSet,
  timeouts,
  maxBodyBytes: Options.withDefault(Options.count, 256 * 1024 * 1024)
})

/** The calls of a client. The mode says whether they return effects and streams, or promises and async iterables. */
export interface Calls<F extends Mode.Mode = Mode.Effects> extends Groups<F> {
  /** The URL of the service, as given. */
  readonly baseUrl: string
  /** The dialect that requests are sent in. */
  readonly dialect: Dialect.Name
  /** Makes the calls of an endpoint, also of one that the contract does not have. */
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
export const make = /* @__PURE__ */ Effect.fnUntraced(function* (
  settings: Settings
): Effect.fn.Return<ChemClient["Service"], InvalidOption.InvalidOption, HttpClient.HttpClient> {
  yield* Options.check(optionSet, settings)
  const { apiKey, keyHeader, maxBodyBytes, pageParameter, retry } = Options.complete(optionSet, settings)
  const baseUrl = kinds.addressOf(settings.baseUrl)
  const dialect = Dialect.dialects[settings.dialect ?? Dialect.ofHost(baseUrl)]
  const send = yield* makeSend({ baseUrl, key: apiKey, keyHeader, pageParameter })
  const redact = redaction.make(Redacted.value(apiKey))
  const limits = settings.limits ?? {}
  const { body, headers } = Options.complete(timeouts, settings.timeouts ?? {})
  const { availability, run } = yield* pipeline.make({
    address: baseUrl,
    dialect: dialect.name,
    retry: RetryPolicy.complete(retry),
    cache: settings.cache,
    limits: { ...limits, requestsPerSecond: limits.requestsPerSecond ?? Dialect.pace(dialect.name, baseUrl) },
    availability: settings.availability,
    timeouts: { headers: Duration.toMillis(headers), body: Duration.toMillis(body) },
    maxBodyBytes,
    redact,
    responds: redirect.make(yield* HttpClient.HttpClient)
  })
  const callOperation = operations.make(send, run, pageParameter, dialect)
  const makeGet = batching.make(Options.complete(Batching.optionSet, settings.batching ?? {}), availability)
  return ChemClient.of({
    baseUrl,
    dialect: dialect.name,
    ...groups.make(callOperation, makeGet, redact),
    endpoint: groups.endpoint(callOperation),
    raw: rawCall.make(callOperation),
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
  settings: ConfigSettings = {}
): Layer.Layer<ChemClient, InvalidOption.InvalidOption, HttpClient.HttpClient> =>
  Layer.effect(
    ChemClient,
    Effect.gen(function* () {
      yield* Options.check(Options.partial(optionSet), settings)
      const given = { ...settings }
      const complete = yield* environment.complete(given)
      return yield* Effect.mapError(make(complete as unknown as Settings), (error) =>
        environment.withVariable(given, error)
      )
    })
  )

export type { TestFault, TestRecords, TestRequest, TestService }

/**
 * The client of a service in memory, for tests of programs: with records, misses, faults and latencies of the test, and without
 * connections. Everything else is the real client, so that retries and waits run on a `TestClock`. Fails with `InvalidOption`.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const client = yield* ChemClient.ChemClient
 *   const record = yield* client.details.byDtxsid("DTXSID7020182", { projection: "compact" })
 *   return record.preferredName
 * })
 * const test = ChemClient.layerTest({
 *   records: { "details.byDtxsid": { DTXSID7020182: { preferredName: "Bisphenol A" } } }
 * })
 * await Effect.runPromise(Effect.provide(program, test)) // => "Bisphenol A"
 * ```
 */
export const layerTest = (
  service: TestService = {},
  settings: ConfigSettings = {}
): Layer.Layer<ChemClient, InvalidOption.InvalidOption> =>
  Layer.provide(
    layer({ baseUrl: "http://service.test", apiKey: Redacted.make("a key of a test"), ...settings }),
    transport(service)
  )
