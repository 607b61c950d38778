// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `lists` (docs/families/lists.md). */
import { type ListRecords, Lists } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { Lookup } from "./Lookup.ts"

/** Looks up the lists of substances, any number for each, one a call. */
export const of: () => Lookup<RawRecord.RawRecord<ListRecords.ListOfSubstance>> = rowLookup(Lists.of)
