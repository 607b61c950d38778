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
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { change, type Documents, decode, encode, intersect, parts, union, width } from "./documents.ts"
import { holdsIdentifiers } from "./groups.ts"
import { arraysOf, endOf } from "./statements.ts"

/**
 * The layout. `grams`: all that have ever occurred, by number. `postings`: the documents of a gram in a stripe; the number
 * says of which, so that what is written together stands together.
 */
export const layout = `DROP TABLE trigrams;
   DROP TABLE grams;
   CREATE TABLE grams (id INTEGER PRIMARY KEY, gram TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE postings (id INTEGER PRIMARY KEY, documents BLOB NOT NULL) STRICT`

/** What follows a document, so that each text within it is the start of some gram. */
export const padding = "\n\n\n"

const sizeOf = (of: number): number => (holdsIdentifiers(of) ? 3 : 4)

// There are fewer grams than this, and fewer stripes a group.
const mostGrams = 2 ** 28
const mostStripes = 2 ** 16

// The number before that of the first posting of a stripe.
const stripeStart = (of: number, stripe: number): number => (of * mostStripes + stripe) * mostGrams

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

/** From how few documents on to look at them costs less than to ask for one more gram: a document is a page, too. */
const few = 1

export const reader = (database: DatabaseSync): Reader => {
  const arrays = arraysOf(database)
  const numberOf = arrays("SELECT id FROM grams WHERE gram = ?")
  const from = arrays("SELECT id FROM grams WHERE gram >= ? AND gram < ? AND length(gram) = ?")
  const lastBefore = arrays("SELECT max(id) FROM postings WHERE id < ?")
  const documentsOf = arrays("SELECT documents FROM postings WHERE id = ?")

  const get = (id: number): Uint8Array | undefined =>
    (documentsOf.get(id) as unknown as readonly [Uint8Array] | undefined)?.[0]

  const stripesOf = (of: number): number => {
    const [last] = lastBefore.get(stripeStart(of + 1, 0)) as unknown as readonly [number | null]
    return last === null ? 0 : Math.floor(last / mostGrams) - of * mostStripes + 1
  }

  const inStripes = function* (
    of: number,
    find: (start: number) => Documents
  ): Generator<ReadonlyArray<number>, void> {
    const stripes = stripesOf(of)
    let found: Array<number> = []
    for (let stripe = 0; stripe < stripes; stripe++) {
      for (const part of parts(find(stripeStart(of, stripe)), partSize)) {
        for (const document of part) found.push(stripe * width + document)
        if (found.length < partSize) continue
        yield found
        found = []
      }
    }
    if (found.length > 0) yield found
  }

  const withAll = (of: number, grams: ReadonlyArray<string>): Iterable<ReadonlyArray<number>> => {
    // How large the set of each is. The rarest first: in one stripe they are what they were in the last one.
    const sizes = new Map<number, number>()
    for (const gram of grams) {
      const row = numberOf.get(gram) as unknown as readonly [number] | undefined
      if (row === undefined) return []
      sizes.set(row[0], 0)
    }
    return inStripes(of, (start) => {
      let found: Documents | undefined
      for (const [gram] of [...sizes].sort((a, b) => a[1] - b[1])) {
        if (found instanceof Uint16Array && found.length <= few) break
        const bytes = get(start + gram)
        sizes.set(gram, bytes?.length ?? 0)
        if (bytes === undefined) return none
        found = found === undefined ? decode(bytes) : intersect(found, decode(bytes))
      }
      return found ?? none
    })
  }

  const withStart = (of: number, text: string): Iterable<ReadonlyArray<number>> => {
    const rows = from.all(text, endOf(text), sizeOf(of)) as unknown as ReadonlyArray<readonly [number]>
    return inStripes(of, (start) =>
      union(
        rows
          .map(([gram]) => get(start + gram))
          .filter((bytes) => bytes !== undefined)
          .map(decode)
      )
    )
  }

  return {
    find: (of, text) => {
      const characters = [...text].slice(0, mostCharacters)
      return characters.length < sizeOf(of)
        ? withStart(of, text)
        : withAll(of, gramsOf(characters, sizeOf(of)))
    }
  }
}

const gramsOf = (characters: ReadonlyArray<string>, size: number): ReadonlyArray<string> => {
  const grams: Array<string> = []
  for (let i = 0; i + size <= characters.length; i++) grams.push(characters.slice(i, i + size).join(""))
  return grams
}

const none = new Uint16Array()

/** The write side, within a transaction of the caller's. */
export interface Writer {
  /** Forgets what an earlier transaction has left undone. */
  readonly begin: () => void
  /** Sets the text of a document, from what it was before. Documents come group by group, in order of substances. */
  readonly put: (of: number, substance: number, before: string | undefined, now: string | undefined) => void
  /** Writes what has been put: until then it is in memory, a stripe at most. */
  readonly finish: () => void
}

export const writer = (database: DatabaseSync): Writer => {
  const arrays = arraysOf(database)
  const numbers = new Numbers(database)
  const anyOf = arrays("SELECT 1 FROM postings WHERE id >= ? AND id < ? LIMIT 1")
  const get = arrays("SELECT documents FROM postings WHERE id = ?")
  const set = database.prepare("INSERT OR REPLACE INTO postings VALUES (?, ?)")
  const remove = database.prepare("DELETE FROM postings WHERE id = ?")
  const come = new Pairs()
  const gone = new Pairs()
  // Of what has been put and not written.
  let start: number | undefined

  const finish = (): void => {
    if (start === undefined) return
    const first = start
    start = undefined
    const added = come.take()
    const removed = gone.take()
    const isNew = anyOf.get(first, first + mostGrams) === undefined
    for (let gram = 0; gram < Math.max(added.end, removed.end); gram++) {
      const now = added.of(gram)
      const before = removed.of(gram)
      if (now.length === 0 && before.length === 0) continue
      const id = first + gram
      const stored = isNew ? undefined : (get.get(id) as unknown as readonly [Uint8Array] | undefined)?.[0]
      const next = stored === undefined ? now : change(decode(stored), before, now)
      if (next.length > 0) set.run(id, encode(next))
      else remove.run(id)
    }
  }

  return {
    begin: () => {
      start = undefined
      come.take()
      gone.take()
      numbers.begin()
    },
    put: (of, substance, before, now) => {
      const next = stripeStart(of, Math.floor(substance / width))
      if (next !== start) finish()
      start = next
      const document = substance % width
      const size = sizeOf(of)
      if (before !== undefined) numbers.of(before, size, (gram) => gone.add(gram, document))
      if (now !== undefined) numbers.of(now, size, (gram) => come.add(gram, document))
    },
    finish
  }
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
