/**
 * The records of the families that the public service alone has: facts about bundled substances, and made-up records of
 * example substances, so that every command can be tried offline.
 */
import { type DetailRecord, type Row, Rows } from "@chemstream/api"
import { assayRecords } from "./families/assays.ts"
import { exposure } from "./families/exposure.ts"
import { hazard } from "./families/hazard.ts"
import { linksAndFiles } from "./families/links.ts"
import { listRecords } from "./families/lists.ts"
import { properties } from "./families/properties.ts"
import type { RDKit } from "./structure.ts"

/** The records of a row. */
export interface Family {
  readonly row: Row.Row
  readonly records: ReadonlyArray<object>
}

/** Makes the records of all rows. A field that is not known is left out. */
export const families = (
  rdkit: RDKit,
  details: ReadonlyArray<DetailRecord.DetailRecord>
): ReadonlyArray<Family> =>
  Object.entries({
    ...hazard,
    ...exposure,
    ...properties(details),
    ...listRecords,
    ...assayRecords,
    ...linksAndFiles(rdkit, details)
  }).map(([name, records]) => ({ row: Rows.byName[name as Rows.Name], records }))
