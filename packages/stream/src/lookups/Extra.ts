// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `extra` (docs/families/extra.md). */
import { Extra, type LinkRecords } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { Lookup } from "./Lookup.ts"

/** Looks up the counts of references of substances, up to 200 a call. */
export const byDtxsid: () => Lookup<RawRecord.RawRecord<LinkRecords.ExtraData>> = rowLookup(Extra.byDtxsid)

/** Looks up the substances of SMILES, any number for each, one a call. */
export const bySmiles: () => Lookup<RawRecord.RawRecord<LinkRecords.StructureMatch>> = rowLookup(
  Extra.bySmiles
)
