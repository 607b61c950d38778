// Tests clients that share a rate through a database, on a test clock. Each client is as one process.
import { ChemClient, type Limits } from "@chemstream/client"
import { Database, SharedRate } from "@chemstream/workflow"
import { Clock, Effect, Fiber, Layer, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

type Client = ChemClient.ChemClient["Service"]

interface Reply {
  readonly status: number
  readonly headers?: Record<string, string>
}

/** Returns the reply to a request by its time in milliseconds. */
type Respond = (at: number) => Reply

/** The responses of a service take this long, in milliseconds. */
const latency = 50

const ok: Reply = { status: 200 }
const body = new TextEncoder().encode('{"dtxsid":"DTXSID7020182"}')

/** A service without a network. It records the time and status of each request. */
const makeService = (respond: Respond) => {
  const requests: Array<{ readonly at: number; readonly status: number }> = []
  const client = HttpClient.make((request) =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const { headers, status } = respond(at)
      requests.push({ at, status })
      yield* Effect.sleep(latency)
      const bytes = status === 200 ? body : new Uint8Array()
      const init = { status, headers: { ...headers, "content-length": `${bytes.length}` } }
      const response = HttpClientResponse.fromWeb(request, new Response(null, init))
      // The test clock would not wait for a promise.
      return Object.create(response, { arrayBuffer: { value: Effect.succeed(bytes.buffer) } })
    })
  )
  return { requests, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

/** Accepts so many requests per second, of which those of a second may come at once. */
const accepting = (rate: number): Respond => {
  const capacity = Math.max(1, rate)
  let tokens = capacity
  let last = 0
  return (at) => {
    tokens = Math.min(capacity, tokens + ((at - last) * rate) / 1000)
    last = at
    if (tokens < 1) {
      return { status: 429, headers: { "retry-after": `${Math.ceil((1 - tokens) / rate)}` } }
    }
    tokens--
    return ok
  }
}

const makeClient = (limits: Limits.Limits) =>
  ChemClient.make({
    baseUrl: "http://127.0.0.1:1",
    apiKey: Redacted.make("a-key"),
    limits,
    availability: { wait: "1 hour" }
  })

const getRecord = (client: Client) => client.details.byDtxsid("DTXSID7020182")

/** Makes calls in so many fibers, forever. */
const callForever = (client: Client): Effect.Effect<void, unknown> =>
  Effect.forEach(Array.from({ length: 8 }), () => Effect.forever(getRecord(client)), {
    concurrency: "unbounded",
    discard: true
  })

/** Runs with clients that share the rate of a database, for a time of the test clock. */
const run = <A>(
  service: ReturnType<typeof makeService>,
  { clients, limits = {}, minutes }: { clients: number; limits?: Limits.Limits; minutes: number },
  use: (clients: ReadonlyArray<Client>) => Effect.Effect<A, unknown, SqlClient.SqlClient>
) =>
  Effect.gen(function* () {
    const made = yield* Effect.replicateEffect(makeClient(limits), clients)
    const fiber = yield* Effect.forkChild(use(made), { startImmediately: true })
    yield* TestClock.adjust(`${minutes} minutes`)
    yield* Fiber.interrupt(fiber)
  }).pipe(
    Effect.provide(
      Layer.mergeAll(SharedRate.layer, service.layer).pipe(
        Layer.provideMerge(Database.layerSqlite(":memory:"))
      )
    ),
    Effect.provide(TestClock.layer()),
    Effect.runPromise
  )

const runForever = (service: ReturnType<typeof makeService>, options: Parameters<typeof run>[1]) =>
  run(service, options, (clients) => Effect.forEach(clients, callForever, { concurrency: "unbounded" }))

describe("clients that share a rate", () => {
  it("send at most the limit together", async () => {
    const service = makeService(() => ok)
    await run(service, { clients: 2, limits: { requestsPerSecond: 5 }, minutes: 1 }, (clients) =>
      Effect.forEach([...clients, ...clients, ...clients], getRecord, { concurrency: "unbounded" })
    )
    expect(service.requests.map(({ at }) => at)).toEqual([0, 200, 400, 600, 800, 1000])
  })

  it("all pause when one of them is asked to wait, and continue at that time", async () => {
    const service = makeService((at) =>
      at < 10_000 ? { status: 429, headers: { "retry-after": "10" } } : ok
    )
    await run(service, { clients: 2, minutes: 1 }, ([one, other]) =>
      Effect.all(
        [getRecord(one as Client), Effect.andThen(Effect.sleep("5 seconds"), getRecord(other as Client))],
        { concurrency: 2 }
      )
    )
    expect(service.requests.map(({ at }) => at)).toEqual([0, 10_050, 10_050])
  })

  it.each([0.5, 2, 10].flatMap((rate) => [1, 4].map((clients) => ({ rate, clients }))))(
    "use at least 90 % of $rate requests per second with at most 5 % refused, with $clients clients",
    async ({ clients, rate }) => {
      const service = makeService(accepting(rate))
      const minutes = 20 / rate + 3
      await runForever(service, { clients, minutes })
      const refused = service.requests.filter(({ status }) => status === 429).length
      expect(refused).toBeGreaterThan(0)
      expect(refused / service.requests.length).toBeLessThanOrEqual(0.05)
      expect((service.requests.length - refused) / (60 * minutes * rate)).toBeGreaterThanOrEqual(0.9)
    }
  )

  it("send at the full rate within five seconds of the end of an outage", async () => {
    const service = makeService((at) => (at > 10_000 && at < 40_000 ? { status: 503 } : ok))
    await runForever(service, { clients: 4, limits: { requestsPerSecond: 10 }, minutes: 1 })
    const back = service.requests.find(({ at, status }) => at > 10_000 && status === 200)?.at ?? 0
    const later = service.requests.filter(({ at }) => at >= back + 5_000 && at < back + 10_000)
    expect(later.length).toBeGreaterThanOrEqual(49)
  })

  it("take one refusal for all of them, and send at the full rate within ten seconds of two seconds of refusals", async () => {
    const service = makeService((at) =>
      at >= 5_000 && at < 7_000 ? { status: 429, headers: { "retry-after": "1" } } : ok
    )
    await runForever(service, { clients: 4, limits: { requestsPerSecond: 10 }, minutes: 0.5 })
    // Those in flight, and one after each of two pauses.
    expect(service.requests.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(6)
    expect(service.requests.filter(({ at }) => at >= 17_000 && at < 22_000).length).toBeGreaterThanOrEqual(49)
  })

  it("send at the full rate within five seconds of refusals, a refused key and an outage in turn", async () => {
    const service = makeService((at) => {
      if (at < 5_000 || at >= 35_000) return ok
      if (at < 10_000) return { status: 429, headers: { "retry-after": "1" } }
      return at < 20_000 ? { status: 401 } : { status: 503 }
    })
    await run(service, { clients: 4, limits: { requestsPerSecond: 10 }, minutes: 2 }, (clients) =>
      Effect.forEach([...clients, ...clients], (client) => Effect.forever(Effect.ignore(getRecord(client))), {
        concurrency: "unbounded"
      })
    )
    const statuses = new Set(service.requests.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([200, 401, 429, 503])
    const back = service.requests.find(({ at, status }) => at >= 35_000 && status === 200)?.at ?? 0
    const later = service.requests.filter(({ at }) => at >= back + 5_000 && at < back + 10_000)
    expect(later.length).toBeGreaterThanOrEqual(49)
  })
})

/** Changes the stored states of all paces. */
const store = (change: (stored: { readonly at: number; readonly state: object }, name: string) => object) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ name: string; state: string }>`SELECT name, state FROM chemstream_rates`
    for (const { name, state } of rows) {
      yield* sql`UPDATE chemstream_rates SET state = ${JSON.stringify(change(JSON.parse(state), name))} WHERE name = ${name}`
    }
    return rows.length
  })

describe("a stored pace", () => {
  it("of an earlier boot, whose clock was ahead, is forgotten", async () => {
    const ahead = 10 ** 12
    const service = makeService(() => ok)
    await run(service, { clients: 1, limits: { requestsPerSecond: 0.01 }, minutes: 1 }, ([client]) =>
      Effect.gen(function* () {
        yield* getRecord(client as Client)
        yield* store(({ at, state }) => ({ at: at + ahead, state: { ...state, next: ahead } }))
        yield* getRecord(client as Client)
      })
    )
    expect(service.requests).toHaveLength(2)
  })

  it("of release 0.1.0 is ignored", async () => {
    const service = makeService(() => ok)
    await run(service, { clients: 1, minutes: 1 }, ([client]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const state = JSON.stringify({
          at: 0,
          state: { phase: "cooldown", epoch: 0, cooldownUntil: 10 ** 9, expiresAt: 10 ** 9 }
        })
        for (const kind of ["adaptive", "bucket", "window"])
          yield* sql`INSERT INTO chemstream_rates ${sql.insert({ name: `${kind}/chemstream:http://127.0.0.1:1`, state })}`
        yield* getRecord(client as Client)
      })
    )
    expect(service.requests).toHaveLength(1)
  })

  it("without a limit is written once a second, and counts every response", async () => {
    const service = makeService((at) =>
      at < 3_000 ? ok : { status: 429, headers: { "retry-after": "600" } }
    )
    const paces: Array<{ readonly rate: number }> = []
    await run(service, { clients: 2, minutes: 1 }, (clients) =>
      Effect.all(
        [
          ...clients.map(callForever),
          Effect.andThen(
            Effect.sleep("10 seconds"),
            store(({ at, state }) => {
              paces.push(state as { readonly rate: number })
              return { at, state }
            })
          )
        ],
        { concurrency: "unbounded" }
      )
    )
    // Both clients call eight times at once, each for `latency`, in three seconds, and wait 600.
    expect(paces).toHaveLength(1)
    const accepted = service.requests.filter(({ status }) => status === 200).length
    expect(paces[0]?.rate).toBeGreaterThan((0.9 * accepted) / 603)
  })
})
