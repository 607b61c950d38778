// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `msready` (docs/service.md, section 3.3): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { MsReady } from "@chemstream/api"
import { lookupOf } from "./internal/endpointLookup.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { LookupOfMany } from "./Lookup.ts"

export * from "./internal/special/msReadySearch.ts"

/** A requested value, and a substance that matches it. */
export type Substance = ScalarRecord<"dtxsid", string>

/** Finds the MS-ready substances with this formula: one record `{"query","dtxsid"}` for each. */
export const byFormula: () => LookupOfMany<Substance> = lookupOf(MsReady.byFormula)
