/**
 * The records of the list of all chemicals (docs/service.md, section 5.2): identity, structure, formula and masses
 * (the projection `standard-2`, the default), or the identifiers alone (`all-ids`).
 */
import { lazy } from "../schemas/internal/lazyObject.ts"
import { type OpenStruct, openStruct } from "../schemas/internal/openStruct.ts"
import { averageMass, formula, identity, quality, structure } from "./internal/detailFields.ts"
import type * as Types from "./internal/types/AllRecord.ts"

/** The fields of a record under `standard-2`, in the documented order. */
export const standardFields = lazy(() => ({
  id: identity.id,
  preferredName: identity.preferredName,
  molFormula: formula.molFormula,
  averageMass: averageMass.averageMass,
  qcLevelDesc: quality.qcLevelDesc,
  iupacName: identity.iupacName,
  inchiString: structure.inchiString,
  inchikey: structure.inchikey,
  smiles: structure.smiles,
  qcLevel: quality.qcLevel,
  dtxsid: identity.dtxsid,
  casrn: identity.casrn,
  monoisotopicMass: formula.monoisotopicMass
}))

/** The fields of a record under `all-ids`. */
export const idFields = lazy(() => ({ id: identity.id, dtxcid: identity.dtxcid, dtxsid: identity.dtxsid }))

/** The schema of a record under `standard-2`. */
export const StandardRecord: OpenStruct<Types.StandardRecord> = openStruct(standardFields, {
  title: "Chemical in the list of all",
  section: "5.2",
  "x-primary-key": ["dtxsid"]
})

/** A chemical in the list of all: identity, structure, formula and masses. */
export type StandardRecord = Types.StandardRecord

/** The schema of a record under `all-ids`. */
export const IdRecord: OpenStruct<Types.IdRecord> = openStruct(idFields, {
  title: "Identifiers of a chemical in the list of all",
  section: "5.2",
  "x-primary-key": ["dtxsid"]
})

/** The identifiers of a chemical in the list of all. */
export type IdRecord = Types.IdRecord
