/**
 * Defines the settings of runs, and their defaults. `calls/callRequests.ts` has the waits between retries, and `runErrors.ts` the errors.
 * `Calls` are those of requests, which a `Batcher` has too; `OutcomeSettings` and `Settings` add those of a stream of items.
 *
 * Type parameters: `E` is the error of the caller's calls. `Foreign` are the errors that `unavailable` and `unmatched` make instead of the
 * package's own. `Reason` says why an item has no key.
 */
import { type Duration, type Effect, type Result, Schedule } from "effect"
import * as Availability from "../Availability.ts"
import * as Ledger from "../Ledger.ts"
import * as Options from "../Options.ts"
import type * as Outcome from "../Outcome.ts"
import type { Multiplicity } from "../Reconcile.ts"
import type { ResumePoint, Span } from "../ResumePoint.ts"
import type { CallResult, OnFailure, Verdict } from "./calls/callResult.ts"
import type { KeySet } from "./input/keySet.ts"
import type { OwnError } from "./runErrors.ts"

/** The retries of calls in numbers. */
export interface Attempts {
  /** The largest number of attempts, with the first. Default: 1. */
  readonly attempts?: number | undefined
}

/** How keys are requested: retries, rate, waits, size and number of calls, and what their errors mean. */
export interface Calls<E, Foreign = OwnError> {
  /** Returns the meaning of a failed call for its batch. Default: `isolate`. */
  readonly classify?: ((error: E) => Verdict) | undefined
  /**
   * The retries after a failed call: a schedule, or the number of attempts (`3` or `{ attempts: 3 }`), with waits of 0.5, 1, 2 … seconds
   * (up to 1 minute) between them. The call may also retry by itself.
   *
   * Errors that mean `stop`, `halve` or `missing` are not retried. Default: no retries.
   */
  readonly retry?: number | Attempts | Schedule.Schedule<unknown, E> | undefined
  /** The largest number of calls that start per second, including retries. Default: no limit. */
  readonly rate?: number | undefined
  /**
   * Returns what a failed call says about the service (`Availability`). Calls wait while the service is
   * unavailable or asks to wait, and then start over.
   *
   * Default: an error with `status` 429 or with `retryAfter` (milliseconds, a text such as `"2 seconds"`, or the seconds of a header as a
   * text) asks to wait. Any other error says nothing, and with `service` every error.
   */
  readonly signal?: ((error: E) => Availability.Signal) | undefined
  /**
   * How long calls wait for the service, if `signal` reports that it is unavailable or asks to wait. Then the run stops
   * with `ServiceUnavailable`. Default: as in the surrounding run, or as `service` says (`forRuns`), or 1 minute.
   */
  readonly availability?: Availability.Options | undefined
  /**
   * The state of the service, if its runs and clients share it. The service of `@chemstream/client` is its client's.
   * Default: one of the run.
   */
  readonly service?: Effect.Effect<Availability.Availability> | undefined
  /** Makes the error of calls that waited in vain. Default: `ServiceUnavailable`. */
  readonly unavailable?: ((error: Availability.ServiceUnavailable) => Foreign) | undefined
  /**
   * Returns the most keys that a call takes, if the error of a batch says so. The run then sends batches of this size. Default: it does
   * not, so a batch that is too large is halved.
   */
  readonly limit?: ((error: E) => number | undefined) | undefined
  /** Returns the service's suggestions for a key that is missing with this error. Default: none. */
  readonly suggestions?: ((error: E) => ReadonlyArray<string>) | undefined
  /**
   * Makes the error of a response in which no record has a requested key. It gets the first key of the response
   * and a requested key.
   *
   * The batch is then isolated. Default: `UnmatchedResponse`.
   */
  readonly unmatched?: ((key: unknown, requestedKey: string) => Foreign) | undefined
  /** What to do about a failed batch. Default: `isolate`. */
  readonly onFailure?: OnFailure | undefined
  /** How many records a key may have. Default: `one`. */
  readonly multiplicity?: Multiplicity | undefined
  /** The largest number of keys in one call, at least 1. Default: 100. */
  readonly size?: number | undefined
  /**
   * The largest number of calls in flight, at least 1.
   *
   * A quarter as many further batches, at least one, are being prepared or read at the same time. A call that uses
   * its `RequestGate` is in flight until its response has arrived. Any other call is in flight until it finishes.
   * Default: 4.
   */
  readonly concurrency?: number | undefined
}

/** The settings of a stream of items that begins at its first. */
export interface OutcomeSettings<Item, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>
  extends Calls<E, Foreign> {
  /**
   * Returns the key of an item, or why it has none. Default: the item itself, which must then be a text or a
   * number.
   */
  readonly key?: ((item: Item) => string | Result.Result<string, Reason>) | undefined
  /**
   * Requests distinct keys: at least one, at most `size`.
   *
   * A rejected promise or a thrown error fails the call with its reason.
   */
  readonly call: (
    keys: ReadonlyArray<string>,
    context: CallContext & {
      /** Returns the first item of the batch with this key. */
      readonly item: (key: string) => Item
    }
  ) => Effect.Effect<CallResult<R, E>, E, Services> | Promise<CallResult<R, E>>
  /** Returns why the records of a found key need a review. The ledger counts such keys. Default: none needs one. */
  readonly doubtOf?: ((records: ReadonlyArray<R>) => Outcome.Doubt | undefined) | undefined
  /** Whether a key looks wrong. Such a key is requested, and counted as suspicious. Default: never. */
  readonly isSuspicious?: ((key: string) => boolean) | undefined
  /**
   * The longest time that an item waits for its batch to fill, for slow input. Default: until the batch is full or
   * the input ends.
   */
  readonly window?: Duration.Input | undefined
  /** Whether outcomes have the order of the input. Default: true. */
  readonly ordered?: boolean | undefined
  /**
   * Whether an item with the key of an earlier item is counted as a duplicate, and not requested.
   *
   * `true` keeps the keys of the run in memory, 25 to 50 bytes each. Your own set keeps keys between runs. A
   * function decides it for each item, e.g. not for the rows of a table: each of them has an outcome, and equal
   * keys of a batch are requested once. Default: true.
   */
  readonly dedupe?: boolean | KeySet | ((item: Item) => boolean) | undefined
  /** Returns the text that identifies an item when a run is resumed. Default: its key, or the item as text. */
  readonly fingerprint?: ((item: Item) => string) | undefined
  /** The ledger of the run (`Ledger`). Default: a new one for each run. */
  readonly ledger?: Ledger.Ledger | undefined
}

/** The settings of a stream of items. */
export interface Settings<Item, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>
  extends OutcomeSettings<Item, R, E, Services, Reason, Foreign> {
  /**
   * The part of the input that an earlier run has settled. It is skipped, and not counted again.
   *
   * Another input fails with `InputMismatch` before the first call. Default: nothing.
   */
  readonly resumePoint?: ResumePoint | undefined
}

/** The outcomes of a part of the input. */
export interface SettledBatch<Item, R, E, Reason> {
  /** The outcomes of its items, then the surplus records of its responses. */
  readonly outcomes: ReadonlyArray<Outcome.Outcome<Item, R, E, Reason>>
  /** The spans of the input. Items without an outcome are duplicates. */
  readonly spans: ReadonlyArray<Span>
  /** The digest of the input up to the end of the last span. */
  readonly digest: string
  /** The number of requested items that look wrong. Default: 0. */
  readonly suspicious?: number | undefined
}

/** What a call gets beside its keys. */
export interface CallContext {
  /** Aborts when the run is interrupted. For calls that return promises, e.g. `fetch(url, { signal })`. */
  readonly signal: AbortSignal
}

/** Requests a batch of distinct keys. */
export type Call<R, E, Services> = (
  keys: ReadonlyArray<string>,
  context: CallContext
) => Effect.Effect<CallResult<R, E>, E, Services> | Promise<CallResult<R, E>>

/** The declaration of the settings of calls. */
const calls = {
  classify: Options.func,
  retry: Options.anyOf(
    Options.kind<Schedule.Schedule<unknown, unknown>>("a schedule", Schedule.isSchedule),
    Options.count,
    Options.set<Attempts>()({ attempts: Options.count })
  ),
  rate: Options.rate,
  signal: Options.func,
  availability: Availability.optionSet,
  service: Options.effect,
  unavailable: Options.func,
  limit: Options.func,
  suggestions: Options.func,
  unmatched: Options.func,
  onFailure: Options.withDefault(Options.oneOf(["isolate", "failBatch", "abort"]), "isolate"),
  multiplicity: Options.withDefault(Options.oneOf(["one", "many"]), "one"),
  size: Options.withDefault(Options.count, 100),
  concurrency: Options.withDefault(Options.count, 4)
} as const

/** The default number of keys in one call. */
export const defaultSize = calls.size.default

/** The default number of calls in flight. */
export const defaultConcurrency = calls.concurrency.default

/** A set of keys that were seen. */
export const keySet: Options.Kind<KeySet> = Options.instance("a set with a method add", "add")

/** The part of an input that a run has settled. */
const resumePoint: Options.Kind<ResumePoint> = Options.kind("a resume point", (value) =>
  Array.isArray((value as ResumePoint | null)?.spans)
)

/** The declaration of the settings of a batcher. */
export const batcherSet = Options.set<Calls<unknown> & Pick<AnySettings, "ledger">>()({
  ...calls,
  ledger: Ledger.kind
})

type AnySettings = Settings<unknown, unknown>

/** The declaration of the settings of a stream that begins at its first item. */
export const outcomeSet = Options.set<OutcomeSettings<unknown, unknown>>()({
  ...calls,
  key: Options.func,
  call: Options.required(Options.func),
  doubtOf: Options.func,
  isSuspicious: Options.func,
  window: Options.time("finite"),
  ordered: Options.withDefault(Options.flag, true),
  dedupe: Options.withDefault(Options.anyOf(Options.flag, keySet, Options.func), true),
  fingerprint: Options.func,
  ledger: Ledger.kind
})

/** The declaration of the settings of a stream. */
export const settingsSet = Options.set<AnySettings>()({ ...outcomeSet.fields, resumePoint })
