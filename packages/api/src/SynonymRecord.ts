/**
 * The synonym record (docs/service.md, section 5.4), and the flat list of its other projection.
 */
import { Schema } from "effect"
import { type KeepingUnknown, keepingUnknown } from "./internal/keepingUnknown.ts"
import { text, texts } from "./internal/recordFields.ts"

/** The fields of the default projection, `chemical-synonym-all`. */
export const fields = {
  beilstein: texts("Beilstein registry numbers"),
  alternateCasrn: texts("Further CAS registry numbers"),
  dtxsid: Schema.String.annotate({ description: "Substance identifier (DTXSID…)" }),
  pcCode: text("Pesticide chemical code"),
  deletedCasrn: texts("CAS registry numbers that are no longer in use"),
  other: texts("Other synonyms"),
  valid: texts("Synonyms validated by experts"),
  good: texts("Synonyms of good quality")
}

/** The schema of the synonyms of a substance, by quality. Arrays are null when empty. */
export const SynonymRecord: KeepingUnknown<typeof fields> = keepingUnknown(fields)

/** The synonyms of a substance. */
export type SynonymRecord = typeof SynonymRecord.Type

/** The fields of one synonym under `ccd-synonyms`. */
export const flatFields = {
  synonym: text("The synonym"),
  quality: text("Its quality, e.g. Valid, Good, Other")
}

/** The schema of one synonym under `ccd-synonyms`. */
export const FlatSynonym: KeepingUnknown<typeof flatFields> = keepingUnknown(flatFields)

/** One synonym with its quality. */
export type FlatSynonym = typeof FlatSynonym.Type

/** The names of the projections; the second is the default. */
export const projections = ["ccd-synonyms", "chemical-synonym-all"] as const

/** The schema of the projection's name. */
export const Projection: Schema.Literals<typeof projections> = Schema.Literals(projections)

/** The name of a projection. */
export type Projection = (typeof projections)[number]

/** The projection a service answers when none is asked for. */
export const defaultProjection = "chemical-synonym-all"
