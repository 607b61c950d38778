/**
 * Runs jobs on a few threads, so that a long job does not delay the main thread, and the jobs of one client do not delay
 * those of another.
 *
 * Each thread runs one job at a time. Jobs wait in three queues: quick, slow and idle ones. In a queue, clients take
 * turns. A cancelled job is dropped from its queue, or its result is discarded.
 */
import { type ResourceLimits, Worker } from "node:worker_threads"
import { Clock, Data, Duration, Effect, type Scope } from "effect"
import { TurnQueue } from "./internal/turnQueue.ts"
import { Client } from "./Store.ts"

/** One thread is kept for other clients if another one had a job within this time, in milliseconds. */
const othersWithin = 60_000

/** After this many quick jobs in a row, a pending slow job runs. */
const maxQuickInRow = 8

/**
 * A job failed.
 *
 * - `"failed"`: the program of the thread reported an error. `errcode` is its number, if any.
 * - `"ended"`: the thread ended, e.g. without memory.
 * - `"timeout"`: the job took longer than `jobTimeout`, and its thread was ended.
 * - `"closed"`: the pool is closed.
 */
export class ThreadFailure extends Data.TaggedError("ThreadFailure")<{
  readonly reason: "failed" | "ended" | "timeout" | "closed"
  readonly message: string
  readonly errcode?: number | undefined
}> {}

/** The urgency of a job: quick jobs run before slow ones, and idle jobs when there are no others. */
export type Urgency = "quick" | "slow" | "idle"

/** The message to the program of a thread. */
export interface Request {
  readonly job: string
  readonly args: ReadonlyArray<unknown>
}

/** The response of the program of a thread. */
export type Reply =
  | { readonly result: unknown }
  | { readonly error: string; readonly errcode?: number | undefined }

/** How many threads a pool has, and what they run. */
export interface Options {
  /** The module that each thread runs. It responds to each `Request` with one `Reply`. */
  readonly program: URL
  /** The `workerData` of the threads. */
  readonly data?: unknown
  /** The largest number of threads. They start when needed. */
  readonly threads: number
  /** The memory of each thread. */
  readonly resourceLimits?: ResourceLimits | undefined
  /** Default: every job is quick. */
  readonly urgencyOf?: ((job: string) => Urgency) | undefined
  /** The longest time of a job on its thread. Default: no limit. */
  readonly jobTimeout?: Duration.Input | undefined
}

/** Runs a job, for the client in `Store.Client`. */
export type Run = (job: string, args: ReadonlyArray<unknown>) => Effect.Effect<unknown, ThreadFailure>

/**
 * Makes a pool. Its threads end with the scope.
 *
 * @example
 *
 * ```ts
 * import { ThreadPool } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * const program = new URL(
 *   `data:text/javascript,import { parentPort } from "node:worker_threads";
 *   parentPort.on("message", ({ args }) => parentPort.postMessage({ result: args[0] * 2 }))`
 * )
 * const doubled = Effect.gen(function* () {
 *   const run = yield* ThreadPool.make({ program, threads: 2 })
 *   return yield* run("double", [21])
 * })
 * await Effect.runPromise(Effect.scoped(doubled)) // => 42
 * ```
 */
export const make = (options: Options): Effect.Effect<Run, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Pool(options)),
      (pool) => Effect.promise(() => pool.close())
    ),
    (pool): Run =>
      (job, args) =>
        Effect.flatMap(Effect.all([Client, Clock.currentTimeMillis]), ([client, now]) =>
          Effect.callback<unknown, ThreadFailure>((resume) => {
            const pending: PendingJob = { client, job, args, resume, isCancelled: false }
            const remove = pool.add(pending, now)
            return Effect.sync(() => {
              pending.isCancelled = true
              remove()
            })
          })
        )
  )

interface PendingJob extends Request {
  readonly client: string
  readonly resume: (result: Effect.Effect<unknown, ThreadFailure>) => void
  isCancelled: boolean
}

interface Thread {
  readonly worker: Worker
  current: PendingJob | undefined
  timer: NodeJS.Timeout | undefined
}

class Pool {
  private readonly options: Options
  private readonly threads: Array<Thread> = []
  private readonly queues: Record<Urgency, TurnQueue<PendingJob>> = {
    quick: new TurnQueue(),
    slow: new TurnQueue(),
    idle: new TurnQueue()
  }
  private quickInRow = 0
  /** The times of the last jobs, by client. */
  private readonly lastUse = new Map<string, number>()
  private now = 0
  private isClosed = false

  constructor(options: Options) {
    this.options = options
  }

  /** Adds a job. Returns a function that removes it while it waits. */
  add(pending: PendingJob, now: number): () => void {
    if (this.isClosed) {
      pending.resume(failure("closed", "the pool is closed"))
      return () => {}
    }
    const { client, job } = pending
    const urgency = this.options.urgencyOf?.(job) ?? "quick"
    this.now = now
    if (urgency !== "idle") this.lastUse.set(client, now)
    const remove = this.queues[urgency].add(client, pending)
    const free = this.threads.find((thread) => thread.current === undefined)
    if (free !== undefined) this.next(free)
    else if (this.threads.length < this.options.threads) this.next(this.open())
    return remove
  }

  async close(): Promise<void> {
    this.isClosed = true
    for (const { current, timer } of this.threads) {
      clearTimeout(timer)
      current?.resume(failure("closed", "the pool is closed"))
    }
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()))
  }

  private next(thread: Thread): void {
    clearTimeout(thread.timer)
    thread.current = undefined
    const pending = this.takeNext()
    thread.current = pending
    if (pending === undefined) return
    const { jobTimeout } = this.options
    if (jobTimeout !== undefined) {
      thread.timer = setTimeout(
        () => this.replace(thread, "timeout", "it took too long"),
        Duration.toMillis(jobTimeout)
      )
      thread.timer.unref()
    }
    const request: Request = { job: pending.job, args: pending.args }
    thread.worker.postMessage(request)
  }

  private takeNext(): PendingJob | undefined {
    const { idle, quick, slow } = this.queues
    const mayRun = (client: string): boolean => this.mayRun(client)
    const isSlowDue = this.quickInRow >= maxQuickInRow && !slow.isEmpty
    const next = isSlowDue ? undefined : quick.take(mayRun)
    this.quickInRow = next === undefined ? 0 : this.quickInRow + 1
    return next ?? slow.take(mayRun) ?? quick.take(mayRun) ?? idle.take()
  }

  // One client does not use all threads while there are others.
  private mayRun(client: string): boolean {
    const running = this.threads.filter(({ current }) => current?.client === client).length
    if (running < Math.max(1, this.options.threads - 1)) return true
    for (const [other, lastUse] of this.lastUse) {
      if (this.now - lastUse > othersWithin) this.lastUse.delete(other)
      else if (other !== client) return false
    }
    return true
  }

  private open(): Thread {
    const { data, program, resourceLimits } = this.options
    // The thread gets neither the flags nor the environment of the process.
    const worker = new Worker(program, {
      workerData: data,
      execArgv: [],
      env: {},
      ...(resourceLimits === undefined ? {} : { resourceLimits })
    })
    const thread: Thread = { worker, current: undefined, timer: undefined }
    this.threads.push(thread)
    worker.unref()
    worker.on("message", (reply: Reply) => {
      const { current } = thread
      // The next job starts before the result is passed on, because that takes a while.
      this.next(thread)
      if (current === undefined || current.isCancelled) return
      current.resume(
        "result" in reply ? Effect.succeed(reply.result) : failure("failed", reply.error, reply.errcode)
      )
    })
    // A thread ends early only because of a defect, e.g. without memory.
    worker.on("error", (cause) =>
      this.replace(thread, "ended", cause instanceof Error ? cause.message : String(cause))
    )
    worker.on("exit", () => this.replace(thread, "ended", "its thread ended"))
    return thread
  }

  // Fails the job of a thread, and replaces the thread if jobs are pending.
  private replace(thread: Thread, reason: ThreadFailure["reason"], message: string): void {
    const index = this.threads.indexOf(thread)
    if (index === -1) return
    this.threads.splice(index, 1)
    clearTimeout(thread.timer)
    thread.current?.resume(failure(reason, message))
    void thread.worker.terminate()
    if (!this.isClosed && Object.values(this.queues).some(({ isEmpty }) => !isEmpty)) this.next(this.open())
  }
}

const failure = (
  reason: ThreadFailure["reason"],
  message: string,
  errcode?: number
): Effect.Effect<never, ThreadFailure> => Effect.fail(new ThreadFailure({ reason, message, errcode }))
