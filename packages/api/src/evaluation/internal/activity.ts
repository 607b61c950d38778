/**
 * Reads the activity of a substance from its bioactivity data records: whether a record is active (its hit call), its AC50 (the
 * concentration of half the top of its curve), the assay endpoints of a substance, and the concentrations of the points.
 *
 * `BioactivityData` exports it beside the schema of the records.
 */
import { argument } from "../../internal/checkArgument.ts"
import type { BioactivityData } from "../../records/internal/types/BioactivityData.ts"

/** The smallest continuous hit call that counts as active (docs/service.md, section 5.6). */
export const activeFrom = 0.9

/** The numbers of a record that decide its activity. */
export interface HitCall {
  /** The hit call: continuous in multi-concentration data, 1 or 0 in single-concentration data. */
  readonly hitc?: number | null | undefined
  /** The number of tested concentrations. */
  readonly nconc?: number | null | undefined
}

/**
 * Returns whether a record belongs to single-concentration screening: exactly one concentration was tested.
 *
 * No rule is documented, so the project chose this one. A record without the number counts as multi-concentration
 * screening.
 */
export const isSingle = (record: HitCall): boolean => argument("record", "a record", record).nconc === 1

/**
 * Returns whether a record is active: its hit call is at least 0.9 in multi-concentration data, or 1 in
 * single-concentration data. A record without a hit call is inactive.
 *
 * @example
 * ```ts
 * import { BioactivityData } from "@chemstream/api"
 *
 * BioactivityData.isActive({ hitc: 0.93, nconc: 8 }) // => true
 * BioactivityData.isActive({ hitc: 0.93, nconc: 1 }) // => false
 * ```
 */
export const isActive = (record: HitCall): boolean => {
  const { hitc } = argument("record", "a record", record)
  if (typeof hitc !== "number") return false
  return isSingle(record) ? hitc === 1 : hitc >= activeFrom
}

/** The fields of a record, or of a point of the summary plot, that may have its AC50. */
export interface Potency {
  readonly ac50?: unknown
  readonly modl?: string | null | undefined
  readonly mc4Param?: object | null | undefined
  readonly mc5Param?: object | null | undefined
}

/**
 * Returns the AC50 in µM: that of the record, else of its winning model (`mc5Param`), else of that model among all (`mc4Param`). Undefined:
 * there is none above 0.
 */
export const ac50 = (record: Potency): number | undefined =>
  [
    argument("record", "a record", record).ac50,
    (record.mc5Param as Parameters | null | undefined)?.["ac50"],
    (record.mc4Param as Parameters | null | undefined)?.[`${record.modl}_ac50`]
  ].find((value) => typeof value === "number" && value > 0 && Number.isFinite(value)) as number | undefined

type Parameters = Readonly<Record<string, unknown>>

/** An active record of several concentrations, and its AC50 in µM. */
export interface Potent {
  readonly record: BioactivityData
  readonly ac50: number
}

/** Returns the records that are active at several concentrations and have an AC50, the lowest AC50 first. */
export const byPotency = (records: ReadonlyArray<BioactivityData>): ReadonlyArray<Potent> =>
  argument("records", "a list", records)
    .flatMap((record) => {
      const value = !isSingle(record) && isActive(record) ? ac50(record) : undefined
      return value === undefined ? [] : [{ record, ac50: value }]
    })
    .sort((a, b) => a.ac50 - b.ac50 || (b.record.hitc ?? 0) - (a.record.hitc ?? 0))

/** An assay endpoint in which a substance was tested at several concentrations. */
export interface Endpoint {
  readonly aeid: number
  /** Whether one of its records is active. */
  readonly isActive: boolean
  /** The lowest AC50 of its active records, in µM. Undefined: none has one. */
  readonly ac50: number | undefined
}

/**
 * Returns the assay endpoints of the records of a substance, the most potent first. Endpoints without an AC50 come last. Records of one
 * concentration, and those without a number of an endpoint, are left out. Tables, plots and reports all count these.
 *
 * @example
 * ```ts
 * import { BioactivityData } from "@chemstream/api"
 *
 * BioactivityData.endpoints([
 *   { aeid: 704, hitc: 0.24, ac50: 30 },
 *   { aeid: 3032, hitc: 0.99, ac50: 1.2 },
 *   { aeid: 3032, hitc: 0.95, ac50: 2.5 }
 * ])
 * // => [{ aeid: 3032, isActive: true, ac50: 1.2 }, { aeid: 704, isActive: false, ac50: undefined }]
 * ```
 */
export const endpoints = (
  records: ReadonlyArray<HitCall & Potency & { readonly aeid?: number | string | null | undefined }>
): ReadonlyArray<Endpoint> => {
  const all = new Map<number, { isActive: boolean; ac50: number }>()
  for (const record of argument("records", "a list", records)) {
    if (isSingle(record)) continue
    const aeid = Number(record.aeid ?? Number.NaN)
    if (!Number.isSafeInteger(aeid) || record.aeid === "") continue
    const endpoint = all.get(aeid) ?? { isActive: false, ac50: Number.POSITIVE_INFINITY }
    all.set(aeid, endpoint)
    if (!isActive(record)) continue
    endpoint.isActive = true
    endpoint.ac50 = Math.min(endpoint.ac50, ac50(record) ?? Number.POSITIVE_INFINITY)
  }
  return [...all]
    .sort(([, a], [, b]) => (a.ac50 === b.ac50 ? 0 : a.ac50 - b.ac50))
    .map(([aeid, lowest]) => ({
      aeid,
      isActive: lowest.isActive,
      ac50: lowest.ac50 === Number.POSITIVE_INFINITY ? undefined : lowest.ac50
    }))
}

/** The part of a record that holds its points. */
export interface Points {
  readonly mc3Param?: object | null | undefined
}

/**
 * Returns the concentrations of the points of a record, in µM: its `conc`, or 10 to the power of its `logc`. A
 * service sends one or the other. A concentration that is not a number becomes 0.
 *
 * @example
 * ```ts
 * import { BioactivityData } from "@chemstream/api"
 *
 * BioactivityData.concentrations({ mc3Param: { conc: [0.5, 100] } }) // => [0.5, 100]
 * BioactivityData.concentrations({ mc3Param: { logc: [-1, 2] } }) // => [0.1, 100]
 * ```
 */
export const concentrations = (record: Points): ReadonlyArray<number> => {
  const { mc3Param } = argument("record", "a record", record)
  const { conc, logc } = (mc3Param ?? {}) as { readonly conc?: unknown; readonly logc?: unknown }
  if (Array.isArray(conc)) return conc.map((value) => (typeof value === "number" ? value : 0))
  return (Array.isArray(logc) ? logc : []).map((value) => (typeof value === "number" ? 10 ** value : 0))
}
