/**
 * Finds the name that was most likely meant by an unknown name.
 */

/** The most edits between a name and its suggestion. */
const mostEdits = 3

/** Returns the nearest name, ignoring case. Undefined if none is near. */
export const nearest = (name: string, names: ReadonlyArray<string>): string | undefined =>
  ranked(name, names, Math.min(mostEdits, Math.floor(name.length / 2)))[0]

/** Returns the names with at most so many edits, the nearest first. */
export const ranked = <A extends string>(
  name: string,
  names: ReadonlyArray<A>,
  most = Number.POSITIVE_INFINITY
): ReadonlyArray<A> =>
  names
    .map((one) => ({ one, edits: editsBetween(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .sort((one, other) => one.edits - other.edits)
    .map(({ one }) => one)

/** Returns the Levenshtein distance: the fewest characters to insert, delete or replace. */
const editsBetween = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    let last = at + 1
    const next = [last]
    for (const [to, opposite] of [...other].entries()) {
      const replaced = (row[to] as number) + (letter === opposite ? 0 : 1)
      last = Math.min(last + 1, (row[to + 1] as number) + 1, replaced)
      next.push(last)
    }
    row = next
  }
  return row[other.length] as number
}
