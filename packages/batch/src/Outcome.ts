/**
 * What became of each item, `Found`, `Missing`, `Failed` or `Invalid`; and records that belong to no item, `Surplus`.
 */

/** The item of an outcome. */
export interface Place<Item> {
  /** The key that was asked for. */
  readonly key: string
  /** The item as it was given. */
  readonly item: Item
}

/** Why the records of an item are not all that the service has: it says that it left some out (`capped`). */
export type Truncation = "capped"

/** The service has records of the item: at least one. */
export interface Found<Item, R> extends Place<Item> {
  readonly _tag: "Found"
  readonly records: ReadonlyArray<R>
  /** Why the service has more records than these. Absent when they are all. */
  readonly truncated?: Truncation
}

/** The service was asked and does not know the item. `suggestions` is what it names instead. */
export interface Missing<Item> extends Place<Item> {
  readonly _tag: "Missing"
  readonly suggestions: ReadonlyArray<string> | undefined
}

/** The service gave no usable response for the item. `records` are those that came all the same. */
export interface Failed<Item, R, E> extends Place<Item> {
  readonly _tag: "Failed"
  readonly error: E
  readonly records: ReadonlyArray<R> | undefined
}

/** The item has no key, for this reason; the service was not asked. */
export interface Invalid<Item, Reason> {
  readonly _tag: "Invalid"
  readonly item: Item
  readonly reason: Reason
}

/**
 * Why a record belongs to no item: its key was not requested (`unrequested`), its item takes one record and has one
 * (`repeated`), or it carries no key (`unidentified`).
 */
export type SurplusReason = "unrequested" | "repeated" | "unidentified"

/** A record that belongs to no item. It is not counted as an item, and follows the outcomes of its batch. */
export interface Surplus {
  readonly _tag: "Surplus"
  readonly reason: SurplusReason
  /** The key that the record carries; undefined without one. */
  readonly key: string | undefined
  readonly item?: undefined
  /** The record as it came. */
  readonly record: unknown
}

/** What became of one item, or a record that belongs to none. */
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
  reason,
  key,
  record
})

/** Says how many records there are, and whether the service has more, for people. */
export const foundMessage = ({
  records,
  truncated
}: Pick<Found<unknown, unknown>, "records" | "truncated">): string =>
  `${records.length} ${records.length === 1 ? "record" : "records"}${truncated === undefined ? "" : ", truncated"}`

/** Says why a record belongs to no item, for people. */
export const surplusMessage = ({ key, reason }: Pick<Surplus, "key" | "reason">): string => {
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
 * What became of an item, in one line for people.
 *
 * @example
 * ```ts
 * import { Outcome } from "@chemstream/batch"
 *
 * const lost = { _tag: "Missing", key: "9780000000001", item: "978-0000000001", suggestions: undefined } as const
 * Outcome.describe(lost) // => "missing: 9780000000001: the service does not know 9780000000001"
 * Outcome.describe({ _tag: "Invalid", item: "123", reason: "13 digits are wanted" }) // => "invalid: 123: 13 digits are wanted"
 * ```
 */
export const describe = (outcome: Outcome<unknown, unknown, unknown, unknown>): string => {
  switch (outcome._tag) {
    case "Found":
      return `found: ${outcome.key}: ${foundMessage(outcome)}`
    case "Missing":
      return `missing: ${outcome.key}: the service does not know ${outcome.key}`
    case "Failed":
      return `failed: ${outcome.key}: ${messageOf(outcome.error)}`
    case "Invalid":
      return `invalid: ${String(outcome.item)}: ${messageOf(outcome.reason)}`
    case "Surplus":
      return `surplus: ${surplusMessage(outcome)}`
  }
}

const messageOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error)
