/**
 * A set of documents as the bytes that the index of grams keeps: numbers below 65,536, as many as there are
 * substances in a stripe. Which sets there are is `grams`' business.
 *
 * Few members are a list, two bytes each, the lower one first; many are a map of one bit for each number. The length tells
 * which it is.
 */

/** How many numbers there are. */
export const width = 2 ** 16

const mapBytes = width / 8

/** A set: its members in order, or a map of bits. */
export type Documents = Uint16Array | Uint8Array

/** The bytes of some numbers, which are in order and each there once. */
export const encode = (members: Uint16Array): Uint8Array => {
  if (members.length >= mapBytes / 2) return mapOf(members)
  const bytes = new Uint8Array(members.length * 2)
  for (let i = 0; i < members.length; i++) {
    const member = members[i] as number
    bytes[2 * i] = member
    bytes[2 * i + 1] = member >>> 8
  }
  return bytes
}

/** The set of some bytes, which are its own from then on. */
export const decode = (bytes: Uint8Array): Documents => {
  if (bytes.length === mapBytes) return bytes
  const members = new Uint16Array(bytes.length / 2)
  for (let i = 0; i < members.length; i++) {
    members[i] = (bytes[2 * i] as number) | ((bytes[2 * i + 1] as number) << 8)
  }
  return members
}

/** What two sets have in common. May change the first. */
export const intersect = (one: Documents, other: Documents): Documents => {
  if (one instanceof Uint16Array) {
    return other instanceof Uint16Array ? common(one, other) : inMap(one, other)
  }
  if (other instanceof Uint16Array) return inMap(other, one)
  const words = new Uint32Array(one.buffer, one.byteOffset, mapBytes / 4)
  const others = new Uint32Array(other.buffer, other.byteOffset, mapBytes / 4)
  for (let i = 0; i < words.length; i++) words[i] = (words[i] as number) & (others[i] as number)
  return one
}

/** A set without members, to which others are added. */
export const emptyMap = (): Uint8Array => new Uint8Array(mapBytes)

/** Adds what is in a set to a map. */
export const addTo = (map: Uint8Array, added: Documents): void => {
  if (added instanceof Uint16Array) {
    for (const member of added) map[member >>> 3] = (map[member >>> 3] as number) | (1 << (member & 7))
  } else for (let i = 0; i < mapBytes; i++) map[i] = (map[i] as number) | (added[i] as number)
}

/** The members of a set without some, and with others; all of them in order. */
export const change = (stored: Documents, gone: Uint16Array, come: Uint16Array): Uint16Array => {
  const map = stored instanceof Uint16Array ? mapOf(stored) : stored
  for (const member of gone) map[member >>> 3] = (map[member >>> 3] as number) & ~(1 << (member & 7))
  addTo(map, come)
  const [all = new Uint16Array()] = parts(map, width)
  return all
}

/** The members of a set in order, up to so many at a time: who needs the first ones only pays for no others. */
export const parts = function* (set: Documents, most: number): Generator<Uint16Array, void> {
  if (set instanceof Uint16Array) {
    for (let i = 0; i < set.length; i += most) yield set.subarray(i, i + most)
    return
  }
  let found = new Uint16Array(most)
  let size = 0
  for (let i = 0; i < mapBytes; i++) {
    // Bit by bit from the lowest that is set.
    for (let bits = set[i] as number; bits !== 0; bits &= bits - 1) {
      found[size++] = (i << 3) | (31 - Math.clz32(bits & -bits))
      if (size < most) continue
      yield found
      found = new Uint16Array(most)
      size = 0
    }
  }
  if (size > 0) yield found.subarray(0, size)
}

const inMap = (set: Uint16Array, map: Uint8Array): Uint16Array => {
  const found = new Uint16Array(set.length)
  let size = 0
  for (let i = 0; i < set.length; i++) {
    const member = set[i] as number
    // Written in any case: whether it stays is as good as random, so a branch would often be guessed wrong.
    found[size] = member
    size += ((map[member >>> 3] as number) >>> (member & 7)) & 1
  }
  return found.subarray(0, size)
}

const mapOf = (set: Uint16Array): Uint8Array => {
  const map = emptyMap()
  addTo(map, set)
  return map
}

const common = (one: Uint16Array, other: Uint16Array): Uint16Array => {
  const found = new Uint16Array(Math.min(one.length, other.length))
  let size = 0
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const difference = (one[i] as number) - (other[j] as number)
    if (difference === 0) found[size++] = one[i] as number
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return found.subarray(0, size)
}
