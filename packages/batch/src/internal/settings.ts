/**
 * The settings of runs, their defaults, and the errors of batches and inputs.
 */
import { Data, type Duration, type Effect, type Result, type Schedule } from "effect"
import * as Availability from "../Availability.ts"
import { count, rate } from "../InvalidOption.ts"
import type * as Ledger from "../Ledger.ts"
import type * as Outcome from "../Outcome.ts"
import type { Multiplicity } from "../Reconcile.ts"
import type { ResumePoint, Span } from "../ResumePoint.ts"
import type { CallResult, OnFailure, Verdict } from "./calls/batchCall.ts"
import type { Seen } from "./input/admission.ts"

/** The most keys in one call when not set. */
export const defaultSize = 100

/** The most calls in flight when not set. */
export const defaultConcurrency = 4

/** The input of a run that should continue an earlier one is not the input that one had. */
export class InputMismatch extends Data.TaggedError("InputMismatch")<{
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
export class UnmatchedResponse extends Data.TaggedError("UnmatchedResponse")<{
  /** A key of the answer. */
  readonly key: unknown
  /** A key that was asked for. */
  readonly asked: string
  readonly message: string
}> {}

/** What the core itself fails with: an item, or the run. */
export type OwnError = UnmatchedResponse | Availability.ServiceUnavailable

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
   * asked for. The batch is isolated. Default: `UnmatchedResponse`.
   */
  readonly unmatched?: ((key: unknown, asked: string) => Foreign) | undefined
  /** What is done about a failed batch. Default: `isolate`. */
  readonly onFailure?: OnFailure | undefined
  /** How many records a key may have. Default: `one`. */
  readonly multiplicity?: Multiplicity | undefined
  /** The most keys in one call, at least 1. Default: 100. */
  readonly size?: number | undefined
  /**
   * The most calls in flight, at least 1. Meanwhile a quarter as many batches, but one at least, are made ready, or their
   * answers read: a call that heeds its `RequestGate` counts as in flight until its response has arrived, any other to its end.
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
  ) => Effect.Effect<CallResult<R, E>, E, Services> | Promise<CallResult<R, E>>
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
   * with `InputMismatch`, before it asks for anything, where the input is another one. Default: nothing.
   */
  readonly resumePoint?: ResumePoint | undefined
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

/** Asks for a batch of distinct keys. */
export type Call<R, E, Services> = (
  keys: ReadonlyArray<string>
) => Effect.Effect<CallResult<R, E>, E, Services> | Promise<CallResult<R, E>>

/** Checks the settings of calls. */
export const checks = <E, Foreign>({
  availability,
  concurrency,
  rate: perSecond,
  size
}: Calls<E, Foreign>) => [
  ...Availability.checks("availability", availability),
  count("size", size),
  count("concurrency", concurrency),
  rate("rate", perSecond)
]
