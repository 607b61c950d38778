/** A batch call of any service: a limit of requests loses no key, and an interrupted run aborts its call. */
import { Batch, Ledger } from "@chemstream/batch"
import { Deferred, Effect, Fiber, Stream } from "effect"

let budget = 2
setInterval(() => {
  budget = 2
}, 50).unref()

const keys = Array.from({ length: 600 }, (_, n) => `key-${n}`)
const ledger = Ledger.make()
await Batch.outcomes(Stream.fromIterable(keys), {
  size: 100,
  ledger,
  call: async (part) => {
    if (budget-- <= 0) throw Object.assign(new Error("too many requests"), { status: 429 })
    return { records: part.map((key) => ({ key, record: key })) }
  }
}).pipe(Stream.runDrain, Effect.runPromise)
console.log(ledger.found, ledger.failed)

const begun = Deferred.makeUnsafe<void>()
let aborted: unknown
const endless = Batch.outcomes(Stream.make("a"), {
  call: (_, { signal }) =>
    new Promise<never>((_, reject) => {
      Deferred.doneUnsafe(begun, Effect.void)
      signal.addEventListener("abort", () => {
        aborted = true
        reject(signal.reason)
      })
    })
})
await Effect.gen(function* () {
  const fiber = yield* Effect.forkChild(Stream.runDrain(endless), { startImmediately: true })
  yield* Deferred.await(begun)
  yield* Fiber.interrupt(fiber)
}).pipe(Effect.runPromise)
console.log(aborted)
