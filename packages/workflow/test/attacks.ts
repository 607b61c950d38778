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
  /** Executes statements in another database of the server. */
  readonly executeBeside: (...statements: ReadonlyArray<string>) => Promise<unknown>
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
  /** Whether the output loses rows, so that a status may count a chunk until the harvest notices. Default: false. */
  readonly losesRows?: boolean
  /** Whether no worker may stop by itself. Default: false. */
  readonly keepsWorkers?: boolean
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

/** Ends all other sessions of a database. */
const endSessions = (database: string): string =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND pid <> pg_backend_pid()`

/** Waits until a worker has written this text. */
const awaitOutput = async ({ workers }: Stage, text: string): Promise<void> => {
  while (!workers.some(({ output }) => output().includes(text))) await pause(100)
}

/** Sets a parameter of the sessions that begin within two leases. A worker says what that means. */
const sessionsWith = (parameter: string, value: string, message: string): Attack => ({
  title: `sessions that begin within two leases have ${parameter} = ${value}`,
  begin: async (stage) => {
    const { executeBeside, faultEnds, name } = stage
    await executeBeside(`ALTER DATABASE ${name} SET ${parameter} = '${value}'`, endSessions(name))
    await Promise.all([leases(2), awaitOutput(stage, message)])
    await executeBeside(`ALTER DATABASE ${name} RESET ${parameter}`)
    faultEnds()
  }
})

/** Waits until a harvest has paused for this reason. */
const awaitPause = async ({ name, run }: Stage, expected: string): Promise<void> => {
  const { reason, state } = await run(Harvest.awaitHalt(name))
  if (state !== "paused" || !reason?.includes(expected)) throw new Error(`${state}: ${reason}`)
}

/** Waits until the status of a harvest has this reason. Fails with another one, if that stays. */
const awaitReason = async ({ name, run }: Stage, expected: string): Promise<void> => {
  for (const from = performance.now(); ; await pause(100)) {
    const { reason } = await run(Harvest.status(name))
    if (reason?.includes(expected)) return
    if (performance.now() - from > patience / 4) throw new Error(reason)
  }
}

/** Changes the output so that it cannot be written, and repairs it when the harvest has paused for this reason. */
const broken = (
  title: string,
  fault: (name: string) => ReadonlyArray<string>,
  reason: string,
  repair: (name: string) => ReadonlyArray<string>
): Attack => ({
  title: `${title}, and is repaired`,
  begin: async (stage) => {
    const { execute, faultEnds, name, run, service } = stage
    // Otherwise the harvest might be finished before the fault.
    service.hold()
    await execute(...fault(name))
    service.release()
    await awaitPause(stage, reason)
    await execute(...repair(name))
    faultEnds()
    await run(Harvest.resume(name))
  }
})

/** A trigger of a table that stops the row of one identifier. */
const triggered = (title: string, column: string, suffix: string, body: string, reason: string): Attack => ({
  losesRows: body === "RETURN NULL",
  ...broken(
    `a trigger of the output ${title}`,
    (name) => [
      `CREATE FUNCTION stop_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.${column} = '${Chemicals.idsOf(identifiers).findLast(Chemicals.isKnown)}' THEN ${body}; END IF;
         RETURN NEW;
       END $$`,
      `CREATE TRIGGER stop_row BEFORE INSERT ON ${name}${suffix} FOR EACH ROW EXECUTE FUNCTION stop_row()`
    ],
    reason,
    (name) => [`DROP TRIGGER stop_row ON ${name}${suffix}`]
  )
})

/** Another program locks tables, which the status says, if it can be read (`says`). Few sessions may wait for them, because the server keeps each until it gets the lock. */
const locked = (
  what: string,
  tables: (name: string) => string,
  { count = 3, says }: { readonly count?: number; readonly says?: string } = {}
): Attack => ({
  title: `${what} locked for ${count} leases`,
  keepsWorkers: true,
  begin: async (stage) => {
    const { execute, faultEnds, name, run } = stage
    let isOver = false
    const lock = run(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.andThen(
            sql.unsafe(`LOCK TABLE ${tables(name)} IN ACCESS EXCLUSIVE MODE`),
            // Not silent, so that its connection stays.
            Effect.repeat(Effect.andThen(Effect.sleep("100 millis"), sql`SELECT 1`), { until: () => isOver })
          )
        )
      )
    )
    try {
      await leases(count)
      const [[sessions]] = (await execute(
        `SELECT count(*)::int AS n, json_agg(left(query, 90)) AS queries FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'`
      )) as [[{ n: number; queries: unknown }]]
      // Those of two workers, and of the test, which reads the status.
      if (sessions.n > 2 * Database.defaultConnections + 1)
        throw new Error(`${sessions.n} sessions wait for the lock: ${JSON.stringify(sessions.queries)}`)
      if (says !== undefined) await awaitReason(stage, says)
    } finally {
      isOver = true
    }
    await lock
    faultEnds()
  }
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
  {
    title: "connections: nothing passes to the server within transactions of the engine",
    begin: async ({ execute, name, proxy }) => {
      proxy.silenceAfter("SET processed = ", 3)
      await leases(3)
      const [[sessions]] = (await execute(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = '${name}' AND xact_start < now() - interval '6 seconds'`
      )) as [[{ n: number }]]
      if (sessions.n > 0) throw new Error(`the server keeps ${sessions.n} transactions`)
    }
  },
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
    begin: ({ execute, name }) => execute(endSessions(name))
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
      for (;;) {
        const worker = startWorker({ lease: "60 seconds" })
        const exit = once(worker.process, "exit")
        const isRefused = await Promise.race([exit.then(() => true), leases(5).then(() => false)])
        worker.process.kill("SIGKILL")
        await exit
        if (/lease.*as the running worker .* has/s.test(worker.output())) return
        // It starts if the others seem dead, because the machine was too busy for their signs of life.
        if (isRefused) throw new Error(worker.output())
      }
    }
  },
  {
    title: "a worker starts whose clock is three hours ahead",
    begin: ({ startWorker }) => startWorker({ clock: 10_800_000 })
  },
  broken(
    "the output loses a column",
    (name) => [`ALTER TABLE ${name} DROP COLUMN casrn`],
    'column "casrn"',
    (name) => [`ALTER TABLE ${name} ADD COLUMN casrn text`]
  ),
  broken(
    "the output loses its keys",
    (name) => [`ALTER TABLE ${name} DROP CONSTRAINT ${name}_pkey`, `DROP INDEX ${name}_outcomes_id`],
    "ON CONFLICT",
    (name) => [`ALTER TABLE ${name} ADD PRIMARY KEY (input_id, record_n)`]
  ),
  triggered("refuses a record", "input_id", "", "RAISE EXCEPTION 'not this one'", "not this one"),
  triggered(
    "discards a record",
    "input_id",
    "",
    "RETURN NULL",
    "the output lost rows of the same chunk twice"
  ),
  triggered("discards an outcome", "id", "_outcomes", "RETURN NULL", "discards the row of"),
  locked("a table of the output is", (name) => `${name}_outcomes`, {
    says: "lock timeout (code 55P03). Wait for that session, or end it"
  }),
  locked(
    "the tables of the harvests are",
    () => "chemstream_workers, chemstream_leases, chemstream_runners, cluster_messages, cluster_replies"
  ),
  locked("the leases of the shards are", () => "chemstream_leases", { count: 6 }),
  sessionsWith("default_transaction_read_only", "on", "the database of harvests is read-only"),
  sessionsWith("statement_timeout", "1", "the database of harvests stops statements early"),
  sessionsWith("search_path", "elsewhere", "the database of harvests lacks a part of its tables"),
  {
    title: "sessions have short timeouts",
    begin: ({ executeBeside, name }) =>
      executeBeside(
        `ALTER DATABASE ${name} SET idle_session_timeout = '200ms'`,
        `ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = '100ms'`,
        `ALTER DATABASE ${name} SET lock_timeout = '1ms'`,
        endSessions(name)
      )
  },
  {
    title: "the database is renamed for two leases",
    begin: async (stage) => {
      const { executeBeside, faultEnds, name } = stage
      await executeBeside(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`, endSessions(name))
      await pause(1000)
      await executeBeside(`ALTER DATABASE ${name} RENAME TO ${name}_away`)
      await Promise.all([leases(2), awaitOutput(stage, "the database of harvests does not")])
      await executeBeside(
        `ALTER DATABASE ${name}_away RENAME TO ${name}`,
        `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`
      )
      faultEnds()
    }
  },
  {
    title: "the password of the workers is another one for two leases",
    prepare: async ({ execute, name, proxy }) => {
      await execute(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD 'harvest'`)
      return { url: proxy.url.replace("harvest:", `${name}:`) }
    },
    begin: async (stage) => {
      const { execute, faultEnds, name } = stage
      await execute(`ALTER ROLE ${name} PASSWORD 'another'`, endSessions(name))
      await Promise.all([leases(2), awaitOutput(stage, "the database of harvests refuses the login")])
      await execute(`ALTER ROLE ${name} PASSWORD 'harvest'`)
      faultEnds()
    }
  },
  {
    title: "all workers are suspended for two leases",
    begin: async ({ faultEnds, workers }) => {
      for (const { process } of workers) process.kill("SIGSTOP")
      await leases(2)
      for (const { process } of workers) process.kill("SIGCONT")
      faultEnds()
    }
  },
  {
    title: "another program locks the tables of the output in the reverse order",
    prepare: async ({ executeBeside, name }) => {
      await executeBeside(`ALTER DATABASE ${name} SET deadlock_timeout = '50ms'`)
      return {}
    },
    begin: async ({ faultEnds, name, run }) => {
      const lockBoth = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] =
          yield* sql`SELECT deadlocks > 0 AS is_over FROM pg_stat_database WHERE datname = ${name}`
        if (row?.["is_over"] === true) return true
        yield* Effect.ignore(
          sql.withTransaction(
            Effect.forEach([name, `${name}_chunks`], (table) =>
              sql.unsafe(`LOCK TABLE ${table} IN SHARE MODE`)
            )
          )
        )
        return false
      })
      await run(Effect.repeat(lockBoth, { until: (isOver) => isOver }))
      faultEnds()
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
  const postgres = await server.withDatabase(name)
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
  const executeOn =
    (url: string): Stage["execute"] =>
    (...statements) =>
      withDatabase(
        url,
        Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.forEach(statements, (text) => sql.unsafe(text)))
      )
  const stage: Stage = {
    name,
    postgres,
    proxy,
    service,
    workers,
    startWorker,
    execute: executeOn(postgres.url),
    executeBeside: executeOn(server.url),
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
    const watch = watchStatus(name, onDatabase, () => ({
      exits,
      outputs: workers.map((worker) => worker.output())
    }))
    const [status] = await Promise.all([watch.end, attack.begin(stage)])
    return {
      status,
      isTrue: attack.losesRows === true || watch.isTrue(),
      exits,
      ...(await onDatabase(judge(name, faultEnd)))
    }
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
const watchStatus = (name: string, onDatabase: Stage["run"], processes: () => object) => {
  let isTrue = true
  let last: Harvest.Status | undefined
  let unread: unknown
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
      last = await onDatabase(read).catch((error) => {
        unread = String(error)
        return last
      })
      if (last?.state === "finished" || last?.state === "cancelled") return last
      if (performance.now() - from > patience)
        throw new Error(`the harvest is stuck: ${JSON.stringify({ ...last, unread, ...processes() })}`)
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
