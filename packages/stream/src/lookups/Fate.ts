// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `fate` (docs/families/fate.md). */
import { Fate, type PropertyRecords } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { Lookup } from "./Lookup.ts"

/** Looks up the fate properties of substances, any number for each, one a call. */
export const byDtxsid: () => Lookup<RawRecord.RawRecord<PropertyRecords.Fate>> = rowLookup(Fate.byDtxsid)
