/**
 * Makes the summary of a chemical in a tissue (docs/service.md, section 5.6) from its representative data record.
 *
 * The store selects that record (`tissueSummaries`).
 */
import { BioactivityData, type BioactivitySummary } from "@chemstream/api"
import type { StoredRecord } from "../../Store.ts"

/**
 * Returns the summary: every field of the contract in the documented order. A missing field is null.
 *
 * AC50 and ACC (in µM) are parameters of the winning model. A model that does not reach the cutoff has no ACC.
 */
export const fromRecord = (stored: StoredRecord): Required<typeof BioactivitySummary.TissueSummary.Type> => {
  const record = JSON.parse(new TextDecoder().decode(stored)) as Json
  const parameters = object(record["mc5Param"])
  const hitc = number(record["hitc"])
  const ac50 = number(parameters["ac50"])
  return {
    intendedTargetFamily: text(record["intendedTargetFamily"]),
    dtxsid: text(record["dtxsid"]),
    tissue: text(record["tissue"]),
    maxMedConc: number(record["maxMedConc"]),
    continuousHitCall: hitc,
    chemicalName: text(record["chnm"]),
    hitCall: hitc === null ? null : wordOf({ hitc, nconc: number(record["nconc"]) }),
    cutOff: number(record["coff"]),
    logAC50: ac50 !== null && ac50 > 0 ? Math.log10(ac50) : null,
    ac50,
    acc: number(parameters["acc"])
  }
}

const wordOf = (record: BioactivityData.HitCall): string =>
  BioactivityData.isActive(record) ? "Active" : "Inactive"

type Json = Readonly<Record<string, unknown>>

const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {})

const text = (value: unknown): string | null => (typeof value === "string" ? value : null)

const number = (value: unknown): number | null => (typeof value === "number" ? value : null)
