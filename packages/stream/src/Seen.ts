/**
 * The identifiers that came before, to ask for each only once.
 *
 * `inMemory` is exact and compact: it keeps the bytes of each identifier, 30 to 50 bytes for one of 13
 * characters, where a `Set` of strings takes a hundred. `upTo` bounds that, and leaves the rest to another set, e.g. to
 * one on disk: `DiskSeen` of the `node` entry.
 */

/** A set of identifiers that only grows. */
export interface Seen {
  /** Whether it is new; from now on it is not. */
  readonly add: (id: string) => boolean
}

const blockSize = 1024 * 1024

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
  const encoder = new TextEncoder()
  const blocks: Array<Uint8Array> = []
  let key = new Uint8Array(64)
  // The places of the keys, as block and offset in one number, plus 1; 0 is a free slot.
  let table = new Float64Array(1024)
  // The hashes of the keys: most that stand in the way of another are told from it without a look at their bytes.
  let hashes = new Uint32Array(table.length)
  let size = 0
  let used = blockSize

  const encode = (id: string): Uint8Array => {
    if (key.length < 3 * id.length) key = new Uint8Array(6 * id.length)
    return key.subarray(0, encoder.encodeInto(id, key).written)
  }

  const store = (bytes: Uint8Array): number => {
    const needed = bytes.length + 4
    if (used + needed > blockSize) {
      blocks.push(new Uint8Array(Math.max(blockSize, needed)))
      used = 0
    }
    const block = blocks.length - 1
    const at = used
    const target = blocks[block] as Uint8Array
    writeLength(target, at, bytes.length)
    target.set(bytes, at + 4)
    used = needed > blockSize ? blockSize : used + needed
    return block * blockSize + at + 1
  }

  // Without a view, which would cost more than the look.
  const isStored = (place: number, bytes: Uint8Array): boolean => {
    const block = blocks[Math.floor((place - 1) / blockSize)] as Uint8Array
    const at = (place - 1) % blockSize
    const { length } = bytes
    if (readLength(block, at) !== length) return false
    for (let i = length - 1; i >= 0; i--) if (block[at + 4 + i] !== bytes[i]) return false
    return true
  }

  const slotOf = (hashed: number, bytes: Uint8Array): number => {
    let slot = hashed & (table.length - 1)
    for (;;) {
      const place = table[slot] as number
      if (place === 0 || (hashes[slot] === hashed && isStored(place, bytes))) return slot
      slot = (slot + 1) & (table.length - 1)
    }
  }

  const grow = (): void => {
    const places = table
    const known = hashes
    table = new Float64Array(places.length * 2)
    hashes = new Uint32Array(table.length)
    for (const [old, place] of places.entries()) {
      if (place === 0) continue
      const hashed = known[old] as number
      let slot = hashed & (table.length - 1)
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1)
      table[slot] = place
      hashes[slot] = hashed
    }
  }

  return {
    add: (id) => {
      const bytes = encode(id)
      const hashed = hash(bytes)
      const slot = slotOf(hashed, bytes)
      if (table[slot] !== 0) return false
      if (size >= most) return beyond.add(id)
      table[slot] = store(bytes)
      hashes[slot] = hashed
      if (++size * 4 > table.length * 3) grow()
      return true
    }
  }
}

const writeLength = (bytes: Uint8Array, at: number, length: number): void => {
  for (let i = 0; i < 4; i++) bytes[at + i] = length >>> (8 * i)
}

const readLength = (bytes: Uint8Array, at: number): number => {
  let length = 0
  for (let i = 3; i >= 0; i--) length = (length << 8) | (bytes[at + i] as number)
  return length
}

// FNV-1a, with its bits mixed once more for a table whose size is a power of two.
const hash = (bytes: Uint8Array): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < bytes.length; i++) value = Math.imul(value ^ (bytes[i] as number), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
