// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `links` (docs/families/links.md): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { type LinkRecords, Links } from "@chemstream/api"
import { lookupOf } from "./internal/endpointLookup.ts"
import type { LookupOfOne } from "./Lookup.ts"

/** Looks up the links to GHS classifications of substances: up to 200 substances in a request. */
export const ghs: () => LookupOfOne<LinkRecords.GhsLink> = lookupOf(Links.ghs)

/** Looks up the links to Wikipedia articles of substances: up to 200 substances in a request. */
export const wikipedia: () => LookupOfOne<LinkRecords.WikipediaLink> = lookupOf(Links.wikipedia)
