/**
 * An answer held against the batch that asked for it: by the key each record carries, never by position.
 *
 * Answers arrive shuffled, short, or with records that nobody asked for (docs/service.md, section 4). Those are counted as
 * surplus, and are never attributed to another identifier. So is, where one record an identifier is expected, a
 * second record for an identifier already answered.
 */

/** A record with the identifier it carries. */
export interface Keyed<R> {
  readonly key: string
  readonly record: R
}

/** How many records an identifier may have: one, as details; any number, as bioactivity data. */
export type Multiplicity = "one" | "many"

/** An answer sorted by identifier. */
export interface Reconciled<R> {
  /** The records of each identifier that was answered, in the order of the answer. */
  readonly records: ReadonlyMap<string, ReadonlyArray<R>>
  /** How many records were nobody's. */
  readonly surplus: number
}

/**
 * Sorts an answer by the identifiers asked for.
 *
 * @example
 * ```ts
 * import { Reconcile } from "@chemstream/batch"
 *
 * const answer = [{ key: "b", record: 2 }, { key: "x", record: 9 }, { key: "b", record: 3 }]
 * Reconcile.byKey(["a", "b"], answer, "one") // => { records: new Map([["b", [2]]]), surplus: 2 }
 * Reconcile.byKey(["a", "b"], answer, "many") // => { records: new Map([["b", [2, 3]]]), surplus: 1 }
 * ```
 */
export const byKey = <R>(
  asked: Iterable<string>,
  answer: ReadonlyArray<Keyed<R>>,
  multiplicity: Multiplicity
): Reconciled<R> => {
  const isAsked = requested(asked)
  const records = new Map<string, Array<R>>()
  let surplus = 0
  for (const { key, record } of answer) {
    const group = records.get(key)
    if (group === undefined) {
      if (isAsked(key)) records.set(key, [record])
      else surplus++
    } else if (multiplicity === "many") group.push(record)
    else surplus++
  }
  return { records, surplus }
}

/** How many keys in a row may be left out before the set is made. */
const reach = 4

/**
 * A test for "was this key requested?" that makes a set only for an answer that is not in the order of the request.
 *
 * @example
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
