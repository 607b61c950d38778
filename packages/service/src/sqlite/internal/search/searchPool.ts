/**
 * Runs searches on a few threads, so that a long search does not delay other requests.
 *
 * Each thread runs one job at a time. Jobs wait in three queues: quick, slow and idle ones. In a queue, clients take
 * turns. A cancelled job is dropped from its queue, or its result is discarded. `jobs` defines the jobs. Long searches are not divided:
 * docs/decisions/0005-index-of-parts-of-names.md.
 */
import { Worker } from "node:worker_threads"
import { Clock, Effect, type Scope } from "effect"
import { TurnQueue } from "../../../internal/turnQueue.ts"
import { Client, StoreError } from "../../../Store.ts"
import { toStoreError } from "../database/attempt.ts"
import { idleJobs, type Job, type JobResult, type Jobs, slowJobs } from "./jobs.ts"
import type { Reply, Request, Start } from "./searchThread.ts"

/** Runs a job on a thread. */
export type RunJob = <J extends Job>(
  job: J,
  ...args: Parameters<Jobs[J]>
) => Effect.Effect<JobResult<J>, StoreError>

interface PendingJob {
  readonly client: string
  readonly job: Job
  readonly args: ReadonlyArray<unknown>
  readonly resume: (result: Effect.Effect<never, StoreError> | Effect.Effect<unknown>) => void
  isCancelled: boolean
}

/** One thread is kept for other clients if another one had a job within this time, in milliseconds. */
const othersWithin = 60_000

/** After this many quick jobs in a row, a pending slow job runs. */
const maxQuickInRow = 8

interface Thread {
  readonly worker: Worker
  current: PendingJob | undefined
}

// The memory of each thread, in MiB: a response has a few. V8's own limit for short-lived objects would be 48.
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }

// The thread's module: TypeScript in the sources, JavaScript in the build.
const program = new URL(
  import.meta.url.endsWith(".ts") ? "./searchThread.ts" : "./searchThread.js",
  import.meta.url
)

/** Makes a pool of threads. Threads start when needed, and end with the scope. */
export const make = (start: Start, threads: number): Effect.Effect<RunJob, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Pool(start, threads)),
      (pool) => Effect.promise(() => pool.close())
    ),
    (pool): RunJob =>
      (job, ...args) =>
        Effect.flatMap(Effect.all([Client, Clock.currentTimeMillis]), ([client, now]) =>
          Effect.callback((resume) => {
            const pending: PendingJob = {
              client,
              job,
              args,
              resume: resume as PendingJob["resume"],
              isCancelled: false
            }
            const remove = pool.add(pending, now)
            return Effect.sync(() => {
              pending.isCancelled = true
              remove()
            })
          })
        )
  )

class Pool {
  private readonly start: Start
  private readonly size: number
  private readonly threads: Array<Thread> = []
  private readonly quick = new TurnQueue<PendingJob>()
  private readonly slow = new TurnQueue<PendingJob>()
  private readonly idle = new TurnQueue<PendingJob>()
  private quickInRow = 0
  /** The times of the last jobs, by client. */
  private readonly lastUse = new Map<string, number>()
  private now = 0
  private isClosed = false

  constructor(start: Start, size: number) {
    this.start = start
    this.size = size
  }

  /** Adds a job. Returns a function that removes it while it waits. */
  add(pending: PendingJob, now: number): () => void {
    if (this.isClosed) {
      pending.resume(Effect.fail(this.errorOf("the store is closed")))
      return () => {}
    }
    const { client, job } = pending
    this.now = now
    if (!idleJobs.has(job)) this.lastUse.set(client, now)
    const remove = this.queueOf(job).add(client, pending)
    const free = this.threads.find((thread) => thread.current === undefined)
    if (free !== undefined) this.next(free)
    else if (this.threads.length < this.size) this.next(this.open())
    return remove
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()))
  }

  private next(thread: Thread): void {
    thread.current = undefined
    const pending = this.takeNext()
    thread.current = pending
    if (pending === undefined) return
    const request: Request = { job: pending.job, args: pending.args }
    thread.worker.postMessage(request)
  }

  private takeNext(): PendingJob | undefined {
    const mayRun = (client: string): boolean => this.mayRun(client)
    const isSlowDue = this.quickInRow >= maxQuickInRow && !this.slow.isEmpty
    const quick = isSlowDue ? undefined : this.quick.take(mayRun)
    this.quickInRow = quick === undefined ? 0 : this.quickInRow + 1
    return quick ?? this.slow.take(mayRun) ?? this.quick.take(mayRun) ?? this.idle.take()
  }

  // One client does not use all threads while there are others.
  private mayRun(client: string): boolean {
    const running = this.threads.filter(({ current }) => current?.client === client).length
    if (running < Math.max(1, this.size - 1)) return true
    for (const [other, lastUse] of this.lastUse) {
      if (this.now - lastUse > othersWithin) this.lastUse.delete(other)
      else if (other !== client) return false
    }
    return true
  }

  private queueOf(job: Job): TurnQueue<PendingJob> {
    if (idleJobs.has(job)) return this.idle
    return slowJobs.has(job) ? this.slow : this.quick
  }

  private open(): Thread {
    // The thread gets neither the flags nor the environment of the process.
    const worker = new Worker(program, { workerData: this.start, execArgv: [], env: {}, resourceLimits })
    const thread: Thread = { worker, current: undefined }
    this.threads.push(thread)
    worker.unref()
    worker.on("message", (reply: Reply) => {
      const { current } = thread
      // The next job starts before the result is passed on, because that takes a while.
      this.next(thread)
      if (current !== undefined && !current.isCancelled) {
        current.resume(
          "result" in reply
            ? Effect.succeed(reply.result)
            : Effect.fail(
                toStoreError(
                  this.start.file,
                  Object.assign(new Error(reply.error), { errcode: reply.errcode })
                )
              )
        )
      }
    })
    // A thread ends early only because of a defect, e.g. without memory. Its job fails, and a new thread replaces it.
    worker.on("error", (cause) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      thread.current?.resume(Effect.fail(this.errorOf(reason)))
      if (this.isClosed) return
      this.threads.splice(this.threads.indexOf(thread), 1)
      if (![this.quick, this.slow, this.idle].every(({ isEmpty }) => isEmpty)) this.next(this.open())
    })
    return thread
  }

  private errorOf(reason: string): StoreError {
    const { file } = this.start
    return new StoreError({
      database: file,
      reason: "failed",
      message: `A search of ${file} failed: ${reason}`
    })
  }
}
