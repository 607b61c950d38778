import type { Availability } from "@chemstream/batch"
import { ChemClient, type ChemError } from "@chemstream/client"
import { JumpingClock } from "@chemstream/faults"
import type { RawRecord } from "@chemstream/ndjson"
import { Details, Enrich, Identifiers, Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Clock, Effect, Fiber, Layer, Logger, Redacted, Stream } from "effect"
import { type HttpBody, HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { ok, outcomesOf, run as runOver } from "./lookupService.ts"

const ids = Array.from({ length: 6 }, (_, at) => `DTXSID00${at + 1}`)

/** The connection fails. */
const unreachable = "unreachable"

/** The result of a request, by its number from 1 and its time: records, a response without records, or no connection. */
type Script = (
  request: number,
  seconds: number,
  batch: ReadonlyArray<string>
) => { readonly status: number; readonly body: string } | number | typeof unreachable | undefined

/** The timing of the calls of a run. */
interface Pace {
  /** The seconds that a request takes, by its number from 1. Default: 0. */
  readonly takes?: (request: number) => number
  /** The number of retries of the client, one second apart. Default: 0. */
  readonly retries?: number
  /** The lookup to run. Default: details. */
  readonly lookup?: Lookup.Lookup<RawRecord.RawRecord, Enrich.Incomplete>
  /** The milliseconds by which the wall clock jumps, two and a half seconds after the start. */
  readonly jump?: number
}

/** Yields until all fibers that do not wait for the clock have run. */
const allThatIsReady = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })

/** Runs a lookup with a scripted service, for some time of the test clock. */
const run = (
  script: Script,
  availability: Availability.Options | undefined,
  time: `${number} seconds`,
  {
    jump = 0,
    lookup = Details.byDtxsid(),
    retries = 0,
    takes = () => 0,
    ...options
  }: Pace & Lookup.Options = {}
) => {
  const asked: Array<ReadonlyArray<string>> = []
  const logs: Array<string> = []
  const waiting: Array<number> = []
  const ledger = Ledger.make()
  const service = HttpClient.make((request) =>
    Effect.gen(function* () {
      const batch: ReadonlyArray<string> = JSON.parse(
        new TextDecoder().decode((request.body as HttpBody.Uint8Array).body)
      )
      asked.push(batch)
      waiting.push(ledger.waiting)
      const number = asked.length
      yield* Effect.sleep(takes(number) * 1000)
      const reply = script(number, (yield* Clock.currentTimeMillis) / 1000, batch)
      if (reply === unreachable) {
        const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
        return yield* new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, cause })
        })
      }
      const { body, status } =
        typeof reply === "object"
          ? reply
          : reply === undefined
            ? { status: 200, body: JSON.stringify(batch.map((dtxsid) => ({ dtxsid }))) }
            : { status: reply, body: "" }
      const bytes = new TextEncoder().encode(body)
      const headers = { "content-length": `${bytes.length}` }
      const response = HttpClientResponse.fromWeb(request, new Response(null, { status, headers }))
      // Without a promise, because the test clock does not wait for promises.
      return Object.create(response, { arrayBuffer: { value: Effect.succeed(bytes.buffer) } })
    })
  )
  const client = ChemClient.layer({
    baseUrl: "http://service",
    apiKey: Redacted.make("key"),
    retry: (_, { attempt }) => (attempt <= retries ? 1000 : undefined)
  }).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, service)))
  return Effect.gen(function* () {
    const outcomes: Array<Outcome.Outcome<unknown, ChemError.ChemError | Enrich.Incomplete>> = []
    const fiber = yield* Lookup.outcomes(Identifiers.fromIterable(ids), lookup, {
      batchSize: 2,
      concurrency: 1,
      ledger,
      availability,
      ...options
    }).pipe(
      Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))),
      Effect.result,
      Effect.provide(JumpingClock.layer([{ after: 2500, by: jump }])),
      Effect.forkChild({ startImmediately: true })
    )
    for (let passed = 0; passed < Number.parseInt(time, 10); passed++) {
      yield* allThatIsReady
      yield* TestClock.adjust("1 second")
    }
    yield* allThatIsReady
    const result = fiber.pollUnsafe() === undefined ? undefined : yield* Fiber.join(fiber)
    return { asked, logs, waiting, ledger, result, tags: outcomes.map(({ _tag }) => _tag) }
  }).pipe(
    Effect.provide(TestClock.layer()),
    Effect.provide(Logger.layer([Logger.make(({ message }) => logs.push(String(message)))])),
    Effect.provide(client),
    Effect.runPromise
  )
}

const allFound = ids.map(() => "Found")

describe("a service that becomes unavailable during a run", () => {
  it.each<[string, typeof unreachable | number]>([
    ["connections to it fail", unreachable],
    ["its gateway responds", 503]
  ])("makes calls wait, and no identifier fails: %s", async (_, failure) => {
    const { asked, result, tags, ledger, logs } = await run(
      (call, seconds) => (call > 1 && seconds < 30 ? failure : undefined),
      { wait: "5 minutes" },
      "60 seconds"
    )
    expect(result).toMatchObject({ _tag: "Success" })
    expect(tags).toEqual(allFound)
    expect(ledger).toMatchObject({ found: 6, failed: 0, waiting: 0 })
    expect(logs[0]).toContain("the service is unavailable: waiting up to 5m for it")
    expect(logs.at(-1)).toBe("the service is available again")
    // A known identifier is probed until it gets a response, after 1, 2, 4, 5 … seconds.
    expect(asked.filter((batch) => batch.length === 1 && batch[0] === ids[0]).length).toBeGreaterThan(5)
    expect(asked.filter((batch) => batch.length === 1).length).toBeLessThan(12)
  })

  it.each<[string, Lookup.Lookup<RawRecord.RawRecord, Enrich.Incomplete>]>([
    ["a lookup", Details.byDtxsid()],
    [
      "an enrichment",
      Enrich.lookup({ all: Details.byDtxsid(), some: Details.byDtxsid({ projection: "compact" }) })
    ]
  ])("makes a run wait without any option: %s", async (_, lookup) => {
    const { result, tags, ledger } = await run(
      (request, seconds) => (request > 2 && seconds < 4 ? 503 : undefined),
      undefined,
      "20 seconds",
      { lookup, concurrency: 2 }
    )
    expect(result).toMatchObject({ _tag: "Success" })
    expect(tags).toEqual(allFound)
    expect(ledger).toMatchObject({ found: 6, failed: 0, waiting: 0 })
  })

  it("is probed by one call at a time, while the ledger counts all others as waiting", async () => {
    const { asked, tags, waiting } = await run(
      (call, seconds) => (call > 1 && seconds < 3 ? unreachable : undefined),
      { wait: "5 minutes" },
      "20 seconds",
      { concurrency: 2, batchSize: 1 }
    )
    expect(tags).toEqual(allFound)
    expect(Math.max(...waiting)).toBe(2)
    // After 0, 1 and 3 seconds.
    expect(asked.filter(([first]) => first === ids[0]).length).toBe(4)
  })

  it.each<[string, typeof unreachable | number]>([
    ["connections to it fail", unreachable],
    ["its gateway responds", 502]
  ])(
    "makes all calls in flight wait, also those that began while others succeeded: %s",
    async (_, failure) => {
      const { result, tags, ledger, waiting } = await run(
        (call, seconds) => (call > 1 && seconds < 30 ? failure : undefined),
        { wait: "5 minutes" },
        "60 seconds",
        { concurrency: 4, batchSize: 1, takes: (call) => (call <= 4 ? call : 0) }
      )
      expect(result).toMatchObject({ _tag: "Success" })
      expect(tags).toEqual(allFound)
      expect(ledger).toMatchObject({ found: 6, failed: 0, waiting: 0 })
      expect(Math.max(...waiting)).toBe(4)
    }
  )

  it("makes a call wait that began before the first response", async () => {
    const { result, tags } = await run(
      (call, seconds) => (call > 1 && seconds < 30 ? unreachable : undefined),
      { wait: "5 minutes" },
      "60 seconds",
      { concurrency: 2, takes: (call) => call }
    )
    expect(result).toMatchObject({ _tag: "Success" })
    expect(tags).toEqual(allFound)
  })

  it("makes calls wait for the time in `wait`, for any number of retries", async () => {
    const { asked, result, tags, ledger, logs } = await run(
      (call) => (call > 1 ? unreachable : undefined),
      { wait: "4 seconds" },
      "4 seconds",
      { concurrency: 2, retries: 100 }
    )
    expect(result).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "ServiceUnavailable", message: expect.stringContaining("unavailable for 4s") }
    })
    expect(tags).toEqual(["Found", "Found"])
    expect(logs).toEqual([expect.stringContaining("waiting up to 4s for it")])
    // A probe is one attempt.
    expect(asked.filter((batch) => batch.length === 1).length).toBeLessThan(5)
    expect(ledger).toMatchObject({ failed: 0, waiting: 0 })
  })

  it.each([
    ["forward", 3_600_000],
    ["back", -3_600_000]
  ])("makes calls wait equally long when the clock is set %s", async (_, jump) => {
    const script: Script = (call) => (call > 1 ? unreachable : undefined)
    const options: Availability.Options = { wait: "10 seconds" }
    const waiting = await run(script, options, "9 seconds", { jump })
    expect(waiting.result).toBeUndefined()
    const { result } = await run(script, options, "12 seconds", { jump })
    expect(result).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "ServiceUnavailable", message: expect.stringContaining("unavailable for 10s") }
    })
  })

  it("leaves a call all its attempts while other calls succeed", async () => {
    const { tags, logs } = await run(
      (_, seconds, batch) =>
        batch.length === 2 && batch.includes(ids[2] as string) && seconds < 9 ? unreachable : undefined,
      { wait: "1 second" },
      "20 seconds",
      { concurrency: 2, retries: 10 }
    )
    expect(tags).toEqual(allFound)
    expect(logs).toEqual([])
  })

  it("stops the run after the wait, without outcomes for the rest", async () => {
    const { asked, result, tags, ledger } = await run(
      (call) => (call > 1 ? unreachable : undefined),
      { wait: "10 seconds" },
      "30 seconds"
    )
    expect(result).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "ServiceUnavailable", message: expect.stringContaining("unavailable for 10s") }
    })
    expect(tags).toEqual(["Found", "Found"])
    expect(ledger).toMatchObject({ failed: 0, waiting: 0 })
    expect(asked.length).toBeLessThan(10)
  })

  it("makes no call wait when only one batch fails: that batch is isolated", async () => {
    const { asked, tags, result } = await run(
      (_, __, batch) => (batch.includes(ids[2] as string) ? 504 : undefined),
      { wait: "5 minutes" },
      "5 seconds"
    )
    expect(result).toMatchObject({ _tag: "Success" })
    expect(tags).toEqual(["Found", "Found", "Failed", "Found", "Found", "Found"])
    // The batch is halved at once. After each failure without a response meanwhile, a probe requests an identifier
    // that was found before.
    const [first, , bad, good] = ids
    expect(asked).toEqual([ids.slice(0, 2), [bad, good], [first], [bad], [first], [good], ids.slice(4)])
  })

  it("makes no call wait if it was never reached, or if `wait` is 0", async () => {
    const never = await run(() => unreachable, { wait: "5 minutes" }, "2 seconds")
    expect(never.result).toMatchObject({ _tag: "Failure", failure: { _tag: "ConnectionFailed" } })
    expect(never.asked).toHaveLength(1)
    const unwanted = await run((call) => (call > 1 ? 503 : undefined), { wait: 0 }, "2 seconds")
    expect(unwanted.asked.length).toBe(3)
  })
})

describe("a gateway that refuses requests with a page", () => {
  const page = { status: 403, body: "<html><title>Request Rejected</title></html>" }
  const many = Array.from({ length: 1000 }, (_, at) => `DTXSID${10_000 + at}`)

  it.each([403, 400, 406])("fails only the identifier that it refuses (%i)", async (status) => {
    const blocked = "DTXSID10700"
    let requests = 0
    const outcomes = await outcomesOf(
      ({ body }) => {
        requests++
        const batch = body as ReadonlyArray<string>
        return batch.includes(blocked)
          ? { status, body: page.body }
          : ok(JSON.stringify(batch.map((dtxsid) => ({ dtxsid }))))
      },
      Details.byDtxsid(),
      many
    )
    const failed = outcomes.filter(({ _tag }) => _tag !== "Found")
    expect(failed).toMatchObject([
      {
        _tag: "Failed",
        id: blocked,
        error: {
          _tag: "InvalidRequest",
          status,
          gateway: true,
          message: `a gateway in front of the service rejected the request (${status}): Request Rejected`
        }
      }
    ])
    expect(requests).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(many.length)))
  })

  it.each([
    ["from the beginning", 0],
    ["in the course of the run", 3]
  ])("stops the run after a bounded number of requests when it refuses all of them %s", async (_, good) => {
    let requests = 0
    const result = await runOver(
      ({ body }) =>
        ++requests > good
          ? page
          : ok(JSON.stringify((body as ReadonlyArray<string>).map((dtxsid) => ({ dtxsid })))),
      Details.byDtxsid(),
      many,
      { batchSize: 1, concurrency: 4, availability: { wait: 300, firstProbe: 50, longestProbe: 100 } }
    )
    expect(result).toMatchObject({
      _tag: "Failure",
      failure: {
        _tag: "ServiceUnavailable",
        message: expect.stringMatching(
          /^(the service has been unavailable for|none of the first \d+ requests has succeeded).*rejected the request \(403\)/
        )
      }
    })
    // 20 refusals in a row, those in flight, and the probes.
    expect(requests - good).toBeLessThan(20 + 4 + 10)
  })

  it("stops the run after the number of refusals in the options", async () => {
    let requests = 0
    await runOver(() => (++requests > 0 ? page : ok("[]")), Details.byDtxsid(), many, {
      batchSize: 1,
      concurrency: 1,
      availability: { wait: 0, refusals: 5 }
    })
    expect(requests).toBe(6)
  })

  it("does not make the service unavailable while other calls succeed, for any number of refusals in a row", async () => {
    const asked: Array<string> = []
    const outcomes = await outcomesOf(
      ({ body }) => {
        const [id] = body as ReadonlyArray<string>
        asked.push(id as string)
        return Number(id?.slice(-3)) < 100 ? page : ok(JSON.stringify([{ dtxsid: id }]))
      },
      Details.byDtxsid(),
      ["DTXSID10999", ...many.slice(0, 150)],
      { batchSize: 1, concurrency: 1, availability: { wait: "5 minutes" } }
    )
    expect(outcomes.filter(({ _tag }) => _tag === "Failed")).toHaveLength(100)
    expect(outcomes.filter(({ _tag }) => _tag === "Found")).toHaveLength(51)
    // A probe after each 20 refusals.
    expect(asked.filter((id) => id === "DTXSID10999")).toHaveLength(1 + 5)
  })

  it("does not count as a refused key; a 403 with a document and any 401 do", async () => {
    const document = '{"type":"about:blank","title":"Forbidden","status":403,"detail":"Not with this key."}'
    for (const answer of [
      { status: 403, body: document },
      { status: 403, body: '{"message":"Forbidden"}' },
      { status: 401, body: document },
      { status: 401, body: page.body }
    ]) {
      const result = await runOver(() => answer, Details.byDtxsid(), ids)
      expect(result).toMatchObject({ _tag: "Failure", failure: { _tag: "Unauthorized" } })
    }
  })
})

describe("an address without a service", () => {
  const page = { status: 404, body: "<html><title>Not Found</title></html>" }

  it.each([
    ["a page", page],
    ["words of a router", { status: 404, body: '{"status":404,"detail":"No static resource x."}' }],
    ["a line of text", { status: 404, body: "404 page not found" }]
  ])("stops the run at the first response: %s", async (_, answer) => {
    let requests = 0
    const result = await runOver(
      () => {
        requests++
        return answer
      },
      Details.byDtxsid(),
      ids,
      { batchSize: 2, concurrency: 1 }
    )
    expect(result).toMatchObject({ _tag: "Failure", failure: { status: 404 } })
    expect(requests).toBe(1)
  })

  it("is not assumed once the service has responded", async () => {
    let requests = 0
    const outcomes = await outcomesOf(
      () => (++requests === 1 ? { status: 200, body: "[]" } : page),
      Details.byDtxsid(),
      ids,
      { batchSize: 3, concurrency: 1, onFailure: "failBatch" }
    )
    expect(outcomes.map(({ _tag }) => _tag)).toEqual([
      ...["Missing", "Missing", "Missing"],
      ...["Failed", "Failed", "Failed"]
    ])
  })
})

describe("a run without options of its own", () => {
  const outageOf = (minutes: number, options?: Lookup.Options) => {
    const test = ChemClient.layerTest(
      {
        records: { "details.byDtxsid": { DTXSID7020182: { preferredName: "Bisphenol A" } } },
        fault: ({ index }) =>
          index < minutes ? { status: 429, headers: { "retry-after": "60" } } : undefined
      },
      { availability: { wait: "1 hour" } }
    )
    const program = Identifiers.fromIterable(["DTXSID7020182"]).pipe(
      Lookup.outcomes(Details.byDtxsid({ projection: "compact" }), options),
      Stream.map(({ _tag }) => _tag),
      Stream.runCollect,
      Effect.catchTag("ServiceUnavailable", ({ _tag }) => Effect.succeed([_tag]))
    )
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(program, { startImmediately: true })
      yield* TestClock.adjust(0)
      for (let step = 0; step < 10 * minutes; step++) yield* TestClock.adjust("10 seconds")
      return yield* Fiber.join(fiber)
    }).pipe(Effect.provide(test), Effect.provide(TestClock.layer()), Effect.runPromise)
  }

  it("waits for the service as long as its client", async () => {
    expect(await outageOf(3)).toEqual(["Found"])
  })

  it("waits as long as its own options say, if it has some", async () => {
    expect(await outageOf(3, { availability: { wait: "1 minute" } })).toEqual(["ServiceUnavailable"])
  })
})
