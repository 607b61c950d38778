/**
 * The bioactivity data record (docs/service.md, section 5.5): one sample in one assay endpoint, with its
 * concentration-response points, fitted models and hit call. The terms are those of the ToxCast pipeline.
 *
 * Concentrations are in log10 µM. The dialect `ctx` calls them `conc…` and has them in µM, also in `maxMeanConc` and `maxMedConc`
 * (`RecordSchema`); `concentrations` reads both. Responses are in the unit of the endpoint. `BioactivitySummary` has the summaries, and
 * `evaluation/internal/activity.ts` the rule of activity.
 */
import { Schema } from "effect"
import {
  integer,
  number,
  numbers,
  numbersByName,
  text,
  textOrNumber,
  texts
} from "../schemas/internal/fieldTypes.ts"
import { lazy } from "../schemas/internal/lazyObject.ts"
import { type OpenStruct, openStruct } from "../schemas/internal/openStruct.ts"
import type * as Types from "./internal/types/BioactivityData.ts"

export {
  ac50,
  activeFrom,
  byPotency,
  concentrations,
  type Endpoint,
  endpoints,
  type HitCall,
  isActive,
  isSingle,
  type Points,
  type Potency,
  type Potent
} from "../evaluation/internal/activity.ts"

/** An object with these parts, which may be absent or null. */
const nullable = (parts: Schema.Struct.Fields, description: string) =>
  Schema.optionalKey(Schema.NullOr(openStruct(parts).annotate({ description })))

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
