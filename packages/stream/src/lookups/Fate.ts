// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `fate` (docs/families/fate.md). */
import { Fate, type PropertyRecords } from "@chemstream/api"
import { rowLookup } from "./internal/rowLookup.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** Looks up the fate records of substances, up to 50 a call. */
export const byDtxsid: () => LookupOfOne<PropertyRecords.Fate> = rowLookup(Fate.byDtxsid)

/** Looks up the measured values of a fate property of substances, any number for each, one a call. */
export const experimentalSummaryByName: (propName: string) => LookupOfMany<PropertyRecords.SummaryValue> =
  rowLookup(Fate.experimentalSummaryByName)

/** Looks up the predicted values of a fate property of substances, any number for each, one a call. */
export const predictedSummaryByName: (propName: string) => LookupOfMany<PropertyRecords.SummaryValue> =
  rowLookup(Fate.predictedSummaryByName)

/** Looks up the summaries of fate properties of substances, any number for each, one a call. */
export const summary: () => LookupOfMany<PropertyRecords.Summary> = rowLookup(Fate.summary)

/** Looks up the summaries of a fate property of substances, any number for each, one a call. */
export const summaryByName: (propName: string) => LookupOfMany<PropertyRecords.Summary> = rowLookup(
  Fate.summaryByName
)
