/**
 * Gathers the items of a stream into batches of distinct keys. The items before a failure of the stream are in the last batch
 * before it.
 */
import { Array as Arr, type Duration, Effect, Fiber, Queue, Result, Stream } from "effect"
import { InvalidOption } from "../../InvalidOption.ts"
import type * as Ledger from "../../Ledger.ts"
import * as Slots from "../calls/requestSlots.ts"
import { type InputMismatch, inputMismatch } from "../runErrors.ts"
import { defaultSize, type Settings } from "../runSettings.ts"
import { type Batch, BatchBuilder, type Mismatch } from "./batchBuilder.ts"
import { flatten } from "./flatten.ts"
import { type KeySet, keySet } from "./keySet.ts"

/** Returns the batches of a stream of items. Fails with `InputMismatch` if the items are not those of the resumed run. */
export const gatherBatches = <Item, EI, RI, R, E, Services, Reason, Foreign>(
  items: Stream.Stream<Item, EI, RI>,
  settings: Settings<Item, R, E, Services, Reason, Foreign>,
  ledger: Ledger.Ledger
): Stream.Stream<Batch<Item, Reason>, EI | InputMismatch, RI> => {
  const {
    dedupe = true,
    fingerprint,
    isSuspicious,
    key = keyOfText,
    resumePoint,
    size = defaultSize,
    window
  } = settings
  const builder = new BatchBuilder<Item, Reason>({
    key: (item) => {
      const found = key(item)
      if (typeof found === "string") return Result.succeed(found)
      if (Result.isResult(found) && (Result.isFailure(found) || typeof found.success === "string"))
        return found
      throw new InvalidOption({ option: "key", value: found, wanted: keyWanted })
    },
    fingerprint: fingerprint ?? ((item, found) => (Result.isSuccess(found) ? found.success : String(item))),
    isSuspicious: isSuspicious ?? (() => false),
    ledger,
    seen: seenKeys(dedupe),
    isDeduped: typeof dedupe === "function" ? dedupe : () => true,
    resumePoint,
    size: () => ledger.batchSize
  })
  const add = (array: ReadonlyArray<Item>) =>
    checkInput(
      () => builder.add(array),
      () => builder.difference
    )
  const flush = checkInput(
    () => builder.flush(),
    () => builder.mismatchAtEnd()
  )
  // Takes at most a batch at a time, so the first call does not wait for later items.
  const whenFull = flatten(Stream.map(Stream.chunks(items), (array) => Arr.chunksOf(array, size))).pipe(
    // Requests that are ready are sent before more items are gathered.
    Stream.mapEffect((array) => Effect.tap(add(array), Slots.requestsFirst)),
    Stream.concat(Stream.fromEffect(flush)),
    flatten
  )
  const batches = window === undefined ? whenFull : flushedWithin(items, builder, add, flush, window)
  return Stream.catchCause(batches, (cause) =>
    Stream.concat(Stream.fromIterable(builder.flush()), Stream.failCause(cause))
  )
}

type Batches<Item, Reason> = Effect.Effect<ReadonlyArray<Batch<Item, Reason>>, InputMismatch>

/** Gathers batches, and emits one that is not full when its first item has waited for the window. */
const flushedWithin = <Item, EI, RI, Reason>(
  items: Stream.Stream<Item, EI, RI>,
  builder: BatchBuilder<Item, Reason>,
  add: (array: ReadonlyArray<Item>) => Batches<Item, Reason>,
  flush: Batches<Item, Reason>,
  window: Duration.Input
): Stream.Stream<Batch<Item, Reason>, EI | InputMismatch, RI> =>
  Stream.callback(
    (queue) =>
      Effect.gen(function* () {
        let timer: Fiber.Fiber<unknown> | undefined
        const scope = yield* Effect.scope
        const stopTimer = Effect.suspend(() => {
          const running = timer
          timer = undefined
          return running === undefined ? Effect.void : Effect.asVoid(Fiber.interrupt(running))
        })
        const emitLate = Effect.suspend(() => {
          timer = undefined
          return Queue.offerAll(queue, builder.flush())
        })
        const read = Stream.runForEachArray(items, (array) =>
          Effect.gen(function* () {
            const full = yield* add(array)
            if (full.length > 0) {
              yield* stopTimer
              yield* Queue.offerAll(queue, full)
            }
            if (timer === undefined && builder.hasPending()) {
              timer = yield* Effect.forkIn(
                Effect.andThen(Effect.sleep(window), Effect.uninterruptible(emitLate)),
                scope
              )
            }
          })
        )
        yield* Effect.matchCauseEffect(read, {
          onFailure: (cause) => Effect.andThen(stopTimer, Queue.failCause(queue, cause)),
          onSuccess: () =>
            Effect.andThen(stopTimer, flush).pipe(
              Effect.flatMap((last) => Queue.offerAll(queue, last)),
              Effect.andThen(Queue.end(queue)),
              Effect.catch((error) => Queue.fail(queue, error))
            )
        })
      }),
    { bufferSize: 1 }
  )

const keyWanted = "a function that returns the text by which records are matched with an item"

const keyOfText = (item: unknown): string => {
  if (typeof item === "string" || typeof item === "number") return String(item)
  throw new InvalidOption({ option: "key", value: undefined, wanted: keyWanted })
}

/** Returns the set that says which keys are duplicates. Undefined: no key is one. */
const seenKeys = <Item>(dedupe: boolean | KeySet | ((item: Item) => boolean)): KeySet | undefined => {
  if (typeof dedupe === "object") return dedupe
  return dedupe === false ? undefined : keySet()
}

/** Runs a step of the builder. Fails if the items so far differ from those of the earlier run. */
const checkInput = <A>(
  step: () => A,
  mismatch: () => Mismatch | undefined
): Effect.Effect<A, InputMismatch> =>
  Effect.suspend(() => {
    const result = step()
    const found = mismatch()
    return found === undefined ? Effect.succeed(result) : Effect.fail(inputMismatch(found))
  })
