/**
 * Renames, adds and replaces fields in the text of a raw record. All other text and the order stay.
 *
 * `fieldSpans` returns four positions for each field: start and end of its key (without quotes), start and end of its value.
 */
import * as Result from "effect/Result"
import { copyBytes } from "../../internal/copyBytes.ts"
import { decodeKey, sameKey } from "../../internal/decodeText.ts"
import { CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT } from "../../internal/jsonBytes.ts"
import { faultOf, fieldSpans } from "../../raw/internal/fieldSpans.ts"
import { refuse } from "../../raw/internal/rawError.ts"
import type { RawJsonError } from "../../raw/RawJsonError.ts"
import * as RawRecord from "../../raw/RawRecord.ts"

const encoder = new TextEncoder()

/** The size of a block that many records are written to, in bytes. */
const BLOCK_BYTES = 64 * 1024

/** Prepares renaming. Returns a name instead of a record if two fields would have it. */
export const renameRaw = (
  names: ReadonlyMap<string, string>
): ((record: RawRecord.RawRecord) => Result.Result<RawRecord.RawRecord, RawJsonError> | string) => {
  const nameTexts = new Map([...names].map(([key, name]) => [key, encoder.encode(JSON.stringify(name))]))
  return (record) => {
    const { bytes, start, end } = record
    const spans = fieldSpans(bytes, start, end)
    if (!Array.isArray(spans)) return refuse(record, spans)
    // The original field of each name. Duplicate keys are one field.
    const owners = new Map<string, string>()
    const keys: Array<Uint8Array> = []
    let size = 1 + Math.max(spans.length / 4, 1)
    for (let k = 0; k < spans.length; k += 4) {
      const keyStart = spans[k] as number
      const keyEnd = spans[k + 1] as number
      let key: string
      try {
        key = decodeKey(bytes, keyStart, keyEnd)
      } catch {
        return refuse(record, faultOf(bytes, start, end))
      }
      const name = names.get(key) ?? key
      const owner = owners.get(name)
      if (owner !== undefined && owner !== key) return name
      owners.set(name, key)
      const text = nameTexts.get(key) ?? bytes.subarray(keyStart - 1, keyEnd + 1)
      keys.push(text)
      size += text.length + 1 + (spans[k + 3] as number) - (spans[k + 2] as number)
    }
    const out = new Uint8Array(size)
    out[0] = OPEN_OBJECT
    let o = 1
    for (let k = 0; k < spans.length; k += 4) {
      if (k > 0) out[o++] = COMMA
      const key = keys[k / 4] as Uint8Array
      o = copyBytes(key, 0, key.length, out, o)
      out[o++] = COLON
      o = copyBytes(bytes, spans[k + 2] as number, spans[k + 3] as number, out, o)
    }
    out[o] = CLOSE_OBJECT
    return Result.succeed(RawRecord.fromBytes(out))
  }
}

/**
 * Prepares adding fields. Each replaces the field of its name, or comes at the end. A field without a value is
 * omitted.
 */
export const appendRaw = (
  fields: ReadonlyArray<string>
): ((
  record: RawRecord.RawRecord,
  values: ReadonlyArray<Uint8Array | undefined>
) => Result.Result<RawRecord.RawRecord, RawJsonError>) => {
  const keys = fields.map((field) => encoder.encode(`${JSON.stringify(field)}:`))
  // Records share blocks, because separate buffers would be collected one by one.
  let out = new Uint8Array(0)
  let usedBytes = 0
  return (record, values) => {
    const { bytes, start, end } = record
    const spans = fieldSpans(bytes, start, end)
    if (!Array.isArray(spans)) return refuse(record, spans)
    let size = end - start
    for (const [i, value] of values.entries()) {
      if (value !== undefined) size += (keys[i] as Uint8Array).length + value.length + 1
    }
    if (usedBytes + size > out.length) {
      out = new Uint8Array(Math.max(size, BLOCK_BYTES))
      usedBytes = 0
    }
    const from = usedBytes
    out[from] = OPEN_OBJECT
    let o = from + 1
    const add = (i: number): void => {
      const value = values[i]
      if (value === undefined) return
      if (o > from + 1) out[o++] = COMMA
      const key = keys[i] as Uint8Array
      o = copyBytes(key, 0, key.length, out, o)
      o = copyBytes(value, 0, value.length, out, o)
    }
    const isWritten = fields.map(() => false)
    // Unchanged neighbouring fields are copied as one piece.
    let piece = 0
    const keep = (to: number): void => {
      if (to === piece) return
      if (o > from + 1) out[o++] = COMMA
      o = copyBytes(bytes, (spans[piece] as number) - 1, spans[to - 1] as number, out, o)
    }
    for (let k = 0; k < spans.length; k += 4) {
      const i = fields.findIndex((field) => sameKey(bytes, spans[k] as number, spans[k + 1] as number, field))
      if (i < 0) continue
      keep(k)
      piece = k + 4
      // Duplicate keys are one field.
      if (!isWritten[i]) add(i)
      isWritten[i] = true
    }
    keep(spans.length)
    for (const i of fields.keys()) if (!isWritten[i]) add(i)
    out[o++] = CLOSE_OBJECT
    usedBytes = o
    return Result.succeed(RawRecord.make(out, from, o))
  }
}
