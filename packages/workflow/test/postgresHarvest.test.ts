// Tests what a harvest needs of its Postgres: few connections, no sessions of its own, and a repair that it can survive.
import { readFileSync } from "node:fs"
import { ChemClient } from "@chemstream/client"
import { Database, Harvest, Refresh, Sinks, Source, Worker } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  Clock,
  Deferred,
  type Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Redacted,
  Schedule,
  Scope
} from "effect"
import { FetchHttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { longLease, pollUntil } from "./harvestFixture.ts"
import * as JumpingClock from "./jumpingClock.ts"
import * as PostgresProxy from "./postgresProxy.ts"
import * as TestPostgres from "./testPostgres.ts"

let postgres: TestPostgres.Postgres

beforeEach(async (test) => {
  postgres = await TestPostgres.forTest(test)
}, 120_000)

/** Returns a name for a role of a test, which the roles of other databases on the server do not have. */
const roleOf = (name: string): string => `${name}_of_${postgres.url.replace(/.*\//, "")}`

/** Returns the address of the database for another role. */
const urlOf = (role: string): string => postgres.url.replace("harvest:", `${role}:`)

const withDatabase = <A, E>(body: Effect.Effect<A, E, SqlClient.SqlClient>, url = postgres.url): Promise<A> =>
  body.pipe(
    Effect.provide(Database.layerPostgres({ url: Redacted.make(url) })),
    Effect.provide(NodeServices.layer),
    Effect.runPromise
  )

/** Runs with so many workers in this process, each with a client of its own. */
const withWorkers = <A, E>(
  count: number,
  service: Chemicals.ChemicalService,
  body: Effect.Effect<A, E, SqlClient.SqlClient>,
  url = postgres.url,
  clock?: Clock.Clock,
  silence?: Duration.Input
): Promise<A> => {
  const worker = (n: number) =>
    Layer.fresh(
      Worker.layer({ name: `worker-${n}`, lease: longLease }).pipe(
        Layer.provide(
          ChemClient.layer({ baseUrl: service.url, apiKey: Redacted.make("a-key") }).pipe(
            Layer.provide(FetchHttpClient.layer)
          )
        ),
        Layer.provide(Database.layerPostgres({ url: Redacted.make(url), silence }))
      )
    )
  const workers = Array.from({ length: count }, (_, n) => Layer.build(worker(n)))
  const program = Effect.scoped(Effect.andThen(Effect.all(workers, { concurrency: count }), body)).pipe(
    Effect.provide(NodeServices.layer)
  )
  return withDatabase(clock === undefined ? program : Effect.provideService(program, Clock.Clock, clock))
}

const start = async (name: string, ids: number, url = postgres.url, chunkSize = 5) => {
  const service = await Chemicals.start(5)
  onTestFinished(() => service[Symbol.asyncDispose]())
  await withDatabase(
    Harvest.start({
      name,
      source: Source.list(Chemicals.idsOf(ids)),
      fetch: { lookup: "Details.byDtxsid" },
      sink: { _tag: "Table", target: `${url}#${name}`, columns: [{ name: "casrn", type: "text" }] },
      chunkSize
    }),
    url
  )
  process.env["PGPASSWORD"] = "harvest"
  return service
}

const finished = (read: number) => ({
  state: "finished",
  tally: { read, found: read / 2, missing: read / 2 }
})

const sql = <A>(use: (client: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
  Effect.orDie(Effect.flatMap(SqlClient.SqlClient, use))

/** Locks a table as another program does. Returns an effect that ends the lock. */
const lock = (table: string) =>
  Effect.gen(function* () {
    const [isLocked, isOver] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    const holding = sql((client) =>
      client.withTransaction(
        client
          .unsafe(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
          .pipe(Effect.andThen(Deferred.succeed(isLocked, undefined)), Effect.andThen(Deferred.await(isOver)))
      )
    )
    const held = yield* Effect.forkChild(Effect.promise(() => withDatabase(holding)))
    yield* Deferred.await(isLocked)
    return Effect.andThen(Deferred.succeed(isOver, undefined), Fiber.join(held))
  })

describe("a worker on Postgres", () => {
  it("has at most four connections, for the harvest and its tables together", async () => {
    const proxy = await PostgresProxy.start(postgres.url)
    onTestFinished(proxy.stop)
    const service = await start("few", 400, proxy.url)
    let most = 0
    const watch = Effect.forever(
      Effect.andThen(
        Effect.sync(() => {
          most = Math.max(most, proxy.connections())
        }),
        Effect.sleep("5 millis")
      )
    )
    const run = Effect.raceFirst(Harvest.awaitHalt("few"), watch)
    expect(await withWorkers(1, service, run, proxy.url)).toMatchObject(finished(400))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(Database.defaultConnections)
    // Sessions may be shared by a pooler, so no statement of one may be needed later.
    expect(proxy.namedStatements()).toBe(0)
  })

  it("executes at most one statement a second while it is idle", async () => {
    const proxy = await PostgresProxy.start(postgres.url)
    onTestFinished(proxy.stop)
    const service = await Chemicals.start(5)
    onTestFinished(() => service[Symbol.asyncDispose]())
    const signs = (count: number) =>
      withDatabase(
        sql((client) =>
          Effect.gen(function* () {
            const seen = new Set<unknown>()
            while (seen.size < count) {
              const [row] = yield* client`SELECT seen_at FROM chemstream_workers WHERE name = 'worker-0'`
              seen.add(row?.["seen_at"])
              yield* Effect.sleep("50 millis")
            }
          })
        )
      )
    const measure = Effect.promise(async () => {
      // The intervals grow up to the fifth sign of life.
      await signs(6)
      const [from, before] = [performance.now(), proxy.statements()]
      await signs(3)
      return (proxy.statements() - before) / ((performance.now() - from) / 1000)
    })
    expect(await withWorkers(3, service, measure, proxy.url)).toBeLessThanOrEqual(3)
  })

  // Workers wait for each other's connections, and for leases.
  it("finishes with others if the role has fewer connections than they want together", {
    timeout: 300_000,
    retry: 0
  }, async () => {
    const small = roleOf("small")
    const service = await start("limited", 300, postgres.url)
    await withDatabase(
      sql((client) =>
        Effect.all([
          client.unsafe(`CREATE ROLE ${small} LOGIN PASSWORD 'harvest' CONNECTION LIMIT 6`),
          client.unsafe(`GRANT ALL ON SCHEMA public TO ${small}`),
          client.unsafe(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${small}`),
          client.unsafe(`GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${small}`)
        ])
      )
    )
    expect(await withWorkers(3, service, Harvest.awaitHalt("limited"), urlOf(small))).toMatchObject(
      finished(300)
    )
  })

  it("waits for a connection when it starts, and says so once", async () => {
    const single = roleOf("single")
    await withDatabase(
      sql((client) =>
        Effect.all([
          client.unsafe(`CREATE ROLE ${single} LOGIN PASSWORD 'harvest' CONNECTION LIMIT 1`),
          client.unsafe(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${single}`)
        ])
      )
    )
    const url = urlOf(single)
    const messages: Array<string> = []
    const logger = Logger.make(({ message }) => messages.push(String(message)))
    const second = sql((client) => client`SELECT 1 AS n`).pipe(
      Effect.provide(Database.layerPostgres({ url: Redacted.make(url) })),
      Effect.provide(Logger.layer([logger]))
    )
    const run = Effect.gen(function* () {
      const first = yield* Scope.make()
      const client = yield* Layer.buildWithScope(Database.layerPostgres({ url: Redacted.make(url) }), first)
      yield* Effect.repeat(
        Effect.provideContext(
          sql((held) => held`SELECT 1`),
          client
        ),
        {
          until: () => messages.length > 0,
          schedule: Schedule.spaced("50 millis")
        }
      ).pipe(Effect.andThen(Scope.close(first, Exit.void)), Effect.forkChild)
      return yield* second
    }).pipe(Effect.provide(NodeServices.layer))
    expect(await Effect.runPromise(run)).toEqual([{ n: 1 }])
    expect(messages).toEqual([
      expect.stringMatching(
        /^waiting: the database of harvests accepts no more connections: .*\(code 53300\)/
      )
    ])
  })

  // With statistics, Postgres would join a part with the whole table. It reads a small one at once, which costs less.
  it("verifies its output without reading whole tables, also when Postgres has statistics", async () => {
    const service = await start("verified", 12_000, postgres.url, 60)
    await withWorkers(
      1,
      service,
      Effect.gen(function* () {
        yield* pollUntil("verified", ({ chunksDone }) => chunksDone > 100)
        yield* sql((client) => client.unsafe("ANALYZE verified, verified_outcomes"))
        expect(yield* Harvest.awaitHalt("verified")).toMatchObject(finished(12_000))
      })
    )
    const read = await withDatabase(
      sql((client) =>
        Effect.gen(function* () {
          // A session that ends adds its counts to those of the server.
          yield* client`
            SELECT count(*)::int AS n FROM pg_stat_activity
            WHERE application_name = 'chemstream' AND pid <> pg_backend_pid()`.pipe(
            Effect.repeat({ until: ([row]) => row?.["n"] === 0 })
          )
          return yield* client`SELECT seq_tup_read::int AS rows FROM pg_stat_user_tables WHERE relname = 'verified'`
        })
      )
    )
    expect(read[0]?.["rows"]).toBeLessThan(6_000)
  })

  it.for([
    ["locked", "locked_chunks"],
    ["unread", "chemstream_chunks"],
    ["unrecorded", "chemstream_progress"]
  ] as const)(
    "leaves no waiting session behind while %s has no access to %s, and continues afterwards",
    {
      timeout: 120_000
    },
    async ([name, table]) => {
      const service = await start(name, 200)
      /** Returns the most sessions that wait at once, until the worker has often waited. */
      const countWaiting = (client: SqlClient.SqlClient) =>
        Effect.gen(function* () {
          const waits = new Set<string>()
          let most = 0
          while (waits.size < 4 * Database.defaultConnections) {
            const rows = yield* client`
            SELECT pid, waitstart::text AS since FROM pg_locks
            WHERE NOT granted AND waitstart IS NOT NULL AND relation = ${table}::regclass`
            for (const { pid, since } of rows) waits.add(`${pid} ${since}`)
            most = Math.max(most, rows.length)
            yield* Effect.sleep("50 millis")
          }
          return most
        })
      const body = Effect.gen(function* () {
        yield* pollUntil(name, ({ chunksDone }) => chunksDone > 3)
        const most = yield* sql((client) =>
          client.withTransaction(
            Effect.andThen(
              client.unsafe(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`),
              countWaiting(client)
            )
          )
        )
        expect(most).toBeLessThanOrEqual(Database.defaultConnections)
        expect(yield* Harvest.awaitHalt(name)).toMatchObject(finished(200))
      })
      await withWorkers(1, service, body, postgres.url, undefined, "2 seconds")
    }
  )

  it("pauses with the words of Postgres if the output lacks a column, and continues when it is repaired", async () => {
    const service = await start("broken", 200)
    await withWorkers(
      1,
      service,
      Effect.gen(function* () {
        yield* pollUntil("broken", ({ chunksDone }) => chunksDone > 3)
        yield* sql((client) => client.unsafe("ALTER TABLE broken DROP COLUMN casrn"))
        const { failure, reason, state } = yield* Harvest.awaitHalt("broken")
        expect({ failure, state }).toMatchObject({ failure: { tag: "SinkError" }, state: "paused" })
        expect(reason).toMatch(/#broken: column "casrn" of relation "broken" does not exist \(code 42703\)/)
        yield* sql((client) => client.unsafe("ALTER TABLE broken ADD COLUMN casrn text"))
        yield* Harvest.resume("broken")
        expect(yield* Harvest.awaitHalt("broken")).toMatchObject(finished(200))
      })
    )
  })
})

describe("a connection to Postgres", () => {
  it.runIf(process.platform === "linux")(
    "is probed by the system when nothing has passed for ten seconds",
    async () => {
      const port = Number(new URL(postgres.url).port)
      const probes = await withDatabase(
        sql((client) =>
          Effect.andThen(
            client`SELECT 1`,
            Effect.sync(() => keepAliveTimers(port))
          )
        )
      )
      expect(probes).not.toEqual([])
      for (const seconds of probes) expect(seconds).toBeLessThanOrEqual(10)
    }
  )
})

/** Returns the seconds until the system probes each connection to a port. Infinite if it does not. */
const keepAliveTimers = (port: number): ReadonlyArray<number> => {
  const isRemote = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  const rows = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
  return rows
    .filter(([, , remote, state]) => remote?.endsWith(isRemote) && state === "01")
    .map(([, , , , , timer = ""]) => {
      const [kind, when = ""] = timer.split(":")
      return kind === "02" ? Number.parseInt(when, 16) / 100 : Number.POSITIVE_INFINITY
    })
}

describe("an output in Postgres", () => {
  it("is being verified, says the status of its harvest, while its chunks are counted", async () => {
    const service = await start("counted", 200)
    // No chunk has surplus records, so only the verification reads their table.
    service.hold()
    await withWorkers(
      1,
      service,
      Effect.gen(function* () {
        yield* Effect.promise(() => service.received(1))
        const unlock = yield* lock("counted_surplus")
        service.release()
        const verifying = yield* pollUntil(
          "counted",
          ({ reason }) => reason?.startsWith("verifying") === true
        )
        expect(verifying).toMatchObject({
          state: "running",
          reason: "verifying the output: 0 of 40 chunks",
          chunksDone: 40,
          eta: undefined
        })
        yield* unlock
        const end = yield* Harvest.awaitHalt("counted")
        expect(end).toMatchObject(finished(200))
        expect(end.reason).toBeUndefined()
      })
    )
  })

  it("leaves a connection free while its tables are locked, so that its worker can give signs of life", async () => {
    const target = { _tag: "Table", target: `${postgres.url}#apart`, columns: [] } as const
    await withDatabase(
      Effect.gen(function* () {
        const client = yield* SqlClient.SqlClient
        const sink = yield* Sinks.open(target, { harvest: "h", source: "s" })
        const unlock = yield* lock("apart_outcomes")
        const writes = Array.from({ length: 2 * Database.defaultConnections }, (_, index) =>
          Effect.as(Effect.exit(sink.write({ index, outcomes: [], duplicates: 0 })), "a write")
        )
        const first = yield* Effect.raceAllFirst([...writes, Effect.as(client`SELECT 1`, "a sign of life")])
        yield* unlock
        expect(first).toBe("a sign of life")
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
    )
  })

  it.for([
    {
      what: "a table is dropped",
      fault: () => "DROP TABLE dropped_outcomes",
      reason: /relation "dropped_outcomes" does not exist \(code 42P01\)/,
      name: "dropped",
      // The worker creates it again, and fetches the lost chunks.
      repair: () => "SELECT 1"
    },
    {
      what: "the role loses a right",
      fault: (writer: string) => `REVOKE INSERT ON revoked_outcomes FROM ${writer}`,
      reason: /permission denied for table revoked_outcomes \(code 42501\)/,
      name: "revoked",
      repair: (writer: string) => `GRANT INSERT ON revoked_outcomes TO ${writer}`
    }
  ])(
    "pauses its harvest with the words of Postgres if $what, and continues when it is repaired",
    async ({ fault, name, reason, repair }) => {
      const role = roleOf("writer")
      await withDatabase(
        sql((client) =>
          Effect.forEach(
            [
              `CREATE ROLE ${role} LOGIN PASSWORD 'harvest'`,
              `GRANT ALL ON SCHEMA public TO ${role}`,
              `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`,
              `GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`
            ],
            (statement) => client.unsafe(statement)
          )
        )
      )
      const url = urlOf(role)
      const service = await start(name, 200, url)
      const asOwner = (statement: string) =>
        Effect.promise(() => withDatabase(sql((client) => client.unsafe(statement))))
      await withWorkers(
        1,
        service,
        Effect.gen(function* () {
          yield* pollUntil(name, ({ chunksDone }) => chunksDone > 3)
          yield* asOwner(fault(role))
          const halted = yield* Harvest.awaitHalt(name)
          expect(halted.state).toBe("paused")
          expect(halted.reason).toMatch(reason)
          yield* asOwner(repair(role))
          yield* Harvest.resume(name)
          expect(yield* Harvest.awaitHalt(name)).toMatchObject(finished(200))
        }),
        url
      )
    }
  )
})

describe("a mirror on Postgres", () => {
  it("is a view with typed columns, in which a value of another type is null", async () => {
    const service = await Chemicals.start(5)
    onTestFinished(() => service[Symbol.asyncDispose]())
    const ids = Chemicals.idsOf(4)
    const rows = await withWorkers(
      1,
      service,
      Effect.gen(function* () {
        yield* Refresh.start({
          name: "night-1",
          mirror: "typed",
          source: Source.list(ids),
          fetch: { lookup: "Details.byDtxsid", projection: "compact" }
        })
        expect(yield* Harvest.awaitHalt("night-1")).toMatchObject(finished(4))
        const client = yield* SqlClient.SqlClient
        yield* client`
          UPDATE chemstream_mirror SET records = '[{"dtxsid":"x","monoisotopicMass":"heavy"},{"monoisotopicMass":1.5}]'
          WHERE id = ${ids.find(Chemicals.isKnown) ?? ""}`
        return yield* client`
          SELECT record_n, dtxsid, "monoisotopicMass" AS mass, pg_typeof("monoisotopicMass")::text AS type, gone_at
          FROM chemstream_mirror_typed ORDER BY input_id, record_n LIMIT 2`
      })
    )
    expect(rows).toMatchObject([
      { dtxsid: "x", mass: null, type: "double precision", gone_at: null },
      { dtxsid: null, mass: 1.5, type: "double precision" }
    ])
  })
})

describe("the status of a harvest on Postgres", () => {
  /** Makes a role that may only read, with a setting of its own, and returns the address of the database for it. */
  const makeReader = async (setting?: string): Promise<string> => {
    const reader = roleOf("reader")
    const statements = [
      `CREATE ROLE ${reader} LOGIN PASSWORD 'harvest'`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${reader}`,
      ...(setting === undefined ? [] : [`ALTER ROLE ${reader} ${setting}`])
    ]
    await withDatabase(sql((client) => Effect.forEach(statements, (statement) => client.unsafe(statement))))
    return urlOf(reader)
  }

  it("is readable with a role that may only read", async () => {
    await start("readable", 20)
    const url = await makeReader()
    const [status, list] = await withDatabase(Effect.all([Harvest.status("readable"), Harvest.list]), url)
    expect(status).toMatchObject({ state: "running", chunks: 4, reason: "no worker runs" })
    expect(list.map(({ name }) => name)).toContain("readable")
  })

  it("does not say that no worker runs if workers cannot write", async () => {
    await start("standby", 20)
    const url = await makeReader("SET default_transaction_read_only = on")
    expect((await withDatabase(Harvest.status("standby"), url)).reason).toBe(
      "this connection to the database is read-only: no worker has recorded a sign of life"
    )
  })

  it("has the times of the database, whatever the clock of a worker says", async () => {
    const service = await start("late", 100)
    const { clock, jump } = await Effect.runPromise(JumpingClock.make)
    await Effect.runPromise(jump("3 hours"))
    const status = await withWorkers(1, service, Harvest.awaitHalt("late"), postgres.url, clock)
    expect(status).toMatchObject(finished(100))
    expect(Math.abs((status.endedAt ?? 0) - Date.now())).toBeLessThan(3_600_000)
  })

  it("names the harvest that a table holds, before another one starts", async () => {
    const service = await start("holds", 20)
    const spec = { _tag: "Table", target: `${postgres.url}#holds` } as const
    const holder = withDatabase(Sinks.holder(spec).pipe(Effect.provide(NodeServices.layer)))
    expect(await holder).toBeUndefined()
    expect(await withWorkers(1, service, Harvest.awaitHalt("holds"))).toMatchObject(finished(20))
    expect(await withDatabase(Sinks.holder(spec).pipe(Effect.provide(NodeServices.layer)))).toBe("holds")
  })
})

describe("an error of Postgres", () => {
  const explained = (url: string) =>
    withDatabase(Effect.void, url).then(
      () => "none",
      (error) => Database.explain(error)
    )

  it("has its text and its code, and what to do", async () => {
    expect(await explained(postgres.url.replace(/[^/]*$/, "nowhere"))).toBe(
      'the database of harvests does not exist: database "nowhere" does not exist (code 3D000). Create it, or check its address'
    )
    expect(await explained(postgres.url.replace(":harvest@", ":wrong@"))).toMatch(
      /refuses the login: password authentication failed for user "harvest" \(code 28P01\)/
    )
    const missing = await withDatabase(
      Effect.flatMap(SqlClient.SqlClient, (client) => Effect.flip(client`SELECT x FROM nothing`))
    )
    expect(Database.explain(missing)).toBe(
      'the database of harvests lacks a part of its tables: relation "nothing" does not exist (code 42P01). Restore that part, then resume the harvests'
    )
  })
})
