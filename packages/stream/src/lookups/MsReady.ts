// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `msready` (docs/service.md, section 3.3). */
import { MsReady } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { Lookup } from "./Lookup.ts"

export * from "./internal/special/masses.ts"

/** A substance that matches a requested value. */
export type Substance = ScalarRecord<"dtxsid", string>

/** Finds the MS-ready substances with this formula: one record `{"query","dtxsid"}` for each. */
export const byFormula: () => Lookup<RawRecord.RawRecord<Substance>> = rowLookup(MsReady.byFormula)
