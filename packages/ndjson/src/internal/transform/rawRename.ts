/**
 * New names for some fields of a raw record; values keep their text, fields their order.
 */
import * as Result from "effect/Result"
import type { RawJsonError } from "../../RawJsonError.ts"
import * as RawRecord from "../../RawRecord.ts"
import { CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT } from "../ascii.ts"
import { copied } from "../copy.ts"
import { fieldSpans, whyNot } from "../fields.ts"
import { refuse } from "../refuse.ts"
import { decodeKey } from "../text.ts"

const encoder = new TextEncoder()

/** Prepares the new names. Gives a name instead of a record when two different fields would have it. */
export const renameRaw = (
  names: ReadonlyMap<string, string>
): ((record: RawRecord.RawRecord) => Result.Result<RawRecord.RawRecord, RawJsonError> | string) => {
  const written = new Map([...names].map(([key, name]) => [key, encoder.encode(JSON.stringify(name))]))
  return (record) => {
    const { bytes, start, end } = record
    const spans = fieldSpans(bytes, start, end)
    if (!Array.isArray(spans)) return refuse(record, spans)
    // Which field has a name already. A field that stands twice in the text is one field.
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
        return refuse(record, whyNot(bytes, start, end))
      }
      const name = names.get(key) ?? key
      const owner = owners.get(name)
      if (owner !== undefined && owner !== key) return name
      owners.set(name, key)
      const text = written.get(key) ?? bytes.subarray(keyStart - 1, keyEnd + 1)
      keys.push(text)
      size += text.length + 1 + (spans[k + 3] as number) - (spans[k + 2] as number)
    }
    const out = new Uint8Array(size)
    out[0] = OPEN_OBJECT
    let o = 1
    for (let k = 0; k < spans.length; k += 4) {
      if (k > 0) out[o++] = COMMA
      const key = keys[k / 4] as Uint8Array
      o = copied(key, 0, key.length, out, o)
      out[o++] = COLON
      o = copied(bytes, spans[k + 2] as number, spans[k + 3] as number, out, o)
    }
    out[o] = CLOSE_OBJECT
    return Result.succeed(RawRecord.fromBytes(out))
  }
}
