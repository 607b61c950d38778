/**
 * Computes the cytotoxicity threshold of a chemical from its cytotoxicity endpoints (docs/service.md, section 5.6).
 *
 * No method is documented. This one is from the ToxCast pipeline (`tcplCytoPt`). It returns null where the pipeline
 * has a default.
 *
 * - A record belongs to a cytotoxicity endpoint if its field `burstAssay` is 1 or true. Without that field, its
 *   `intendedTargetFamily` must be "cell cycle". Only multi-concentration records count.
 * - Of several samples in one endpoint, only the strongest counts: the highest hit call, then the lowest AC50.
 * - Median and MAD are computed from log10 AC50 (µM) of the active endpoints. The MAD is scaled by 1.4826, to a
 *   standard deviation of normally distributed values. MAD and cytotoxicity point need two active endpoints.
 * - The lower bound is three global MADs below the point.
 */
import { BioactivityData } from "@chemstream/api"

/** Scales a median absolute deviation (MAD) to the standard deviation of normally distributed values. */
const madScale = 1.4826

/** The smallest number of active endpoints for a cytotoxicity point and a MAD. */
export const minActive = 2

/** The distance of the lower bound from the point, in global MADs. */
const madsBelow = 3

/** A multi-concentration record of a cytotoxicity endpoint. `ac50` is in µM. */
export interface EndpointResult {
  readonly hitc: number | null
  readonly nconc: number | null
  readonly aeid: number
  readonly ac50: number | null
}

/** The statistics of one chemical, named as in the contract (`BioactivitySummary.chemicalFields`). */
export interface Statistics {
  readonly cytotoxMedianRaw: number | null
  readonly cytotoxMad: number | null
  readonly globalMad: number | null
  readonly cytotoxMedianLog: number | null
  readonly cytotoxMedianUm: number | null
  readonly cytotoxLowerUm: number | null
  readonly cytotoxLowerLog: number | null
  readonly ntested: number
  readonly nhit: number
}

/** Returns whether a record belongs to a cytotoxicity endpoint. */
export const isCytotoxicity = (burstAssay: unknown, intendedTargetFamily: unknown): boolean =>
  burstAssay === undefined || burstAssay === null
    ? typeof intendedTargetFamily === "string" && intendedTargetFamily.trim().toLowerCase() === "cell cycle"
    : burstAssay === true || burstAssay === 1

/** Computes the statistics of one chemical. `globalMad` is the median of the MADs of all chemicals. */
export const statistics = (tested: Iterable<EndpointResult>, globalMad: number | null): Statistics => {
  const { active, logs, ntested } = logsOfActive(tested)
  const middle = median(logs)
  const point = logs.length >= minActive ? middle : null
  const lower = point === null || globalMad === null ? null : point - madsBelow * globalMad
  return {
    cytotoxMedianRaw: middle,
    cytotoxMad: spread(logs),
    globalMad,
    cytotoxMedianLog: point,
    cytotoxMedianUm: fromLog(point),
    cytotoxLowerUm: fromLog(lower),
    cytotoxLowerLog: lower,
    ntested,
    nhit: active
  }
}

/** Returns the scaled MAD of log10 AC50 of one chemical. Null with fewer than two active endpoints. */
export const mad = (tested: Iterable<EndpointResult>): number | null => spread(logsOfActive(tested).logs)

/** Returns the median of some numbers, or null without numbers. */
export const median = (values: ReadonlyArray<number>): number | null => {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  const upper = sorted[half] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2
}

/** Compares two records of one chemical: the higher hit call first, then the lower AC50. Unknown values come last. */
export const byStrength = (
  a: Pick<EndpointResult, "hitc" | "ac50">,
  b: Pick<EndpointResult, "hitc" | "ac50">
): number => (b.hitc ?? -Infinity) - (a.hitc ?? -Infinity) || (a.ac50 ?? Infinity) - (b.ac50 ?? Infinity) || 0

const logsOfActive = (
  tested: Iterable<EndpointResult>
): { readonly ntested: number; readonly active: number; readonly logs: ReadonlyArray<number> } => {
  const best = new Map<number, EndpointResult>()
  for (const record of tested) {
    const other = best.get(record.aeid)
    if (other === undefined || byStrength(record, other) < 0) best.set(record.aeid, record)
  }
  const active = Array.from(best.values()).filter(BioactivityData.isActive)
  const logs = active.flatMap(({ ac50 }) => (ac50 !== null && ac50 > 0 ? [Math.log10(ac50)] : []))
  return { ntested: best.size, active: active.length, logs }
}

const spread = (logs: ReadonlyArray<number>): number | null => {
  if (logs.length < minActive) return null
  const middle = median(logs) as number
  return madScale * (median(logs.map((log) => Math.abs(log - middle))) as number)
}

const fromLog = (log: number | null): number | null => (log === null ? null : 10 ** log)
