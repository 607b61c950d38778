/**
 * Encodes sets of documents as bytes. A set has numbers below 65,536: the substances of a stripe, which is a range of as
 * many substances.
 *
 * A small set is a list with two bytes per number, the lower byte first. A large set is a bit map. The length
 * distinguishes them.
 */

/** The number of documents in a stripe. */
export const width = 2 ** 16

const mapBytes = width / 8

/** A set: its members in order, or a bit map. */
export type Documents = Uint16Array | Uint8Array

/** Encodes distinct numbers in order. */
export const encode = (members: Uint16Array): Uint8Array => {
  if (members.length >= mapBytes / 2) return toMap(members)
  const bytes = new Uint8Array(members.length * 2)
  for (let i = 0; i < members.length; i++) {
    const member = members[i] as number
    bytes[2 * i] = member
    bytes[2 * i + 1] = member >>> 8
  }
  return bytes
}

/** Decodes a set. The set may share the bytes. */
export const decode = (bytes: Uint8Array): Documents => {
  if (bytes.length === mapBytes) return bytes
  const members = new Uint16Array(bytes.length / 2)
  for (let i = 0; i < members.length; i++) {
    members[i] = (bytes[2 * i] as number) | ((bytes[2 * i + 1] as number) << 8)
  }
  return members
}

/** Returns the intersection of two sets. May change the first. */
export const intersect = (one: Documents, other: Documents): Documents => {
  if (one instanceof Uint16Array) {
    return other instanceof Uint16Array ? intersectLists(one, other) : intersectMap(one, other)
  }
  if (other instanceof Uint16Array) return intersectMap(other, one)
  const words = new Uint32Array(one.buffer, one.byteOffset, mapBytes / 4)
  const others = new Uint32Array(other.buffer, other.byteOffset, mapBytes / 4)
  for (let i = 0; i < words.length; i++) words[i] = (words[i] as number) & (others[i] as number)
  return one
}

/** Returns an empty set that others can be added to. */
export const emptyMap = (): Uint8Array => new Uint8Array(mapBytes)

/** Adds a set to a map. */
export const addTo = (map: Uint8Array, added: Documents): void => {
  if (added instanceof Uint16Array) {
    for (const member of added) map[member >>> 3] = (map[member >>> 3] as number) | (1 << (member & 7))
  } else for (let i = 0; i < mapBytes; i++) map[i] = (map[i] as number) | (added[i] as number)
}

/** Removes members from a set and adds others. Returns them in order. */
export const change = (stored: Documents, removed: Uint16Array, added: Uint16Array): Uint16Array => {
  const map = stored instanceof Uint16Array ? toMap(stored) : stored
  for (const member of removed) map[member >>> 3] = (map[member >>> 3] as number) & ~(1 << (member & 7))
  addTo(map, added)
  const [all = new Uint16Array()] = parts(map, width)
  return all
}

/** Yields the members of a set in order, in parts of up to `maxSize`. A caller can stop early. */
export const parts = function* (set: Documents, maxSize: number): Generator<Uint16Array, void> {
  if (set instanceof Uint16Array) {
    for (let i = 0; i < set.length; i += maxSize) yield set.subarray(i, i + maxSize)
    return
  }
  let found = new Uint16Array(maxSize)
  let size = 0
  for (let i = 0; i < mapBytes; i++) {
    // Bit by bit: `bits & -bits` is the lowest bit that is set, and `bits & (bits - 1)` is `bits` without it.
    for (let bits = set[i] as number; bits !== 0; bits &= bits - 1) {
      found[size++] = (i << 3) | (31 - Math.clz32(bits & -bits))
      if (size < maxSize) continue
      yield found
      found = new Uint16Array(maxSize)
      size = 0
    }
  }
  if (size > 0) yield found.subarray(0, size)
}

const intersectMap = (set: Uint16Array, map: Uint8Array): Uint16Array => {
  const found = new Uint16Array(set.length)
  let size = 0
  for (let i = 0; i < set.length; i++) {
    const member = set[i] as number
    // Without a branch, which would often be mispredicted.
    found[size] = member
    size += ((map[member >>> 3] as number) >>> (member & 7)) & 1
  }
  return found.subarray(0, size)
}

const toMap = (set: Uint16Array): Uint8Array => {
  const map = emptyMap()
  addTo(map, set)
  return map
}

const intersectLists = (one: Uint16Array, other: Uint16Array): Uint16Array => {
  const found = new Uint16Array(Math.min(one.length, other.length))
  let size = 0
  // Steps on in the list with the smaller number, and in both if the numbers are equal.
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const difference = (one[i] as number) - (other[j] as number)
    if (difference === 0) found[size++] = one[i] as number
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return found.subarray(0, size)
}
