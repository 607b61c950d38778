// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `properties` (docs/families/properties.md). */
import { Properties, type PropertyRecords } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import { pagesOf, type RowPages } from "./internal/rowPages.ts"
import type { Lookup } from "./Lookup.ts"

/** Looks up the measured properties of substances, any number for each, up to 40 a call. */
export const experimental: () => Lookup<RawRecord.RawRecord<PropertyRecords.Experimental>> = rowLookup(
  Properties.experimental
)

/** Looks up the measured values of ranges of properties, any number for each, one a call. */
export const experimentalInRange: () => Lookup<RawRecord.RawRecord<PropertyRecords.Experimental>> = rowLookup(
  Properties.experimentalInRange
)

/** Streams names of measured properties, in one request. */
export const experimentalNames: RowPages<typeof Properties.experimentalNames>["all"] = pagesOf(
  Properties.experimentalNames
).all

/** Looks up the measured values of a property of substances, any number for each, one a call. */
export const experimentalSummaryByName: (
  propName: string
) => Lookup<RawRecord.RawRecord<PropertyRecords.SummaryValue>> = rowLookup(
  Properties.experimentalSummaryByName
)

/** Looks up the predicted properties of substances, any number for each, up to 100 a call. */
export const predicted: () => Lookup<RawRecord.RawRecord<PropertyRecords.Predicted>> = rowLookup(
  Properties.predicted
)

/** Looks up the predicted values of ranges of properties, any number for each, one a call. */
export const predictedInRange: () => Lookup<RawRecord.RawRecord<PropertyRecords.Predicted>> = rowLookup(
  Properties.predictedInRange
)

/** Streams names of predicted properties, in one request. */
export const predictedNames: RowPages<typeof Properties.predictedNames>["all"] = pagesOf(
  Properties.predictedNames
).all

/** Looks up the predicted values of a property of substances, any number for each, one a call. */
export const predictedSummaryByName: (
  propName: string
) => Lookup<RawRecord.RawRecord<PropertyRecords.SummaryValue>> = rowLookup(Properties.predictedSummaryByName)

/** Looks up the summaries of properties of substances, any number for each, one a call. */
export const summary: () => Lookup<RawRecord.RawRecord<PropertyRecords.Summary>> = rowLookup(
  Properties.summary
)

/** Looks up the summaries of a property of substances, any number for each, one a call. */
export const summaryByName: (propName: string) => Lookup<RawRecord.RawRecord<PropertyRecords.Summary>> =
  rowLookup(Properties.summaryByName)
