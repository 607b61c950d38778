/** The read side of the gram index: intersects the sets of the grams of a text, stripe by stripe. */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { arraysOf, endOf } from "../../database/statements.ts"
import { addTo, type Documents, decode, emptyMap, intersect, parts, width } from "./documents.ts"
import type { Reader } from "./GramIndex.ts"
import { RowReader } from "./postings.ts"
import { gramStart, gramsOf, mostStripes, type Row, rowFrom, sizeOf } from "./rows.ts"

/** The smallest number of substances in a part, except the last. */
const partSize = 1024

/** The number of characters whose grams are used. More do not make a text rarer. */
const mostCharacters = 200

/** Up to this many documents, reading them costs less than another row of the index. */
const few = 1

export const reader = (database: DatabaseSync): Reader => {
  const arrays = arraysOf(database)
  const numbersOf = gramNumbers(arrays("SELECT id FROM grams WHERE gram = ?"))
  const from = arrays("SELECT id FROM grams WHERE gram >= ? AND gram < ? AND length(gram) = ?")
  const read = arrays(rowFrom)

  const withAll = (of: number, grams: ReadonlyArray<number>): Iterable<ReadonlyArray<number>> => {
    const sets = grams.map((gram) => new Sets(read, gramStart(of, gram)))
    return inStripes((stripe) => {
      // The rarest first, judged by the previous stripe. Sets that have not been read come first.
      sets.sort((a, b) => a.size - b.size)
      let found: Documents | undefined
      for (const one of sets) {
        if (found instanceof Uint16Array && found.length <= few && (found.length === 0 || !one.has(stripe)))
          break
        const bytes = one.of(stripe)
        if (one.isOver) return undefined
        if (bytes === undefined) return none
        found = found === undefined ? decode(bytes) : intersect(found, decode(bytes))
      }
      return found ?? none
    })
  }

  // Not cached: thousands of grams may have the prefix.
  const withStart = (of: number, text: string): Iterable<ReadonlyArray<number>> => {
    const rows = from.all(text, endOf(text), sizeOf(of)) as unknown as ReadonlyArray<readonly [number]>
    let starts = rows.map(([gram]) => gramStart(of, gram))
    return inStripes((stripe) => {
      const map = emptyMap()
      starts = starts.filter((start) => {
        const sets = new Sets(read, start)
        const bytes = sets.of(stripe)
        if (bytes !== undefined) addTo(map, decode(bytes))
        return !sets.isOver
      })
      return starts.length === 0 ? undefined : map
    })
  }

  return {
    find: (of, text) => {
      const size = sizeOf(of)
      const characters = [...text].slice(0, mostCharacters)
      if (characters.length < size) return withStart(of, text)
      const numbers = numbersOf(text, gramsOf(characters, size), size)
      return numbers.length === 0 ? [] : withAll(of, numbers)
    }
  }
}

/** Finds the numbers of grams, and keeps those of the last text, which is searched in several groups. */
const gramNumbers = (numberOf: StatementSync) => {
  // Grams keep their numbers.
  let known = { text: "", size: 0, numbers: [] as ReadonlyArray<number> }
  return (text: string, grams: ReadonlyArray<string>, size: number): ReadonlyArray<number> => {
    if (known.text === text && known.size === size) return known.numbers
    const numbers = new Set<number>()
    for (const gram of grams) {
      const row = numberOf.get(gram) as unknown as readonly [number] | undefined
      // Not cached: an import may add the gram.
      if (row === undefined) return []
      numbers.add(row[0])
    }
    known = { text, size, numbers: [...numbers] }
    return known.numbers
  }
}

// Yields the documents of all stripes until there are no more.
const inStripes = function* (
  find: (stripe: number) => Documents | undefined
): Generator<ReadonlyArray<number>, void> {
  let found: Array<number> = []
  for (let stripe = 0; ; stripe++) {
    const documents = find(stripe)
    if (documents === undefined) break
    for (const part of parts(documents, partSize)) {
      for (const document of part) found.push(stripe * width + document)
      if (found.length < partSize) continue
      yield found
      found = []
    }
  }
  if (found.length > 0) yield found
}

/** The sets of a gram by stripe. The sets of one row are in memory. */
class Sets {
  /** The size of the last set in bytes. 0: none was read. */
  size = 0
  /** Whether there are no sets from the last stripe on. */
  isOver = false
  private readonly read: StatementSync
  private readonly start: number
  private row = new RowReader(noBytes)
  private last = -1

  constructor(read: StatementSync, start: number) {
    this.read = read
    this.start = start
  }

  /** Whether the set of a stripe is in memory, or known to be absent. */
  has(stripe: number): boolean {
    return stripe <= this.last
  }

  of(stripe: number): Uint8Array | undefined {
    if (stripe > this.last) this.readFrom(stripe)
    const bytes = this.row.of(stripe)
    this.size = bytes?.length ?? 0
    return bytes
  }

  private readFrom(stripe: number): void {
    const row = this.read.get(this.start + stripe, this.start + mostStripes) as unknown as Row | undefined
    this.isOver = row === undefined
    if (row === undefined) return
    this.last = row[0] - this.start
    this.row = new RowReader(row[1])
  }
}

const none = new Uint16Array()
const noBytes = new Uint8Array()
