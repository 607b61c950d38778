import { CallObserver, ChemClient, ChemError } from "@chemstream/client"
import { JumpingClock } from "@chemstream/faults"
import { RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Clock, Effect, Fiber, Logger, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { outcomesOf, run as runOver } from "./lookupService.ts"

const ids = Array.from({ length: 6 }, (_, at) => `DTXSID00${at + 1}`)

const endpoint = "details.byDtxsidBatch"

const broken = (status: number) =>
  new ChemError.ServiceFailure({ endpoint, attempts: 1, status, message: `the service failed (${status})` })

const unreached = new ChemError.ConnectionFailed({
  endpoint,
  attempts: 1,
  address: "http://there",
  phase: "connect",
  message: "cannot reach the service"
})

/** What the call of a number, from 1, comes to at a time: an answer, or a failure. */
type Script = (call: number, seconds: number, batch: ReadonlyArray<string>) => ChemError.ChemError | undefined

/** How the calls of a run go on in time. */
interface Pace {
  /** How many seconds the call of a number, from 1, takes; none when not given. */
  readonly takes?: (call: number) => number
  /** How often it is tried again by itself when it fails, a second later each time; not at all when not given. */
  readonly retries?: number
  /** Milliseconds by which the wall clock is set to another time, two and a half seconds after the start. */
  readonly jump?: number
}

/** Yields until all fibers that do not wait for the clock have run. */
const allThatIsReady = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })

/** Runs a lookup whose calls do as a script says, for some time of the test clock. */
const run = (
  script: Script,
  options: Lookup.Options,
  time: `${number} seconds`,
  { jump = 0, retries = 0, takes = () => 0 }: Pace = {}
) => {
  const asked: Array<ReadonlyArray<string>> = []
  const said: Array<string> = []
  const waiting: Array<number> = []
  const ledger = Ledger.make()
  const lookup: Lookup.Lookup<RawRecord.RawRecord> = {
    ...Details.byDtxsid(),
    ask: (batch) =>
      Effect.gen(function* () {
        const observer = yield* CallObserver.CallObserver
        observer.onRequest(endpoint)
        asked.push(batch)
        waiting.push(ledger.waiting)
        const call = asked.length
        yield* Effect.sleep(takes(call) * 1000)
        for (let tried = 0; ; tried++) {
          const failure = script(call, (yield* Clock.currentTimeMillis) / 1000, batch)
          if (failure === undefined) break
          if (tried === retries) return yield* Effect.fail(failure)
          observer.onRetry(failure, 1000)
          yield* Effect.sleep(1000)
        }
        observer.onBody(endpoint, 1, 200)
        return { records: batch.map((key) => ({ key, record: RawRecord.fromText("{}") })) }
      })
  }
  return Effect.gen(function* () {
    const outcomes: Array<Outcome.Outcome<unknown, ChemError.ChemError>> = []
    const fiber = yield* Lookup.outcomes(Identifiers.fromIterable(ids), lookup, {
      batchSize: 2,
      concurrency: 1,
      ledger,
      ...options
    }).pipe(
      Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))),
      Effect.result,
      Effect.provide(JumpingClock.layer([{ afterMillis: 2500, byMillis: jump }])),
      Effect.forkChild({ startImmediately: true })
    )
    for (let passed = 0; passed < Number.parseInt(time, 10); passed++) {
      yield* allThatIsReady
      yield* TestClock.adjust("1 second")
    }
    yield* allThatIsReady
    const ended = fiber.pollUnsafe() === undefined ? undefined : yield* Fiber.join(fiber)
    return { asked, said, waiting, ledger, ended, ends: outcomes.map(({ _tag }) => _tag) }
  }).pipe(
    Effect.provide(TestClock.layer()),
    Effect.provide(Logger.layer([Logger.make(({ message }) => said.push(String(message)))])),
    Effect.provideService(ChemClient.ChemClient, {} as ChemClient.ChemClient["Service"]),
    Effect.runPromise
  )
}

const allFound = ids.map(() => "Found")

describe("a service that goes away in the course of a run", () => {
  it.each([
    ["connections to it fail", unreached],
    ["its gateway says so", broken(503)]
  ])("is waited for, and no identifier fails: %s", async (_, failure) => {
    const { asked, ended, ends, ledger, said } = await run(
      (call, seconds) => (call > 1 && seconds < 30 ? failure : undefined),
      { outage: { wait: "5 minutes" } },
      "60 seconds"
    )
    expect(ended).toMatchObject({ _tag: "Success" })
    expect(ends).toEqual(allFound)
    expect(ledger).toMatchObject({ found: 6, failed: 0, waiting: 0 })
    expect(said[0]).toContain("the service is away: waiting up to 5m for it")
    expect(said.at(-1)).toBe("the service answers again")
    // What was known is asked for until it is answered: after 1 + 2 + 4 + 5 … seconds.
    expect(asked.filter((batch) => batch.length === 1 && batch[0] === ids[0]).length).toBeGreaterThan(5)
    expect(asked.filter((batch) => batch.length === 1).length).toBeLessThan(12)
  })

  it("is looked for by one call at a time, and all of them are seen to wait", async () => {
    const { asked, ends, waiting } = await run(
      (call, seconds) => (call > 1 && seconds < 3 ? unreached : undefined),
      { outage: { wait: "5 minutes" }, concurrency: 2, batchSize: 1 },
      "20 seconds"
    )
    expect(ends).toEqual(allFound)
    expect(Math.max(...waiting)).toBe(2)
    // After 0, 1 and 3 seconds.
    expect(asked.filter(([first]) => first === ids[0]).length).toBe(4)
  })

  it.each([
    ["connections to it fail", unreached],
    ["its gateway says so", broken(502)]
  ])(
    "is waited for by all calls in flight, those that began while others were answered included: %s",
    async (_, failure) => {
      const { ended, ends, ledger, waiting } = await run(
        (call, seconds) => (call > 1 && seconds < 30 ? failure : undefined),
        { outage: { wait: "5 minutes" }, concurrency: 4, batchSize: 1 },
        "60 seconds",
        { takes: (call) => (call <= 4 ? call : 0) }
      )
      expect(ended).toMatchObject({ _tag: "Success" })
      expect(ends).toEqual(allFound)
      expect(ledger).toMatchObject({ found: 6, failed: 0, waiting: 0 })
      expect(Math.max(...waiting)).toBe(4)
    }
  )

  it("is waited for by a call that began before anything was answered", async () => {
    const { ended, ends } = await run(
      (call, seconds) => (call > 1 && seconds < 30 ? unreached : undefined),
      { outage: { wait: "5 minutes" }, concurrency: 2 },
      "60 seconds",
      { takes: (call) => call }
    )
    expect(ended).toMatchObject({ _tag: "Success" })
    expect(ends).toEqual(allFound)
  })

  it("is waited for as long as is said, however often calls are tried again", async () => {
    const { asked, ended, ends, ledger, said } = await run(
      (call) => (call > 1 ? unreached : undefined),
      { outage: { wait: "4 seconds" }, concurrency: 2 },
      "4 seconds",
      { retries: 100 }
    )
    expect(ended).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "CircuitOpen", message: expect.stringContaining("away for 4s") }
    })
    expect(ends).toEqual(["Found", "Found"])
    expect(said).toEqual([expect.stringContaining("waiting up to 4s for it")])
    // A look is one attempt.
    expect(asked.filter((batch) => batch.length === 1).length).toBeLessThan(5)
    expect(ledger).toMatchObject({ failed: 0, waiting: 0 })
  })

  it.each([
    ["forward", 3_600_000],
    ["back", -3_600_000]
  ])("is waited for no longer and no shorter where the clock is set %s meanwhile", async (_, jump) => {
    const script: Script = (call) => (call > 1 ? unreached : undefined)
    const options: Lookup.Options = { outage: { wait: "10 seconds" } }
    const waiting = await run(script, options, "9 seconds", { jump })
    expect(waiting.ended).toBeUndefined()
    const { ended } = await run(script, options, "12 seconds", { jump })
    expect(ended).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "CircuitOpen", message: expect.stringContaining("away for 10s") }
    })
  })

  it("leaves a call all its attempts where others are answered", async () => {
    const { ends, said } = await run(
      (_, seconds, batch) =>
        batch.length === 2 && batch.includes(ids[2] as string) && seconds < 9 ? unreached : undefined,
      { outage: { wait: "1 second" }, concurrency: 2 },
      "20 seconds",
      { retries: 10 }
    )
    expect(ends).toEqual(allFound)
    expect(said).toEqual([])
  })

  it("ends the run when it stays away for longer, and what was not asked has no outcome", async () => {
    const { asked, ended, ends, ledger } = await run(
      (call) => (call > 1 ? unreached : undefined),
      { outage: { wait: "10 seconds" } },
      "30 seconds"
    )
    expect(ended).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "CircuitOpen", message: expect.stringContaining("away for 10s") }
    })
    expect(ends).toEqual(["Found", "Found"])
    expect(ledger).toMatchObject({ failed: 0, waiting: 0 })
    expect(asked.length).toBeLessThan(10)
  })

  it("fails the rest without asking where that is wanted", async () => {
    const down = await run(
      (call) => (call > 1 ? unreached : undefined),
      { outage: { wait: "10 seconds", after: "fail" }, batchSize: 1 },
      "30 seconds"
    )
    expect(down.ended).toMatchObject({ _tag: "Success" })
    expect(down.ends).toEqual(["Found", ...Array(5).fill("Failed")])
    const askedLate = down.asked.filter(([first]) => ids.indexOf(first as string) > 1)
    expect(askedLate).toEqual([])
    // Batches that were not asked are none.
    expect(down.ledger.batches).toBe(1)
  })

  it("is not waited for where only one batch fails while others are answered", async () => {
    const { asked, ends, ended } = await run(
      (_, __, batch) => (batch.length === 2 && batch.includes(ids[2] as string) ? broken(504) : undefined),
      { outage: { wait: "5 minutes" } },
      "5 seconds"
    )
    expect(ended).toMatchObject({ _tag: "Success" })
    expect(ends).toEqual(["Found", "Found", "Failed", "Failed", "Found", "Found"])
    // The batch twice, and each time a look whether the service is there.
    expect(asked.map((batch) => batch.length)).toEqual([2, 2, 1, 2, 1, 2])
  })

  it("is not waited for where it was never reached, nor where that is not asked for", async () => {
    const never = await run(() => unreached, { outage: { wait: "5 minutes" } }, "2 seconds")
    expect(never.ended).toMatchObject({ _tag: "Failure", failure: { _tag: "ConnectionFailed" } })
    expect(never.asked).toHaveLength(1)
    const unwanted = await run((call) => (call > 1 ? broken(503) : undefined), {}, "2 seconds")
    expect(unwanted.asked.length).toBe(3)
  })
})

describe("an address under which there is no service", () => {
  const page = { status: 404, body: "<html><title>Not Found</title></html>" }

  it.each([
    ["a page", page],
    ["words of a router", { status: 404, body: '{"status":404,"detail":"No static resource x."}' }],
    ["a line of text", { status: 404, body: "404 page not found" }]
  ])("ends the run with the first answer, when that is %s", async (_, answer) => {
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

  it("is not what a page is about once something was answered", async () => {
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
