/**
 * The client of a chemical-information service: typed calls with access key, time-out and retries.
 *
 * Paths, parameters and records come from the contract (`@chemstream/api`). Needs an `HttpClient`: on Node the one
 * of `@effect/platform-node`, elsewhere `FetchHttpClient`. Streams of identifiers are left to `@chemstream/stream`.
 */
import { Access, ChemicalApi } from "@chemstream/api"
import { Config, Context, Effect, Layer, Redacted, Schema } from "effect"
import { Headers, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import type { DetailCalls } from "./DetailCalls.ts"
import * as detailCalls from "./internal/detailCalls.ts"
import * as pipeline from "./internal/pipeline.ts"
import { defaultPolicy, type RetryPolicy } from "./RetryPolicy.ts"

/** The waits of an attempt when not set: one minute for the beginning of the answer, and one for the rest of it. */
const defaultTimeouts = { headers: 60_000, body: 60_000 }

/** The longest body that is read when not set: 256 MiB, some eighty thousand full detail records. */
const defaultMaxBodyBytes = 256 * 1024 * 1024

/** A setting of the client that cannot be used; `message` says what it must be. Never contains the key. */
export class InvalidSetting extends Schema.TaggedError<InvalidSetting>()("InvalidSetting", {
  setting: Schema.Literals(["baseUrl", "apiKey", "keyHeader"]),
  message: Schema.String
}) {}

/**
 * How long an attempt may wait, in milliseconds. How long a connection may take to come about is a setting of the HTTP
 * client; here it is a part of `headers`.
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
  /** When a failed call is sent again; `RetryPolicy.defaultPolicy` when not given. */
  readonly retry?: RetryPolicy | undefined
  /** How long one attempt may wait for its answer. */
  readonly timeouts?: Timeouts | undefined
  /** The longest body of an answer that is read, in bytes; 256 MiB when not given. */
  readonly maxBodyBytes?: number | undefined
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
  {
    /** Where the service is, as given. */
    readonly baseUrl: string
    /** Chemical detail records (specification, section 4.1). */
    readonly details: DetailCalls
  }
>()("@chemstream/client/ChemClient") {}

/** Makes a client. Fails with `InvalidSetting`; sends nothing. */
export const make = Effect.fnUntraced(function* (
  settings: Settings
): Effect.fn.Return<ChemClient["Service"], InvalidSetting, HttpClient.HttpClient> {
  const baseUrl = yield* checkBaseUrl(settings.baseUrl)
  const key = yield* checkKey(settings.apiKey)
  const keyHeader = yield* checkHeader(settings.keyHeader ?? Access.defaultKeyHeader)
  const api = yield* HttpApiClient.make(ChemicalApi.ChemicalApi, {
    baseUrl,
    transformClient: (client) =>
      client.pipe(
        HttpClient.mapRequest((request) =>
          request.pipe(
            HttpClientRequest.acceptJson,
            HttpClientRequest.setHeader(keyHeader, Redacted.value(key))
          )
        ),
        hideHeader(keyHeader)
      )
  })
  const run = pipeline.make({
    address: baseUrl,
    retry: settings.retry ?? defaultPolicy,
    timeouts: {
      headers: settings.timeouts?.headers ?? defaultTimeouts.headers,
      body: settings.timeouts?.body ?? defaultTimeouts.body
    },
    maxBodyBytes: settings.maxBodyBytes ?? defaultMaxBodyBytes
  })
  return ChemClient.of({ baseUrl, details: detailCalls.make(api, run) })
})

/** The client as a layer. */
export const layer = (settings: Settings): Layer.Layer<ChemClient, InvalidSetting, HttpClient.HttpClient> =>
  Layer.effect(ChemClient, make(settings))

/**
 * The client from configuration: `CHEMSTREAM_BASE_URL` and `CHEMSTREAM_API_KEY`, each of which a setting replaces.
 */
export const layerConfig = (
  settings?: Partial<Settings>
): Layer.Layer<ChemClient, InvalidSetting | Config.ConfigError, HttpClient.HttpClient> =>
  Layer.effect(
    ChemClient,
    Effect.gen(function* () {
      const baseUrl = settings?.baseUrl ?? (yield* Config.String("CHEMSTREAM_BASE_URL"))
      const apiKey = settings?.apiKey ?? (yield* Config.Redacted("CHEMSTREAM_API_KEY"))
      return yield* make({ ...settings, baseUrl, apiKey })
    })
  )

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

const checkHeader = (name: string): Effect.Effect<string, InvalidSetting> =>
  /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name)
    ? Effect.succeed(name)
    : Effect.fail(
        new InvalidSetting({
          setting: "keyHeader",
          message: `${JSON.stringify(name)} is no HTTP header name`
        })
      )

/** Keeps the key's header out of the attributes of spans, also under a name of the user's choice. */
const hideHeader =
  (name: string) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
    HttpClient.transformResponse(
      client,
      Effect.updateService(Headers.CurrentRedactedNames, (names) => [...names, name])
    )
