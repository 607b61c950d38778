// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `bioactivity` (docs/service.md, section 3.5): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { type AedRecord, Bioactivity, type BioactivityData, type BioactivitySummary } from "@chemstream/api"
import { type FormsOf, lookupOf } from "./internal/endpointLookup.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** The record of `byDtxsid`, by projection. */
export type Forms = FormsOf<typeof Bioactivity.byDtxsid>

/** The options of `byDtxsid`. */
export interface Options<P extends keyof Forms = keyof Forms> {
  /** The projection of the records: assay-summary-plot for what a plot needs. Default: `data`. */
  readonly projection?: P | undefined
}

/** Looks up the bioactivity summaries in a tissue of substances, any number for each: one request for each. */
export const summaryByTissue: (tissue: string) => LookupOfMany<BioactivitySummary.TissueSummary> = lookupOf(
  Bioactivity.summaryByTissue
)

/** Looks up the bioactivity summaries over all assay endpoints of substances: one request for each. */
export const summaryByDtxsid: () => LookupOfOne<BioactivitySummary.ChemicalSummary> = lookupOf(
  Bioactivity.summaryByDtxsid
)

/** Looks up the numbers of active samples of assay endpoints: one request for each. */
export const summaryByAeid: () => LookupOfOne<BioactivitySummary.EndpointSummary> = lookupOf(
  Bioactivity.summaryByAeid
)

/** Looks up the bioactivity data records of samples, any number for each: up to 1000 samples in a request. */
export const bySpid: () => LookupOfMany<BioactivityData.BioactivityData> = lookupOf(Bioactivity.bySpid)

/** Looks up the bioactivity data records of M4IDs: up to 1000 M4IDs in a request. */
export const byM4id: () => LookupOfOne<BioactivityData.BioactivityData> = lookupOf(Bioactivity.byM4id)

/**
 * Looks up the bioactivity data records of substances, any number for each: up to 1000 substances in a
 * request.
 *
 * @example
 * ```ts
 * import { Bioactivity } from "@chemstream/stream"
 *
 * Bioactivity.byDtxsid().size // => 1000
 * ```
 */
export const byDtxsid: <P extends keyof Forms = "data">(options?: Options<P>) => LookupOfMany<Forms[P]> =
  lookupOf(Bioactivity.byDtxsid)

/**
 * Looks up the bioactivity data records of assay endpoints, any number for each: up to 1000 assay endpoints in
 * a request.
 */
export const byAeid: () => LookupOfMany<BioactivityData.BioactivityData> = lookupOf(Bioactivity.byAeid)

/**
 * Looks up the activity-exposure-dose (AED) records of substances, any number for each: up to 1000 substances
 * in a request.
 */
export const aedByDtxsid: () => LookupOfMany<AedRecord.AedRecord> = lookupOf(Bioactivity.aedByDtxsid)

/** The older name of `aedByDtxsid`. */
export const aed: typeof aedByDtxsid = aedByDtxsid
