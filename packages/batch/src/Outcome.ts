/**
 * What became of each item: `Found`, `Missing`, `Failed` or `Invalid`.
 */

/** The item of an outcome. */
export interface Place<Item> {
  /** The key that was asked for. */
  readonly key: string
  /** The item as it was given. */
  readonly item: Item
}

/** The service has records of the item: at least one. */
export interface Found<Item, R> extends Place<Item> {
  readonly _tag: "Found"
  readonly records: ReadonlyArray<R>
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

/** What became of one item. */
export type Outcome<Item, R, E, Reason> =
  | Found<Item, R>
  | Missing<Item>
  | Failed<Item, R, E>
  | Invalid<Item, Reason>

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
      return `found: ${outcome.key}: ${outcome.records.length} ${outcome.records.length === 1 ? "record" : "records"}`
    case "Missing":
      return `missing: ${outcome.key}: the service does not know ${outcome.key}`
    case "Failed":
      return `failed: ${outcome.key}: ${messageOf(outcome.error)}`
    case "Invalid":
      return `invalid: ${String(outcome.item)}: ${messageOf(outcome.reason)}`
  }
}

const messageOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error)
