import { join } from "node:path"
import type { Worker } from "node:worker_threads"
import { SqliteStore, Store } from "@chemstream/service"
import { Deferred, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { folder, run } from "./testService.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const entry = (dtxsid: string, rest = "") => ({ dtxsid, record: bytes(`{"dtxsid":"${dtxsid}"${rest}}`) })
const a = entry("DTXSID7020182")
const dose = { endpoint: "bioactivity.aedByDtxsid", key: a.dtxsid, record: a.record }
const b = entry("DTXSID9020112")

const counts = (file: string) =>
  Store.Store.use((store) => store.counts).pipe(Effect.provide(SqliteStore.layer({ file })))

/** Makes a writer, and returns its thread too. */
const writerWithThread = (file: string) =>
  Effect.gen(function* () {
    const started = Deferred.makeUnsafe<Worker>()
    process.once("worker", (worker) => Deferred.doneUnsafe(started, Effect.succeed(worker)))
    const writer = yield* SqliteStore.makeWriter({ file })
    return { writer, thread: yield* Deferred.await(started) }
  })

describe("a writer", () => {
  it("fails a transaction whose thread ends, keeps nothing of it, and leaves a usable database", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "a.sqlite")
        const { thread, writer } = yield* writerWithThread(file)
        yield* writer.transaction((transaction) => transaction.putDetails([a]))
        const error = yield* writer
          .transaction((transaction) =>
            Effect.gen(function* () {
              yield* transaction.putDetails([b])
              yield* transaction.counts
              yield* Effect.promise(() => thread.terminate())
              yield* transaction.putDetails([b])
            })
          )
          .pipe(Effect.flip)
        expect(error).toMatchObject({ _tag: "StoreError", reason: "failed", database: file })
        expect(error.message).toContain("its writing thread ended")
        const next = yield* Effect.flip(writer.transaction(() => Effect.void))
        expect(next).toEqual(error)
        expect(yield* counts(file)).toMatchObject({ details: 1 })
        const other = yield* SqliteStore.makeWriter({ file })
        yield* other.transaction((transaction) => transaction.putDetails([b]))
        expect(yield* counts(file)).toMatchObject({ details: 2 })
      })
    ))

  it("fails a transaction whose last batch cannot be written, and continues with the next one", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "a.sqlite")
        const writer = yield* SqliteStore.makeWriter({ file })
        const error = yield* writer
          .transaction((transaction) =>
            Effect.andThen(transaction.putDetails([a]), transaction.putRecords([{ ...dose, number: 0.5 }]))
          )
          .pipe(Effect.flip)
        expect(error).toMatchObject({ _tag: "StoreError", reason: "failed", database: file })
        expect(error.message).toContain("records.number")
        yield* writer.transaction((transaction) => transaction.putDetails([b]))
        expect(yield* counts(file)).toMatchObject({ details: 1, aed: 0 })
      })
    ))

  it("rolls back a transaction with a failed batch, even if the caller has handled the failure", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "a.sqlite")
        const writer = yield* SqliteStore.makeWriter({ file })
        yield* writer.transaction((transaction) => transaction.putDetails([a]))
        yield* writer
          .transaction((transaction) =>
            transaction
              .putRecords([{ ...dose, number: 0.5 }])
              .pipe(
                Effect.andThen(Effect.ignore(transaction.counts)),
                Effect.andThen(Effect.ignore(transaction.putDetails([b])))
              )
          )
          .pipe(Effect.flip)
        expect(yield* counts(file)).toMatchObject({ details: 1 })
      })
    ))

  it("writes the bytes that a batch had at the time of put", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "a.sqlite")
        const writer = yield* SqliteStore.makeWriter({ file })
        const own = { ...a, record: a.record.slice() }
        yield* writer.transaction((transaction) =>
          Effect.andThen(
            transaction.putSynonyms([own]),
            Effect.sync(() => own.record.fill(0))
          )
        )
        const found = yield* Store.Store.use((store) =>
          store.records("synonyms.byDtxsid", [a.dtxsid], Store.start)
        ).pipe(Effect.provide(SqliteStore.layer({ file })))
        expect(found.records).toEqual([a.record])
      })
    ))

  it("has several batches in flight to its thread, at most 4 MiB and one batch", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "a.sqlite")
        const { thread, writer } = yield* writerWithThread(file)
        const sent: Array<number> = []
        let limit = 0
        const post = thread.postMessage.bind(thread)
        thread.postMessage = (message: unknown, transfer: ReadonlyArray<ArrayBuffer> = []) => {
          sent.push(transfer.reduce((sum, buffer) => sum + buffer.byteLength, 0))
          limit = Math.max(
            limit,
            sent.reduce((sum, size) => sum + size, 0)
          )
          post(message, transfer)
        }
        thread.prependListener("message", () => sent.shift())
        const batch = [entry(a.dtxsid, `,"text":"${"x".repeat(1024 * 1024)}"`)]
        yield* writer.transaction((transaction) =>
          Effect.forEach(Array.from({ length: 24 }), () => transaction.putDetails(batch), { discard: true })
        )
        const size = batch[0]?.record.length ?? 0
        expect(limit).toBeGreaterThan(2 * size)
        expect(limit).toBeLessThanOrEqual(4 * 1024 * 1024 + size)
        expect(sent).toEqual([])
      })
    ))
})
