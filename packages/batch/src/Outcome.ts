/** The outcome of an item: `Found`, `Missing`, `Failed` or `Invalid`. `Surplus` is a record that belongs to no item. */

import { messageOf, shownItem } from "./internal/messageOf.ts"
import { type AnyKind, argument, iterable, kind as kindOf, object, objectWith, oneOf } from "./Options.ts"

/** The item of an outcome, and its key. */
export interface Place<Item> {
  /** The requested key. */
  readonly key: string
  /** The item as given. */
  readonly item: Item
}

/** Why the records of an item are incomplete: the service left some out (`capped`). */
export type Truncation = "capped"

/** Why the records of an item need a review: it may mean several things, or its parts contradict each other. */
export type Doubt = "ambiguous" | "conflict"

/** The service has at least one record of the item. */
export interface Found<Item, R> extends Place<Item> {
  readonly _tag: "Found"
  readonly records: ReadonlyArray<R>
  /** Why the records are incomplete. Absent: they are complete. */
  readonly truncated?: Truncation
  /** Why the records need a review. Absent: they need none. */
  readonly doubt?: Doubt
}

/** The service does not know the item. `suggestions` are the names that it suggests instead, if any. */
export interface Missing<Item> extends Place<Item> {
  readonly _tag: "Missing"
  readonly suggestions: ReadonlyArray<string> | undefined
}

/** The item has no usable response. `records` are the records that arrived nevertheless. */
export interface Failed<Item, R, E> extends Place<Item> {
  readonly _tag: "Failed"
  readonly error: E
  readonly records: ReadonlyArray<R> | undefined
}

/** The item has no key, so it was not requested. `reason` says why. */
export interface Invalid<Item, Reason> {
  readonly _tag: "Invalid"
  readonly item: Item
  readonly reason: Reason
}

/**
 * Why a record belongs to no item: its key was not requested (`unrequested`), its item already has its one record
 * (`repeated`), or it has no key (`unidentified`).
 */
export type SurplusReason = "unrequested" | "repeated" | "unidentified"

/** A record that belongs to no item. It follows the outcomes of its batch, and does not count as an item. */
export interface Surplus {
  readonly _tag: "Surplus"
  readonly reason: SurplusReason
  /** The key of the record. Undefined: it has none. */
  readonly key: string | undefined
  readonly item?: undefined
  /** The record as received. */
  readonly record: unknown
}

/** The outcome of one item, or a record that belongs to none. */
export type Outcome<Item, R, E, Reason> =
  | Found<Item, R>
  | Missing<Item>
  | Failed<Item, R, E>
  | Invalid<Item, Reason>
  | Surplus

/**
 * Makes a `Surplus`.
 *
 * @example
 * ```ts
 * import { Outcome } from "@chemstream/batch"
 *
 * Outcome.surplus("unidentified", { n: 1 })
 * // => { _tag: "Surplus", reason: "unidentified", key: undefined, record: { n: 1 } }
 * ```
 */
export const surplus = (reason: SurplusReason, record: unknown, key?: string): Surplus => ({
  _tag: "Surplus",
  reason: argument("reason", reasonKind, reason),
  key,
  record
})

/** The kind of an outcome, for declarations of options (`Options`). */
export const kind: AnyKind = /* @__PURE__ */ kindOf("an outcome", (value) =>
  tags.has((value as Partial<Surplus> | null)?._tag)
)

const tags = /* @__PURE__ */ new Set<unknown>(["Found", "Missing", "Failed", "Invalid", "Surplus"])

const reasonKind = /* @__PURE__ */ oneOf<SurplusReason>(["unrequested", "repeated", "unidentified"])
const surplusKind = /* @__PURE__ */ objectWith("a surplus", { reason: reasonKind })
const recordsKind = /* @__PURE__ */ iterable("records")

/** Describes the number of records for people, and whether the service has more. */
export const foundMessage = (found: Pick<Found<unknown, unknown>, "records" | "truncated">): string => {
  const { records, truncated } = argument("found", object(), found)
  argument("records", recordsKind, records)
  return `${records.length} ${records.length === 1 ? "record" : "records"}${truncated === undefined ? "" : ", truncated"}`
}

/** Describes for people why a record belongs to no item. */
export const surplusMessage = (given: Pick<Surplus, "key" | "reason">): string => {
  const { key, reason } = argument("surplus", surplusKind, given)
  switch (reason) {
    case "unrequested":
      return `the response has a record of ${key}, which was not requested`
    case "repeated":
      return `the response has more than one record of ${key}`
    case "unidentified":
      return "the response has a record without an identifier"
  }
}

/**
 * Describes an outcome in one line for people.
 *
 * @example
 *
 * ```ts
 * import { Outcome } from "@chemstream/batch"
 *
 * const lost = { _tag: "Missing", key: "9780000000001", item: "978-0000000001", suggestions: undefined } as const
 * Outcome.describe(lost) // => "missing: 9780000000001: the service does not know 9780000000001"
 * Outcome.describe({ _tag: "Invalid", item: "123", reason: "13 digits are wanted" }) // => "invalid: 123: 13 digits are wanted"
 * ```
 */
export const describe = (outcome: Outcome<unknown, unknown, unknown, unknown>): string => {
  argument("outcome", kind, outcome)
  switch (outcome._tag) {
    case "Found":
      return `found: ${outcome.key}: ${foundMessage(outcome)}`
    case "Missing":
      return `missing: ${outcome.key}: the service does not know ${outcome.key}`
    case "Failed":
      return `failed: ${outcome.key}: ${messageOf(outcome.error)}`
    case "Invalid":
      return `invalid: ${shownItem(outcome.item)}: ${messageOf(outcome.reason)}`
    case "Surplus":
      return `surplus: ${surplusMessage(outcome)}`
  }
}
