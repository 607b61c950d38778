// Runs a harvest under disturbances until it ends: killed workers, workers that sleep for longer than their lease, a
// killed database, an unavailable service. Returns a report.
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Database, Harvest, type Sink, Source } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as Chemicals from "./chemicalService.ts"
import type * as Postgres from "./postgres.ts"

type Disturbance = "kill worker" | "kill database" | "stop worker" | "stop service"

export interface Options {
  /**
   * The number of distinct identifiers. The source repeats one in a hundred, and has an invalid text after each
   * thousand.
   */
  readonly identifiers: number
  readonly chunkSize: number
  readonly workers: number
  /** Requests per second of all workers together. */
  readonly rate: number
  /** The latency of each response, in milliseconds. */
  readonly latency: number
  /** Seconds from the first request to the first disturbance, and between disturbances. */
  readonly every: number
  /** The disturbances, in order. */
  readonly disturbances: ReadonlyArray<Disturbance>
  /** How long the service is unavailable, in seconds. */
  readonly outage: number
  /** Whether the disturbances repeat until the harvest ends. */
  readonly repeats: boolean
  /** The seed for the choice of workers. */
  readonly seed: number
  readonly log?: (line: string) => void
}

export interface Report {
  readonly seconds: number
  readonly disturbances: Readonly<Record<string, number>>
  /** The number of identifiers that the sink has once, with the expected outcome. */
  readonly right: number
  /** Up to ten wrong identifiers. */
  readonly wrong: ReadonlyArray<string>
  readonly tally: Sink.Tally
  /** Identifiers that were requested more than once, because a worker died before it stored them. */
  readonly requestedAgain: number
  /** The largest number of requests within this many seconds. */
  readonly busiest: (seconds: number) => number
  readonly requests: number
  /** Workers that exited without a kill, and were replaced. */
  readonly unexpectedExits: number
}

/** A harvest that takes longer counts as stuck, in milliseconds. */
const patience = 900_000

const workerFile = fileURLToPath(new URL("./harvestWorker.ts", import.meta.url))

/** The lease of the workers, in seconds. */
const lease = 3

const name = "chaos"

/** Returns the texts of the source, in order. */
const texts = (identifiers: number): ReadonlyArray<string> =>
  Array.from({ length: identifiers }, (_, n) => [
    Chemicals.idOf(n),
    ...(n % 100 === 99 ? [Chemicals.idOf(n - 50)] : []),
    ...(n % 1000 === 999 ? [`no identifier ${n}`] : [])
  ]).flat()

/** Runs a harvest under disturbances until it ends, and reports on it. */
export const run = async (options: Options, database: Postgres.Postgres): Promise<Report> => {
  const service = await Chemicals.start(options.latency)
  const workers = workerPool(database, service, options)
  const counts: Record<string, number> = {}
  const disturb = disturber({ database, service, workers, options })
  const isEnded = { value: false }
  try {
    await withDatabase(
      database,
      Harvest.start({
        name,
        source: Source.list(texts(options.identifiers)),
        fetch: { lookup: "Details.byDtxsid" },
        sink: { _tag: "Table", target: `${database.url}#mirror.chemicals`, columns: [] },
        chunkSize: options.chunkSize
      })
    )
    const from = performance.now()
    for (let k = 0; k < options.workers; k++) workers.start()
    const ended = untilEnded(database, options, isEnded)
    await Promise.race([ended, service.received(1)])
    for (let k = 0; !isEnded.value; k++) {
      await Promise.race([ended, pause(options.every * 1000)])
      const what = options.disturbances[options.repeats ? k % options.disturbances.length : k]
      if (isEnded.value || what === undefined) continue
      counts[what] = (counts[what] ?? 0) + 1
      await disturb(what)
    }
    await ended
    const seconds = (performance.now() - from) / 1000
    workers.stop()
    const judgement = await withDatabase(database, judge(options))
    const distinct = judgement.tally.found + judgement.tally.missing
    return {
      seconds,
      disturbances: counts,
      ...judgement,
      requestedAgain: service.requests.reduce((sum, ids) => sum + ids.length, 0) - distinct,
      requests: service.requests.length,
      busiest: (seconds) => busiest(service.times, seconds * 1000),
      unexpectedExits: workers.unexpectedExits()
    }
  } finally {
    workers.stop()
    await service[Symbol.asyncDispose]()
  }
}

interface WorkerPool {
  /** Starts a worker, which is replaced if it exits by itself. */
  readonly start: () => void
  readonly running: () => ReadonlyArray<readonly [name: string, worker: ChildProcess]>
  readonly unexpectedExits: () => number
  /** Kills all workers. */
  readonly stop: () => void
}

const workerPool = (
  database: Postgres.Postgres,
  service: Chemicals.ChemicalService,
  { log, rate }: Options
): WorkerPool => {
  const workers = new Map<string, ChildProcess>()
  let started = 0
  let unexpectedExits = 0
  let isOver = false
  const start = (): void => {
    const own = `worker-${++started}`
    const child = spawn(process.execPath, [workerFile, database.url, service.url, own, String(rate)], {
      stdio: ["ignore", "ignore", "inherit"],
      // The password is not stored with the harvest.
      env: { ...process.env, PGPASSWORD: new URL(database.url).password }
    })
    workers.set(own, child)
    child.once("exit", (code, signal) => {
      workers.delete(own)
      if (isOver || signal === "SIGKILL") return
      log?.(`${own} exited by itself with ${code ?? signal}`)
      unexpectedExits++
      start()
    })
  }
  return {
    start,
    running: () => [...workers],
    unexpectedExits: () => unexpectedExits,
    stop: () => {
      isOver = true
      for (const child of workers.values()) {
        child.kill("SIGCONT")
        child.kill("SIGKILL")
      }
    }
  }
}

/** Makes the function that causes a disturbance. */
const disturber = ({
  database,
  options,
  service,
  workers
}: {
  readonly database: Postgres.Postgres
  readonly service: Chemicals.ChemicalService
  readonly workers: WorkerPool
  readonly options: Options
}): ((what: Disturbance) => Promise<void>) => {
  const log = options.log ?? (() => {})
  const pick = chooser(options.seed)
  return async (what) => {
    const [victim, child] = pick(workers.running()) ?? []
    switch (what) {
      case "kill worker":
        log(`kills ${victim}`)
        child?.kill("SIGKILL")
        return workers.start()
      case "stop worker":
        log(`stops ${victim} for longer than its lease`)
        child?.kill("SIGSTOP")
        await pause(lease * 1500)
        log(`continues ${victim}`)
        child?.kill("SIGCONT")
        return
      case "stop service":
        log("makes the service unavailable")
        service.status = 503
        await pause(options.outage * 1000)
        service.status = 200
        return
      case "kill database":
        log("kills the database")
        database.kill()
        await pause(1000)
        return database.start()
    }
  }
}

/** Polls the harvest until it has ended. Rejects if it does not finish. */
const untilEnded = async (
  database: Postgres.Postgres,
  { log }: Options,
  isEnded: { value: boolean }
): Promise<void> => {
  const from = performance.now()
  for (let poll = 1; ; poll++) {
    await pause(250)
    if (performance.now() - from > patience) throw new Error("the harvest has not ended")
    // The database may be unavailable.
    const status = await withDatabase(database, Harvest.status(name)).catch(() => undefined)
    if (status === undefined) continue
    if (poll % 8 === 0) log?.(progress(status))
    if (status.state === "running") continue
    isEnded.value = true
    if (status.state !== "finished") throw new Error(`${status.state}: ${status.reason}`)
    return
  }
}

const withDatabase = <A, E>(
  { url }: Postgres.Postgres,
  body: Effect.Effect<A, E, SqlClient.SqlClient>
): Promise<A> =>
  body.pipe(
    Effect.provide(Database.layerPostgres({ url: Redacted.make(url) })),
    Effect.provide(NodeServices.layer),
    Effect.runPromise
  )

const judge = (options: Options) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const status = yield* Harvest.status(name)
    const remaining = new Set(texts(options.identifiers))
    const wrong: Array<string> = []
    let right = 0
    yield* Stream.runForEach(
      sql<{
        id: string
        outcome: string
        record: string | null
      }>`SELECT o.id, o.outcome, r.other_fields::text AS record
        FROM mirror.chemicals_outcomes o LEFT JOIN mirror.chemicals r ON r.input_id = o.id`.stream,
      ({ id, outcome, record }) =>
        Effect.sync(() => {
          const expected = id.startsWith("no") ? "invalid" : Chemicals.isKnown(id) ? "found" : "missing"
          const isRight =
            remaining.delete(id) &&
            outcome === expected &&
            (outcome !== "found" || record === Chemicals.recordOf(id))
          if (isRight) right++
          else if (wrong.length < 10) wrong.push(`${id} ${outcome} ${record}`)
        })
    )
    for (const id of [...remaining].slice(0, 10)) wrong.push(`${id} is not there`)
    return {
      right,
      wrong,
      tally: status.tally
    }
  })

const progress = ({ chunks, chunksDone, workers }: Harvest.Status): string =>
  [`${chunksDone} of ${chunks} chunks`, ...workers.map(({ chunks, name }) => `${name} ${chunks}`)].join(", ")

/** Returns the largest number of moments within a span. */
const busiest = (moments: ReadonlyArray<number>, span: number): number => {
  let most = 0
  let from = 0
  for (let to = 0; to < moments.length; to++) {
    while ((moments[to] as number) - (moments[from] as number) >= span) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}

/** Chooses items by a seed, so that a run repeats its disturbances. */
const chooser = (seed: number): (<A>(items: ReadonlyArray<A>) => A | undefined) => {
  let state = seed
  return (items) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return items[state % items.length]
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
