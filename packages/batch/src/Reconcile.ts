/**
 * Matches the records of a response with the requested keys, never by position.
 *
 * Responses are shuffled, incomplete, or have records that were not requested (docs/service.md, section 4). Such
 * records are surplus and never attributed to another key. So is a second record of a key that has one.
 */
import { type Surplus, surplus } from "./Outcome.ts"

/** A record with its key. */
export interface Keyed<R> {
  readonly key: string
  readonly record: R
}

/** How many records a key may have: one, as details, or any number, as bioactivity data. */
export type Multiplicity = "one" | "many"

/** A response sorted by key. */
export interface Reconciled<R> {
  /** The records of each key that has any, in the order of the response. */
  readonly records: ReadonlyMap<string, ReadonlyArray<R>>
  /** The records that belong to no requested key. */
  readonly surplus: ReadonlyArray<Surplus>
}

/**
 * Sorts the records of a response by requested key.
 *
 * @example
 *
 * ```ts
 * import { Reconcile } from "@chemstream/batch"
 *
 * const answer = [{ key: "b", record: 2 }, { key: "x", record: 9 }, { key: "b", record: 3 }]
 * const one = Reconcile.byKey(["a", "b"], answer, "one")
 * one.records // => new Map([["b", [2]]])
 * one.surplus.map(({ reason, record }) => [reason, record]) // => [["unrequested", 9], ["repeated", 3]]
 * const many = Reconcile.byKey(["a", "b"], answer, "many")
 * many.records // => new Map([["b", [2, 3]]])
 * many.surplus.map(({ reason, record }) => [reason, record]) // => [["unrequested", 9]]
 * ```
 */
export const byKey = <R>(
  asked: Iterable<string>,
  answer: ReadonlyArray<Keyed<R>>,
  multiplicity: Multiplicity
): Reconciled<R> => {
  const isAsked = requested(asked)
  const records = new Map<string, Array<R>>()
  const others: Array<Surplus> = []
  for (const { key, record } of answer) {
    const group = records.get(key)
    if (group === undefined) {
      if (isAsked(key)) records.set(key, [record])
      else others.push(surplus("unrequested", record, key))
    } else if (multiplicity === "many") group.push(record)
    else others.push(surplus("repeated", record, key))
  }
  return { records, surplus: others }
}

/** The number of consecutive keys that may be missing before a set is built. */
const reach = 4

/**
 * Returns a test for "was this key requested?" that builds a set only if the response is out of order.
 *
 * @example
 *
 * ```ts
 * import { Reconcile } from "@chemstream/batch"
 *
 * const isRequested = Reconcile.requested(["a", "b"])
 * isRequested("b") // => true
 * isRequested("x") // => false
 * ```
 */
export const requested = (asked: Iterable<string>): ((id: string) => boolean) => {
  const ids = Array.isArray(asked) ? (asked as ReadonlyArray<string>) : [...asked]
  let next = 0
  let all: ReadonlySet<string> | undefined
  return (id) => {
    const end = Math.min(next + reach, ids.length)
    for (let at = next; at < end; at++) {
      if (ids[at] !== id) continue
      next = at + 1
      return true
    }
    all ??= new Set(ids)
    return all.has(id)
  }
}
