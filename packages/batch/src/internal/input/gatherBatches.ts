/**
 * Gathers the items of a stream into batches of distinct keys.
 */
import { Array as Arr, Effect, Result, Stream } from "effect"
import type * as Ledger from "../../Ledger.ts"
import * as Slots from "../calls/slots.ts"
import { defaultSize, InputMismatch, type Settings } from "../settings.ts"
import { flatten } from "./flatten.ts"
import { type Batch, type KeySet, type Mismatch, makeGatherer } from "./gatherer.ts"
import { keySet } from "./keySet.ts"

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
  const gatherer = makeGatherer<Item, Reason>({
    key: (item) => {
      const found = key(item)
      return typeof found === "string" ? Result.succeed(found) : found
    },
    fingerprint: fingerprint ?? ((item, found) => (Result.isSuccess(found) ? found.success : String(item))),
    isSuspicious: isSuspicious ?? (() => false),
    ledger,
    seen: seenKeys(dedupe),
    isDeduped: typeof dedupe === "function" ? dedupe : () => true,
    resumePoint,
    size: () => ledger.batchSize
  })
  const add = (
    array: ReadonlyArray<Item>
  ): Effect.Effect<ReadonlyArray<Batch<Item, Reason>>, InputMismatch> =>
    checkInput(
      () => (window === undefined ? gatherer.add(array) : [...gatherer.add(array), ...gatherer.flush()]),
      () => gatherer.mismatch()
    )
  const arrays =
    window === undefined
      ? // Takes at most a batch at a time, so the first call does not wait for later items.
        flatten(Stream.map(Stream.chunks(items), (array) => Arr.chunksOf(array, size)))
      : Stream.groupedWithin(items, size, window)
  return arrays.pipe(
    Stream.mapEffect((array) => Effect.tap(add(array), Slots.requestsFirst)),
    Stream.concat(
      Stream.fromEffect(
        checkInput(
          () => gatherer.flush(),
          () => gatherer.mismatchAtEnd()
        )
      )
    ),
    flatten
  )
}

const keyOfText = (item: unknown): string => {
  if (typeof item === "string" || typeof item === "number") return String(item)
  throw new TypeError(`The item ${String(item)} is not a text. Set key, which returns the key of an item.`)
}

const seenKeys = <Item>(dedupe: boolean | KeySet | ((item: Item) => boolean)): KeySet | undefined => {
  if (typeof dedupe === "object") return dedupe
  return dedupe === false ? undefined : keySet()
}

const checkInput = <A>(
  step: () => A,
  mismatch: () => Mismatch | undefined
): Effect.Effect<A, InputMismatch> =>
  Effect.suspend(() => {
    const result = step()
    const found = mismatch()
    if (found === undefined) return Effect.succeed(result)
    const { items, settled } = found
    const reason =
      items === undefined
        ? `its first ${settled} items have changed`
        : `it has ${items} items, but the earlier run has read at least ${settled}`
    const message = `the input differs from that of the earlier run: ${reason}. Use the same input, or start a new run`
    return Effect.fail(new InputMismatch({ ...found, message }))
  })
