/**
 * Hands batches of rows to the writing thread without waiting for the writes. The pending bytes are bounded.
 *
 * Reading and writing overlap this way. After a failed batch, every step fails until the transaction ends.
 * `writeSteps` defines the steps.
 */
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { Effect, Result, type Scope } from "effect"
import { type StoredRecord, StoreError } from "../../../Store.ts"
import type { Reply } from "../../../ThreadPool.ts"
import { toStoreError } from "../database/databaseErrors.ts"
import type { Rows, Steps } from "./writeSteps.ts"
import type { Request, Start } from "./writeThread.ts"

/**
 * The largest number of pending bytes of records.
 *
 * A batch is 256 KiB of an imported file, so several are pending, and neither side waits for the other.
 */
const maxPendingBytes = 4 * 1024 * 1024

// The memory of the thread, in MiB: enough for a few batches. V8's own limit for short-lived objects would be 48.
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

// The thread's module: TypeScript in the sources, JavaScript in the build.
const program = new URL(`./writeThread${extname(import.meta.url)}`, import.meta.url)

/** The steps with a result and without arguments. */
type ResultStep = Exclude<keyof Steps, keyof Rows | "commit" | "rollback" | "close">

type StepResult<Q extends ResultStep> = Awaited<ReturnType<Steps[Q]>>

/** A queue to a writing thread. */
export interface WriteQueue {
  /** Hands over a copy of a batch. Waits for space, not for the write: a later step reports its error. */
  readonly put: <P extends keyof Rows>(
    step: P,
    rows: ReadonlyArray<Rows[P]>
  ) => Effect.Effect<void, StoreError>
  /** Runs a step after all batches are written, and returns its result. */
  readonly request: <Q extends ResultStep>(step: Q) => Effect.Effect<StepResult<Q>, StoreError>
  /** Waits until all batches are written. */
  readonly allWritten: Effect.Effect<void, StoreError>
  /** Ends the transaction, also after a failed batch. */
  readonly end: (step: "commit" | "rollback") => Effect.Effect<void, StoreError>
}

/** Starts a thread that writes to a database, empty or of this version. The thread ends with the scope. */
export const make = (file: string): Effect.Effect<WriteQueue, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Thread(file)),
      (thread) => Effect.promise(() => thread.close())
    ),
    (thread) => ({
      put: (step, rows) =>
        Effect.andThen(
          thread.pendingAtMost(maxPendingBytes),
          Effect.sync(() => thread.put(step, rows))
        ),
      request: <Q extends ResultStep>(step: Q) =>
        Effect.andThen(thread.pendingAtMost(0), thread.request(step)) as Effect.Effect<
          StepResult<Q>,
          StoreError
        >,
      allWritten: thread.pendingAtMost(0),
      end: (step) =>
        Effect.exit(thread.pendingAtMost(0)).pipe(
          Effect.tap(() => Effect.sync(() => thread.clearFailure())),
          Effect.andThen(thread.request(step)),
          Effect.asVoid
        )
    })
  )

type Outcome = Result.Result<unknown, StoreError>

interface Waiter {
  readonly limit: number
  readonly resume: (outcome: Effect.Effect<void, StoreError>) => void
}

class Thread {
  private readonly file: string
  private readonly worker: Worker
  private readonly exited: Promise<void>
  // The callbacks of the pending replies, in order.
  private readonly listeners: Array<(outcome: Outcome) => void> = []
  private waiters: ReadonlyArray<Waiter> = []
  private pendingBytes = 0
  private failure: StoreError | undefined
  private endError: StoreError | undefined

  constructor(file: string) {
    this.file = file
    // The thread gets neither the flags nor the environment of the process.
    const start: Start = { file }
    this.worker = new Worker(program, { workerData: start, execArgv: [], env: {}, resourceLimits })
    this.worker.on("message", (reply: Reply) => this.deliver(this.outcomeOf(reply)))
    // The thread ends early only because of a defect, e.g. without memory. SQLite rolls back uncommitted writes.
    this.worker.on("error", (cause) => this.fail(cause instanceof Error ? cause.message : String(cause)))
    this.exited = new Promise((resolve) => {
      this.worker.on("exit", (code) => {
        this.fail(`exit code ${code}`)
        resolve()
      })
    })
    this.worker.unref()
  }

  request(step: keyof Steps): Effect.Effect<unknown, StoreError> {
    return Effect.callback((resume) =>
      this.post({ step, args: [] }, [], (outcome) => resume(Effect.fromResult(outcome)))
    )
  }

  put<P extends keyof Rows>(step: P, rows: ReadonlyArray<Rows[P]>): void {
    const { buffer, copies } = copyRows(rows)
    // One more byte, so that an empty batch counts too.
    const size = buffer.byteLength + 1
    this.pendingBytes += size
    this.post({ step, args: [copies] }, [buffer], (outcome) => {
      this.pendingBytes -= size
      if (Result.isFailure(outcome)) this.failure ??= outcome.failure
      this.wake()
    })
  }

  /** Waits until at most `limit` bytes are pending. Fails if a batch has failed. */
  pendingAtMost(limit: number): Effect.Effect<void, StoreError> {
    return Effect.callback((resume) => {
      this.waiters = [...this.waiters, { limit, resume }]
      this.wake()
    })
  }

  clearFailure(): void {
    this.failure = undefined
  }

  async close(): Promise<void> {
    this.post({ step: "close", args: [] }, [], () => this.worker.ref())
    await this.exited
  }

  private wake(): void {
    const ready = this.waiters.filter(({ limit }) => this.pendingBytes <= limit)
    if (ready.length === 0) return
    this.waiters = this.waiters.filter(({ limit }) => this.pendingBytes > limit)
    for (const { resume } of ready) {
      resume(this.failure === undefined ? Effect.void : Effect.fail(this.failure))
    }
  }

  private post(request: Request, transfer: Array<ArrayBuffer>, listener: (outcome: Outcome) => void): void {
    if (this.endError !== undefined) {
      listener(Result.fail(this.endError))
      return
    }
    this.listeners.push(listener)
    // A pending write keeps the process alive; an idle thread does not.
    this.worker.ref()
    this.worker.postMessage(request, transfer)
  }

  private deliver(outcome: Outcome): void {
    const listener = this.listeners.shift()
    if (this.listeners.length === 0) this.worker.unref()
    listener?.(outcome)
  }

  /** Fails all pending and later requests, because the thread has ended. */
  private fail(reason: string): void {
    const { file } = this
    this.endError ??= new StoreError({
      database: file,
      reason: "failed",
      message: `The database ${file} failed: its writing thread ended (${reason}). The open transaction was rolled back. Retry.`
    })
    while (this.listeners.length > 0) this.deliver(Result.fail(this.endError))
  }

  private outcomeOf(reply: Reply): Outcome {
    return "result" in reply
      ? Result.succeed(reply.result)
      : Result.fail(
          toStoreError(this.file, Object.assign(new Error(reply.error), { errcode: reply.errcode }))
        )
  }
}

type RowBytes = { readonly record: StoredRecord; readonly others?: StoredRecord | null }

// Copies the bytes of all rows into one buffer, which can be transferred. A message with thousands of small buffers
// would be slow.
const copyRows = (
  rows: ReadonlyArray<RowBytes>
): { readonly buffer: ArrayBuffer; readonly copies: ReadonlyArray<RowBytes> } => {
  let size = 0
  for (const { record, others } of rows) size += record.length + (others?.length ?? 0)
  const all = new Uint8Array(size)
  let end = 0
  const move = (bytes: StoredRecord): StoredRecord => {
    all.set(bytes, end)
    end += bytes.length
    return all.subarray(end - bytes.length, end)
  }
  const copies = rows.map((row) =>
    row.others
      ? { ...row, record: move(row.record), others: move(row.others) }
      : { ...row, record: move(row.record) }
  )
  return { buffer: all.buffer, copies }
}
