// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `fate` (docs/families/fate.md): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { Fate, type PropertyRecords } from "@chemstream/api"
import { lookupOf } from "./internal/endpointLookup.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** Looks up the fate records of substances: up to 50 substances in a request. */
export const byDtxsid: () => LookupOfOne<PropertyRecords.Fate> = lookupOf(Fate.byDtxsid)

/** Looks up the measured values of a fate property of substances, any number for each: one request for each. */
export const experimentalSummaryByName: (propName: string) => LookupOfMany<PropertyRecords.SummaryValue> =
  lookupOf(Fate.experimentalSummaryByName)

/** Looks up the predicted values of a fate property of substances, any number for each: one request for each. */
export const predictedSummaryByName: (propName: string) => LookupOfMany<PropertyRecords.SummaryValue> =
  lookupOf(Fate.predictedSummaryByName)

/** Looks up the summaries of fate properties of substances, any number for each: one request for each. */
export const summary: () => LookupOfMany<PropertyRecords.Summary> = lookupOf(Fate.summary)

/** Looks up the summaries of a fate property of substances, any number for each: one request for each. */
export const summaryByName: (propName: string) => LookupOfMany<PropertyRecords.Summary> = lookupOf(
  Fate.summaryByName
)
