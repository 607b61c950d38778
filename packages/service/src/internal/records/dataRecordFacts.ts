/**
 * Reads the facts of a bioactivity data record, which a store counts and sorts by. Only these fields are parsed.
 *
 * `tissue`, `intendedTargetFamily` and `burstAssay` are not fields of the contract, but imported records may have
 * them.
 */
import { BioactivityData } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import type { StoredRecord } from "../../Store.ts"
import { isCytotoxicity } from "./cytotoxicity.ts"

/** `ac50` is in µM, `tissue` as `foldTissue` returns it. */
export interface AssayFacts {
  readonly hitc: number | null
  readonly nconc: number | null
  readonly isSingle: boolean
  readonly isActive: boolean
  readonly isCytotoxicity: boolean
  readonly ac50: number | null
  readonly tissue: string | null
}

/** Returns the facts of a record. A value of a wrong type counts as unknown. */
export const read = (stored: StoredRecord): AssayFacts => {
  const fields = new Map<string, RawRecord.RawRecord>()
  for (const { key, value } of Result.getOrThrow(RawRecord.entries(RawRecord.fromBytes(stored)))) {
    if (factFields.has(key)) fields.set(key, value)
  }
  const fieldOf = (key: string): unknown => {
    const text = fields.get(key)
    return text === undefined ? undefined : JSON.parse(RawRecord.toText(text))
  }
  const parameters = fields.get("mc5Param")
  const numbers = { hitc: finiteOrNull(fieldOf("hitc")), nconc: finiteOrNull(fieldOf("nconc")) }
  const tissue = fieldOf("tissue")
  return {
    ...numbers,
    isSingle: BioactivityData.isSingle(numbers),
    isActive: BioactivityData.isActive(numbers),
    isCytotoxicity: isCytotoxicity(fieldOf("burstAssay"), fieldOf("intendedTargetFamily")),
    ac50: parameters === undefined ? null : finiteOrNull(RawRecord.value(parameters, "ac50")),
    tissue: typeof tissue === "string" ? foldTissue(tissue) : null
  }
}

/** Returns the form of a tissue for comparisons, in lower case. */
export const foldTissue = (tissue: string): string => tissue.normalize("NFC").trim().toLowerCase()

const factFields = new Set(["hitc", "nconc", "tissue", "burstAssay", "intendedTargetFamily", "mc5Param"])

const finiteOrNull = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null
