// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/** The lookups of the group `extra` (docs/families/extra.md). */
import { Extra, type LinkRecords } from "@chemstream/api"
import { lookupOf } from "./internal/endpointLookup.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** A substance that matches a requested value. */
export type Substance = ScalarRecord<"dtxsid", string>

/** Looks up the counts of references of substances, up to 200 a call. */
export const byDtxsid: () => LookupOfOne<LinkRecords.ExtraData> = lookupOf(Extra.byDtxsid)

/**
 * Finds the substances whose MS-ready form has one of several formulas: one record `{"query","dtxsid"}` for
 * each.
 */
export const byMsreadyFormulas: () => LookupOfMany<Substance> = lookupOf(Extra.byMsreadyFormulas)

/** Looks up the substances of SMILES, any number for each, one a call. */
export const bySmiles: () => LookupOfMany<LinkRecords.StructureMatch> = lookupOf(Extra.bySmiles)
