/**
 * Where the cytotoxicity of a chemical begins, from its data in cytotoxicity endpoints (docs/service.md, section
 * 5.6). The computation is not documented: it is that of the ToxCast pipeline
 * (`tcplCytoPt`), with null where the pipeline puts a default.
 *
 * - A record is of a cytotoxicity endpoint when its field `burstAssay` is 1 or true; without that field, when its
 *   `intendedTargetFamily` is "cell cycle". Only multi-concentration records count.
 * - Of several samples in one endpoint the one with the highest hit call counts, then the one with the lowest AC50.
 * - Median and MAD are of log10 AC50 (µM) over the endpoints in which the chemical is active. The MAD is scaled by
 *   1.4826 (as a standard deviation of normally distributed values) and needs two of them, as does the median as a
 *   cytotoxicity point.
 * - The lower bound is three global MADs below the point.
 */
import * as hitCall from "./hitCall.ts"

/** Scales a median absolute deviation to the standard deviation of normally distributed values. */
const madScale = 1.4826

/** The fewest active endpoints that a cytotoxicity point and a MAD are computed from. */
export const fewestActive = 2

/** How many global MADs below the point the lower bound lies. */
const madsBelow = 3

/** One multi-concentration record of a cytotoxicity endpoint. `ac50` in µM. */
export interface Tested extends hitCall.Measured {
  readonly aeid: number
  readonly ac50: number | null
}

/** The statistics of one chemical, in the words of the contract (`BioactivitySummary.chemicalFields`). */
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

/** Whether a record is of a cytotoxicity endpoint, by the values of its two fields that say so. */
export const isCytotoxicity = (burstAssay: unknown, intendedTargetFamily: unknown): boolean =>
  burstAssay === undefined || burstAssay === null
    ? typeof intendedTargetFamily === "string" && intendedTargetFamily.trim().toLowerCase() === "cell cycle"
    : burstAssay === true || burstAssay === 1

/** The statistics of the records of one chemical; `globalMad` is that of all chemicals, see `median`. */
export const statistics = (tested: Iterable<Tested>, globalMad: number | null): Statistics => {
  const { active, logs, ntested } = logsOfActive(tested)
  const middle = median(logs)
  const point = logs.length >= fewestActive ? middle : null
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

/** The scaled MAD of log10 AC50 of one chemical; null with fewer than two active endpoints. */
export const mad = (tested: Iterable<Tested>): number | null => spread(logsOfActive(tested).logs)

/** The median of some numbers; null of none. The global MAD is the median of the MADs of all chemicals. */
export const median = (values: ReadonlyArray<number>): number | null => {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  const upper = sorted[half] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2
}

/**
 * The order in which records of one chemical represent it, best first: the highest hit call, then the lowest AC50; a
 * record without one of them comes after those that have it.
 */
export const byStrength = (a: Pick<Tested, "hitc" | "ac50">, b: Pick<Tested, "hitc" | "ac50">): number =>
  (b.hitc ?? -Infinity) - (a.hitc ?? -Infinity) || (a.ac50 ?? Infinity) - (b.ac50 ?? Infinity) || 0

const logsOfActive = (
  tested: Iterable<Tested>
): { readonly ntested: number; readonly active: number; readonly logs: ReadonlyArray<number> } => {
  const best = new Map<number, Tested>()
  for (const record of tested) {
    const other = best.get(record.aeid)
    if (other === undefined || byStrength(record, other) < 0) best.set(record.aeid, record)
  }
  const active = Array.from(best.values()).filter(hitCall.isActive)
  const logs = active.flatMap(({ ac50 }) => (ac50 !== null && ac50 > 0 ? [Math.log10(ac50)] : []))
  return { ntested: best.size, active: active.length, logs }
}

const spread = (logs: ReadonlyArray<number>): number | null => {
  if (logs.length < fewestActive) return null
  const middle = median(logs) as number
  return madScale * (median(logs.map((log) => Math.abs(log - middle))) as number)
}

const fromLog = (log: number | null): number | null => (log === null ? null : 10 ** log)
