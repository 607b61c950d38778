/**
 * The client of a chemical-information service: typed calls with access key, time-out and retries.
 *
 * Paths, parameters and records come from the contract (`@chemstream/api`). Needs an `HttpClient`: on Node the one
 * of `@effect/platform-node`, elsewhere `FetchHttpClient`. Streams of identifiers are left to `@chemstream/stream`.
 */
import { Access, ChemicalApi, Details } from "@chemstream/api"
import { Availability } from "@chemstream/batch"
import { Context, Effect, Layer, Option, Redacted, Schema, type Scope } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import * as Batching from "./Batching.ts"
import type { BioactivityCalls } from "./BioactivityCalls.ts"
import type { DetailCalls } from "./DetailCalls.ts"
import * as Dialect from "./Dialect.ts"
import type { Raw } from "./Endpoint.ts"
import type * as Face from "./Face.ts"
import * as Ask from "./internal/ask.ts"
import * as bioactivityCalls from "./internal/bioactivityCalls.ts"
import * as configuration from "./internal/configuration.ts"
import * as detailCalls from "./internal/detailCalls.ts"
import * as Gather from "./internal/gather.ts"
import { Held } from "./internal/held.ts"
import * as msReadyCalls from "./internal/msReadyCalls.ts"
import * as pipeline from "./internal/pipeline.ts"
import * as redaction from "./internal/redaction.ts"
import * as searchCalls from "./internal/searchCalls.ts"
import * as synonymCalls from "./internal/synonymCalls.ts"
import { untraced, withTrace } from "./internal/traced.ts"
import { onTheWire } from "./internal/wire.ts"
import type { Limits } from "./Limits.ts"
import type { MsReadyCalls } from "./MsReadyCalls.ts"
import type { ResponseCache } from "./ResponseCache.ts"
import { type Decide, defaultPolicy, type RetryPolicy } from "./RetryPolicy.ts"
import type { SearchCalls } from "./SearchCalls.ts"
import type { SynonymCalls } from "./SynonymCalls.ts"

/** The waits of an attempt when not set: one minute for the beginning of the answer, and one for the rest of it. */
const defaultTimeouts = { headers: 60_000, body: 60_000 }

/** The longest body that is read when not set: 256 MiB, some eighty thousand full detail records. */
const defaultMaxBodyBytes = 256 * 1024 * 1024

/** A setting of the client that cannot be used; `message` says what it must be. Never contains the key. */
export class InvalidSetting extends Schema.TaggedError<InvalidSetting>()("InvalidSetting", {
  setting: Schema.Literals([
    "baseUrl",
    "apiKey",
    "keyHeader",
    "pageParameter",
    "dialect",
    "batching",
    "timeouts",
    "retry",
    "limits",
    "availability",
    "cache",
    "maxBodyBytes",
    "transport",
    "configuration"
  ]),
  message: Schema.String
}) {}

/**
 * How long an attempt may wait, in milliseconds. How long a connection may take to come about is a setting of the HTTP
 * client (`Transport` of `@chemstream/client/node`); here it is a part of `headers`.
 */
export interface Timeouts {
  /** From sending the request to the headers of the answer; 60,000 when not given. */
  readonly headers?: number | undefined
  /** From the headers to the end of the body; 60,000 when not given. */
  readonly body?: number | undefined
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
  /** When a failed call is sent again, in figures or as a function; `RetryPolicy.defaultPolicy` when not given. */
  readonly retry?: RetryPolicy | Decide | undefined
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
export interface Calls<F extends Face.Face = Face.Effects> {
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

/** Makes a client for the scope. Fails with `InvalidSetting`; sends nothing. */
export const make = Effect.fnUntraced(function* (
  settings: Settings
): Effect.fn.Return<ChemClient["Service"], InvalidSetting, HttpClient.HttpClient | Scope.Scope> {
  const baseUrl = yield* checkBaseUrl(settings.baseUrl)
  const key = yield* checkKey(settings.apiKey)
  const keyHeader = yield* checkHeader(settings.keyHeader ?? Access.defaultKeyHeader)
  yield* checkFigures(settings)
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
    const held = Context.get(context, Held)
    const keyed = HttpClientRequest.setHeader(request, keyHeader, Redacted.value(key))
    const ready = withTrace(onTheWire(keyed, context, pageParameter), context)
    return held === undefined ? ready : HttpClientRequest.setHeader(ready, "if-none-match", held.etag)
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
    retry: settings.retry ?? defaultPolicy,
    cache: settings.cache,
    limits: {
      ...settings.limits,
      requestsPerSecond: settings.limits?.requestsPerSecond ?? Dialect.pace(dialect.name, baseUrl)
    },
    availability: { wait: 0, ...settings.availability },
    timeouts: {
      headers: settings.timeouts?.headers ?? defaultTimeouts.headers,
      body: settings.timeouts?.body ?? defaultTimeouts.body
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
export const layer = (settings: Settings): Layer.Layer<ChemClient, InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(ChemClient, make(settings))

/**
 * The client from configuration: what the settings do not give is read from `CHEMSTREAM_BASE_URL`, `CHEMSTREAM_API_KEY`
 * and the optional variables in the README. Fails with `InvalidSetting`, which names the variable.
 */
export const layerConfig = (
  settings?: Partial<Settings>
): Layer.Layer<ChemClient, InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(ChemClient, Effect.flatMap(fromConfig(settings ?? {}), make))

const fromConfig = (settings: Partial<Settings>): Effect.Effect<Settings, InvalidSetting> =>
  Effect.gen(function* () {
    const { apiKey, baseUrl, retries, ...found } = yield* Effect.mapError(
      configuration.complete({
        baseUrl: settings.baseUrl,
        apiKey: settings.apiKey,
        keyHeader: settings.keyHeader,
        pageParameter: settings.pageParameter,
        dialect: settings.dialect,
        retries: settings.retry === undefined ? undefined : 0,
        requestsPerSecond: settings.limits?.requestsPerSecond,
        inFlight: settings.limits?.inFlight,
        headersTimeout: settings.timeouts?.headers,
        bodyTimeout: settings.timeouts?.body
      }),
      ({ message }) => new InvalidSetting({ setting: "configuration", message })
    )
    if (baseUrl === undefined) {
      const message = "the address of the service is missing; set CHEMSTREAM_BASE_URL"
      return yield* new InvalidSetting({ setting: "baseUrl", message })
    }
    if (apiKey === undefined) {
      const message = "the API key is missing; set CHEMSTREAM_API_KEY"
      return yield* new InvalidSetting({ setting: "apiKey", message })
    }
    const attempts = retries === undefined ? undefined : { ...defaultPolicy, attempts: retries + 1 }
    return {
      ...settings,
      baseUrl,
      apiKey,
      keyHeader: found.keyHeader,
      pageParameter: found.pageParameter,
      // `make` refuses what is no dialect.
      dialect: found.dialect as Dialect.Name | undefined,
      retry: settings.retry ?? attempts,
      limits: { ...settings.limits, requestsPerSecond: found.requestsPerSecond, inFlight: found.inFlight },
      timeouts: { headers: found.headersTimeout, body: found.bodyTimeout }
    }
  })

const checkBaseUrl = (given: string | URL): Effect.Effect<string, InvalidSetting> => {
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const message = "the base URL must be an http:// or https:// address with a valid host and port"
    return Effect.fail(new InvalidSetting({ setting: "baseUrl", message }))
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    const message = "the base URL must not have a user name, a query or a fragment"
    return Effect.fail(new InvalidSetting({ setting: "baseUrl", message }))
  }
  return Effect.succeed(url.href.replace(/\/+$/, ""))
}

const checkDialect = (name: string): Effect.Effect<Dialect.Dialect, InvalidSetting> =>
  Dialect.isName(name)
    ? Effect.succeed(Dialect.dialects[name])
    : Effect.fail(
        new InvalidSetting({
          setting: "dialect",
          message: `the dialect must be ${Dialect.names.join(" or ")}, not ${JSON.stringify(name)}`
        })
      )

/** Checked here because the HTTP layer would quote an unsendable header, and with it the key, in its error. */
const checkKey = (key: Redacted.Redacted): Effect.Effect<Redacted.Redacted, InvalidSetting> =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(Redacted.value(key))
    ? Effect.succeed(key)
    : Effect.fail(
        new InvalidSetting({
          setting: "apiKey",
          message:
            Redacted.value(key) === ""
              ? "the API key is empty"
              : "the API key begins or ends with white space, or holds characters that no HTTP header can carry"
        })
      )

const checkFigures = ({
  availability,
  batching,
  cache,
  limits,
  maxBodyBytes,
  retry,
  timeouts
}: Settings): Effect.Effect<void, InvalidSetting> => {
  const policy = typeof retry === "function" ? undefined : retry
  const figures: ReadonlyArray<readonly [name: string, value: number | undefined, kind: Kind]> = [
    ["timeouts.headers", timeouts?.headers, positive],
    ["timeouts.body", timeouts?.body, positive],
    ["limits.requestsPerSecond", limits?.requestsPerSecond, positive],
    ["limits.inFlight", limits?.inFlight, count],
    ["batching.window", batching?.window, notNegative],
    ["batching.size", batching?.size, count],
    ["retry.attempts", policy?.attempts, orInfinite(count)],
    ["retry.baseDelay", policy?.baseDelay, notNegative],
    ["retry.maxDelay", policy?.maxDelay, orInfinite(notNegative)],
    ["retry.maxElapsed", policy?.maxElapsed, orInfinite(notNegative)],
    ["cache.ttl", cache?.ttl, orInfinite(notNegative)],
    ["cache.missingTtl", cache?.missingTtl, orInfinite(notNegative)],
    ["cache.staleFor", cache?.staleFor, orInfinite(notNegative)],
    ["maxBodyBytes", maxBodyBytes, count]
  ]
  const problem = Availability.checks("availability", availability).find((check) => check !== undefined)
  if (problem !== undefined) {
    return Effect.fail(new InvalidSetting({ setting: "availability", message: problem.message }))
  }
  const wrong = figures.find(([, value, { allows }]) => value !== undefined && !allows(value))
  if (wrong === undefined) return Effect.void
  const [name, value, { wanted }] = wrong
  const setting = name.split(".")[0] as InvalidSetting["setting"]
  return Effect.fail(new InvalidSetting({ setting, message: `${name} must be ${wanted}, not ${value}` }))
}

/** Which figures a setting may have. */
interface Kind {
  readonly allows: (value: number) => boolean
  readonly wanted: string
}

const positive: Kind = { allows: (value) => value > 0 && Number.isFinite(value), wanted: "a number above 0" }

const notNegative: Kind = {
  allows: (value) => value >= 0 && Number.isFinite(value),
  wanted: "a number of 0 or more"
}

const count: Kind = {
  allows: (value) => Number.isSafeInteger(value) && value >= 1,
  wanted: "a whole number of 1 or more"
}

const orInfinite = ({ allows, wanted }: Kind): Kind => ({
  allows: (value) => value === Number.POSITIVE_INFINITY || allows(value),
  wanted
})

const checkHeader = (name: string): Effect.Effect<string, InvalidSetting> =>
  /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name)
    ? Effect.succeed(name)
    : Effect.fail(
        new InvalidSetting({
          setting: "keyHeader",
          message: `${JSON.stringify(name)} is no HTTP header name`
        })
      )

const checkPageParameter = (name: string): Effect.Effect<string, InvalidSetting> =>
  /^[\w.~-]+$/.test(name) && name !== "projection"
    ? Effect.succeed(name)
    : Effect.fail(
        new InvalidSetting({
          setting: "pageParameter",
          message: `${JSON.stringify(name)} cannot be the page parameter: it must be of letters, digits and - . _ ~, and not projection`
        })
      )
