/**
 * A set of keys that only grows, outside the JavaScript heap: UTF-8 in one buffer, and a hash table of
 * positions.
 *
 * A `Set` needs much more memory, also because V8 collects garbage later when its heap is larger. `batchBuilder.ts` decides with a set
 * which keys are duplicates.
 */

/** A set of keys that only grows. */
export interface KeySet {
  /** Adds a key. Returns whether it is new. */
  readonly add: (key: string) => boolean
}

/** Ends a key: a byte that never occurs in UTF-8. */
const end = 0xff

/** The range of a 32-bit position. */
const maxBytes = 2 ** 32

/** Makes an empty set. `add` returns whether a key is new. */
export const keySet = (): KeySet => {
  const encoder = new TextEncoder()
  // Lone surrogates have no UTF-8.
  const malformedKeys = new Set<string>()
  /** The bytes of all keys, one after the other. */
  let keys = new Uint8Array(2 ** 16)
  // The next free position. 0 stands for a free slot of the table.
  let used = 1
  /** The hash table: the positions at which keys begin. */
  let places = new Uint32Array(2 ** 10)
  let size = 0

  const isSame = (one: number, other: number): boolean => {
    let at = 0
    while (keys[one + at] === keys[other + at] && keys[one + at] !== end) at++
    return keys[one + at] === keys[other + at]
  }

  /** Returns the slot of the key at a position, or the free one where it belongs. */
  const slotOf = (place: number): number => {
    let slot = hash(keys, place) & (places.length - 1)
    while (places[slot] !== 0 && !isSame(places[slot] as number, place))
      slot = (slot + 1) & (places.length - 1)
    return slot
  }

  /** Makes room for more bytes. */
  const reserve = (bytes: number): void => {
    if (used + bytes <= keys.length) return
    if (used + bytes > maxBytes)
      throw new RangeError("more than 4 GiB of distinct keys: set dedupe to false, or to a set of your own")
    const larger = new Uint8Array(Math.min(maxBytes, 2 * (used + bytes)))
    larger.set(keys.subarray(0, used))
    keys = larger
  }

  return {
    add: (key) => {
      if (!key.isWellFormed()) return malformedKeys.size < malformedKeys.add(key).size
      reserve(3 * key.length + 1)
      // Writes the key after the others. It stays there if it is new.
      const length = encoder.encodeInto(key, keys.subarray(used)).written
      keys[used + length] = end
      const slot = slotOf(used)
      if (places[slot] !== 0) return false
      places[slot] = used
      used += length + 1
      if (4 * ++size > 3 * places.length) {
        const known = places
        places = new Uint32Array(2 * known.length)
        for (const place of known) if (place !== 0) places[slotOf(place)] = place
      }
      return true
    }
  }
}

// FNV-1a, mixed once more for a table whose size is a power of two.
const hash = (bytes: Uint8Array, start: number): number => {
  let value = 0x811c9dc5
  for (let at = start; bytes[at] !== end; at++) value = Math.imul(value ^ (bytes[at] as number), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
