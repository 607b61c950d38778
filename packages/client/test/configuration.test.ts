import { ChemClient } from "@chemstream/client"
import { ConfigProvider, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, key, withService } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

const withConfiguredClient = <A, E>(
  env: Record<string, string>,
  use: (client: ChemClient.ChemClient["Service"]) => Effect.Effect<A, E>,
  settings?: Partial<ChemClient.Settings>,
  transport: Layer.Layer<HttpClient.HttpClient> = FetchHttpClient.layer
) =>
  Effect.flatMap(ChemClient.ChemClient, use).pipe(
    Effect.provide(ChemClient.layerConfig(settings).pipe(Layer.provide(transport))),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
  )

const call = (client: ChemClient.ChemClient["Service"]) => client.details.byDtxsidBatch([bisphenolA])

describe("ChemClient.layerConfig", () => {
  it("reads base URL, key, header and page parameter", () =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const env = {
          CHEMSTREAM_BASE_URL: `${service.url}/below`,
          CHEMSTREAM_API_KEY: key,
          CHEMSTREAM_KEY_HEADER: "ocp-key",
          CHEMSTREAM_PAGE_PARAMETER: "page"
        }
        yield* withConfiguredClient(env, (client) => client.details.page(3, { projection: "all-ids" }))
        expect(service.requests[0]).toMatchObject({ headers: { "ocp-key": key } })
        expect(service.requests[0]?.url).toMatch(/^\/below\/chemical\/all\?.*\bpage=3\b/)
      })
    ))

  it("reads retries and timeouts", () =>
    Effect.gen(function* () {
      const service = Virtual.make(({ index }) =>
        index === 0 ? Effect.succeed({ status: 500 }) : Effect.never
      )
      const env = {
        CHEMSTREAM_BASE_URL: "http://127.0.0.1:1",
        CHEMSTREAM_API_KEY: key,
        CHEMSTREAM_RETRIES: "1",
        CHEMSTREAM_HEADERS_TIMEOUT: "500 millis"
      }
      const fiber = yield* Effect.forkChild(Effect.flip(withConfiguredClient(env, call, {}, service.layer)))
      yield* TestClock.adjust("20 seconds")
      const error = yield* Fiber.join(fiber)
      expect(error).toMatchObject({ _tag: "RequestTimeout", attempts: 2 })
      expect(error.message).toContain("within 0.5 s")
      expect(service.times).toHaveLength(2)
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("reads the limits of requests, the dialect and the timeout of bodies", () =>
    Effect.gen(function* () {
      const base = { CHEMSTREAM_BASE_URL: "http://127.0.0.1:1", CHEMSTREAM_API_KEY: key }
      const timesWith = (env: Record<string, string>) => {
        const service = Virtual.make(() => Effect.as(Effect.sleep(100), Virtual.ok))
        return Effect.gen(function* () {
          const use = (client: ChemClient.ChemClient["Service"]) =>
            Effect.all([call(client), call(client), Effect.succeed(client.dialect)], { concurrency: 3 })
          const fiber = yield* Effect.forkChild(
            withConfiguredClient({ ...base, ...env }, use, {}, service.layer)
          )
          yield* TestClock.adjust("1 minute")
          const [, , dialect] = yield* Fiber.join(fiber)
          const [first = 0] = service.times
          return [dialect, ...service.times.map((time) => time - first)]
        })
      }
      expect(yield* timesWith({})).toEqual(["specification", 0, 0])
      expect(yield* timesWith({ CHEMSTREAM_IN_FLIGHT: "1" })).toEqual(["specification", 0, 100])
      expect(yield* timesWith({ CHEMSTREAM_REQUESTS_PER_SECOND: "0.5" })).toEqual(["specification", 0, 2000])
      expect(yield* timesWith({ CHEMSTREAM_DIALECT: "ctx" })).toEqual(["ctx", 0, 0])
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("completes a setting of several parts with the variables of the others", () =>
    withService([(response) => void response.writeHead(200).write("[")], ({ url }) =>
      Effect.gen(function* () {
        const env = {
          CHEMSTREAM_BASE_URL: url,
          CHEMSTREAM_API_KEY: key,
          CHEMSTREAM_RETRIES: "0",
          CHEMSTREAM_HEADERS_TIMEOUT: "1 millis",
          CHEMSTREAM_BODY_TIMEOUT: "50 millis"
        }
        const error = yield* Effect.flip(
          withConfiguredClient(env, call, { timeouts: { headers: "1 minute" } })
        )
        expect(error).toMatchObject({ _tag: "RequestTimeout", phase: "body", attempts: 1 })
        expect(error.message).toContain("within 0.05 s")
      })
    ))

  it("ends a call when the time of its headers has passed, and not before", () =>
    Effect.gen(function* () {
      const service = Virtual.make(() => Effect.never)
      const env = {
        CHEMSTREAM_BASE_URL: "http://127.0.0.1:1",
        CHEMSTREAM_API_KEY: key,
        CHEMSTREAM_RETRIES: "0",
        CHEMSTREAM_BODY_TIMEOUT: "200 millis",
        CHEMSTREAM_HEADERS_TIMEOUT: "500 millis"
      }
      const fiber = yield* Effect.forkChild(withConfiguredClient(env, call, {}, service.layer), {
        startImmediately: true
      })
      yield* TestClock.adjust(499)
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect(fiber.pollUnsafe()).toMatchObject({ _tag: "Failure" })
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("prefers a setting, and then ignores the variable", () =>
    withService([Scripted.reply(500, "")], (service) =>
      Effect.gen(function* () {
        const env = {
          CHEMSTREAM_BASE_URL: "http://127.0.0.1:1",
          CHEMSTREAM_API_KEY: "wrong",
          CHEMSTREAM_RETRIES: "many",
          CHEMSTREAM_BODY_TIMEOUT: "soon"
        }
        const error = yield* Effect.flip(
          withConfiguredClient(env, call, {
            baseUrl: service.url,
            apiKey: Redacted.make(key),
            retry: { attempts: 1, baseDelay: 1, maxDelay: 1, maxElapsed: 1 },
            timeouts: { body: "1 second" }
          })
        )
        expect(error).toMatchObject({ _tag: "ServiceFailure", attempts: 1 })
        expect(service.requests[0]?.headers["x-api-key"]).toBe(key)
      })
    ))

  it.each([
    [
      "CHEMSTREAM_BASE_URL",
      undefined,
      "baseUrl is missing. Give an http:// or https:// address, or set CHEMSTREAM_BASE_URL."
    ],
    [
      "CHEMSTREAM_API_KEY",
      undefined,
      "apiKey is missing. Give the API key of the service, or set CHEMSTREAM_API_KEY."
    ],
    [
      "CHEMSTREAM_BASE_URL",
      "host",
      "baseUrl, from CHEMSTREAM_BASE_URL, cannot be used. Give an http:// or https:// address with a valid host and port."
    ],
    [
      "CHEMSTREAM_BASE_URL",
      "localhost:8765",
      "baseUrl, from CHEMSTREAM_BASE_URL, cannot be used. Give an http:// or https:// address with a valid host and port, e.g. http://localhost:8765."
    ],
    [
      "CHEMSTREAM_BASE_URL",
      "api.example.org/ctx",
      "baseUrl, from CHEMSTREAM_BASE_URL, cannot be used. Give an http:// or https:// address with a valid host and port, e.g. https://api.example.org/ctx."
    ],
    [
      "CHEMSTREAM_RETRIES",
      "-1",
      "retry.attempts, from CHEMSTREAM_RETRIES, cannot be used. Give a whole number of 0 or more."
    ],
    [
      "CHEMSTREAM_IN_FLIGHT",
      "0",
      "limits.inFlight, from CHEMSTREAM_IN_FLIGHT, is 0. Give a whole number of at least 1."
    ],
    [
      "CHEMSTREAM_REQUESTS_PER_SECOND",
      "fast",
      "limits.requestsPerSecond, from CHEMSTREAM_REQUESTS_PER_SECOND, cannot be used. Give a number."
    ],
    [
      "CHEMSTREAM_HEADERS_TIMEOUT",
      "30",
      'timeouts.headers, from CHEMSTREAM_HEADERS_TIMEOUT, cannot be used. Give a time with its unit, e.g. "30 seconds".'
    ]
  ])("refuses %s with the value %j, and says what to do", async (name, value, message) => {
    const env: Record<string, string> = { CHEMSTREAM_BASE_URL: "http://host", CHEMSTREAM_API_KEY: key }
    if (value === undefined) delete env[name]
    else env[name] = value
    const exit = await Effect.runPromiseExit(Effect.flip(withConfiguredClient(env, call)))
    expect(Exit.isSuccess(exit) && exit.value).toMatchObject({
      _tag: "InvalidOption",
      message: `The option ${message}`
    })
  })

  it("names the argument, not a variable, for an unusable setting", async () => {
    const env = { CHEMSTREAM_BASE_URL: "http://host", CHEMSTREAM_API_KEY: key }
    const wrong: ReadonlyArray<[string, Partial<ChemClient.Settings>]> = [
      ["baseUrl", { baseUrl: "host" }],
      ["apiKey", { apiKey: Redacted.make("") }],
      ["limits.inFlight", { limits: { inFlight: 0 } }],
      ["timeouts.body", { timeouts: { body: -1 } }]
    ]
    for (const [option, settings] of wrong) {
      const error = await Effect.runPromise(Effect.flip(withConfiguredClient(env, call, settings)))
      expect(error).toMatchObject({ _tag: "InvalidOption", option, source: "argument" })
      expect(error.message).not.toContain("CHEMSTREAM")
    }
  })

  it("names no variable when the service refuses the key", () =>
    withService([Scripted.reply(401, "")], ({ url }) =>
      Effect.gen(function* () {
        const settings = { baseUrl: url, apiKey: Redacted.make("wrong") }
        const error = yield* Effect.flip(withConfiguredClient({}, call, settings))
        expect(error).toMatchObject({
          _tag: "Unauthorized",
          message: "the service refused the API key (401)"
        })
      })
    ))
})
