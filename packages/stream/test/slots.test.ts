import { type BodyReader, CallObserver, ChemClient, RetryPolicy } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Fiber, Layer, Redacted, Result, Stream } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

const [a, b, c, d] = ["DTXSID7020182", "DTXSID3039242", "DTXSID7020637", "DTXSID9020112"] as const

/** A service whose responses take 100 ms, and that counts its requests in flight. */
const slowService = () => {
  const seen = { inFlight: 0, most: 0, requests: 0 }
  const layer = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request) =>
      Effect.gen(function* () {
        seen.requests++
        seen.most = Math.max(seen.most, ++seen.inFlight)
        yield* Effect.sleep(100)
        seen.inFlight--
        return HttpClientResponse.fromWeb(request, new Response("[]"))
      })
    )
  )
  return { seen, layer }
}

/** A lookup of details that reads its responses with a function. */
const reading = (
  read: (id: string) => Result.Result<void, BodyReader.BodyFault>
): Lookup.Lookup<RawRecord.RawRecord> => ({
  ...Details.byDtxsid(),
  requestBatch: (ids) =>
    Effect.flatMap(ChemClient.ChemClient, (client) =>
      client
        .raw("details.byDtxsidBatch", { payload: ids, query: {} }, () => read(ids[0] as string))
        .pipe(
          Effect.catchTag("InvalidIdentifier", Effect.die),
          Effect.as({ records: ids.map((key) => ({ key, record: RawRecord.fromText("{}") })) })
        )
    )
})

/** Runs a lookup with one identifier a call, for ten seconds of the test clock, and returns the outcomes. */
const run = (
  lookup: Lookup.Lookup<RawRecord.RawRecord>,
  service: Layer.Layer<HttpClient.HttpClient>,
  options: Lookup.Options
) =>
  Effect.gen(function* () {
    const fiber = yield* Lookup.outcomes(Identifiers.fromIterable([a, b, c, d]), lookup, {
      batchSize: 1,
      ...options
    }).pipe(Stream.runCollect, Effect.forkChild({ startImmediately: true }))
    for (let tenths = 0; tenths < 100; tenths++) {
      for (let turns = 0; turns < 20; turns++) yield* Effect.yieldNow
      yield* TestClock.adjust(100)
    }
    return yield* Fiber.join(fiber)
  }).pipe(
    Effect.provide(
      ChemClient.layer({
        baseUrl: "http://service",
        apiKey: Redacted.make("key"),
        retry: RetryPolicy.make({ attempts: 2, baseDelay: 100 })
      }).pipe(Layer.provide(service))
    ),
    Effect.provide(TestClock.layer())
  )

const found = (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) =>
  outcomes.filter(({ _tag }) => _tag === "Found")

const observing = (observer: Partial<CallObserver.CallObserver>) =>
  Effect.provideService(CallObserver.CallObserver, {
    onRequest: () => {},
    onRetry: () => {},
    onBody: () => {},
    ...observer
  })

describe("calls in flight", () => {
  it("are replaced by the next ones before their responses are read, and never exceed the limit", async () => {
    const { layer, seen } = slowService()
    const events: Array<string> = []
    const ledger = Ledger.make()
    const lookup = reading((id) => {
      events.push(`read ${id}`)
      return Result.void
    })
    const outcomes = await run(lookup, layer, { concurrency: 1, ledger }).pipe(
      observing({ onRequest: () => events.push(`request of ${ledger.inFlight}`) }),
      Effect.runPromise
    )
    expect(found(outcomes).map(({ id }) => id)).toEqual([a, b, c, d])
    expect(events).toEqual([
      "request of 1",
      "request of 1",
      `read ${a}`,
      "request of 1",
      `read ${b}`,
      "request of 1",
      `read ${c}`,
      `read ${d}`
    ])
    expect(seen).toEqual({ inFlight: 0, most: 1, requests: 4 })
    expect(ledger.inFlight).toBe(0)
  })

  it.each([1, 2, 3])(
    "are at most %i when responses are malformed and requested again",
    async (concurrency) => {
      const { layer, seen } = slowService()
      const ledger = Ledger.make()
      const tried = new Set<string>()
      const lookup = reading((id) =>
        tried.size < tried.add(id).size ? Result.fail({ path: "", reason: "damaged" }) : Result.void
      )
      const outcomes = await Effect.runPromise(run(lookup, layer, { concurrency, ledger }))
      expect(found(outcomes)).toHaveLength(4)
      expect(seen).toEqual({ inFlight: 0, most: concurrency, requests: 8 })
      expect(ledger).toMatchObject({ inFlight: 0, requests: 8 })
    }
  )

  it("release everything when the run is interrupted while some of them wait", async () => {
    const { layer, seen } = slowService()
    const ledger = Ledger.make()
    const lookup = reading(() => Result.void)
    await Effect.gen(function* () {
      const fiber = yield* run(lookup, layer, { concurrency: 1, ledger }).pipe(Effect.forkChild)
      while (ledger.inFlight === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.runPromise)
    expect(ledger.inFlight).toBe(0)
    expect(seen.requests).toBeLessThan(4)
  })
})
