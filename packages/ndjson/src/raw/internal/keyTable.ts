/**
 * Finds the name of a field in a list of known names (keys), usually with one look-up and one comparison. A slot has keys of
 * equal hash.
 */
import { argument } from "../../internal/argumentChecks.ts"
import { sameKey } from "../../internal/decodeText.ts"
import { BACKSLASH } from "../../internal/jsonBytes.ts"

const size = 1024

const slotOf = (length: number, first: number, last: number, third: number): number =>
  (length * 31 + first * 7 + last * 131 + third * 17) & (size - 1)

/** A table of distinct keys, in the order of the list. */
export class KeyTable {
  readonly keys: ReadonlyArray<string>
  // By slot: the numbers of its ASCII keys. Other keys, and keys with escapes, are compared one by one.
  private readonly slots: ReadonlyArray<ReadonlyArray<number> | undefined>

  constructor(keys: ReadonlyArray<string>) {
    this.keys = [...new Set(argument("fields", "a list of texts", keys))]
    const slots: Array<Array<number> | undefined> = new Array(size).fill(undefined)
    for (const [number, key] of this.keys.entries()) {
      if (!/^[\x20-\x7e]+$/.test(key)) continue
      const last = key.length - 1
      const slot = slotOf(key.length, key.charCodeAt(0), key.charCodeAt(last), key.charCodeAt(last >> 1))
      const bucket = slots[slot]
      if (bucket === undefined) slots[slot] = [number]
      else bucket.push(number)
    }
    this.slots = slots
  }

  /** Returns the number of the key with the content `bytes[start, end)`, without quotes. -1: it is not in the table. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start
    const middle = start + ((length - 1) >> 1)
    const bucket =
      this.slots[slotOf(length, bytes[start] as number, bytes[end - 1] as number, bytes[middle] as number)]
    if (bucket !== undefined) {
      for (let i = 0; i < bucket.length; i++) {
        const number = bucket[i] as number
        if (sameKey(bytes, start, end, this.keys[number] as string)) return number
      }
    }
    return this.isPlain(bytes, start, end) ? -1 : this.search(bytes, start, end)
  }

  private isPlain(bytes: Uint8Array, start: number, end: number): boolean {
    if (start === end) return false
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number
      if (byte === BACKSLASH || byte >= 0x80) return false
    }
    return true
  }

  private search(bytes: Uint8Array, start: number, end: number): number {
    for (let number = 0; number < this.keys.length; number++) {
      if (sameKey(bytes, start, end, this.keys[number] as string)) return number
    }
    return -1
  }
}
