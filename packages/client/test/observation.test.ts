import { CallObserver, type ChemClient, ResponseCache, RetryPolicy } from "@chemstream/client"
import { Cause, Effect, Exit, Fiber, type Layer, Logger, Metric, References, Tracer } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, key, settings, withClient, withService } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

const quickRetries = RetryPolicy.make({ baseDelay: 1, maxDelay: 2 })

/** The telemetry of a program: spans, metrics and log lines. */
interface Seen {
  readonly spans: ReadonlyArray<Tracer.NativeSpan>
  readonly metrics: ReadonlyArray<Metric.Metric.Snapshot>
  readonly lines: ReadonlyArray<string>
}

/** Runs a program with its own tracer, metric registry and logger. */
const collectTelemetry = <A, E>(program: Effect.Effect<A, E>): Effect.Effect<Seen> =>
  Effect.gen(function* () {
    const spans: Array<Tracer.NativeSpan> = []
    const lines: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    return yield* Effect.exit(program).pipe(
      Effect.andThen(Metric.snapshot),
      Effect.map((metrics) => ({ spans, metrics, lines })),
      Effect.provideService(Tracer.Tracer, tracer),
      // The key must stay hidden even if all headers are traced.
      Effect.provideService(HttpClient.TracerHeaderFilter, () => true),
      Effect.provideService(Metric.MetricRegistry, new Map()),
      Effect.provideService(References.MinimumLogLevel, "Trace"),
      Effect.provide(Logger.layer([logger]) as Layer.Layer<never>)
    )
  })

const callBatch = (url: string, more: Partial<ChemClient.Settings> = {}) =>
  withClient(settings(url, more), (client) =>
    Effect.ensuring(client.details.byDtxsidBatch([bisphenolA, "DTXSID3039242"]), Effect.void)
  )

describe("a span", () => {
  it("describes a call with endpoint, batch size, attempts, status and bytes", () =>
    withService([Scripted.reply(503, "later", {}), Scripted.reply(200, "[]")], ({ url }) =>
      Effect.gen(function* () {
        const { spans } = yield* collectTelemetry(
          Effect.withSpan(callBatch(url, { retry: quickRetries }), "around")
        )
        expect(spans.map(({ name }) => name)).toEqual(["around", "chemstream.details.byDtxsidBatch"])
        const [outer, span] = spans
        expect(span?.parent).toMatchObject({ value: { spanId: outer?.spanId } })
        expect(Object.fromEntries(span?.attributes ?? [])).toEqual({
          "chemstream.endpoint": "details.byDtxsidBatch",
          "chemstream.batch_size": 2,
          "chemstream.attempts": 2,
          "chemstream.response_bytes": 7,
          "http.response.status_code": 200
        })
        expect(span?.events.map(([name, , attributes]) => [name, attributes?.["error"]])).toEqual([
          ["retry", "ServiceFailure"]
        ])
        expect(span?.status).toMatchObject({ _tag: "Ended", exit: { _tag: "Success" } })
      })
    ))

  it("ends with the error of a failed call", () =>
    withService([Scripted.problem(404, "none")], ({ url }) =>
      Effect.gen(function* () {
        const { spans } = yield* collectTelemetry(callBatch(url))
        const status = spans[0]?.status
        expect(spans[0]?.attributes.get("http.response.status_code")).toBe(404)
        expect(status?._tag === "Ended" && Exit.isFailure(status.exit)).toBe(true)
      })
    ))

  it("is named in the trace of a failure, without a place in this package", () =>
    withService([Scripted.problem(404, "none")], ({ url }) =>
      Effect.gen(function* () {
        let trace = ""
        yield* collectTelemetry(
          Effect.tapCause(callBatch(url), (cause) => Effect.sync(() => (trace = Cause.pretty(cause))))
        )
        expect(trace).toMatch(/at chemstream\.details\.byDtxsidBatch$/m)
      })
    ))

  it("says that the cache served the call", () =>
    withService([Scripted.reply(200, "[]")], ({ url }) =>
      Effect.gen(function* () {
        const cache = { store: ResponseCache.memory() }
        const { spans } = yield* collectTelemetry(
          Effect.andThen(callBatch(url, { cache }), callBatch(url, { cache }))
        )
        expect(spans.map(({ attributes }) => attributes.get("chemstream.cached"))).toEqual([
          undefined,
          "current"
        ])
        expect(spans[1]?.attributes.get("chemstream.attempts")).toBe(0)
      })
    ))

  it("is sent with the request only if there is a tracer and propagation is enabled", () =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const { spans } = yield* collectTelemetry(callBatch(service.url))
        yield* collectTelemetry(
          Effect.provideService(callBatch(service.url), HttpClient.TracerPropagationEnabled, false)
        )
        yield* callBatch(service.url)
        // A span of the built-in tracer, which exports nothing.
        yield* Effect.withSpan(callBatch(service.url), "around")
        const [traced, ...others] = service.requests.map(({ headers }) => headers["traceparent"])
        expect(traced).toContain(spans[0]?.spanId)
        expect(others).toEqual([undefined, undefined, undefined])
      })
    ))
})

describe("the metrics", () => {
  it("count requests, retries, 429s and bytes, and time calls, by endpoint", () =>
    withService(
      [Scripted.reply(429, "slow"), Scripted.reply(500, ""), Scripted.reply(200, "[]")],
      ({ url }) =>
        Effect.gen(function* () {
          const telemetry = yield* collectTelemetry(
            callBatch(url, { retry: quickRetries, limits: { adaptive: false } })
          )
          const metrics = Object.fromEntries(
            telemetry.metrics
              .filter(({ id }) => id.startsWith("chemstream_client_"))
              .map(({ attributes, id, state }) => {
                expect(attributes).toEqual({ endpoint: "details.byDtxsidBatch" })
                return [id.replace("chemstream_client_", ""), state]
              })
          )
          expect(metrics).toMatchObject({
            requests_total: { count: 3 },
            retries_total: { count: 2 },
            throttled_responses_total: { count: 1 },
            response_bytes_total: { count: 6 },
            calls_in_flight: { value: 0 },
            call_duration_seconds: { count: 1 }
          })
          expect(metrics).not.toHaveProperty("failed_calls_total")
        })
    ))

  it("count the calls that the cache serves, and no request of theirs", () =>
    withService([Scripted.reply(200, "[]")], ({ url }) =>
      Effect.gen(function* () {
        const cache = { store: ResponseCache.memory() }
        const { lines, metrics } = yield* collectTelemetry(
          Effect.forEach([1, 2, 3], () => callBatch(url, { cache }))
        )
        const countOf = (name: string) => metrics.find(({ id }) => id.endsWith(name))?.state
        expect(countOf("cached_calls_total")).toMatchObject({ count: 2 })
        expect(countOf("requests_total")).toMatchObject({ count: 1 })
        expect(countOf("call_duration_seconds")).toMatchObject({ count: 3 })
        const calls = lines.map((line) => JSON.parse(line).message[1])
        expect(calls).toMatchObject([
          { attempts: 1, bytes: 2, status: 200, batchSize: 2, outcome: "Success" },
          ...Array(2).fill({ attempts: 0, bytes: 0, cached: "current", batchSize: 2, outcome: "Success" })
        ])
      })
    ))

  it("time a call in seconds, and its log line does in milliseconds", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      const service = Virtual.make(() => Effect.as(Effect.sleep(1500), Virtual.record))
      const call = withClient(
        settings("http://127.0.0.1:1"),
        (client) => client.details.byDtxsid(bisphenolA),
        service.layer
      )
      const fiber = yield* Effect.forkChild(collectTelemetry(call), { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      const { lines, metrics } = yield* Fiber.join(fiber)
      const duration = metrics.find(({ id }) => id.endsWith("call_duration_seconds"))
      expect(duration?.state).toMatchObject({ count: 1, sum: 1.5, min: 1.5, max: 1.5 })
      expect(lines.join()).toContain('"milliseconds":1500')
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it.each([
    ["that the service asks for", { status: 429, headers: { "retry-after": "7" } }, 7000, 1],
    ["of the policy alone", { status: 500 }, 200, 0]
  ])("show a call in a wait %s by its reason", (_, reply, wait, waiting) =>
    Effect.gen(function* () {
      const service = Virtual.scripted(reply, Virtual.record)
      const registry = new Map()
      const waitingCalls = () =>
        Effect.map(Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry), (metrics) =>
          metrics
            .filter(({ id }) => id.endsWith("waiting_calls"))
            .map(({ attributes, state }) => [attributes, state])
        )
      const call = withClient(
        settings("http://127.0.0.1:1", { retry: { attempts: 2, baseDelay: 200, maxDelay: 200 } }),
        (client) => client.details.byDtxsid(bisphenolA),
        service.layer
      )
      const fiber = yield* Effect.forkChild(Effect.provideService(call, Metric.MetricRegistry, registry), {
        startImmediately: true
      })
      yield* TestClock.adjust(1)
      const inState = (value: number) =>
        waiting === 0 ? [] : [[{ reason: "throttled" }, expect.objectContaining({ value })]]
      expect(yield* waitingCalls()).toEqual(inState(waiting))
      yield* TestClock.adjust(wait)
      yield* Fiber.join(fiber)
      expect(yield* waitingCalls()).toEqual(inState(0))
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
  )

  it("show a call in flight, and count a failed call", () =>
    withService([Scripted.problem(400, "no")], ({ url }) =>
      Effect.gen(function* () {
        let inFlight: unknown
        const { metrics } = yield* collectTelemetry(
          Effect.contextWith((context: Parameters<typeof Metric.snapshotUnsafe>[0]) =>
            Effect.provideService(callBatch(url), CallObserver.CallObserver, {
              onRequest: () => {
                inFlight = Metric.snapshotUnsafe(context).find(({ id }) =>
                  id.endsWith("calls_in_flight")
                )?.state
              },
              onRetry: () => {},
              onBody: () => {}
            })
          )
        )
        expect(inFlight).toMatchObject({ value: 1 })
        expect(metrics.find(({ id }) => id.endsWith("failed_calls_total"))?.state).toMatchObject({ count: 1 })
      })
    ))
})

describe("the API key", () => {
  it.each(["x-api-key", "Ocp-Apim-Subscription-Key"])(
    "is in no span, metric or log line when sent as %s",
    (keyHeader) =>
      withService([Scripted.reply(503, ""), Scripted.problem(401, "who are you")], (service) =>
        Effect.gen(function* () {
          const { lines, metrics, spans } = yield* collectTelemetry(
            callBatch(service.url, { keyHeader, retry: quickRetries })
          )
          expect(service.requests[0]?.headers[keyHeader.toLowerCase()]).toBe(key)
          const texts = [
            ...lines,
            ...metrics.map((metric) => JSON.stringify(metric)),
            ...spans.map(({ attributes, events, name, status }) =>
              JSON.stringify([name, [...attributes], events, status], (_, value) =>
                typeof value === "bigint" ? `${value}` : value
              )
            )
          ]
          expect(lines.join()).toContain("details.byDtxsidBatch")
          expect(metrics).not.toEqual([])
          expect(spans).not.toEqual([])
          expect(texts.join("\n")).not.toContain(key)
        })
      )
  )
})
