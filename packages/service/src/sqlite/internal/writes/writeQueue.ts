/**
 * A thread that writes, and the way to it: batches of rows are handed over without waiting until they are written, up to
 * a bound, so that reading and writing go on at the same time.
 *
 * A batch that fails makes all that follows fail, until the transaction ends. What the steps are is `writeSteps`' business.
 */
import { Worker } from "node:worker_threads"
import { Effect, Result, type Scope } from "effect"
import { type StoredRecord, StoreError } from "../../../Store.ts"
import { toStoreError } from "../database/attempt.ts"
import type { Reply } from "../search/searchThread.ts"
import type { Rows, Steps } from "./writeSteps.ts"
import type { Request, Start } from "./writeThread.ts"

/**
 * From how many bytes of records under way on a batch waits. A piece of a file that is imported makes a batch of 256 KiB:
 * enough of them that neither side waits for the other's pauses.
 */
const mostUnderWay = 4 * 1024 * 1024

// Of the thread, in MiB: a few batches, and what they are made of. Unlimited, the heap of short-lived objects alone would
// grow to 48.
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

// Beside this file: TypeScript where the sources run as they are, JavaScript where they are built.
const program = new URL(
  import.meta.url.endsWith(".ts") ? "./writeThread.ts" : "./writeThread.js",
  import.meta.url
)

/** The steps that give an answer, and only need a name. */
type Question = Exclude<keyof Steps, keyof Rows | "commit" | "rollback" | "close">

type Answer<Q extends Question> = Awaited<ReturnType<Steps[Q]>>

/** The way to a thread that writes. */
export interface WriteQueue {
  /**
   * Hands over a batch; its bytes are copied. Waits for room, not until it is written: what fails then is a later step.
   */
  readonly put: <P extends keyof Rows>(
    step: P,
    rows: ReadonlyArray<Rows[P]>
  ) => Effect.Effect<void, StoreError>
  /** Waits until all batches are written, takes a step, and gives its answer. */
  readonly ask: <Q extends Question>(step: Q) => Effect.Effect<Answer<Q>, StoreError>
  /** Waits until all batches are written. */
  readonly written: Effect.Effect<void, StoreError>
  /** Ends a transaction, whatever batch has failed in it. */
  readonly end: (step: "commit" | "rollback") => Effect.Effect<void, StoreError>
}

/** Starts a thread that writes to a database, empty or of this version. It ends with the scope. */
export const make = (file: string): Effect.Effect<WriteQueue, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Thread(file)),
      (thread) => Effect.promise(() => thread.close())
    ),
    (thread) => ({
      put: (step, rows) =>
        Effect.andThen(
          thread.settled(mostUnderWay),
          Effect.sync(() => thread.put(step, rows))
        ),
      ask: <Q extends Question>(step: Q) =>
        Effect.andThen(thread.settled(0), thread.ask(step)) as Effect.Effect<Answer<Q>, StoreError>,
      written: thread.settled(0),
      end: (step) =>
        Effect.exit(thread.settled(0)).pipe(
          Effect.tap(() => Effect.sync(() => thread.forgive())),
          Effect.andThen(thread.ask(step)),
          Effect.asVoid
        )
    })
  )

type Outcome = Result.Result<unknown, StoreError>

interface Waiter {
  readonly most: number
  readonly resume: (outcome: Effect.Effect<void, StoreError>) => void
}

class Thread {
  private readonly file: string
  private readonly worker: Worker
  private readonly exited: Promise<void>
  // Who is told of the next replies, in their order.
  private readonly listeners: Array<(outcome: Outcome) => void> = []
  private waiters: ReadonlyArray<Waiter> = []
  private underWay = 0
  private failure: StoreError | undefined
  private ended: StoreError | undefined

  constructor(file: string) {
    this.file = file
    // Nothing of the process that starts it: no flags of a test runner, no environment.
    const start: Start = { file }
    this.worker = new Worker(program, { workerData: start, execArgv: [], env: {}, resourceLimits })
    this.worker.on("message", (reply: Reply) => this.tell(this.outcomeOf(reply)))
    // It ends early only by a defect, e.g. out of memory. What was not committed is undone by SQLite.
    this.worker.on("error", (cause) => this.end(cause instanceof Error ? cause.message : String(cause)))
    this.exited = new Promise((resolve) => {
      this.worker.on("exit", (code) => {
        this.end(`exit code ${code}`)
        resolve()
      })
    })
    this.worker.unref()
  }

  ask(step: keyof Steps): Effect.Effect<unknown, StoreError> {
    return Effect.callback((resume) =>
      this.post({ step, args: [] }, [], (outcome) => resume(Effect.fromResult(outcome)))
    )
  }

  put<P extends keyof Rows>(step: P, rows: ReadonlyArray<Rows[P]>): void {
    const { buffer, packed } = pack(rows)
    // One more, so that a batch without a byte is waited for, too.
    const size = buffer.byteLength + 1
    this.underWay += size
    this.post({ step, args: [packed] }, [buffer], (outcome) => {
      this.underWay -= size
      if (Result.isFailure(outcome)) this.failure ??= outcome.failure
      this.wake()
    })
  }

  /** Waits until no more than so many bytes are under way; fails when a batch has failed. */
  settled(most: number): Effect.Effect<void, StoreError> {
    return Effect.callback((resume) => {
      this.waiters = [...this.waiters, { most, resume }]
      this.wake()
    })
  }

  forgive(): void {
    this.failure = undefined
  }

  async close(): Promise<void> {
    this.post({ step: "close", args: [] }, [], () => this.worker.ref())
    await this.exited
  }

  private wake(): void {
    const ready = this.waiters.filter(({ most }) => this.underWay <= most)
    if (ready.length === 0) return
    this.waiters = this.waiters.filter(({ most }) => this.underWay > most)
    for (const { resume } of ready) {
      resume(this.failure === undefined ? Effect.void : Effect.fail(this.failure))
    }
  }

  private post(request: Request, transfer: Array<ArrayBuffer>, listener: (outcome: Outcome) => void): void {
    if (this.ended !== undefined) {
      listener(Result.fail(this.ended))
      return
    }
    this.listeners.push(listener)
    // The process waits for what is written, but not for a thread that has nothing to do.
    this.worker.ref()
    this.worker.postMessage(request, transfer)
  }

  private tell(outcome: Outcome): void {
    const listener = this.listeners.shift()
    if (this.listeners.length === 0) this.worker.unref()
    listener?.(outcome)
  }

  private end(why: string): void {
    const { file } = this
    this.ended ??= new StoreError({
      database: file,
      reason: "failed",
      message: `The database ${file} failed: the thread that writes to it has ended (${why}). A transaction that it had not finished was not kept. Try again.`
    })
    while (this.listeners.length > 0) this.tell(Result.fail(this.ended))
  }

  private outcomeOf(reply: Reply): Outcome {
    return "answer" in reply
      ? Result.succeed(reply.answer)
      : Result.fail(
          toStoreError(this.file, Object.assign(new Error(reply.error), { errcode: reply.errcode }))
        )
  }
}

type Bodies = { readonly record: StoredRecord; readonly others?: StoredRecord | null }

// The bytes of all rows side by side in one buffer, which is handed over: a message of thousands of small ones would cost
// more than they are worth.
const pack = (
  rows: ReadonlyArray<Bodies>
): { readonly buffer: ArrayBuffer; readonly packed: ReadonlyArray<Bodies> } => {
  let size = 0
  for (const { record, others } of rows) size += record.length + (others?.length ?? 0)
  const all = new Uint8Array(size)
  let end = 0
  const move = (bytes: StoredRecord): StoredRecord => {
    all.set(bytes, end)
    end += bytes.length
    return all.subarray(end - bytes.length, end)
  }
  const packed = rows.map((row) =>
    row.others
      ? { ...row, record: move(row.record), others: move(row.others) }
      : { ...row, record: move(row.record) }
  )
  return { buffer: all.buffer, packed }
}
