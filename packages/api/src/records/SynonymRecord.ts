/**
 * The synonym record (docs/service.md, section 5.4): a list of synonyms for each quality, and, in its other projection, one record for
 * each synonym. The public service has other lists under some of the names (`RecordSchema`); `sort` puts both in order.
 */
import { Schema } from "effect"
import { text, textOrTexts, texts } from "../schemas/internal/fieldTypes.ts"
import { lazy } from "../schemas/internal/lazyObject.ts"
import { type OpenStruct, openStruct } from "../schemas/internal/openStruct.ts"
import type * as Types from "./internal/types/SynonymRecord.ts"

export { type Sorted, sort } from "../evaluation/internal/sortedSynonyms.ts"

/** The fields of the default projection, `chemical-synonym-all`. */
export const fields = lazy(() => ({
  beilstein: texts("Beilstein registry numbers"),
  alternateCasrn: texts("Further CAS registry numbers"),
  dtxsid: Schema.String.annotate({ description: "Substance identifier (DTXSID…)" }),
  pcCode: textOrTexts("Pesticide chemical code, or a list of them"),
  deletedCasrn: texts("CAS registry numbers that are no longer in use"),
  other: texts("Other synonyms"),
  valid: texts("Synonyms validated by experts"),
  good: texts("Synonyms of good quality")
}))

/** The schema of the synonyms of a substance, by quality. Arrays are null when empty. */
export const SynonymRecord: OpenStruct<Types.SynonymRecord> = openStruct(fields, {
  title: "Synonyms of a substance, by quality",
  section: "5.4",
  "x-primary-key": ["dtxsid"]
})

/** The synonyms of a substance. */
export type SynonymRecord = Types.SynonymRecord

/** The fields of one synonym under `ccd-synonyms`. */
export const flatFields = lazy(() => ({
  synonym: text("The synonym"),
  quality: text("Its quality, e.g. Valid, Good, Other")
}))

/** The schema of one synonym under `ccd-synonyms`. */
export const FlatSynonym: OpenStruct<Types.FlatSynonym> = openStruct(flatFields, {
  title: "Synonym",
  section: "5.4"
})

/** One synonym with its quality. */
export type FlatSynonym = Types.FlatSynonym

/** The projection with the lists of synonyms by quality. The other, `ccd-synonyms`, has one record for each synonym. */
export const defaultProjection = "chemical-synonym-all"
