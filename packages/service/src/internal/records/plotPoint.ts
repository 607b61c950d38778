/**
 * Reduces the bytes of a data record to a point of the summary plot (`BioactivityData.plotFields`). Numbers and
 * strings keep their text.
 */
import { BioactivityData } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import type { StoredRecord } from "../../Store.ts"

/**
 * Returns the point as text: the fields of the contract in their order. A missing field is null.
 *
 * `top` and `ac50` are parameters of the winning model. Throws if the stored text is not an object: a defect of the
 * store.
 */
export const fromRecord = (stored: StoredRecord): Uint8Array => {
  const texts = new Map<string, string>()
  for (const { key, kind, value } of entriesOf(RawRecord.fromBytes(stored))) {
    if (recordFields.has(key)) texts.set(key, RawRecord.toText(value))
    else if (key === "mc5Param" && kind === "object") {
      for (const parameter of entriesOf(value)) {
        if (modelFields.has(parameter.key)) texts.set(parameter.key, RawRecord.toText(parameter.value))
      }
    }
  }
  return encoder.encode(
    `{${fields.map((field) => `${JSON.stringify(field)}:${texts.get(field) ?? "null"}`).join(",")}}`
  )
}

const encoder = new TextEncoder()
const fields = Object.keys(BioactivityData.plotFields)
const modelFields: ReadonlySet<string> = new Set(["top", "ac50"])
const recordFields: ReadonlySet<string> = new Set(fields.filter((field) => !modelFields.has(field)))

const entriesOf = (record: RawRecord.RawRecord): ReadonlyArray<RawRecord.Entry> =>
  Result.getOrThrow(RawRecord.entries(record))
