/**
 * The client of a chemical-information service: typed calls with access key, time-out and retries.
 *
 * Paths, parameters and records come from the contract (`@chemstream/api`). Needs an `HttpClient`: on Node the one
 * of `@effect/platform-node`, elsewhere `FetchHttpClient`. Streams of identifiers are left to `@chemstream/stream`.
 */
import { Access, ChemicalApi, Details, Dialect } from "@chemstream/api"
import { Availability, InvalidOption } from "@chemstream/batch"
import { Context, Duration, Effect, Layer, Option, Redacted, type Scope } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import type { BioactivityCalls } from "./calls/BioactivityCalls.ts"
import type { DetailCalls } from "./calls/DetailCalls.ts"
import type { Raw } from "./calls/Endpoint.ts"
import * as bioactivityCalls from "./calls/internal/bioactivityCalls.ts"
import * as detailCalls from "./calls/internal/detailCalls.ts"
import * as msReadyCalls from "./calls/internal/msReadyCalls.ts"
import * as Ask from "./calls/internal/request.ts"
import * as searchCalls from "./calls/internal/searchCalls.ts"
import * as synonymCalls from "./calls/internal/synonymCalls.ts"
import { onTheWire } from "./calls/internal/wire.ts"
import type * as Mode from "./calls/Mode.ts"
import type { MsReadyCalls } from "./calls/MsReadyCalls.ts"
import type { SearchCalls } from "./calls/SearchCalls.ts"
import type { SynonymCalls } from "./calls/SynonymCalls.ts"
import * as redaction from "./errors/internal/redaction.ts"
import * as configuration from "./internal/configuration.ts"
import * as Batching from "./pipeline/Batching.ts"
import * as Gather from "./pipeline/internal/batching.ts"
import * as pipeline from "./pipeline/internal/pipeline.ts"
import { Revalidation } from "./pipeline/internal/revalidation.ts"
import { untraced, withTrace } from "./pipeline/internal/trace.ts"
import type { Limits } from "./pipeline/Limits.ts"
import type { ResponseCache } from "./pipeline/ResponseCache.ts"
import * as RetryPolicy from "./pipeline/RetryPolicy.ts"

/** The waits of an attempt when not set: one minute for the beginning of the answer, and one for the rest of it. */
const defaultTimeout: Duration.Input = "1 minute"

/** The longest body that is read when not set: 256 MiB, some eighty thousand full detail records. */
const defaultMaxBodyBytes = 256 * 1024 * 1024

/**
 * How long an attempt may wait. How long a connection may take to come about is a setting of the HTTP client
 * (`Transport` of `@chemstream/client/node`); here it is a part of `headers`.
 */
export interface Timeouts {
  /** From sending the request to the headers of the answer. Default: 1 minute. */
  readonly headers?: Duration.Input | undefined
  /** From the headers to the end of the body. Default: 1 minute. */
  readonly body?: Duration.Input | undefined
}

/** The settings of a client. */
export interface Settings {
  /** Where the service is: an `http:` or `https:` URL, with or without a path, e.g. `https://host/ctx-api`. */
  readonly baseUrl: string | URL
  /** The API key. */
  readonly apiKey: Redacted.Redacted
  /** The request header that carries the key; `x-api-key` when not given. */
  readonly keyHeader?: string | undefined
  /** The query parameter that carries the page number of the list of all chemicals; `next` when not given. */
  readonly pageParameter?: string | undefined
  /** Which service this is (`Dialect`). Default: `ctx` for hosts below `epa.gov`, else `specification`. */
  readonly dialect?: Dialect.Name | undefined
  /** How the `get` methods gather the questions of many fibers into batches. */
  readonly batching?: Batching.Settings | undefined
  /** When a failed call is sent again: figures, a schedule or a function. Default: `RetryPolicy.defaultPolicy`. */
  readonly retry?: RetryPolicy.Retries | undefined
  /**
   * How fast the client asks. Default: 32 requests in flight, fewer after a 429 or 503, and in the dialect `ctx` 1 request
   * a second, unless the service is on this machine.
   */
  readonly limits?: Limits | undefined
  /**
   * How long calls wait for a service that was there and is unavailable, after which they fail with `ServiceUnavailable`. A
   * run has options of its own. Default: `{ wait: 0 }`, a call fails after its attempts.
   */
  readonly availability?: Availability.Options | undefined
  /** Where answers are kept and how long; nothing is kept when not given. */
  readonly cache?: ResponseCache | undefined
  /** How long one attempt may wait for its answer. */
  readonly timeouts?: Timeouts | undefined
  /** The longest body of an answer that is read, in bytes; 256 MiB when not given. */
  readonly maxBodyBytes?: number | undefined
}

/** What a client can be asked, with the answers of a face: effects and streams, or promises and async iterables. */
export interface Calls<F extends Mode.Mode = Mode.Effects> {
  /** Where the service is, as given. */
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
  /** Any of these endpoints by its name, its answer read by the caller. */
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
export class ChemClient extends Context.Service<ChemClient, Calls>()("@chemstream/client/ChemClient") {}

/** Makes a client for the scope. Fails with `InvalidOption`; sends nothing. */
export const make = Effect.fnUntraced(function* (
  settings: Settings
): Effect.fn.Return<ChemClient["Service"], InvalidOption.InvalidOption, HttpClient.HttpClient | Scope.Scope> {
  const baseUrl = yield* checkBaseUrl(settings.baseUrl)
  const key = yield* checkKey(settings.apiKey)
  const keyHeader = yield* checkHeader(settings.keyHeader ?? Access.defaultKeyHeader)
  yield* InvalidOption.refuse(figures(settings))
  const pageParameter = yield* checkPageParameter(settings.pageParameter ?? Details.defaultPageParameter)
  const dialect = yield* checkDialect(settings.dialect ?? Dialect.ofHost(baseUrl))
  // `fetch` would follow a redirect to another host, and send it the key.
  const requestInit = Option.match(yield* Effect.serviceOption(FetchHttpClient.RequestInit), {
    onNone: () => ({ redirect: "manual" as const }),
    onSome: (given) => ({ redirect: "manual" as const, ...given })
  })
  const surroundings = Context.add(untraced, FetchHttpClient.RequestInit, requestInit)
  // One step for all, since every request pays for each.
  const prepare = (
    request: HttpClientRequest.HttpClientRequest,
    context: Context.Context<never>
  ): HttpClientRequest.HttpClientRequest => {
    const revalidation = Context.get(context, Revalidation)
    const keyed = HttpClientRequest.setHeader(request, keyHeader, Redacted.value(key))
    const ready = withTrace(onTheWire(keyed, context, pageParameter), context)
    return revalidation === undefined
      ? ready
      : HttpClientRequest.setHeader(ready, "if-none-match", revalidation.etag)
  }
  const api = yield* HttpApiClient.make(ChemicalApi.ChemicalApi, {
    baseUrl,
    transformClient: (client) =>
      client.pipe(
        HttpClient.mapRequestEffect((request) =>
          Effect.contextWith((context: Context.Context<never>) => Effect.succeed(prepare(request, context)))
        ),
        HttpClient.transformResponse(Effect.provideContext(surroundings))
      )
  })
  const redact = redaction.make(Redacted.value(key))
  const run = yield* pipeline.make({
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
    redact
  })
  const ask = Ask.make(api, run, pageParameter, dialect)
  const gather = Gather.make({
    window: settings.batching?.window ?? Batching.defaults.window,
    size: settings.batching?.size ?? Batching.defaults.size
  })
  return ChemClient.of({
    baseUrl,
    dialect: dialect.name,
    details: detailCalls.make(ask, gather),
    search: searchCalls.make(ask, redact),
    msready: msReadyCalls.make(ask),
    synonyms: synonymCalls.make(ask, gather),
    bioactivity: bioactivityCalls.make(ask, gather),
    raw: Ask.raw(ask)
  })
})

/** The client as a layer. */
export const layer = (
  settings: Settings
): Layer.Layer<ChemClient, InvalidOption.InvalidOption, HttpClient.HttpClient> =>
  Layer.effect(ChemClient, make(settings))

/**
 * The client from configuration: what the settings do not give is read from `CHEMSTREAM_BASE_URL`, `CHEMSTREAM_API_KEY`
 * and the optional variables in the README. Fails with `InvalidOption`, whose `source` is the variable where there is one.
 */
export const layerConfig = (
  settings: Partial<Settings> = {}
): Layer.Layer<ChemClient, InvalidOption.InvalidOption, HttpClient.HttpClient> =>
  Layer.effect(
    ChemClient,
    Effect.gen(function* () {
      const given = givenOf(settings)
      const completed = completedBy(settings, yield* configuration.complete(given))
      return yield* Effect.mapError(make(completed), (error) => configuration.named(given, error))
    })
  )

/** The settings that have a variable. */
const givenOf = (settings: Partial<Settings>): configuration.Configured => ({
  baseUrl: settings.baseUrl,
  apiKey: settings.apiKey,
  keyHeader: settings.keyHeader,
  pageParameter: settings.pageParameter,
  dialect: settings.dialect,
  // Any policy keeps the variable from being looked at.
  "retry.attempts": settings.retry === undefined ? undefined : 1,
  "limits.requestsPerSecond": settings.limits?.requestsPerSecond,
  "limits.inFlight": settings.limits?.inFlight,
  "timeouts.headers": settings.timeouts?.headers,
  "timeouts.body": settings.timeouts?.body
})

const completedBy = (settings: Partial<Settings>, found: configuration.Configured): Settings => {
  const attempts = found["retry.attempts"]
  return {
    ...settings,
    // `make` refuses what is missing, and what is no dialect.
    baseUrl: found.baseUrl as Settings["baseUrl"],
    apiKey: found.apiKey as Settings["apiKey"],
    dialect: found.dialect as Settings["dialect"],
    keyHeader: found.keyHeader,
    pageParameter: found.pageParameter,
    retry: settings.retry ?? (attempts === undefined ? undefined : RetryPolicy.make({ attempts })),
    limits: {
      ...settings.limits,
      requestsPerSecond: found["limits.requestsPerSecond"],
      inFlight: found["limits.inFlight"]
    },
    timeouts: { headers: found["timeouts.headers"], body: found["timeouts.body"] }
  }
}

/** What a check of one setting gives. Its error never shows a key, nor a password in an address. */
type Checked<A> = Effect.Effect<A, InvalidOption.InvalidOption>

const refused = (
  option: keyof Settings,
  wanted: string,
  value?: { readonly value: unknown }
): Checked<never> => Effect.fail(new InvalidOption.InvalidOption({ option, wanted, ...value }))

const missing = { value: undefined }

const checkBaseUrl = (given: string | URL | undefined): Checked<string> => {
  if (given === undefined) return refused("baseUrl", "an http:// or https:// address", missing)
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return refused("baseUrl", "an http:// or https:// address with a valid host and port")
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return refused("baseUrl", "an address without a user name, a query and a fragment")
  }
  return Effect.succeed(url.href.replace(/\/+$/, ""))
}

const checkDialect = (name: string): Checked<Dialect.Dialect> =>
  Dialect.isName(name)
    ? Effect.succeed(Dialect.dialects[name])
    : refused("dialect", Dialect.names.join(" or "), { value: name })

/** Checked here because the HTTP layer would quote an unsendable header, and with it the key, in its error. */
const checkKey = (key: Redacted.Redacted | undefined): Checked<Redacted.Redacted> => {
  if (key === undefined) return refused("apiKey", "the API key of the service", missing)
  const isSendable = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(Redacted.value(key))
  return isSendable
    ? Effect.succeed(key)
    : refused(
        "apiKey",
        "a key that is not empty, has no white space at its ends and only characters that an HTTP header can carry"
      )
}

const figures = ({
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

const checkHeader = (name: string): Checked<string> =>
  /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name)
    ? Effect.succeed(name)
    : refused("keyHeader", "an HTTP header name", { value: name })

const checkPageParameter = (name: string): Checked<string> =>
  /^[\w.~-]+$/.test(name) && name !== "projection"
    ? Effect.succeed(name)
    : refused("pageParameter", "a name of letters, digits and - . _ ~ that is not projection", {
        value: name
      })
