/**
 * The bioactivity data record (docs/service.md, section 5.5): one sample in one assay endpoint, with its
 * concentration-response points, fitted models and hit call. The terms are those of the ToxCast pipeline.
 *
 * Concentrations are in log10 µM, those in fields named `conc…` in µM; `concentrations` reads both. Responses are in
 * the unit of the endpoint. Summaries are in `BioactivitySummary`.
 */
import { Schema } from "effect"
import { integer, number, numbers, numbersByName, text, textOrNumber, texts } from "./internal/fieldTypes.ts"
import { lazy } from "./internal/lazy.ts"
import { type OpenStruct, openStruct } from "./internal/openStruct.ts"
import type * as Types from "./internal/types/BioactivityData.ts"

/** The smallest continuous hit call that counts as active (docs/service.md, section 5.6). */
export const activeFrom = 0.9

const nullable = (fields: Schema.Struct.Fields, description: string) =>
  Schema.optionalKey(Schema.NullOr(openStruct(fields).annotate({ description })))

const pointFields = lazy(() => ({
  logc: numbers("Concentrations of the points", "log10 µM"),
  resp: numbers("Responses of the points")
}))

/** The fields of a data record. */
export const fields = lazy(() => ({
  m4id: integer("Number of the data record (level 4)"),
  m5id: integer("Number of the model selection (level 5)"),
  aeid: integer("Assay endpoint identifier"),
  spid: text("Sample identifier"),
  chid: integer("Number of the substance"),
  casn: text("CAS registry number"),
  chnm: text("Name of the chemical"),
  dtxsid: text("Substance identifier (DTXSID…)"),
  bmad: number("Baseline median absolute deviation of the endpoint", "response units"),
  respMax: number("Largest response", "response units"),
  respMin: number("Smallest response", "response units"),
  maxMean: number("Largest mean response over the concentrations", "response units"),
  maxMeanConc: number("Concentration of maxMean", "log10 µM"),
  maxMed: number("Largest median response over the concentrations", "response units"),
  maxMedConc: number("Concentration of maxMed", "log10 µM"),
  logcMax: number("Largest concentration tested", "log10 µM"),
  logcMin: number("Smallest concentration tested", "log10 µM"),
  nconc: integer("Number of concentrations; 1 is single-concentration screening"),
  npts: integer("Number of points"),
  nrep: number("Number of replicates a concentration"),
  nmedGtbl: integer("Number of concentrations whose median response is above three times bmad"),
  tmpi: integer("Number of the test plate"),
  modl: text("Winning model, e.g. hill"),
  hitc: number("Continuous hit call, active from 0.9; in single-concentration data 1 or 0"),
  fitc: integer("Fit category"),
  coff: number("Cutoff of activity", "response units"),
  actp: number("Activity probability"),
  modelType: integer("Direction of the fit"),
  chidRep: integer("1 for the sample that represents its chemical, else 0"),
  stkc: number("Stock concentration"),
  stkcUnit: text("Unit of the stock concentration"),
  testedConcUnit: text("Unit of the concentrations tested"),
  mc3Param: nullable(pointFields, "The points: parallel arrays"),
  mc4Param: numbersByName("Parameters of every model fitted, by name"),
  mc5Param: numbersByName("Parameters of the winning model: ac50 in µM, top in response units, hitcall, …"),
  mc6Param: nullable(
    { flag: texts("Warning flags"), mc6MthdId: numbers("Numbers of the methods that raised them") },
    "Caution flags of the fit: parallel arrays"
  )
}))

/** The schema of a data record. */
export const BioactivityData: OpenStruct<Types.BioactivityData> = openStruct(fields, {
  title: "Bioactivity data record",
  section: "5.5"
})

/** A data record. */
export type BioactivityData = Types.BioactivityData

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
export const isSingle = ({ nconc }: HitCall): boolean => nconc === 1

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
  const { hitc } = record
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

/** Returns the AC50 in µM: the concentration of half the top. Undefined: the record has none, or none above 0. */
export const ac50 = (record: Potency): number | undefined =>
  [
    record.ac50,
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
  records
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
  for (const record of records) {
    const aeid = Number(record.aeid ?? Number.NaN)
    if (!Number.isSafeInteger(aeid) || record.aeid === "" || isSingle(record)) continue
    const endpoint = all.get(aeid) ?? { isActive: false, ac50: Number.POSITIVE_INFINITY }
    all.set(aeid, endpoint)
    if (!isActive(record)) continue
    endpoint.isActive = true
    endpoint.ac50 = Math.min(endpoint.ac50, ac50(record) ?? Number.POSITIVE_INFINITY)
  }
  return [...all]
    .sort(([, a], [, b]) => (a.ac50 === b.ac50 ? 0 : a.ac50 - b.ac50))
    .map(([aeid, { ac50, isActive }]) => ({
      aeid,
      isActive,
      ac50: ac50 === Number.POSITIVE_INFINITY ? undefined : ac50
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
export const concentrations = ({ mc3Param }: Points): ReadonlyArray<number> => {
  const { conc, logc } = (mc3Param ?? {}) as { readonly conc?: unknown; readonly logc?: unknown }
  if (Array.isArray(conc)) return conc.map((value) => (typeof value === "number" ? value : 0))
  return (Array.isArray(logc) ? logc : []).map((value) => (typeof value === "number" ? 10 ** value : 0))
}

/**
 * The fields of a point of the summary plot, under the projection `assay-summary-plot`. They are not documented. This
 * project chose the fields that a plot of hit calls against AC50 needs.
 */
export const plotFields = lazy(() => ({
  dtxsid: fields.dtxsid,
  aeid: textOrNumber("Assay endpoint identifier, as number or text"),
  m4id: fields.m4id,
  spid: fields.spid,
  modl: fields.modl,
  hitc: fields.hitc,
  coff: fields.coff,
  top: number("Top of the winning model", "response units"),
  ac50: number("Concentration of half the top", "µM"),
  logcMin: fields.logcMin,
  logcMax: fields.logcMax
}))

/** The schema of a point of the summary plot. */
export const PlotPoint: OpenStruct<Types.PlotPoint> = openStruct(plotFields, {
  title: "Point of the summary plot of bioactivity",
  section: "5.5"
})

/** A point of the summary plot. */
export type PlotPoint = Types.PlotPoint

/** The only projection of the data of a chemical. Default: none, which gives whole records. */
export const Projection: Schema.Literal<"assay-summary-plot"> = Schema.Literal("assay-summary-plot")
