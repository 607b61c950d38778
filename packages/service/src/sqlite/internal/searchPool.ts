/**
 * A few threads that answer searches, so that one that takes long delays neither a look-up of a record nor the service.
 *
 * Each thread does one job at a time; jobs wait in three queues: quick ones go first, and last those that nobody waits
 * for. A long search is done in slices: between two of them a thread does a few of the other jobs that wait. A job whose
 * caller has gone is dropped if it waits, and its answer if it runs. What the jobs are is `jobs`' business.
 */
import { Worker } from "node:worker_threads"
import { Effect, type Scope } from "effect"
import { StoreError } from "../../Store.ts"
import { toStoreError } from "./attempt.ts"
import { type Answer, idle, type Job, type Jobs, slow } from "./jobs.ts"
import type { Request, SliceReply, Start } from "./searchThread.ts"

/** Asks the threads for a job. */
export type Ask = <J extends Job>(
  job: J,
  ...args: Parameters<Jobs[J]>
) => Effect.Effect<Answer<J>, StoreError>

interface Waiting {
  readonly id: number
  readonly job: Job
  readonly args: ReadonlyArray<unknown>
  readonly resume: (answer: Effect.Effect<never, StoreError> | Effect.Effect<unknown>) => void
  isGone: boolean
}

interface Thread {
  readonly worker: Worker
  current: Waiting | undefined
  /** What it has begun and waits to go on with. */
  readonly begun: Array<Waiting>
  /** How many other jobs it has been given since it went on with one of those. */
  others: number
}

/**
 * How many other jobs a thread is given, if so many wait, before it goes on with one that it has begun. Of 800 searches
 * at 1.2 million substances one may take as long as 70 others: with one other job at a time those took longer.
 */
const othersBetween = 3

/**
 * How long a thread works on a search before others have their turn, in milliseconds: at first, which is enough for 99 of
 * 100, and whenever it goes on with it.
 */
export const slices: Start["slices"] = { first: 20, next: 5 }

// Of one thread, in MiB: an answer is a few megabytes, and what it is made of. Unlimited, the heap of short-lived objects
// alone would grow to 48.
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }

// Beside this file: TypeScript where the sources run as they are, JavaScript where they are built.
const program = new URL(
  import.meta.url.endsWith(".ts") ? "./searchThread.ts" : "./searchThread.js",
  import.meta.url
)

/** Makes a pool of up to so many threads. They are started when they are needed and end with the scope. */
export const make = (start: Start, threads: number): Effect.Effect<Ask, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Pool(start, threads)),
      (pool) => Effect.promise(() => pool.close())
    ),
    (pool): Ask =>
      (job, ...args) =>
        Effect.callback((resume) => {
          const waiting: Waiting = {
            id: pool.nextId++,
            job,
            args,
            resume: resume as Waiting["resume"],
            isGone: false
          }
          pool.add(waiting)
          return Effect.sync(() => {
            waiting.isGone = true
          })
        })
  )

class Pool {
  nextId = 0
  private readonly start: Start
  private readonly size: number
  private readonly threads: Array<Thread> = []
  private readonly quick: Array<Waiting> = []
  private readonly slow: Array<Waiting> = []
  private readonly idle: Array<Waiting> = []
  private isClosed = false

  constructor(start: Start, size: number) {
    this.start = start
    this.size = size
  }

  add(waiting: Waiting): void {
    if (this.isClosed) {
      waiting.resume(Effect.fail(this.failed("the store is closed")))
      return
    }
    this.queueOf(waiting.job).push(waiting)
    const free = this.threads.find((thread) => thread.current === undefined)
    if (free !== undefined) this.next(free)
    else if (this.threads.length < this.size) this.next(this.open())
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()))
  }

  private next(thread: Thread): void {
    let [waiting, isBegun] = this.pick(thread)
    while (waiting?.isGone) {
      if (isBegun) this.send(thread, { id: waiting.id, isWanted: false })
      ;[waiting, isBegun] = this.pick(thread)
    }
    thread.current = waiting
    if (waiting === undefined) return
    const { args, id, job } = waiting
    this.send(thread, isBegun ? { id, isWanted: true } : { id, job, args })
  }

  private send({ worker }: Thread, request: Request): void {
    worker.postMessage(request)
  }

  // What a thread does next, and whether it has begun it.
  private pick(thread: Thread): readonly [Waiting | undefined, boolean] {
    const { begun } = thread
    if (begun.length === 0 || thread.others < othersBetween) {
      const other = this.quick.shift() ?? this.slow.shift()
      if (other !== undefined) {
        thread.others++
        return [other, false]
      }
    }
    thread.others = 0
    const one = begun.shift()
    return one === undefined ? [this.idle.shift(), false] : [one, true]
  }

  private queueOf(job: Job): Array<Waiting> {
    if (idle.has(job)) return this.idle
    return slow.has(job) ? this.slow : this.quick
  }

  private open(): Thread {
    // Nothing of the process that starts it: no flags of a test runner, no environment.
    const worker = new Worker(program, { workerData: this.start, execArgv: [], resourceLimits })
    const thread: Thread = { worker, current: undefined, begun: [], others: 0 }
    this.threads.push(thread)
    worker.unref()
    worker.on("message", (reply: SliceReply) => {
      const { current } = thread
      if ("isBegun" in reply) {
        if (current !== undefined) thread.begun.push(current)
        this.next(thread)
        return
      }
      // First: to send the answer takes a while, in which the thread would do nothing.
      this.next(thread)
      if (current !== undefined && !current.isGone) {
        current.resume(
          "answer" in reply
            ? Effect.succeed(reply.answer)
            : Effect.fail(
                toStoreError(
                  this.start.file,
                  Object.assign(new Error(reply.error), { errcode: reply.errcode })
                )
              )
        )
      }
    })
    // A thread ends early only by a defect, e.g. out of memory: its jobs fail, and another takes its place.
    worker.on("error", (cause) => {
      const failure = Effect.fail(this.failed(cause instanceof Error ? cause.message : String(cause)))
      for (const one of [thread.current, ...thread.begun]) one?.resume(failure)
      if (this.isClosed) return
      this.threads.splice(this.threads.indexOf(thread), 1)
      if (this.quick.length + this.slow.length + this.idle.length > 0) this.next(this.open())
    })
    return thread
  }

  private failed(why: string): StoreError {
    const { file } = this.start
    return new StoreError({ database: file, reason: "failed", message: `A search of ${file} failed: ${why}` })
  }
}
