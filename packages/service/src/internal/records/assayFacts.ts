/**
 * What a store needs to know of a bioactivity data record besides its identifiers, to count it and to choose among
 * records: read from its text without building the object.
 *
 * `tissue`, `intendedTargetFamily` and `burstAssay` are not fields of the contract's data record: a record that
 * was imported with them has them.
 */
import { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import type { StoredRecord } from "../../Store.ts"
import { isCytotoxicity } from "./cytotoxicity.ts"
import * as hitCall from "./hitCall.ts"

/** `ac50` in µM; `tissue` as `foldTissue` has it. */
export interface AssayFacts extends hitCall.Measured {
  readonly isSingle: boolean
  readonly isActive: boolean
  readonly isCytotoxicity: boolean
  readonly ac50: number | null
  readonly tissue: string | null
}

/** The facts of a record. A value of another type than it should be counts as not known. */
export const read = (stored: StoredRecord): AssayFacts => {
  const fields = new Map<string, RawRecord.RawRecord>()
  for (const { key, value } of Result.getOrThrow(RawRecord.entries(RawRecord.fromBytes(stored)))) {
    if (wanted.has(key)) fields.set(key, value)
  }
  const value = (key: string): unknown => {
    const text = fields.get(key)
    return text === undefined ? undefined : JSON.parse(RawRecord.toText(text))
  }
  const parameters = fields.get("mc5Param")
  const measured = { hitc: finite(value("hitc")), nconc: finite(value("nconc")) }
  const tissue = value("tissue")
  return {
    ...measured,
    isSingle: hitCall.isSingle(measured),
    isActive: hitCall.isActive(measured),
    isCytotoxicity: isCytotoxicity(value("burstAssay"), value("intendedTargetFamily")),
    ac50: parameters === undefined ? null : finite(RawRecord.value(parameters, "ac50")),
    tissue: typeof tissue === "string" ? foldTissue(tissue) : null
  }
}

/** A tissue in the spelling by which it is compared: upper and lower case are the same. */
export const foldTissue = (tissue: string): string => tissue.normalize("NFC").trim().toLowerCase()

const wanted = new Set(["hitc", "nconc", "tissue", "burstAssay", "intendedTargetFamily", "mc5Param"])

const finite = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null
