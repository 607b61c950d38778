// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `exposure` (docs/families/exposure.md). */
import { Exposure, type ExposureRecords } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { Lookup } from "./Lookup.ts"

/** Looks up the functional uses of substances, any number for each, one a call. */
export const functionalUse: () => Lookup<RawRecord.RawRecord<ExposureRecords.FunctionalUse>> = rowLookup(
  Exposure.functionalUse
)
