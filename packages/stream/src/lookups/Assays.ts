// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `assays` (docs/families/assays.md). */
import { type AssayRecords, Assays } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { Lookup } from "./Lookup.ts"

/** Looks up the models of substances, any number for each, one a call. */
export const models: () => Lookup<RawRecord.RawRecord<AssayRecords.Model>> = rowLookup(Assays.models)
