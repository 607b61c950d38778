/**
 * A stream of items through batch calls to a stream of outcomes, for any service that answers many keys in one call.
 *
 * Knows nothing of what is asked for, nor of HTTP: the caller says what the key of an item is, how a batch is asked for and
 * what a failure means. Guarantees: each item has one outcome, and each record of a response comes out, as that of its item
 * or as `Surplus`; in ordered mode outcomes come in the order of the input; memory is bounded by `concurrency × size` and a
 * quarter more, beside the set of keys seen; the ledger's law is checked at the end. `make` gives the same mechanism for keys that do not come as a stream.
 */
import { Array as Arr, Data, type Duration, Effect, Result, type Schedule, Stream } from "effect"
import { dual } from "effect/Function"
import * as Availability from "./Availability.ts"
import { count, type InvalidOption, rate, start, time } from "./InvalidOption.ts"
import type { Answer, OnFailure, Verdict } from "./internal/calls/batchCall.ts"
import * as BatchSize from "./internal/calls/batchSize.ts"
import { calling } from "./internal/calls/retryingCall.ts"
import { type Settled, settle } from "./internal/calls/settle.ts"
import * as Slots from "./internal/calls/slots.ts"
import { type Admitted, type Batch, gather, type Mismatch, type Seen } from "./internal/input/admission.ts"
import { flatten } from "./internal/input/flatten.ts"
import { keySet } from "./internal/input/keySet.ts"
import * as Ledger from "./Ledger.ts"
import type * as Outcome from "./Outcome.ts"
import type { Multiplicity } from "./Reconcile.ts"
import type { Settlement, Span } from "./ResumePoint.ts"

export type { Answer, OnFailure, Seen, Settled, Verdict }

/** The most keys in one call when not set. */
export const defaultSize = 100

/** The most calls in flight when not set. */
export const defaultConcurrency = 4

/** The input of a run that should continue an earlier one is not the input that one had. */
export class OtherInput extends Data.TaggedError("OtherInput")<{
  /** How many of its first items were read then. */
  readonly settled: number
  /** How many items it has, where these are fewer. */
  readonly items?: number | undefined
  readonly message: string
}> {}

/**
 * An answer has records, and none of them carries a key that was asked for: e.g. keys in another spelling, or numbers for
 * texts. Nothing can be told from it, so nothing is missing.
 */
export class ForeignAnswer extends Data.TaggedError("ForeignAnswer")<{
  /** A key of the answer. */
  readonly key: unknown
  /** A key that was asked for. */
  readonly asked: string
  readonly message: string
}> {}

/** What the core itself fails with: an item, or the run. */
export type OwnError = ForeignAnswer | Availability.ServiceUnavailable

/** How keys are asked for. */
export interface Calls<E, Foreign = OwnError> {
  /** What a failed call means. Default: an item of the batch may be at fault (`isolate`). */
  readonly classify?: ((error: E) => Verdict) | undefined
  /**
   * When a failed call is made again, beside what the call itself does. A call that fails with `end`, `halve` or `missing`
   * is not. Default: never.
   */
  readonly retry?: Schedule.Schedule<unknown, E> | undefined
  /** The most calls that begin in a second, retries included. Default: no limit. */
  readonly rate?: number | undefined
  /**
   * What a failed call says about the service (`Availability`): calls wait for a service that is unavailable, and are then
   * made again. Default: nothing, and no call waits.
   */
  readonly signal?: ((error: E) => Availability.Signal) | undefined
  /**
   * How long calls wait for the service, where `signal` says when it is unavailable. Default: as the run around this one
   * where there is one, else 1 minute.
   */
  readonly availability?: Availability.Options | undefined
  /** Whether the service was reached before this run, so that it is waited for from the beginning. Default: false. */
  readonly isReached?: boolean | undefined
  /** The error of calls that waited for the service in vain. Default: `ServiceUnavailable`. */
  readonly unavailable?: ((error: Availability.ServiceUnavailable) => Foreign) | undefined
  /** What the service names instead of a key that it calls missing with this error. Default: nothing. */
  readonly suggestions?: ((error: E) => ReadonlyArray<string>) | undefined
  /**
   * The error of an answer that has records and none with a key that was asked for, given its first key and a key that was
   * asked for. The batch is isolated. Default: `ForeignAnswer`.
   */
  readonly foreign?: ((key: unknown, asked: string) => Foreign) | undefined
  /** What is done about a failed batch. Default: `isolate`. */
  readonly onFailure?: OnFailure | undefined
  /** How many records a key may have. Default: `one`. */
  readonly multiplicity?: Multiplicity | undefined
  /** The most keys in one call, at least 1. Default: 100. */
  readonly size?: number | undefined
  /**
   * The most calls in flight, at least 1. Meanwhile a quarter as many batches, but one at least, are made ready, or their
   * answers read: a call that heeds its `Turn` counts as in flight until its response has arrived, any other to its end.
   * Default: 4.
   */
  readonly concurrency?: number | undefined
}

/** How items become batch calls. */
export interface Settings<Item, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>
  extends Calls<E, Foreign> {
  /**
   * The key that an item is asked for by, or why it has none. Default: the item itself, which must be a text or a number
   * then.
   */
  readonly key?: ((item: Item) => string | Result.Result<string, Reason>) | undefined
  /**
   * Asks for distinct keys: at least one, at most `size`. `item` gives the item of a key, the first in the batch that has it.
   * A promise that is rejected fails the call with what it is rejected with.
   */
  readonly call: (
    keys: ReadonlyArray<string>,
    item: (key: string) => Item
  ) => Effect.Effect<Answer<R, E>, E, Services> | Promise<Answer<R, E>>
  /** Whether a key is counted as one that is asked for although it looks wrong. Default: none is. */
  readonly isSuspicious?: ((key: string) => boolean) | undefined
  /**
   * The longest an item waits for its batch to fill, for input that comes slowly. Default: until the batch is full or the
   * input ends.
   */
  readonly window?: Duration.Input | undefined
  /** Whether outcomes keep the order of the input. Default: true. */
  readonly ordered?: boolean | undefined
  /**
   * Whether an item whose key came before is counted as a duplicate instead of asked for again. `true` remembers keys in
   * memory, 25 to 50 bytes each; a set of one's own can be given, which keeps what earlier runs put there. Default: true.
   */
  readonly dedupe?: boolean | Seen | undefined
  /** What an item is recognised by in a run that continues another. Default: its key, or the item as text. */
  readonly fingerprint?: ((item: Item) => string) | undefined
  /**
   * What an earlier run over the same input has accounted for: it is passed over, and is not counted again. The run fails
   * with `OtherInput`, before it asks for anything, where the input is another one. Default: nothing.
   */
  readonly settlement?: Settlement | undefined
  /** Where the run is counted (`Ledger`). Default: a ledger of its own for each run. */
  readonly ledger?: Ledger.Ledger | undefined
}

/** The outcomes of a part of the input. */
export interface SettledBatch<Item, R, E, Reason> {
  /** The outcomes of its items, then the surplus records of its responses. */
  readonly outcomes: ReadonlyArray<Outcome.Outcome<Item, R, E, Reason>>
  /** Which parts of the input: what of them has no outcome came before and is a duplicate. */
  readonly spans: ReadonlyArray<Span>
  /** The digest of the input up to the end of the last part. */
  readonly digest: string
  /** How many items of these parts were asked for although they look wrong. Default: 0. */
  readonly suspicious?: number | undefined
}

/**
 * The outcomes of a stream of items. Fails with the first error that ends the run, after the outcomes before it, and with
 * `InvalidOption`, before anything is asked, where a setting cannot be used.
 *
 * @example
 * ```ts
 * import { Batch, Ledger } from "@chemstream/batch"
 * import { Effect, Stream } from "effect"
 *
 * const ledger = Ledger.make()
 * const outcomes = Batch.outcomes(Stream.make("a", "b", "a"), {
 *   call: async (keys) => ({ records: keys.map((key) => ({ key, record: key.toUpperCase() })) }),
 *   ledger
 * })
 * const all = await Effect.runPromise(Stream.runCollect(outcomes))
 * all.map(({ _tag, item }) => `${_tag} ${item}`) // => ["Found a", "Found b"]
 * ledger.duplicates // => 1
 * ```
 */
export const outcomes: {
  <Item, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>(
    settings: Omit<Settings<Item, R, E, Services, Reason, Foreign>, "settlement">
  ): <EI, RI>(
    items: Stream.Stream<Item, EI, RI>
  ) => Stream.Stream<
    Outcome.Outcome<Item, R, E | Foreign, Reason>,
    EI | E | Foreign | InvalidOption,
    RI | Services
  >
  <Item, EI, RI, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>(
    items: Stream.Stream<Item, EI, RI>,
    settings: Omit<Settings<Item, R, E, Services, Reason, Foreign>, "settlement">
  ): Stream.Stream<
    Outcome.Outcome<Item, R, E | Foreign, Reason>,
    EI | E | Foreign | InvalidOption,
    RI | Services
  >
} = dual(
  2,
  <Item, EI, RI, R, E, Services, Reason, Foreign>(
    items: Stream.Stream<Item, EI, RI>,
    settings: Omit<Settings<Item, R, E, Services, Reason, Foreign>, "settlement">
  ) =>
    batches(items, settings).pipe(
      // Without a settlement no input is another one.
      Stream.catchIf((error): error is OtherInput => error instanceof OtherInput, Stream.die),
      Stream.map((batch) => batch.outcomes),
      flatten
    ) as Stream.Stream<
      Outcome.Outcome<Item, R, E | Foreign, Reason>,
      EI | E | Foreign | InvalidOption,
      RI | Services
    >
)

/**
 * As `outcomes`, batch by batch, each with the part of the input that it accounts for. The parts cover the input
 * without overlap; in ordered mode they follow one another.
 *
 * The stream is a description: each run of it begins with full batches and nothing counted, so it can be retried and
 * repeated. Only a `ledger` and a set of seen keys that the caller gives keep what earlier runs put there.
 */
export const batches: {
  <Item, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>(
    settings: Settings<Item, R, E, Services, Reason, Foreign>
  ): <EI, RI>(
    items: Stream.Stream<Item, EI, RI>
  ) => Stream.Stream<
    SettledBatch<Item, R, E | Foreign, Reason>,
    EI | E | Foreign | OtherInput | InvalidOption,
    RI | Services
  >
  <Item, EI, RI, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>(
    items: Stream.Stream<Item, EI, RI>,
    settings: Settings<Item, R, E, Services, Reason, Foreign>
  ): Stream.Stream<
    SettledBatch<Item, R, E | Foreign, Reason>,
    EI | E | Foreign | OtherInput | InvalidOption,
    RI | Services
  >
} = dual(
  2,
  <Item, EI, RI, R, E, Services, Reason, Foreign>(
    items: Stream.Stream<Item, EI, RI>,
    settings: Settings<Item, R, E, Services, Reason, Foreign>
  ): Stream.Stream<
    SettledBatch<Item, R, E | Foreign, Reason>,
    EI | E | Foreign | OtherInput | InvalidOption,
    RI | Services
  > =>
    start([...checks(settings), time("window", settings.window, "finite")], () => {
      const ledger = settings.ledger ?? Ledger.make()
      Ledger.begin(ledger)
      const asking = open<E, Foreign>(settings, ledger)
      const concurrency = settings.concurrency ?? defaultConcurrency
      return gathered(items, settings, ledger).pipe(
        // An error that ends the run travels as a value past the concurrent step, which would drop the outcomes queued
        // before it.
        Stream.mapEffect((batch) => Effect.result(settledOf(batch, asking, settings)), {
          // While some are in flight others are made ready, or their answers are read.
          concurrency: concurrency + Math.ceil(concurrency / 4),
          unordered: !(settings.ordered ?? true)
        }),
        Stream.mapEffect(Effect.fromResult),
        // Entered where they are handed on, so that the ledger counts nothing that a fatal error or an interruption drops.
        Stream.tap((batch) => Effect.sync(() => Ledger.enter(ledger, batch))),
        Stream.onEnd(Ledger.check(ledger))
      )
    })
)

/** Asks for a batch of distinct keys. */
export type Call<R, E, Services> = (
  keys: ReadonlyArray<string>
) => Effect.Effect<Answer<R, E>, E, Services> | Promise<Answer<R, E>>

/** Asks for keys that do not come as a stream. */
export interface Batcher<E, Foreign = OwnError> {
  /**
   * Asks for distinct keys, in as many calls as it takes, and succeeds with what is known of each. Fails with an error that is
   * classified as `end`.
   */
  readonly ask: <R, Services = never>(
    keys: ReadonlyArray<string>,
    call: Call<R, E, Services>
  ) => Effect.Effect<Settled<R, E | Foreign>, E | Foreign, Services>
  /** The most keys in one call at this moment. */
  readonly size: () => number
}

/**
 * The mechanism of `outcomes` without a stream. A batcher is state: what it learns of the service, such as the size of a
 * batch, holds for all that it is asked later. Throws `InvalidOption` where a setting cannot be used.
 *
 * @example
 * ```ts
 * import { Batch } from "@chemstream/batch"
 * import { Effect } from "effect"
 *
 * const batcher = Batch.make({ size: 2 })
 * const lengths = batcher.ask(["a", "bb", "ccc"], async (keys) => ({
 *   records: keys.map((key) => ({ key, record: key.length }))
 * }))
 * const { records } = await Effect.runPromise(lengths)
 * records // => new Map([["a", [1]], ["bb", [2]], ["ccc", [3]]])
 * ```
 */
export const make = <E = unknown, Foreign = OwnError>(
  settings: Calls<E, Foreign> & {
    /** Where calls are counted. Default: a ledger of its own. */
    readonly ledger?: Ledger.Ledger | undefined
  }
): Batcher<E, Foreign> => {
  const problem = checks(settings).find((check) => check !== undefined)
  if (problem !== undefined) throw problem
  const ledger = settings.ledger ?? Ledger.make()
  const ask = open(settings, ledger)
  const concurrency = settings.concurrency ?? defaultConcurrency
  return {
    ask: (keys, call) =>
      Effect.suspend(() => {
        const chunks = Arr.chunksOf(keys, ledger.batchSize)
        return Effect.map(
          Effect.forEach(chunks, (chunk) => ask(call, chunk), { concurrency }),
          (parts) => {
            const settled = union(parts)
            ledger.surplus += settled.surplus.length
            return settled
          }
        )
      }),
    size: () => ledger.batchSize
  }
}

const union = <R, E>(parts: ReadonlyArray<Settled<R, E>>): Settled<R, E> => ({
  records: new Map(parts.flatMap(({ records }) => [...records])),
  errors: new Map(parts.flatMap(({ errors }) => [...errors])),
  suggestions: new Map(parts.flatMap(({ suggestions }) => [...suggestions])),
  surplus: parts.flatMap(({ surplus }) => surplus),
  truncated: new Map(parts.flatMap(({ truncated }) => [...truncated]))
})

const checks = <E, Foreign>({ availability, concurrency, rate: perSecond, size }: Calls<E, Foreign>) => [
  ...Availability.checks("availability", availability),
  count("size", size),
  count("concurrency", concurrency),
  rate("rate", perSecond)
]

/** Makes the state in which keys are asked for: the size of batches, the availability and the slots. */
const open = <E, Foreign>(settings: Calls<E, Foreign>, ledger: Ledger.Ledger) => {
  ledger.batchSize = settings.size ?? defaultSize
  const batchSize = BatchSize.make(ledger)
  const own = Availability.make(settings.availability, {
    isReached: settings.isReached,
    onWait: (change) => {
      ledger.waiting += change
    }
  })
  const availability = Effect.map(Availability.Current, (around) =>
    settings.availability === undefined && around !== undefined ? around.availability : own
  )
  const slots = Slots.make(settings.concurrency ?? defaultConcurrency, ledger)
  const classify = settings.classify ?? ((): Verdict => "isolate")
  // By default `Foreign` is that.
  const foreign = settings.foreign ?? (foreignAnswer as (key: unknown, asked: string) => never)
  // By default `Foreign` is that, too.
  const unavailable =
    settings.unavailable ?? ((error: Availability.ServiceUnavailable) => error as unknown as Foreign)
  const called = calling<E>({ ...settings, availability, classify, ledger })
  return <R, Services>(
    call: Call<R, E, Services>,
    keys: ReadonlyArray<string>
  ): Effect.Effect<Settled<R, E | Foreign>, E | Foreign, Services> =>
    settle<R, E, Services, Foreign>(
      {
        ...settings,
        classify,
        foreign,
        unavailable,
        ledger,
        call: (some) => called(call, some)
      },
      keys,
      batchSize,
      slots
    )
}

const foreignAnswer = (key: unknown, asked: string): ForeignAnswer =>
  new ForeignAnswer({
    key,
    asked,
    message: `no record of the answer carries a key that was asked for: ${JSON.stringify(asked)} was, and the first record has ${JSON.stringify(key)}. Give each record the key in the spelling of the request`
  })

const gathered = <Item, EI, RI, R, E, Services, Reason, Foreign>(
  items: Stream.Stream<Item, EI, RI>,
  settings: Settings<Item, R, E, Services, Reason, Foreign>,
  ledger: Ledger.Ledger
): Stream.Stream<Batch<Item, Reason>, EI | OtherInput, RI> => {
  const {
    dedupe = true,
    fingerprint,
    isSuspicious,
    key = keyOfText,
    settlement,
    size = defaultSize,
    window
  } = settings
  const gathering = gather<Item, Reason>({
    key: (item) => {
      const found = key(item)
      return typeof found === "string" ? Result.succeed(found) : found
    },
    fingerprint: fingerprint ?? ((item, found) => (Result.isSuccess(found) ? found.success : String(item))),
    isSuspicious: isSuspicious ?? (() => false),
    ledger,
    seen: seenOf(dedupe),
    settlement,
    size: () => ledger.batchSize
  })
  const add = (array: ReadonlyArray<Item>): Effect.Effect<ReadonlyArray<Batch<Item, Reason>>, OtherInput> =>
    unlessOther(
      () => (window === undefined ? gathering.add(array) : [...gathering.add(array), ...gathering.flush()]),
      gathering.mismatch
    )
  const arrays =
    window === undefined
      ? // No more than a batch at a time: the first call does not wait for what will be in the next ones.
        flatten(Stream.map(Stream.chunks(items), (array) => Arr.chunksOf(array, size)))
      : Stream.groupedWithin(items, size, window)
  return arrays.pipe(
    Stream.mapEffect((array) => Effect.tap(add(array), Slots.requestsFirst)),
    Stream.concat(Stream.fromEffect(unlessOther(gathering.flush, gathering.mismatchAtEnd))),
    flatten
  )
}

const keyOfText = (item: unknown): string => {
  if (typeof item === "string" || typeof item === "number") return String(item)
  throw new TypeError(`The item ${String(item)} is no text. Set key, which gives the key of an item.`)
}

const seenOf = (dedupe: boolean | Seen): Seen | undefined => {
  if (typeof dedupe === "object") return dedupe
  return dedupe ? keySet() : undefined
}

const unlessOther = <A>(step: () => A, mismatch: () => Mismatch | undefined): Effect.Effect<A, OtherInput> =>
  Effect.suspend(() => {
    const result = step()
    const found = mismatch()
    if (found === undefined) return Effect.succeed(result)
    const { items, settled } = found
    const reason =
      items === undefined
        ? `its first ${settled} items are not those that were read then`
        : `it has ${items} items, and at least ${settled} were read then`
    const message = `the input is not the one this run began with: ${reason}. Give the input of that run, or start anew`
    return Effect.fail(new OtherInput({ ...found, message }))
  })

const settledOf = <Item, R, E, Services, Reason, Foreign>(
  { digest, keys, places, spans, suspicious }: Batch<Item, Reason>,
  ask: ReturnType<typeof open<E, Foreign>>,
  { call }: Settings<Item, R, E, Services, Reason, Foreign>
): Effect.Effect<SettledBatch<Item, R, E | Foreign, Reason>, E | Foreign, Services> => {
  let items: Map<string, Item> | undefined
  const itemOf = (key: string): Item => {
    items ??= new Map(
      places
        .toReversed()
        .flatMap((place) => (place._tag === "Admitted" ? [[place.key, place.item] as const] : []))
    )
    return items.get(key) as Item
  }
  return Effect.map(
    ask((some) => call(some, itemOf), keys),
    (settled) => {
      const outcomes: Array<Outcome.Outcome<Item, R, E | Foreign, Reason>> = places.map((place) =>
        place._tag === "Invalid" ? place : outcomeOf(place, settled)
      )
      for (const record of settled.surplus) outcomes.push(record)
      return { outcomes, spans, digest, suspicious }
    }
  )
}

const outcomeOf = <Item, R, E>(
  { item, key }: Admitted<Item>,
  { errors, records, suggestions, truncated }: Settled<R, E>
): Outcome.Outcome<Item, R, E, never> => {
  const own = records.get(key)
  const error = errors.size === 0 ? undefined : errors.get(key)
  if (error !== undefined) return { _tag: "Failed", key, item, error, records: own }
  if (own === undefined) return { _tag: "Missing", key, item, suggestions: suggestions.get(key) }
  const why = truncated.size === 0 ? undefined : truncated.get(key)
  return { _tag: "Found", key, item, records: own, ...(why === undefined ? {} : { truncated: why }) }
}
