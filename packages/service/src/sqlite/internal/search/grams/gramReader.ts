/**
 * Reads the gram index: intersects the sets of the grams of a text, stripe by stripe. A stripe is a range of 65,536 substances
 * (`documentSets.ts`).
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { arraysOf, prefixEnd } from "../../database/sqlReads.ts"
import { addTo, type Documents, decode, emptyMap, intersect, parts, width } from "./documentSets.ts"
import type { Reader } from "./GramIndex.ts"
import { gramStart, gramsOf, maxStripes, type Row, rowFrom, sizeOf } from "./gramRows.ts"
import { RowReader } from "./postingRows.ts"

/** The smallest number of substances in a part, except in the last part. */
const partSize = 1024

/** The largest number of characters that are looked up. Further characters hardly exclude documents. */
const maxCharacters = 200

/** With this many documents or fewer, reading their names costs less than another row of the index. */
const few = 1

export const reader = (database: DatabaseSync): Reader => {
  const arrays = arraysOf(database)
  const numbersOf = gramNumbers(arrays("SELECT id FROM grams WHERE gram = ?"))
  const gramsWithPrefix = arrays("SELECT id FROM grams WHERE gram >= ? AND gram < ? AND length(gram) = ?")
  const selectRow = arrays(rowFrom)

  const documentsWithAll = (group: number, grams: ReadonlyArray<number>): Iterable<ReadonlyArray<number>> => {
    const sets = grams.map((gram) => new GramSets(selectRow, gramStart(group, gram)))
    return eachStripe((stripe) => {
      // The smallest sets of the previous stripe first. Sets that were not read yet have size 0 and come first.
      sets.sort((a, b) => a.size - b.size)
      let found: Documents | undefined
      for (const gramSets of sets) {
        // Few documents are left. Only a set whose row is in memory is worth a further look.
        if (
          found instanceof Uint16Array &&
          found.length <= few &&
          (found.length === 0 || !gramSets.isKnown(stripe))
        )
          break
        const bytes = gramSets.setOf(stripe)
        if (gramSets.isOver) return undefined
        if (bytes === undefined) return none
        found = found === undefined ? decode(bytes) : intersect(found, decode(bytes))
      }
      return found ?? none
    })
  }

  // Rows are not cached, because thousands of grams may have the prefix.
  const documentsWithPrefix = (group: number, text: string): Iterable<ReadonlyArray<number>> => {
    const rows = gramsWithPrefix.all(text, prefixEnd(text), sizeOf(group)) as unknown as ReadonlyArray<
      readonly [number]
    >
    let starts = rows.map(([gram]) => gramStart(group, gram))
    return eachStripe((stripe) => {
      const map = emptyMap()
      starts = starts.filter((start) => {
        const sets = new GramSets(selectRow, start)
        const bytes = sets.setOf(stripe)
        if (bytes !== undefined) addTo(map, decode(bytes))
        return !sets.isOver
      })
      return starts.length === 0 ? undefined : map
    })
  }

  return {
    find: (group, text) => {
      const size = sizeOf(group)
      const characters = [...text].slice(0, maxCharacters)
      if (characters.length < size) return documentsWithPrefix(group, text)
      const numbers = numbersOf(text, gramsOf(characters, size), size)
      return numbers.length === 0 ? [] : documentsWithAll(group, numbers)
    }
  }
}

/** Finds the numbers of grams. Caches those of the last text, because several groups are searched for it. */
const gramNumbers = (numberOf: StatementSync) => {
  // Valid for good: a gram keeps its number.
  let cached = { text: "", size: 0, numbers: [] as ReadonlyArray<number> }
  return (text: string, grams: ReadonlyArray<string>, size: number): ReadonlyArray<number> => {
    if (cached.text === text && cached.size === size) return cached.numbers
    const numbers = new Set<number>()
    for (const gram of grams) {
      const row = numberOf.get(gram) as unknown as readonly [number] | undefined
      // Not cached: an import may add the gram.
      if (row === undefined) return []
      numbers.add(row[0])
    }
    cached = { text, size, numbers: [...numbers] }
    return cached.numbers
  }
}

// Yields the documents of all stripes. `find` returns undefined after the last one.
const eachStripe = function* (
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

/** Reads the sets of a gram by stripe. Keeps one row in memory. */
class GramSets {
  /** The size of the last set, in bytes. 0 at the start. */
  size = 0
  /** Whether the last requested stripe and all later ones have no set. */
  isOver = false
  private readonly read: StatementSync
  private readonly start: number
  private row = new RowReader(noBytes)
  private last = -1

  constructor(read: StatementSync, start: number) {
    this.read = read
    this.start = start
  }

  /** Returns whether the row in memory covers a stripe. */
  isKnown(stripe: number): boolean {
    return stripe <= this.last
  }

  setOf(stripe: number): Uint8Array | undefined {
    if (stripe > this.last) this.readFrom(stripe)
    const bytes = this.row.setOf(stripe)
    this.size = bytes?.length ?? 0
    return bytes
  }

  private readFrom(stripe: number): void {
    const row = this.read.get(this.start + stripe, this.start + maxStripes) as unknown as Row | undefined
    this.isOver = row === undefined
    if (row === undefined) return
    this.last = row[0] - this.start
    this.row = new RowReader(row[1])
  }
}

const none = new Uint16Array()
const noBytes = new Uint8Array()
