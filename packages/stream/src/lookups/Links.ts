// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `links` (docs/families/links.md). */
import { type LinkRecords, Links } from "@chemstream/api"
import { rowLookup } from "./internal/rowLookup.ts"
import type { LookupOfOne } from "./Lookup.ts"

/** Looks up the links to GHS classifications of substances, up to 200 a call. */
export const ghs: () => LookupOfOne<LinkRecords.GhsLink> = rowLookup(Links.ghs)

/** Looks up the links to Wikipedia articles of substances, up to 200 a call. */
export const wikipedia: () => LookupOfOne<LinkRecords.WikipediaLink> = rowLookup(Links.wikipedia)
