/**
 * The summaries of bioactivity data (docs/service.md, section 5.6): of an assay endpoint, of a chemical, and of a
 * chemical in a tissue. They are computed from the data records (`BioactivityData`).
 */
import { Schema } from "effect"
import { integer, number, text } from "../schemas/internal/fieldTypes.ts"
import { lazy } from "../schemas/internal/lazyObject.ts"
import { type OpenStruct, openStruct } from "../schemas/internal/openStruct.ts"
import type * as Types from "./internal/types/BioactivitySummary.ts"

const counts = lazy(() => ({
  activeMc: integer("Active samples in multi-concentration screening: hit call of at least 0.9"),
  totalMc: integer("Samples in multi-concentration screening"),
  activeSc: integer("Active samples in single-concentration screening: hit call 1"),
  totalSc: integer("Samples in single-concentration screening")
}))

/** The fields of the summary of an assay endpoint. */
export const endpointFields = lazy(() => ({ aeid: integer("Assay endpoint identifier"), ...counts }))

/** The schema of the summary of an assay endpoint. */
export const EndpointSummary: OpenStruct<Types.EndpointSummary> = openStruct(endpointFields, {
  title: "Bioactivity summary of an assay endpoint",
  section: "5.6",
  "x-primary-key": ["aeid"]
})

/** The number of active samples in an assay endpoint. */
export type EndpointSummary = Types.EndpointSummary

/** The fields of the summary of a chemical (docs/service.md, section 5.6). */
export const chemicalFields = lazy(() => ({
  dtxsid: Schema.String.annotate({ description: "Substance identifier (DTXSID…)" }),
  ...counts,
  cytotoxMedianRaw: number("Median of log10 AC50 (µM) over active cytotoxicity endpoints"),
  cytotoxMad: number("Median absolute deviation of the same", "log10 units"),
  globalMad: number("Median of cytotoxMad over all chemicals", "log10 units"),
  cytotoxMedianLog: number("Cytotoxicity median", "log10 µM"),
  cytotoxMedianUm: number("Cytotoxicity median", "µM"),
  cytotoxLowerUm: number("Lower bound of the cytotoxicity burst", "µM"),
  cytotoxLowerLog: number("Lower bound of the cytotoxicity burst", "log10 µM"),
  ntested: number("Cytotoxicity endpoints tested"),
  nhit: number("Cytotoxicity endpoints active")
}))

/** The schema of the summary of a chemical. */
export const ChemicalSummary: OpenStruct<Types.ChemicalSummary> = openStruct(chemicalFields, {
  title: "Bioactivity summary of a chemical",
  section: "5.6",
  "x-primary-key": ["dtxsid"]
})

/** The activity of a chemical, and the concentrations of its cytotoxicity. */
export type ChemicalSummary = Types.ChemicalSummary

/** The fields of the summary of a chemical in a tissue. The types are this project's own. */
export const tissueFields = lazy(() => ({
  intendedTargetFamily: text("Family of the target the endpoint is meant for"),
  dtxsid: text("Substance identifier (DTXSID…)"),
  tissue: text("Tissue the endpoint is in"),
  maxMedConc: number("Concentration of the largest median response", "log10 µM"),
  continuousHitCall: number("Continuous hit call, active from 0.9"),
  chemicalName: text("Name of the chemical"),
  hitCall: text("Active or Inactive"),
  cutOff: number("Cutoff of activity", "response units"),
  logAC50: number("Concentration of half the top", "log10 µM"),
  ac50: number("Concentration of half the top", "µM"),
  acc: number("Concentration at the cutoff", "µM")
}))

/** The schema of the summary of a chemical in a tissue. */
export const TissueSummary: OpenStruct<Types.TissueSummary> = openStruct(tissueFields, {
  title: "Bioactivity summary of a chemical in a tissue",
  section: "5.6"
})

/** The activity of a chemical in a tissue. */
export type TissueSummary = Types.TissueSummary
