// Attacks on harvests of two or more workers with a Postgres: dead connections, dead processes, partitions, outages,
// workers that differ, and broken tables. Each attack is one harvest, which is judged when it has ended.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { Database, Harvest, type Sink, Source } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Chemicals from "./chemicalService.ts"
import type * as Postgres from "./postgres.ts"
import * as PostgresProxy from "./postgresProxy.ts"

/** The lease of the workers, in seconds. */
export const lease = 3

const chunkSize = 5

/** The number of identifiers of each harvest. */
export const identifiers = 640

/** Each attack begins when this many chunks are requested. Each shard of the harvest has one or two left. */
const before = 32

/** A harvest that does not end within this time, in milliseconds, is stuck. */
const patience = 240_000

/** How one worker differs from the others. */
interface WorkerOptions {
  /** The address of its database. Default: through the proxy of all workers. */
  readonly url?: string
  readonly lease?: string
  /** The name of its machine. Default: that of this one. */
  readonly machine?: string
  /** The lead of its clock, in milliseconds. */
  readonly clock?: number
}

/** A worker process. */
interface AttackedWorker {
  readonly process: ChildProcess
  /** The text that it has written. */
  readonly output: () => string
}

/** The harvest under attack. */
interface Stage {
  readonly name: string
  readonly postgres: Postgres.Postgres
  /** The proxy of all workers. */
  readonly proxy: PostgresProxy.PostgresProxy
  readonly service: Chemicals.ChemicalService
  readonly workers: ReadonlyArray<AttackedWorker>
  readonly startWorker: (options?: WorkerOptions) => AttackedWorker
  /** Executes statements as the owner of the database. */
  readonly execute: (...statements: ReadonlyArray<string>) => Promise<unknown>
  /** Runs with the database, without the proxy. */
  readonly run: <A, E>(body: Effect.Effect<A, E, SqlClient.SqlClient>) => Promise<A>
  /** Says that the fault has ended, so that the time to recover begins. Default: the begin of the attack. */
  readonly faultEnds: () => void
}

/** An attack. */
export interface Attack {
  readonly title: string
  /** The number of workers. Default: 2. */
  readonly workers?: number
  /** The requests per second of all workers. Default: no limit. */
  readonly rate?: number
  /** Whether the server is attacked, so that no other attack may use it at the same time. Default: false. */
  readonly isOfServer?: boolean
  /** Whether only the output is behind the proxy, so that it counts as another database. Default: false. */
  readonly hasOtherOutput?: boolean
  /** Prepares the stage before workers start. Returns the options of the workers. */
  readonly prepare?: (stage: Stage) => Promise<WorkerOptions>
  readonly begin: (stage: Stage) => unknown
}

/** What a harvest was like after an attack. */
export interface Report {
  readonly status: Harvest.Status
  /** The time from the end of the fault until each shard of the harvest has stored a chunk again, in seconds. */
  readonly recovery: number
  /** The identifiers of the output, sorted. */
  readonly stored: ReadonlyArray<string>
  /** The identifiers of the records of the output, sorted. */
  readonly found: ReadonlyArray<string>
  /** Whether each status during the attack counted as many chunks as the output had before it, or more. */
  readonly isTrue: boolean
  /** The reasons with which workers exited by themselves. They were started again, as a service manager does. */
  readonly exits: ReadonlyArray<string>
}

const everySecond = (index: number): boolean => index % 2 === 0

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Longer than a lease. */
const leases = (count: number): Promise<void> => pause(count * lease * 1000)

const first = ({ workers: [worker] }: Stage): ChildProcess => {
  if (worker === undefined) throw new Error("no worker")
  return worker.process
}

const connections = (title: string, begin: (proxy: PostgresProxy.PostgresProxy) => void): Attack => ({
  title: `connections: ${title}`,
  begin: ({ proxy }) => begin(proxy)
})

/** The attacks. The first three belong to the fast tier. */
export const attacks: ReadonlyArray<Attack> = [
  connections("nothing passes in both directions", (proxy) => proxy.silence("both")),
  connections("they are reset", (proxy) => proxy.cut()),
  {
    title: "connections: nothing passes, and the workers are told to stop",
    begin: async ({ proxy, startWorker, workers }) => {
      proxy.silence("both")
      const exits = workers.map(({ process }) => once(process, "exit"))
      for (const { process } of workers) process.kill("SIGTERM")
      await Promise.all(exits)
      startWorker()
    }
  },
  connections("nothing passes to the server", (proxy) => proxy.silence("to the server")),
  connections("nothing passes to the client", (proxy) => proxy.silence("to the client")),
  connections("nothing passes on every second one", (proxy) => proxy.silence("both", everySecond)),
  connections("nothing passes to the client on every second one", (proxy) =>
    proxy.silence("to the client", everySecond)
  ),
  connections("every second one is reset", (proxy) => proxy.cut(everySecond)),
  {
    ...connections("nothing passes to the database of the output, which is another one", (proxy) =>
      proxy.silence("both")
    ),
    hasOtherOutput: true,
    prepare: async ({ postgres }) => ({ url: postgres.url })
  },
  {
    title: "connections: Postgres ends all of them",
    begin: ({ execute }) =>
      execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
  },
  {
    title: "connections: three workers have 6",
    workers: 3,
    prepare: async ({ execute, proxy }) => {
      await execute(
        "CREATE ROLE few LOGIN PASSWORD 'harvest' CONNECTION LIMIT 6",
        "GRANT ALL ON SCHEMA public TO few",
        "GRANT ALL ON ALL TABLES IN SCHEMA public TO few",
        "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO few"
      )
      return { url: proxy.url.replace("harvest:", "few:") }
    },
    begin: () => {}
  },
  { title: "a worker is killed", begin: (stage) => first(stage).kill("SIGKILL") },
  {
    title: "a worker of another machine is killed",
    prepare: async () => ({ machine: "other" }),
    begin: (stage) => first(stage).kill("SIGKILL")
  },
  {
    title: "a worker is suspended for two leases",
    begin: async (stage) => {
      first(stage).kill("SIGSTOP")
      await leases(2)
      first(stage).kill("SIGCONT")
    }
  },
  {
    title: "a worker loses the database for two leases, and keeps that of the output",
    workers: 1,
    begin: async ({ postgres, proxy, startWorker }) => {
      startWorker({ url: postgres.url })
      proxy.partition()
      await leases(2)
      proxy.heal()
    }
  },
  {
    title: "Postgres crashes and restarts after a second",
    isOfServer: true,
    begin: async ({ faultEnds, postgres }) => {
      postgres.kill()
      await pause(1000)
      await postgres.start()
      faultEnds()
    }
  },
  {
    title: "the service is unavailable for five seconds",
    begin: async ({ faultEnds, service }) => {
      service.status = 503
      await pause(5000)
      service.status = 200
      faultEnds()
    }
  },
  {
    title: "the service throttles four workers for two seconds",
    workers: 4,
    rate: 60,
    begin: async ({ faultEnds, service }) => {
      service.status = 429
      service.headers = { "retry-after": "1" }
      await pause(2000)
      service.status = 200
      service.headers = {}
      faultEnds()
    }
  },
  {
    title: "a worker starts with another lease",
    begin: async ({ startWorker }) => {
      const worker = startWorker({ lease: "60 seconds" })
      await once(worker.process, "exit")
      if (!/lease.*as the running worker .* has/s.test(worker.output())) throw new Error(worker.output())
    }
  },
  {
    title: "a worker starts whose clock is three hours ahead",
    begin: ({ startWorker }) => startWorker({ clock: 10_800_000 })
  },
  {
    title: "the output loses a column, and is repaired",
    begin: async ({ execute, faultEnds, name, run }) => {
      await execute(`ALTER TABLE ${name} DROP COLUMN casrn`)
      const { reason, state } = await run(Harvest.awaitHalt(name))
      if (state !== "paused" || !reason?.includes('column "casrn"')) throw new Error(`${state}: ${reason}`)
      await execute(`ALTER TABLE ${name} ADD COLUMN casrn text`)
      faultEnds()
      await run(Harvest.resume(name))
    }
  },
  {
    title: "all workers are killed, and others start",
    begin: async ({ startWorker, workers }) => {
      for (const { process } of workers) process.kill("SIGKILL")
      startWorker()
      startWorker()
    }
  }
]

const workerFile = fileURLToPath(new URL("./harvestWorker.ts", import.meta.url))
const machineFile = new URL("./otherMachine.ts", import.meta.url).href

let names = 0

/**
 * Runs a harvest under an attack until it has ended, and reports on it. It has a database of its own on the server. Fails
 * with its state if it is stuck.
 */
export const run = async (attack: Attack, server: Postgres.Postgres): Promise<Report> => {
  const name = `attacked_${++names}`
  await withDatabase(
    server.url,
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  )
  const postgres = { ...server, url: server.url.replace(/postgres$/, name) }
  const proxy = await PostgresProxy.start(postgres.url)
  const service = await Chemicals.start(100)
  const onDatabase = <A, E>(body: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    withDatabase(postgres.url, body)
  const workers: Array<AttackedWorker> = []
  const exits: Array<string> = []
  let isOver = false
  let options: WorkerOptions = {}
  const startWorker = (own: WorkerOptions = {}): AttackedWorker => {
    const settings = { ...options, ...own }
    const worker = startProcess(`${name}-${workers.length}`, service.url, attack.rate ?? 0, {
      ...settings,
      url: settings.url ?? proxy.url
    })
    workers.push(worker)
    worker.process.once("exit", (code, signal) => {
      if (isOver || signal === "SIGKILL" || own.lease !== undefined) return
      exits.push(`${code ?? signal}: ${worker.output()}`)
      startWorker(own)
    })
    return worker
  }
  let faultEnd = 0
  const stage: Stage = {
    name,
    postgres,
    proxy,
    service,
    workers,
    startWorker,
    execute: (...statements) =>
      onDatabase(
        Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.forEach(statements, (text) => sql.unsafe(text)))
      ),
    run: onDatabase,
    faultEnds: () => {
      faultEnd = Date.now()
    }
  }
  try {
    await onDatabase(Effect.void)
    options = (await attack.prepare?.(stage)) ?? {}
    await onDatabase(
      Harvest.start({
        name,
        source: Source.list(Chemicals.idsOf(identifiers)),
        fetch: { lookup: "Details.byDtxsid" },
        sink: sinkOf(name, attack.hasOtherOutput ? proxy.url : (options.url ?? proxy.url)),
        chunkSize
      })
    )
    for (let n = 0; n < (attack.workers ?? 2); n++) startWorker()
    await service.received(before)
    stage.faultEnds()
    const watch = watchStatus(name, onDatabase, () => exits)
    const [status] = await Promise.all([watch.end, attack.begin(stage)])
    return { status, isTrue: watch.isTrue(), exits, ...(await onDatabase(judge(name, faultEnd))) }
  } finally {
    isOver = true
    await Promise.all(workers.map(({ process }) => end(process)))
    await proxy.stop()
    await service[Symbol.asyncDispose]()
  }
}

const sinkOf = (name: string, url: string): Sink.Spec => ({
  _tag: "Table",
  target: `${url}#${name}`,
  columns: [{ name: "casrn", type: "text" }]
})

const withDatabase = <A, E>(url: string, body: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
  body.pipe(
    Effect.provide(Database.layerPostgres({ url: Redacted.make(url) })),
    Effect.provide(NodeServices.layer),
    Effect.runPromise
  )

const startProcess = (
  name: string,
  service: string,
  rate: number,
  own: WorkerOptions & { readonly url: string }
): AttackedWorker => {
  const child = spawn(
    process.execPath,
    [
      ...["--import", machineFile, workerFile],
      ...[own.url, service, name, String(rate), own.lease ?? `${lease} seconds`]
    ],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        PGPASSWORD: "harvest",
        ...(own.machine === undefined ? {} : { MACHINE_NAME: `${own.machine}-${name}` }),
        MACHINE_CLOCK: String(own.clock ?? 0)
      }
    }
  )
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes: Buffer) => {
      output += bytes
    })
  }
  return { process: child, output: () => output }
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}

/** Reads the status of a harvest until it has ended. */
const watchStatus = (name: string, onDatabase: Stage["run"], exits: () => ReadonlyArray<string>) => {
  let isTrue = true
  let last: Harvest.Status | undefined
  /** A chunk is recorded after it is stored, so the status may count fewer chunks than the output has, never more. */
  const read = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const status = yield* Harvest.status(name)
    // Before its first chunk, the output has no tables.
    const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql(`${name}_chunks`)}`
    if (status.chunksDone > (row?.n ?? 0) || status.tally.read > status.identifiers) isTrue = false
    return status
  })
  const watch = async (): Promise<Harvest.Status> => {
    const from = performance.now()
    for (;;) {
      // The database may be unavailable.
      last = await onDatabase(read).catch(() => last)
      if (last?.state === "finished" || last?.state === "cancelled") return last
      if (performance.now() - from > patience)
        throw new Error(`the harvest is stuck: ${JSON.stringify({ ...last, exits: exits() })}`)
      await pause(250)
    }
  }
  return { end: watch(), isTrue: () => isTrue }
}

const judge = (name: string, faultEnd: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ids = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id).sort()
    const [row] = yield* sql<{ recovered: unknown }>`
      SELECT max(again) AS recovered FROM (
        SELECT min(done_at) AS again FROM chemstream_progress
        WHERE done_at > ${faultEnd} AND harvest = (SELECT id FROM chemstream_harvests WHERE name = ${name})
        GROUP BY idx % 64) shards`
    return {
      recovery: Math.max(0, Number(row?.recovered ?? faultEnd) - faultEnd) / 1000,
      stored: ids(yield* sql<{ id: string }>`SELECT id FROM ${sql(`${name}_outcomes`)}`),
      found: ids(yield* sql<{ id: string }>`SELECT input_id AS id FROM ${sql(name)}`)
    }
  })
