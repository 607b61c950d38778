// Tests the status of a harvest: sums and rates of its recorded chunks, and the workers that it waits for. The rows are
// those of workers on other machines.
import { MonotonicClock } from "@chemstream/client"
import { Harvest, Worker } from "@chemstream/workflow"
import { Effect, Fiber, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { it } from "./harvestFixture.ts"

const startedAt = Date.UTC(2026, 0, 1)

/** When the status is read: 100 s after the start. */
const now = startedAt + 100_000

const idOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: string }>`SELECT id FROM chemstream_harvests`
  return row?.id ?? ""
})

/** Records a chunk of 10 identifiers as a worker does: 6 found with 8 records, 2 missing, `failed` failed, the rest invalid. */
const recordChunk = (index: number, worker: string, secondsAgo: number, failed = 0) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const harvest = yield* idOf
    const counts = { read: 10, found: 6, missing: 2, failed, invalid: 2 - failed, duplicates: 1, records: 8 }
    const rest = { surplus: 1, truncated: 2, requests: 3, retries: 4, bytes: 500, millis: 70 }
    const row = { harvest, idx: index, worker, ...counts, ...rest, done_at: now - 1000 * secondsAgo }
    yield* sql`INSERT INTO chemstream_progress ${sql.insert(row)}`
  })

const recordFailure = (index: number, reason: string, identifiers: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO chemstream_failures ${sql.insert({ harvest: yield* idOf, idx: index, reason, identifiers })}`
  })

/** Records a worker that gave its last sign of life some seconds ago. */
const recordWorker = (
  name: string,
  {
    busy = 0,
    lease = 60,
    seen = 0,
    startedAgo = 0,
    unable = ""
  }: { readonly [name in "busy" | "lease" | "seen" | "startedAgo"]?: number } & { readonly unable?: string }
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const harvest = yield* idOf
    const at = Math.floor(yield* MonotonicClock.currentMillis)
    const row = {
      name,
      address: `${name}:1`,
      started_at: now - 1000 * startedAgo,
      seen_at: at - 1000 * seen,
      lease: 1000 * lease,
      in_flight: busy,
      shards: 1,
      busy: JSON.stringify({ [harvest]: busy, another: 7 }),
      unable: JSON.stringify(unable === "" ? { another: "not this one" } : { [harvest]: unable })
    }
    yield* sql`INSERT INTO chemstream_workers ${sql.insert(row)}`
  })

type Db<A> = Effect.Effect<A, unknown, SqlClient.SqlClient>

/** Starts a harvest of 41 identifiers in 5 chunks, and reads its status 100 s later. */
const statusAfter = (
  harvests: {
    readonly asClient: <A>(effect: Db<A>) => Promise<A>
    readonly settings: (ids: ReadonlyArray<string>) => Harvest.Settings<never, never>
  },
  rows: Db<unknown>
) =>
  harvests.asClient(
    Effect.gen(function* () {
      yield* TestClock.setTime(startedAt)
      yield* Harvest.start(harvests.settings(Chemicals.idsOf(41)))
      yield* TestClock.setTime(now)
      yield* rows
      return yield* Harvest.status("mirror")
    }).pipe(Effect.provide(TestClock.layer()))
  )

describe("the status of a harvest", () => {
  it("sums its chunks by worker, with the rates of the last half minute", async ({ harvests }) => {
    const status = await statusAfter(
      harvests,
      Effect.all([
        recordChunk(0, "early", 60),
        recordChunk(2, "late", 20, 2),
        recordChunk(1, "early", 10, 1),
        recordChunk(3, "late", 31),
        recordFailure(2, "ServerError 500", 1),
        recordWorker("early", {})
      ])
    )
    expect(status).toMatchObject({
      chunks: 5,
      identifiers: 41,
      startedAt,
      endedAt: undefined,
      chunksDone: 4,
      progressedAt: now - 10_000,
      tally: {
        read: 40,
        found: 24,
        missing: 8,
        failed: 3,
        invalid: 5,
        duplicates: 4,
        records: 32,
        surplus: 4,
        truncated: 8
      },
      requests: 12,
      retries: 16,
      bytes: 2000,
      millis: 280,
      rate: 20 / 30,
      eta: 1 / (20 / 30),
      workers: [
        { name: "early", chunks: 2, identifiers: 20, rate: 10 / 30 },
        { name: "late", chunks: 2, identifiers: 20, rate: 10 / 30 }
      ],
      failures: [
        { reason: "ServerError 500", identifiers: 1 },
        { reason: "not recorded", identifiers: 2 }
      ],
      shards: 5,
      shardsDone: 4
    })
  })

  it("has the most frequent failures first, and none that is not recorded if all are", async ({
    harvests
  }) => {
    const { failures } = await statusAfter(
      harvests,
      Effect.all([
        recordChunk(0, "own", 60, 2),
        recordChunk(1, "own", 50, 2),
        recordFailure(0, "Timeout", 1),
        recordFailure(0, "ServerError 500", 1),
        recordFailure(1, "ServerError 500", 1),
        recordFailure(1, "NetworkError", 1)
      ])
    )
    expect(failures).toEqual([
      { reason: "ServerError 500", identifiers: 2 },
      { reason: "NetworkError", identifiers: 1 },
      { reason: "Timeout", identifiers: 1 }
    ])
  })

  it("has no progress before the first chunk", async ({ harvests }) => {
    expect(await statusAfter(harvests, Effect.void)).toMatchObject({
      chunksDone: 0,
      progressedAt: undefined,
      rate: 0,
      eta: undefined,
      workers: [],
      failures: [],
      shards: 5,
      shardsDone: 0
    })
  })

  it("has the rate since its start if that is less than half a minute ago", async ({ harvests }) => {
    const late = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE chemstream_harvests SET started_at = ${now - 5000}`
      yield* recordChunk(0, "own", 1)
    })
    expect(await statusAfter(harvests, late)).toMatchObject({ rate: 2 })
  })

  it("has no estimate without a worker, and the time that the rest takes with one", async ({ harvests }) => {
    const rows = Effect.all([recordChunk(0, "own", 10)])
    expect(await statusAfter(harvests, rows)).toMatchObject({ reason: "no worker runs", eta: undefined })
    const working = Effect.andThen(recordChunk(1, "own", 5), recordWorker("own", {}))
    expect(await statusAfter(harvests, working)).toMatchObject({ reason: undefined, eta: 21 / (20 / 30) })
  })

  it.for([
    ["nothing was done for half a minute", [recordChunk(0, "own", 31)], 0],
    ["nothing is left", [0, 1, 2, 3, 4].map((index) => recordChunk(index, "own", 10)), 50 / 30]
  ] as const)("has no estimate with a worker if %s", async ([, chunks, rate], { harvests }) => {
    const rows = Effect.andThen(Effect.all(chunks), recordWorker("own", {}))
    expect(await statusAfter(harvests, rows)).toMatchObject({ reason: undefined, rate, eta: undefined })
  })
})

describe("the workers of a harvest", () => {
  it.for([
    [
      "are those with a sign of life within their lease",
      [
        recordWorker("alive", { busy: 2, lease: 30, startedAgo: 70 }),
        recordWorker("gone", { busy: 3, lease: 30, seen: 31, startedAgo: 90 })
      ],
      { inFlight: 2, working: 1, lease: 30_000, workingSince: now - 70_000, reason: undefined }
    ],
    [
      "have together their chunks in flight, the longest lease, and the time of the first",
      [
        recordWorker("short", { busy: 1, lease: 20, startedAgo: 10 }),
        recordWorker("long", { busy: 4, lease: 40, startedAgo: 80 })
      ],
      { inFlight: 5, working: 2, lease: 40_000, workingSince: now - 80_000, reason: undefined }
    ],
    [
      "work although one of them cannot",
      [recordWorker("able", {}), recordWorker("unable", { unable: "it has another key" })],
      { working: 1, reason: undefined }
    ],
    [
      "name the first reason if none of them can",
      [recordWorker("one", { unable: "it has another key" })],
      { working: 0, reason: "no running worker can do it: it has another key" }
    ],
    [
      "may be none",
      [],
      { inFlight: 0, working: 0, lease: 0, workingSince: undefined, reason: "no worker runs" }
    ]
  ] as const)("%s", async ([, workers, status], { harvests }) => {
    expect(await statusAfter(harvests, Effect.all(workers))).toMatchObject(status)
  })

  it.for([
    ["4 s", 4, 20, undefined],
    ["8 s", 8, 20, /^the worker own has been silent for [89] s; others get its shards in (19|20) s$/],
    ["8 s, but its lease has expired", 8, -1, undefined]
  ] as const)(
    "are named if one of them has been silent for %s",
    async ([, seen, remains, reason], { harvests }) => {
      const holder = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* recordWorker("own", { seen })
        const until = Math.floor(yield* MonotonicClock.currentMillis) + 1000 * remains
        yield* sql`INSERT INTO chemstream_leases ${sql.insert({ shard: "s", address: "own:1", until })}`
      })
      const status = await statusAfter(harvests, holder)
      if (reason === undefined) expect(status.reason).toBeUndefined()
      else expect(status.reason).toMatch(reason)
    }
  )

  it("are none once it has ended, and have no reason while it is paused", async ({ harvests }) => {
    const worker = recordWorker("own", { busy: 1, unable: "it has another key" })
    const none = { inFlight: 0, working: 0, lease: 0, workingSince: undefined, reason: undefined }
    expect(await statusAfter(harvests, Effect.andThen(worker, Harvest.pause("mirror")))).toMatchObject({
      state: "paused",
      reason: undefined,
      inFlight: 1,
      working: 0
    })
    const ended = await harvests.asClient(Effect.andThen(Harvest.cancel("mirror"), Harvest.status("mirror")))
    expect(ended).toMatchObject({ ...none, state: "cancelled" })
  })
})

describe("a wait for the end of a harvest", () => {
  it("reads the database at each change in this process, and else only once a period", async ({
    harvests
  }) => {
    let statements = 0
    const counting = Tracer.make({
      span: (options) => {
        statements += 1
        return new Tracer.NativeSpan(options)
      }
    })
    const readsDuring = <E, R>(effect: Effect.Effect<unknown, E, R>) =>
      Effect.gen(function* () {
        const before = statements
        yield* effect
        // What the change wakes runs now.
        yield* TestClock.adjust("1 millis")
        return statements - before
      })
    await harvests.asClient(
      Effect.gen(function* () {
        yield* Harvest.start(harvests.settings(Chemicals.idsOf(41)))
        const waiting = yield* Effect.forkChild(Harvest.awaitEnd("mirror", "1 minute"))
        yield* TestClock.adjust("1 millis")
        expect(yield* readsDuring(Effect.void)).toBe(0)
        const read = yield* readsDuring(TestClock.adjust("1 minute"))
        expect(read).toBeGreaterThan(0)
        expect(yield* readsDuring(TestClock.adjust("3 minutes"))).toBe(3 * read)
        // The statements of the pause, and those of one reading.
        const paused = yield* readsDuring(Harvest.pause("mirror"))
        expect(yield* readsDuring(TestClock.adjust("59 seconds"))).toBe(0)
        expect(yield* readsDuring(Harvest.resume("mirror"))).toBe(paused)
        expect(yield* readsDuring(TestClock.adjust("59 seconds"))).toBe(0)
        yield* Harvest.cancel("mirror")
        expect(yield* Fiber.join(waiting)).toMatchObject({ state: "cancelled" })
      }).pipe(Effect.provide(TestClock.layer()), Effect.provideService(Tracer.Tracer, counting))
    )
  })
})

describe("a worker", () => {
  it("is ready while the database records its signs of life", async ({ harvests }) => {
    const awaitReady = (wanted: boolean) =>
      Effect.gen(function* () {
        const { isReady } = yield* Worker.Worker
        while ((yield* isReady) !== wanted) yield* Effect.sleep("20 millis")
        return true
      })
    const ready = await harvests.withWorker(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const before = yield* awaitReady(true)
        yield* sql`ALTER TABLE chemstream_workers RENAME TO hidden_workers`
        yield* awaitReady(false)
        yield* sql`ALTER TABLE hidden_workers RENAME TO chemstream_workers`
        return before && (yield* awaitReady(true))
      })
    )
    expect(ready).toBe(true)
  })
})
