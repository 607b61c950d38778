import { CallObserver, RequestGate } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Details, Enrich, Identifiers, Ledger, Lookup } from "@chemstream/stream"
import { Effect, Semaphore, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { clientOf, ok, type Respond } from "./lookupService.ts"

const ids = Array.from({ length: 12 }, (_, at) => `DTXSID${String(7020182 + at)}`)
const details = Details.byDtxsid({ projection: "compact" })
const knowing: Respond = ({ body }) =>
  ok(`[${(body as ReadonlyArray<string>).map((id) => `{"dtxsid":"${id}"}`).join(",")}]`)

/** An observer with methods of a prototype and a private field, like a class of a caller. */
class Counter implements CallObserver.CallObserver {
  #requests = 0
  #retries = 0
  #bodies = 0
  onRequest(): void {
    this.#requests++
  }
  onRetry(): void {
    this.#retries++
  }
  onBody(): void {
    this.#bodies++
  }
  get seen(): string {
    return `${this.#requests} requests, ${this.#retries} retries, ${this.#bodies} answers`
  }
}

const outcomesOf = (lookup: Lookup.Lookup<RawRecord.RawRecord, Enrich.Incomplete>, options: Lookup.Options) =>
  Stream.runCollect(Lookup.outcomes(Identifiers.fromIterable(ids), lookup, options))

describe("An observer that is an instance of a class", () => {
  it.each([
    ["a lookup", details, {}],
    ["a lookup that waits for the service", details, { availability: { wait: "5 minutes" } } as const],
    ["an enrichment", Enrich.lookup({ details }), {}]
  ])("sees every request, retry and response of %s", async (_, lookup, more) => {
    const counter = new Counter()
    const ledger = Ledger.make()
    let requests = 0
    const respond: Respond = (asked) => (++requests === 2 ? { status: 503, body: "" } : knowing(asked))
    const outcomes = await Effect.gen(function* () {
      const client = yield* clientOf(respond)
      return yield* outcomesOf(lookup, { batchSize: 4, ledger, ...more }).pipe(
        Effect.provideService(CallObserver.CallObserver, counter),
        Effect.provide(client)
      )
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(ids.map(() => "Found"))
    // Three batches, one of them twice, and a probe in between.
    expect(counter.seen).toBe("5 requests, 0 retries, 5 answers")
    expect(ledger).toMatchObject({ requests: 5, responses: 5 })
  })
})

describe("A RequestGate of the caller", () => {
  it("limits the requests of two runs together", async () => {
    const places = Semaphore.makeUnsafe(1)
    let inTurn = 0
    let most = 0
    let turns = 0
    const oneAtATime: RequestGate.RequestGate = (request) =>
      places.withPermit(
        Effect.suspend(() => {
          turns++
          most = Math.max(most, ++inTurn)
          return Effect.ensuring(
            request,
            Effect.sync(() => {
              inTurn--
            })
          )
        })
      )
    const run = outcomesOf(details, { batchSize: 3, concurrency: 4 })
    const both = await Effect.gen(function* () {
      const client = yield* clientOf(knowing)
      return yield* Effect.all([run, run], { concurrency: 2 }).pipe(
        Effect.provideService(RequestGate.RequestGate, oneAtATime),
        Effect.provide(client)
      )
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(both.map((outcomes) => outcomes.length)).toEqual([12, 12])
    expect(turns).toBe(8)
    expect(most).toBe(1)
  })
})
