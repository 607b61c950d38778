// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `properties` (docs/families/properties.md). */
import { Properties, type PropertyRecords } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { Lookup } from "./Lookup.ts"

/** Looks up the predicted properties of substances, any number for each, one a call. */
export const predicted: () => Lookup<RawRecord.RawRecord<PropertyRecords.Predicted>> = rowLookup(
  Properties.predicted
)
