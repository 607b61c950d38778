// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `search` (docs/service.md, section 3.2): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { Search } from "@chemstream/api"
import { lookupOf } from "./internal/endpointLookup.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

export * from "./internal/special/nameSearch.ts"

/** A requested value, and a substance that matches it. */
export type Substance = ScalarRecord<"dtxsid", string>

/** A requested value, and the number of substances that match it. */
export type Count = ScalarRecord<"count", number>

/**
 * Finds the substances with this molecular formula, all atoms counted: one record `{"query","dtxsid"}` for
 * each.
 */
export const byExactFormula: () => LookupOfMany<Substance> = lookupOf(Search.byExactFormula)

/**
 * Finds the substances with this MS-ready formula, without salts, counter-ions and solvents: one record
 * `{"query","dtxsid"}` for each.
 */
export const byMsreadyFormula: () => LookupOfMany<Substance> = lookupOf(Search.byMsreadyFormula)

/** Finds the number of substances with this molecular formula: one record `{"query","count"}`. */
export const countByExactFormula: () => LookupOfOne<Count> = lookupOf(Search.countByExactFormula)

/** Finds the number of substances with this MS-ready formula: one record `{"query","count"}`. */
export const countByMsreadyFormula: () => LookupOfOne<Count> = lookupOf(Search.countByMsreadyFormula)
