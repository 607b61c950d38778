/**
 * Matches the records of a response with the requested keys, never by position. Keys are compared exactly, character by character: the
 * caller gives both in canonical spelling (`80-05-7`, not `80-5-07`). `internal/runErrors.ts` has the error of a response without a
 * requested key.
 *
 * Responses may be shuffled or incomplete, or have records that were not requested (docs/service.md, section
 * 4). An unrequested record is surplus (it belongs to no key), and never goes to another key. A second record of a
 * key that takes one is surplus too.
 */
import { argument, iterable, list, object, oneOf } from "./Options.ts"
import { type Surplus, surplus } from "./Outcome.ts"

/** A record with its key. */
export interface Keyed<R> {
  readonly key: string
  readonly record: R
}

/** How many records a key may have: one (e.g. details), or any number (e.g. bioactivity data). */
export type Multiplicity = "one" | "many"

/** A response sorted by key. */
export interface Reconciled<R> {
  /** The records by key, in the order of the response. Keys without records are absent. */
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
 * const response = [{ key: "b", record: 2 }, { key: "x", record: 9 }, { key: "b", record: 3 }]
 * const one = Reconcile.byKey(["a", "b"], response, "one")
 * one.records // => new Map([["b", [2]]])
 * one.surplus.map(({ reason, record }) => [reason, record]) // => [["unrequested", 9], ["repeated", 3]]
 * const many = Reconcile.byKey(["a", "b"], response, "many")
 * many.records // => new Map([["b", [2, 3]]])
 * many.surplus.map(({ reason, record }) => [reason, record]) // => [["unrequested", 9]]
 * ```
 */
export const byKey = <R>(
  keys: Iterable<string>,
  response: ReadonlyArray<Keyed<R>>,
  multiplicity: Multiplicity
): Reconciled<R> => {
  const isRequested = requested(keys)
  const records = new Map<string, Array<R>>()
  const surplusRecords: Array<Surplus> = []
  const isMany = argument("multiplicity", multiplicities, multiplicity) === "many"
  for (const { key, record } of argument("response", keyed, response)) {
    const group = records.get(key)
    if (group === undefined) {
      if (isRequested(key)) records.set(key, [record])
      else surplusRecords.push(surplus("unrequested", record, key))
    } else if (isMany) group.push(record)
    else surplusRecords.push(surplus("repeated", record, key))
  }
  return { records, surplus: surplusRecords }
}

const keysKind = /* @__PURE__ */ iterable("texts")

const multiplicities = /* @__PURE__ */ oneOf<Multiplicity>(["one", "many"])

const keyed = /* @__PURE__ */ list(/* @__PURE__ */ object("an object with key and record"))

/** The number of keys that are compared with the next record. A response that leaves out more in a row needs a set of all keys. */
const lookahead = 4

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
export const requested = (keys: Iterable<string>): ((id: string) => boolean) => {
  const ids: ReadonlyArray<string> = Array.isArray(keys) ? keys : [...argument("keys", keysKind, keys)]
  let next = 0
  let all: ReadonlySet<string> | undefined
  return (id) => {
    const end = Math.min(next + lookahead, ids.length)
    for (let at = next; at < end; at++) {
      if (ids[at] !== id) continue
      next = at + 1
      return true
    }
    all ??= new Set(ids)
    return all.has(id)
  }
}
