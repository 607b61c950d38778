/**
 * An answer held against the batch that asked for it: by the key each record carries, never by position.
 *
 * Answers arrive shuffled, short, or with records that nobody asked for (wire facts, Errors). Those are counted as
 * surplus, as is a second record for an identifier already answered; neither is attributed to another identifier.
 */

/** A record with the identifier it carries. */
export interface Keyed<R> {
  readonly key: string
  readonly record: R
}

/** An answer sorted by identifier. */
export interface Reconciled<R> {
  /** The record of each identifier that was answered. */
  readonly records: ReadonlyMap<string, R>
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
 * const answer = [{ key: "b", record: 2 }, { key: "x", record: 9 }]
 * Reconcile.byKey(["a", "b"], answer) // => { records: new Map([["b", 2]]), surplus: 1 }
 * ```
 */
export const byKey = <R>(asked: Iterable<string>, answer: ReadonlyArray<Keyed<R>>): Reconciled<R> => {
  const open = new Set(asked)
  const records = new Map<string, R>()
  for (const { key, record } of answer) {
    if (open.delete(key)) records.set(key, record)
  }
  return { records, surplus: answer.length - records.size }
}
