// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `links` (docs/families/links.md). */
import { type LinkRecords, Links } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { Lookup } from "./Lookup.ts"

/** Looks up the GHS safety pages of substances, any number for each, one a call. */
export const ghs: () => Lookup<RawRecord.RawRecord<LinkRecords.GhsLink>> = rowLookup(Links.ghs)
