// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `extra` (docs/families/extra.md): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { Extra, type LinkRecords } from "@chemstream/api"
import { lookupOf } from "./internal/endpointLookup.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** A requested value, and a substance that matches it. */
export type Substance = ScalarRecord<"dtxsid", string>

/** Looks up the counts of references of substances: up to 200 substances in a request. */
export const byDtxsid: () => LookupOfOne<LinkRecords.ExtraData> = lookupOf(Extra.byDtxsid)

/**
 * Finds the substances whose MS-ready form has one of several formulas: one record `{"query","dtxsid"}` for
 * each.
 */
export const byMsreadyFormulas: () => LookupOfMany<Substance> = lookupOf(Extra.byMsreadyFormulas)

/** Looks up the substances of SMILES, any number for each: one request for each. */
export const bySmiles: () => LookupOfMany<LinkRecords.StructureMatch> = lookupOf(Extra.bySmiles)
