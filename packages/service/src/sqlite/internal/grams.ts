/**
 * The index of grams: in which documents so many characters stand side by side. A document is the names of one group of
 * one substance, folded; what is put into it is `names`' business, what is looked for is `search`'s.
 *
 * Grams have three characters in groups of identifiers, and four in those of names: a name that has all threes of a word
 * often has them apart: of 1.2 million made-up substances, 21,000 documents had `ami`, `ina`, `naz` and `zol`, and 6 had
 * `aminazol`. Of fours this is rare.
 *
 * For each gram there is a set of documents a stripe: a group's substances, 65,536 by number (`documents`). Sets of
 * frequent grams are maps of bits, so to find where several occur together costs some microseconds a stripe, and all grams
 * of a word can be asked for. FTS5, which stood here before, took up to 300 ms for words of frequent trigrams, and
 * three times as long to write.
 *
 * The sets of one gram stand together (`postings`). They are put together by stripe, as records come, and sorted when
 * all are there. Stored by stripe, which needs no sorting, a rare word cost a look-up for each of its grams in each stripe:
 * at 1.2 million substances such a search took twice as long.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import {
  addTo,
  change,
  type Documents,
  decode,
  emptyMap,
  encode,
  intersect,
  parts,
  width
} from "./documents.ts"
import { groups, holdsIdentifiers } from "./groups.ts"
import { ofRow, type Posting, RowReader, toRows } from "./postings.ts"
import { arraysOf, endOf } from "./statements.ts"

/**
 * The layout. `grams`: all that have ever occurred, by number. `postings`: sets of one gram; the number of a row says of
 * which, and the last stripe that the row has.
 */
export const layout = `DROP TABLE trigrams;
   DROP TABLE grams;
   CREATE TABLE grams (id INTEGER PRIMARY KEY, gram TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE postings (id INTEGER PRIMARY KEY, documents BLOB NOT NULL) STRICT`

/** Empties the index, to be filled again: the sets stood by stripe before they stood by gram. */
export const emptied = "DELETE FROM postings"

/** What follows a document, so that each text within it is the start of some gram. */
export const padding = "\n\n\n"

const sizeOf = (of: number): number => (holdsIdentifiers(of) ? 3 : 4)

// There are fewer grams than this, and fewer stripes a group.
const mostGrams = 2 ** 28
const mostStripes = 2 ** 16

// The number of the row that ends with the first stripe of a gram.
const gramStart = (of: number, gram: number): number => (of * mostGrams + gram) * mostStripes

/** The read side. */
export interface Reader {
  /**
   * The substances of which documents of a group may hold a text, in order, in parts: those that hold all its grams.
   * Of a text that is shorter than a gram, those that do.
   */
  readonly find: (of: number, text: string) => Iterable<ReadonlyArray<number>>
}

/** How many substances there are in a part at least, but for the last one. */
const partSize = 1024

/** Of how many characters of a text the grams are looked for: more do not make it rarer. */
const mostCharacters = 200

/** From how few documents on to look at them costs less than to read one more row: a document is a page, too. */
const few = 1

type Row = readonly [number, Uint8Array]

// The row of a gram that has a stripe, or else those behind it; parameters are the numbers of that stripe and of the next
// gram.
const rowFrom = "SELECT id, documents FROM postings WHERE id >= ? AND id < ? ORDER BY id LIMIT 1"

export const reader = (database: DatabaseSync): Reader => {
  const arrays = arraysOf(database)
  const numberOf = arrays("SELECT id FROM grams WHERE gram = ?")
  const from = arrays("SELECT id FROM grams WHERE gram >= ? AND gram < ? AND length(gram) = ?")
  const read = arrays(rowFrom)

  const withAll = (of: number, grams: ReadonlyArray<number>): Iterable<ReadonlyArray<number>> => {
    const sets = grams.map((gram) => new Sets(read, gramStart(of, gram)))
    return inStripes((stripe) => {
      // The rarest first: in one stripe they are what they were in the last one. Of those not read yet nothing is known.
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

  // Thousands of grams may start with a letter: the rows are not kept.
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

  // Of the last text that had some: it is looked for group by group. A gram keeps its number.
  let known: { readonly text: string; readonly size: number; readonly numbers: ReadonlyArray<number> } = {
    text: "",
    size: 0,
    numbers: []
  }
  const numbersOf = (text: string, grams: ReadonlyArray<string>, size: number): ReadonlyArray<number> => {
    if (known.text === text && known.size === size) return known.numbers
    const numbers = new Set<number>()
    for (const gram of grams) {
      const row = numberOf.get(gram) as unknown as readonly [number] | undefined
      // Not kept: an import may add it.
      if (row === undefined) return []
      numbers.add(row[0])
    }
    known = { text, size, numbers: [...numbers] }
    return known.numbers
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

// The documents of all stripes, until there are none behind one.
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

/** The sets of a gram, to be asked for stripe by stripe: those of one row are in memory. */
class Sets {
  /** How many bytes the last one had that was asked for; 0 before. */
  size = 0
  /** Whether there are none from the last stripe on that was asked for. */
  isOver = false
  private readonly read: StatementSync
  private readonly start: number
  private row = new RowReader(noBytes)
  private last = -1

  constructor(read: StatementSync, start: number) {
    this.read = read
    this.start = start
  }

  /** Whether the set of a stripe is in memory, or known not to be. */
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

const gramsOf = (characters: ReadonlyArray<string>, size: number): ReadonlyArray<string> => {
  const grams: Array<string> = []
  for (let i = 0; i + size <= characters.length; i++) grams.push(characters.slice(i, i + size).join(""))
  return grams
}

const none = new Uint16Array()
const noBytes = new Uint8Array()

/** The write side, within a transaction of the caller's. */
export interface Writer {
  /** Forgets what an earlier transaction has left undone. */
  readonly begin: () => void
  /** Sets the text of a document, from what it was before. Documents of a group come in order of substances. */
  readonly put: (of: number, substance: number, before: string | undefined, now: string | undefined) => void
  /** Forgets what has been put of a group, which can be put anew. */
  readonly forget: (of: number) => void
  /** Writes what has been put, group by group: the caller decides what runs between two of them. */
  readonly finish: () => Generator<void, void>
}

/** A change of the set of a gram in a stripe: documents that are gone, and that have come, or null for none. */
interface Change {
  readonly stripe: number
  readonly gone: Uint8Array | null
  readonly come: Uint8Array | null
}

export const writer = (database: DatabaseSync): Writer => {
  // The changes by stripe, as they come; the number is that of group, stripe and gram.
  database.exec("CREATE TEMP TABLE new_postings (id INTEGER PRIMARY KEY, gone BLOB, come BLOB)")
  const arrays = arraysOf(database)
  const numbers = new Numbers(database)
  const keep = database.prepare("INSERT INTO new_postings VALUES (?, ?, ?)")
  const kept = arrays(
    `SELECT id, gone, come FROM new_postings WHERE id >= ? AND id < ? ORDER BY id % ${mostGrams}, id`
  )
  const forget = database.prepare("DELETE FROM new_postings WHERE id >= ? AND id < ?")
  const anyOf = arrays("SELECT 1 FROM postings WHERE id >= ? AND id < ? LIMIT 1")
  const from = arrays(rowFrom)
  const lastBefore = arrays(
    "SELECT id, documents FROM postings WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1"
  )
  const insert = database.prepare("INSERT INTO postings VALUES (?, ?)")
  const remove = database.prepare("DELETE FROM postings WHERE id = ?")
  // By group: what has been put and not kept, all of it of one stripe.
  const waiting = Array.from({ length: groups }, () => new Waiting())

  const keepStripe = (stripe: Waiting): void => {
    const first = stripe.start
    if (first === undefined) return
    stripe.start = undefined
    const added = stripe.come.take()
    const removed = stripe.gone.take()
    for (let gram = 0; gram < Math.max(added.end, removed.end); gram++) {
      const now = added.of(gram)
      const before = removed.of(gram)
      if (now.length === 0 && before.length === 0) continue
      keep.run(first + gram, orNull(before), orNull(now))
    }
  }

  const write = (first: number, changes: ReadonlyArray<Change>, isNew: boolean): void => {
    let waiting = changes
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const end = first + mostStripes
      const row = isNew ? undefined : (from.get(first + next.stripe, end) as unknown as Row | undefined)
      // Behind all rows: the last one may have room.
      const last = row ?? (isNew ? undefined : (lastBefore.get(first, end) as unknown as Row | undefined))
      const until = row === undefined ? mostStripes : row[0] - first
      if (last !== undefined) remove.run(last[0])
      const here = waiting.filter(({ stripe }) => stripe <= until)
      waiting = waiting.slice(here.length)
      for (const made of toRows(changed(last === undefined ? [] : ofRow(last[1]), here))) {
        insert.run(first + made.last, made.row)
      }
    }
  }

  const forgetGroup = (of: number): void => {
    waiting[of] = new Waiting()
    forget.run(stripeStart(of, 0), stripeStart(of + 1, 0))
  }

  const writeGroup = (of: number): void => {
    const isNew = anyOf.get(gramStart(of, 0), gramStart(of + 1, 0)) === undefined
    let gram = -1
    let changes: Array<Change> = []
    for (const row of kept.iterate(stripeStart(of, 0), stripeStart(of + 1, 0))) {
      const [id, before, now] = row as unknown as readonly [number, Uint8Array | null, Uint8Array | null]
      if (id % mostGrams !== gram) {
        write(gramStart(of, gram), changes, isNew)
        gram = id % mostGrams
        changes = []
      }
      changes.push({ stripe: Math.floor(id / mostGrams) - of * mostStripes, gone: before, come: now })
    }
    write(gramStart(of, gram), changes, isNew)
  }

  return {
    begin: () => {
      for (let of = 0; of < groups; of++) forgetGroup(of)
      numbers.begin()
    },
    put: (of, substance, before, now) => {
      const stripe = waiting[of] as Waiting
      const next = stripeStart(of, Math.floor(substance / width))
      if (next !== stripe.start) keepStripe(stripe)
      stripe.start = next
      const document = substance % width
      const size = sizeOf(of)
      if (before !== undefined) numbers.of(before, size, (gram) => stripe.gone.add(gram, document))
      if (now !== undefined) numbers.of(now, size, (gram) => stripe.come.add(gram, document))
    },
    forget: forgetGroup,
    finish: function* () {
      for (let of = 0; of < groups; of++) {
        keepStripe(waiting[of] as Waiting)
        writeGroup(of)
        forgetGroup(of)
        yield
      }
    }
  }
}

// The number before that of the first gram of a stripe, among changes.
const stripeStart = (of: number, stripe: number): number => (of * mostStripes + stripe) * mostGrams

const orNull = (members: Uint16Array): Uint8Array | null => (members.length === 0 ? null : encode(members))

const membersOf = (bytes: Uint8Array | null): Uint16Array => {
  const [members = none] = bytes === null ? [] : parts(decode(bytes), width)
  return members
}

// The sets with their changes, in order of stripes, without those that are empty.
const changed = (sets: ReadonlyArray<Posting>, changes: ReadonlyArray<Change>): ReadonlyArray<Posting> => {
  const all = new Map(sets.map(({ set, stripe }) => [stripe, set]))
  for (const { come, gone, stripe } of changes) {
    const stored = all.get(stripe)
    const set =
      stored === undefined
        ? (come ?? noBytes)
        : encode(change(decode(stored), membersOf(gone), membersOf(come)))
    if (set.length > 0) all.set(stripe, set)
    else all.delete(stripe)
  }
  return [...all].map(([stripe, set]) => ({ stripe, set })).sort((a, b) => a.stripe - b.stripe)
}

/** The numbers of grams: those that are new get the next one. */
class Numbers {
  private readonly find: StatementSync
  private readonly insert: StatementSync
  private readonly known = new Map<string, number>()
  // Of grams of ASCII, as most are: by their characters, at seven bits each.
  private ascii = new Table()

  constructor(database: DatabaseSync) {
    this.find = arraysOf(database)("SELECT id FROM grams WHERE gram = ?")
    this.insert = database.prepare("INSERT INTO grams (gram) VALUES (?)")
  }

  /** Forgets what may have been undone. */
  begin(): void {
    this.known.clear()
    this.ascii = new Table()
  }

  /** Gives the number of each gram of a text. */
  of(text: string, size: number, use: (gram: number) => void): void {
    if (!isAscii.test(text)) {
      for (const gram of gramsOf([...text], size)) {
        const number = this.known.get(gram) ?? this.numberOf(gram)
        this.known.set(gram, number)
        use(number)
      }
      return
    }
    const mask = 2 ** (7 * size) - 1
    // The bit before the characters: no gram has the key of one of another size.
    const mark = mask + 1
    let key = 0
    for (let i = 0; i < text.length; i++) {
      key = ((key << 7) | text.charCodeAt(i)) & mask
      if (i < size - 1) continue
      let number = this.ascii.get(key | mark)
      if (number === 0) {
        number = this.numberOf(text.slice(i + 1 - size, i + 1))
        this.ascii.add(key | mark, number)
      }
      use(number)
    }
  }

  private numberOf(gram: string): number {
    const found = this.find.get(gram) as unknown as readonly [number] | undefined
    return found === undefined ? Number(this.insert.run(gram).lastInsertRowid) : found[0]
  }
}

const isAscii = /^\p{ASCII}*$/u

/** Whole numbers by whole numbers, none of them 0: a third of what a `Map` takes, and it is asked for each character. */
class Table {
  private bits = 16
  private keys = new Uint32Array(2 ** this.bits)
  private values = new Uint32Array(2 ** this.bits)
  private size = 0

  /** The number of a key; 0 where there is none. */
  get(key: number): number {
    return this.values[this.place(key)] as number
  }

  /** Adds a key that is not there. */
  add(key: number, value: number): void {
    if (++this.size > this.keys.length / 2) {
      const { keys, values } = this
      this.bits++
      this.keys = new Uint32Array(2 ** this.bits)
      this.values = new Uint32Array(2 ** this.bits)
      for (let i = 0; i < keys.length; i++)
        if (keys[i] !== 0) this.set(keys[i] as number, values[i] as number)
    }
    this.set(key, value)
  }

  private set(key: number, value: number): void {
    const place = this.place(key)
    this.keys[place] = key
    this.values[place] = value
  }

  // Where a key is, or would be: at its hash (Knuth's multiplicative one), or after others that have the same.
  private place(key: number): number {
    let place = Math.imul(key, 0x9e3779b1) >>> (32 - this.bits)
    while (this.keys[place] !== key && this.keys[place] !== 0) place = (place + 1) & (this.keys.length - 1)
    return place
  }
}

/** What has been put of one stripe: its number, and by gram the documents that have come and that are gone. */
class Waiting {
  start: number | undefined
  readonly come = new Pairs()
  readonly gone = new Pairs()
}

/** What `Pairs` has gathered: the documents of a gram, in order. */
interface Gathered {
  readonly of: (gram: number) => Uint16Array
  /** One more than the greatest number of a gram. */
  readonly end: number
}

/** Gathers documents by gram. They come in order, and so they are given back. */
class Pairs {
  private grams = new Uint32Array(1024)
  private documents = new Uint16Array(1024)
  private size = 0
  // By gram: how many documents it is in, and the last of them.
  private counts = new Uint32Array(1024)
  private lasts = new Uint16Array(1024)
  private end = 0

  add(gram: number, document: number): void {
    if (gram >= this.counts.length) {
      const length = Math.max(gram + 1, this.counts.length * 2)
      this.counts = grown(this.counts, new Uint32Array(length))
      this.lasts = grown(this.lasts, new Uint16Array(length))
    }
    const count = this.counts[gram] as number
    if (count > 0 && this.lasts[gram] === document) return
    if (this.size === this.grams.length) {
      this.grams = grown(this.grams, new Uint32Array(this.size * 2))
      this.documents = grown(this.documents, new Uint16Array(this.size * 2))
    }
    this.grams[this.size] = gram
    this.documents[this.size++] = document
    this.counts[gram] = count + 1
    this.lasts[gram] = document
    this.end = Math.max(this.end, gram + 1)
  }

  /** Gives what has been gathered, and begins anew. */
  take(): Gathered {
    const { documents, end, grams, size } = this
    const ends = new Uint32Array(end)
    for (let gram = 1; gram < end; gram++) {
      ends[gram] = (ends[gram - 1] as number) + (this.counts[gram - 1] as number)
    }
    const sorted = new Uint16Array(size)
    for (let i = 0; i < size; i++) {
      const gram = grams[i] as number
      sorted[ends[gram] as number] = documents[i] as number
      ends[gram] = (ends[gram] as number) + 1
    }
    this.counts.fill(0, 0, end)
    this.size = 0
    this.end = 0
    return {
      of: (gram) => (gram >= end ? none : sorted.subarray(gram === 0 ? 0 : ends[gram - 1], ends[gram])),
      end
    }
  }
}

const grown = <A extends Uint16Array | Uint32Array>(from: A, to: A): A => {
  to.set(from)
  return to
}
