/**
 * Flattens the synonyms of a record for the projection `ccd-synonyms` (docs/service.md, section 5.4).
 *
 * The words for the quality are this project's own, because they are not documented: one for each group.
 */
import type { SynonymRecord } from "@chemstream/api"
import type { StoredRecord } from "../../Store.ts"

/** The groups of a record with the quality of their synonyms, best first, in the order of the list. */
const qualities = [
  ["valid", "Valid"],
  ["good", "Good"],
  ["other", "Other"],
  ["alternateCasrn", "Alternate CAS-RN"],
  ["deletedCasrn", "Deleted CAS-RN"],
  ["beilstein", "Beilstein"],
  ["pcCode", "PC-Code"]
] as const

/** A synonym with its quality. */
export type FlatSynonym = Required<typeof SynonymRecord.FlatSynonym.Type>

/** Returns all entries of the groups, in the order of the record, with duplicates. Null and absent groups have none. */
export const fromRecord = (stored: StoredRecord): ReadonlyArray<FlatSynonym> => {
  const record = JSON.parse(new TextDecoder().decode(stored)) as Readonly<Record<string, unknown>>
  return qualities.flatMap(([group, quality]) => {
    const value = record[group]
    return (Array.isArray(value) ? value : [value])
      .filter((synonym): synonym is string => typeof synonym === "string")
      .map((synonym) => ({ synonym, quality }))
  })
}
