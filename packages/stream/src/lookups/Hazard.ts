// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `hazard` (docs/families/hazard.md). */
import { Hazard, type HazardRecords } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { Lookup } from "./Lookup.ts"

/** Looks up the cancer calls of substances, any number for each, up to 200 a call. */
export const cancer: () => Lookup<RawRecord.RawRecord<HazardRecords.CancerCall>> = rowLookup(Hazard.cancer)
