/**
 * The identifiers that came before, to ask for each only once.
 *
 * `inMemory` is exact and compact: one that is letters and a number, as a DTXSID, takes 7 to 13 bytes, any other one
 * of 13 characters 20 to 30, where a `Set` of strings takes a hundred. `upTo` bounds that, and leaves the rest to another
 * set, e.g. to one on disk: `DiskSeen` of the `node` entry.
 */
import { numberedSets } from "./internal/numberedSets.ts"

/** A set of identifiers that only grows. */
export interface Seen {
  /** Whether it is new; from now on it is not. */
  readonly add: (id: string) => boolean
}

const blockSize = 1024 * 1024

/** What ends a key in memory: a byte that UTF-8 does not have. */
const keyEnd = 0xff

/** As far as a place of 32 bits reaches. */
const mostBytes = 2 ** 32 - 1

const tooMany =
  "more identifiers than are remembered in memory (4 GiB of them): use Seen.upTo, or DiskSeen for the rest"

/**
 * An exact set in memory.
 *
 * @example
 * ```ts
 * import { Seen } from "@chemstream/stream"
 *
 * const seen = Seen.inMemory()
 * seen.add("DTXSID7020182") // => true
 * seen.add("DTXSID7020182") // => false
 * ```
 */
export const inMemory = (): Seen => upTo(Number.POSITIVE_INFINITY, { add: () => true })

/**
 * The first `most` identifiers in memory, the others in a set of one's own. Exact where that is: it is asked about
 * those alone that are not in memory.
 *
 * @example
 * ```ts
 * import { Seen } from "@chemstream/stream"
 *
 * const rest = new Set<string>()
 * const seen = Seen.upTo(2, { add: (id) => rest.size < rest.add(id).size })
 * const added = ["a", "b", "c", "a", "c"].map(seen.add)
 * added // => [true, true, true, false, false]
 * rest // => new Set(["c"])
 * ```
 */
export const upTo = (most: number, beyond: Seen): Seen => {
  const numbered = numberedSets()
  const encoder = new TextEncoder()
  const blocks: Array<Uint8Array> = []
  let key = new Uint8Array(64)
  // The places of the keys, plus 1; 0 is a free slot.
  let table = new Uint32Array(1024)
  // Eight bits of each key's hash: most that stand in the way of another are told from it without a look at their bytes.
  let marks = new Uint8Array(table.length)
  let held = 0
  // Of both kinds.
  let size = 0
  let used = blockSize

  /** Writes the key and its end to `key`; the length of both. */
  const encode = (id: string): number => {
    if (key.length <= 3 * id.length) key = new Uint8Array(6 * id.length)
    let length = 0
    // An identifier is mostly of ASCII and short: then a call of the encoder costs more than all else.
    for (; length < id.length; length++) {
      const code = id.charCodeAt(length)
      if (code >= 0x80) {
        length = encoder.encodeInto(id, key).written
        break
      }
      key[length] = code
    }
    key[length] = keyEnd
    return length + 1
  }

  const store = (length: number): number => {
    if (used + length > blockSize) {
      if ((blocks.length + 1) * blockSize > mostBytes) throw new RangeError(tooMany)
      blocks.push(new Uint8Array(Math.max(blockSize, length)))
      used = 0
    }
    const block = blocks.length - 1
    const at = used
    const target = blocks[block] as Uint8Array
    for (let i = 0; i < length; i++) target[at + i] = key[i] as number
    used = Math.min(blockSize, used + length)
    return block * blockSize + at + 1
  }

  // Compares from the end, where identifiers differ.
  const isStored = (place: number, length: number): boolean => {
    const block = blocks[Math.floor((place - 1) / blockSize)] as Uint8Array
    const at = (place - 1) % blockSize
    for (let i = length - 1; i >= 0; i--) if (block[at + i] !== key[i]) return false
    return true
  }

  const slotOf = (hashed: number, length: number): number => {
    let slot = hashed & (table.length - 1)
    for (;;) {
      const place = table[slot] as number
      if (place === 0 || (marks[slot] === hashed >>> 24 && isStored(place, length))) return slot
      slot = (slot + 1) & (table.length - 1)
    }
  }

  const grow = (): void => {
    const places = table
    const known = marks
    table = new Uint32Array(places.length * 2)
    marks = new Uint8Array(table.length)
    for (let old = 0; old < places.length; old++) {
      const place = places[old] as number
      if (place === 0) continue
      const block = blocks[Math.floor((place - 1) / blockSize)] as Uint8Array
      let slot = hash(block, (place - 1) % blockSize) & (table.length - 1)
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1)
      table[slot] = place
      marks[slot] = known[old] as number
    }
  }

  return {
    add: (id) => {
      const kept = numbered(id)
      if (kept !== undefined) {
        if (size >= most) return !kept.set.has(kept.number) && beyond.add(id)
        if (!kept.set.add(kept.number)) return false
        size++
        return true
      }
      const length = encode(id)
      const hashed = hash(key, 0)
      const slot = slotOf(hashed, length)
      if (table[slot] !== 0) return false
      if (size >= most) return beyond.add(id)
      table[slot] = store(length)
      marks[slot] = hashed >>> 24
      size++
      if (++held * 4 > table.length * 3) grow()
      return true
    }
  }
}

// FNV-1a, with its bits mixed once more for a table whose size is a power of two.
const hash = (bytes: Uint8Array, start: number): number => {
  let value = 0x811c9dc5
  for (let i = start; bytes[i] !== keyEnd; i++) value = Math.imul(value ^ (bytes[i] as number), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
