// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `properties` (docs/families/properties.md): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { Properties, type PropertyRecords } from "@chemstream/api"
import { lookupOf } from "./internal/endpointLookup.ts"
import { type PagesOf, pagesOf } from "./internal/endpointPages.ts"
import type { LookupOfMany } from "./Lookup.ts"

/** Looks up the measured properties of substances, any number for each: up to 40 substances in a request. */
export const experimental: () => LookupOfMany<PropertyRecords.Experimental> = lookupOf(
  Properties.experimental
)

/** Looks up the measured values of ranges of properties, any number for each: one request for each. */
export const experimentalInRange: () => LookupOfMany<PropertyRecords.Experimental> = lookupOf(
  Properties.experimentalInRange
)

/** Streams the names of measured properties, from one response. */
export const experimentalNames: PagesOf<typeof Properties.experimentalNames>["all"] = pagesOf(
  Properties.experimentalNames
).all

/** Looks up the measured values of a property of substances, any number for each: one request for each. */
export const experimentalSummaryByName: (propName: string) => LookupOfMany<PropertyRecords.SummaryValue> =
  lookupOf(Properties.experimentalSummaryByName)

/** Looks up the predicted properties of substances, any number for each: up to 100 substances in a request. */
export const predicted: () => LookupOfMany<PropertyRecords.Predicted> = lookupOf(Properties.predicted)

/** Looks up the predicted values of ranges of properties, any number for each: one request for each. */
export const predictedInRange: () => LookupOfMany<PropertyRecords.Predicted> = lookupOf(
  Properties.predictedInRange
)

/** Streams the names of predicted properties, from one response. */
export const predictedNames: PagesOf<typeof Properties.predictedNames>["all"] = pagesOf(
  Properties.predictedNames
).all

/** Looks up the predicted values of a property of substances, any number for each: one request for each. */
export const predictedSummaryByName: (propName: string) => LookupOfMany<PropertyRecords.SummaryValue> =
  lookupOf(Properties.predictedSummaryByName)

/** Looks up the summaries of properties of substances, any number for each: one request for each. */
export const summary: () => LookupOfMany<PropertyRecords.Summary> = lookupOf(Properties.summary)

/** Looks up the summaries of a property of substances, any number for each: one request for each. */
export const summaryByName: (propName: string) => LookupOfMany<PropertyRecords.Summary> = lookupOf(
  Properties.summaryByName
)
