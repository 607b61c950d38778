/**
 * An answer held against the batch that asked for it: by the key each record carries, never by position.
 *
 * Answers arrive shuffled, short, or with records that nobody asked for (docs/service.md, section 4). Those are counted as
 * surplus, and are never attributed to another identifier. So is, where one record an identifier is expected, a
 * second record for an identifier already answered.
 */

import { among } from "./internal/among.ts"

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
 * import { Reconcile } from "@chemstream/stream"
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
  const isAsked = among(asked)
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
