/**
 * Scans an object in one pass: its end, the kinds of its top-level values, and the position of its identifier.
 *
 * Records of one source usually have the same keys in the same order. So each key is first compared with the key that
 * followed its predecessor last time; only a different key is looked up. It checks as much as `skipJson.ts` does.
 */

import { decodeKey } from "../../internal/decodeText.ts"
import {
  BACKSLASH,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endsScalar,
  QUOTE,
  SPACE,
  startsValue
} from "../../internal/jsonBytes.ts"
import { PROBE, skipSpace, skipString, skipValue } from "./skipJson.ts"
import { kindAt } from "./valueKind.ts"

/** The kinds of JSON values as bits. */
export const KIND_BITS = { string: 1, number: 2, boolean: 4, null: 8, array: 16, object: 32 } as const

/** All kinds. */
export const ANY_KIND = 63

// By the first byte of a value: the bit of its kind. 0: no value starts so.
const kindBits = new Uint8Array(256).map((_, byte) => (startsValue(byte) ? KIND_BITS[kindAt(byte)] : 0))

// By byte: 1 if it ends the plain part of a string: the quote, an escape, or a byte that is not printable ASCII.
const plainTextEnds = new Uint8Array(256).fill(1, 0, SPACE).fill(1, 0x80)
plainTextEnds[QUOTE] = 1
plainTextEnds[BACKSLASH] = 1

/** The largest number of remembered unknown keys. Further ones are only slower. */
const MAX_UNKNOWN_KEYS = 1024

/** A key, and the rules for its value. */
class Field {
  /** The key as it is usually written, with its closing quote and colon. */
  readonly text: Uint8Array
  readonly length: number
  /**
   * The bytes of the key in groups of four. The last group may overlap the one before. Undefined: it has fewer than
   * four bytes.
   */
  readonly words: Int32Array | undefined
  /** Its number among the expected fields. -1: it is not expected. */
  readonly number: number
  readonly allowedKinds: number
  readonly required: boolean
  readonly isId: boolean
  /** The number of the last record that had it. */
  lastRecord = 0
  /** The field that followed it last time. */
  next: Field | undefined

  constructor(name: string, number: number, allowedKinds: number, required: boolean, isId: boolean) {
    this.text = new TextEncoder().encode(`${JSON.stringify(name).slice(1)}:`)
    this.length = this.text.length
    this.words = this.length < 4 ? undefined : wordsOf(this.text)
    this.number = number
    this.allowedKinds = allowedKinds
    this.required = required
    this.isId = isId
  }

  /** Whether the key is in `bytes` at `at`, before `end`. */
  isAt(bytes: Uint8Array, at: number, end: number): boolean {
    const { length, words } = this
    if (at + length > end) return false
    if (words === undefined) {
      for (let k = 0; k < length; k++) if (bytes[at + k] !== this.text[k]) return false
      return true
    }
    const last = at + length - 4
    let w = 0
    for (let i = at; i < last; i += 4) if (wordAt(bytes, i) !== words[w++]) return false
    return wordAt(bytes, last) === words[w]
  }
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) |
  ((bytes[at + 1] as number) << 8) |
  ((bytes[at + 2] as number) << 16) |
  ((bytes[at + 3] as number) << 24)

const wordsOf = (text: Uint8Array): Int32Array => {
  const last = text.length - 4
  const words = new Int32Array(Math.ceil(last / 4) + 1)
  for (let w = 0; w < words.length; w++) words[w] = wordAt(text, Math.min(4 * w, last))
  return words
}

/** An expected field: the allowed kinds of its value as bits, and whether it is required. */
export interface FieldRule {
  readonly name: string
  readonly allowedKinds: number
  readonly required: boolean
}

/** Scans one object after another. The results of a scan are in its fields. */
export class ObjectScanner {
  /** After a scan: the value of the identifier, as `[idStart, idEnd)`. -1: the object lacks it. */
  idStart = -1
  idEnd = -1
  /** After a scan: whether the value of the identifier is a short ASCII string without escapes, so that its content is its text. */
  idIsPlain = false
  /** After a scan: two numbers for each difference, that of the field and the bit of its kind. Bit 0: the field is absent. */
  drift: Array<number> | undefined

  private readonly byName = new Map<string, Field>()
  private readonly required: ReadonlyArray<Field>
  /** Stands before the first field of an object. */
  private readonly head = new Field("", -1, ANY_KIND, false, false)
  /** Stands for every unknown key above `MAX_UNKNOWN_KEYS`. */
  private readonly unknownField = new Field("", -1, ANY_KIND, false, false)
  /** The number of the current record. */
  private record = 0
  private unknownKeys = 0

  constructor(rules: ReadonlyArray<FieldRule>, idField: string | undefined) {
    for (const [number, { name, allowedKinds, required }] of rules.entries())
      this.byName.set(name, new Field(name, number, allowedKinds, required, name === idField))
    if (idField !== undefined && !this.byName.has(idField))
      this.byName.set(idField, new Field(idField, -1, ANY_KIND, false, true))
    this.required = [...this.byName.values()].filter((field) => field.required)
  }

  /**
   * Scans the object at `start`. Returns the index after it. -1: it is malformed or does not end before `end`.
   */
  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: a hot loop, whose calls would cost time for every key.
  scan(bytes: Uint8Array, start: number, end: number): number {
    const record = ++this.record
    this.idStart = -1
    this.drift = undefined
    let missing = this.required.length
    let previous = this.head
    let i = start + 1
    for (;;) {
      if (i < end && (bytes[i] as number) <= SPACE) i = skipSpace(bytes, i, end)
      if (i >= end) return -1
      if (bytes[i] !== QUOTE) {
        if (bytes[i] !== CLOSE_OBJECT || previous !== this.head) return -1
        i++
        break
      }
      i++
      let field = previous.next
      if (field === undefined || !field.isAt(bytes, i, end)) {
        const keyStart = i
        i = skipString(bytes, i, end)
        if (i === -1) return -1
        field = this.lookUp(bytes, keyStart, i - 1)
        if (field === undefined) return -1
        if (field !== this.unknownField) previous.next = field
        i = skipSpace(bytes, i, end)
        if (i >= end || bytes[i] !== COLON) return -1
        i++
      } else i += field.length
      if (i >= end) return -1
      let kind = kindBits[bytes[i] as number] as number
      if (kind === 0) {
        i = skipSpace(bytes, i, end)
        if (i >= end) return -1
        kind = kindBits[bytes[i] as number] as number
        if (kind === 0) return -1
      }
      const valueStart = i
      let isPlain = false
      if (kind === KIND_BITS.string) {
        // `skipString` with its first bytes inlined, because this is a hot loop.
        i++
        const probeEnd = Math.min(i + PROBE, end)
        let byte = 0
        while (i < probeEnd) {
          byte = bytes[i++] as number
          if (plainTextEnds[byte] === 1) break
        }
        isPlain = byte === QUOTE
        if (!isPlain) {
          if (byte === BACKSLASH) i--
          i = skipString(bytes, i, end)
          if (i === -1) return -1
        }
      } else if (kind >= KIND_BITS.array) {
        i = skipValue(bytes, i, end)
        if (i === -1) return -1
      } else {
        i++
        while (i < end && !endsScalar(bytes[i])) i++
      }
      if ((field.allowedKinds & kind) === 0) this.addDrift(field.number, kind)
      if (field.isId) {
        this.idStart = valueStart
        this.idEnd = i
        this.idIsPlain = isPlain
      }
      if (field.required && field.lastRecord !== record) {
        field.lastRecord = record
        missing--
      }
      previous = field
      if (i < end && (bytes[i] as number) <= SPACE) i = skipSpace(bytes, i, end)
      if (i >= end) return -1
      const byte = bytes[i++]
      if (byte === CLOSE_OBJECT) break
      if (byte !== COMMA) return -1
    }
    if (missing > 0) {
      for (const field of this.required) if (field.lastRecord !== record) this.addDrift(field.number, 0)
    }
    return i
  }

  private addDrift(number: number, kind: number): void {
    if (this.drift === undefined) this.drift = [number, kind]
    else this.drift.push(number, kind)
  }

  private lookUp(bytes: Uint8Array, start: number, end: number): Field | undefined {
    let name: string
    try {
      name = decodeKey(bytes, start, end)
    } catch {
      return undefined
    }
    const known = this.byName.get(name)
    if (known !== undefined) return known
    if (this.unknownKeys === MAX_UNKNOWN_KEYS) return this.unknownField
    this.unknownKeys++
    const field = new Field(name, -1, ANY_KIND, false, false)
    this.byName.set(name, field)
    return field
  }
}
