/**
 * Finds the most potent assay endpoints of a chemical in its bioactivity data.
 */
import { BioactivityData } from "@chemstream/api"
import * as Curve from "./Curve.ts"
import type { PlotRecord } from "./internal/plots/options.ts"
import { textOf } from "./internal/records/fields.ts"

/** An assay endpoint in which a chemical was tested. */
export interface Endpoint {
  readonly aeid: number
  /** The lowest AC50 of its active records, in µM. Undefined: none is active. */
  readonly ac50: number | undefined
}

/**
 * Returns the assay endpoints of the records of a chemical, the most potent first, and inactive ones at the end.
 *
 * @example
 *
 * ```ts
 * import { Potency } from "@chemstream/figures"
 *
 * Potency.endpoints([
 *   { aeid: 704, hitc: 0.24, ac50: 30 },
 *   { aeid: 3032, hitc: 0.99, ac50: 1.2 },
 *   { aeid: 3032, hitc: 0.95, ac50: 2.5 }
 * ])
 * // => [{ aeid: 3032, ac50: 1.2 }, { aeid: 704, ac50: undefined }]
 * ```
 */
export const endpoints = (records: ReadonlyArray<PlotRecord>): ReadonlyArray<Endpoint> => {
  const lowest = new Map<number, number>()
  for (const record of records) {
    const aeid = Number(textOf(record, "aeid"))
    if (!Number.isSafeInteger(aeid) || textOf(record, "hitc") === undefined) continue
    const ac50 = isActive(record)
      ? (Curve.ac50(record) ?? Number.POSITIVE_INFINITY)
      : Number.POSITIVE_INFINITY
    lowest.set(aeid, Math.min(ac50, lowest.get(aeid) ?? Number.POSITIVE_INFINITY))
  }
  return [...lowest]
    .sort(([, a], [, b]) => (a === b ? 0 : a - b))
    .map(([aeid, ac50]) => ({ aeid, ac50: ac50 === Number.POSITIVE_INFINITY ? undefined : ac50 }))
}

/** Whether a record is active at more than one concentration. */
export const isActive = (record: PlotRecord): boolean => {
  const hitCall = record as BioactivityData.HitCall
  return !BioactivityData.isSingle(hitCall) && BioactivityData.isActive(hitCall)
}
