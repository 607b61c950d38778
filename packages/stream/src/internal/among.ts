/**
 * Whether an identifier is one of those that were asked for.
 *
 * Most services answer in the order asked, some identifiers left out. So each is first compared with the next ones asked
 * for; a set is made only for an answer that is out of order.
 */

/** How many identifiers in a row may be left out before the set is made. */
const reach = 4

/** A test for identifiers that mostly come in the order of `asked`. */
export const among = (asked: Iterable<string>): ((id: string) => boolean) => {
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
