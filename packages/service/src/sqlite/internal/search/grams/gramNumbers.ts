/** Finds and caches the numbers of grams for a writer. Every character of a text needs one. */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { arraysOf } from "../../database/sqlReads.ts"
import { gramsOf } from "./gramRows.ts"

/** The numbers of grams. A new gram gets the next number. */
export class GramNumbers {
  private readonly find: StatementSync
  private readonly insert: StatementSync
  private readonly others = new Map<string, number>()
  // The grams of ASCII characters, keyed by seven bits per character. Most grams are of this kind.
  private ascii = new Table()

  constructor(database: DatabaseSync) {
    this.find = arraysOf(database)("SELECT id FROM grams WHERE gram = ?")
    this.insert = database.prepare("INSERT INTO grams (gram) VALUES (?)")
  }

  /** Starts a transaction: discards numbers that may have been rolled back. */
  begin(): void {
    this.others.clear()
    this.ascii = new Table()
  }

  /** Calls `use` with the number of each gram of a text. */
  forEach(text: string, size: number, use: (gram: number) => void): void {
    if (!isAscii.test(text)) {
      for (const gram of gramsOf([...text], size)) {
        const number = this.others.get(gram) ?? this.numberOf(gram)
        this.others.set(gram, number)
        use(number)
      }
      return
    }
    const mask = 2 ** (7 * size) - 1
    // The bit before the characters distinguishes grams of different sizes.
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

/** A map of positive integers, in a third of the memory of a `Map`. */
class Table {
  private bits = 16
  private keys = new Uint32Array(2 ** this.bits)
  private values = new Uint32Array(2 ** this.bits)
  private size = 0

  /** Returns the number of a key. 0: none. */
  get(key: number): number {
    return this.values[this.place(key)] as number
  }

  /** Adds a new key. */
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

  // Returns the slot of a key: its multiplicative hash (Knuth), or the next free slot.
  private place(key: number): number {
    let place = Math.imul(key, 0x9e3779b1) >>> (32 - this.bits)
    while (this.keys[place] !== key && this.keys[place] !== 0) place = (place + 1) & (this.keys.length - 1)
    return place
  }
}
