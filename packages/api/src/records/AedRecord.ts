/**
 * The activity-exposure-dose (AED) record (docs/service.md, section 5.7): oral doses that would reach a bioactive
 * concentration, by model, as parallel arrays.
 */

import { integer, numbers, text, texts } from "../schemas/internal/fieldTypes.ts"
import { lazy } from "../schemas/internal/lazyObject.ts"
import { type OpenStruct, openStruct } from "../schemas/internal/openStruct.ts"
import type * as Types from "./internal/types/AedRecord.ts"

/** The fields of an AED record. The arrays are parallel: element n of each describes the same dose. */
export const fields = lazy(() => ({
  dtxsid: text("Substance identifier (DTXSID…)"),
  preferredName: text("Preferred name of the substance"),
  aenm: text("Name of the assay endpoint"),
  aeid: integer("Assay endpoint identifier"),
  aedVal: numbers("Administered equivalent doses, in the units of aedValUnit"),
  aedType: texts("Kinds of dose"),
  httkModel: texts("Toxicokinetic models"),
  aedValUnit: texts("Units of the doses, e.g. mg/kg/day"),
  httkVersion: texts("Versions of the toxicokinetic package"),
  potencyValType: texts("Kinds of potency the doses are computed from, e.g. ac50"),
  invitrodbVersion: texts("Versions of the in-vitro database"),
  interindividualVarPerc: numbers("Percentiles of the variability between individuals")
}))

/** The schema of an AED record. */
export const AedRecord: OpenStruct<Types.AedRecord> = openStruct(fields, {
  title: "Activity-exposure-dose record",
  section: "5.7"
})

/** An AED record. */
export type AedRecord = Types.AedRecord
