/**
 * Flattens the synonyms of a record for the projection `ccd-synonyms` (docs/service.md, section 5.4).
 *
 * The words for the quality are not documented, so the project chose one for each group.
 */
import type { SynonymRecord } from "@chemstream/api"
import type { StoredRecord } from "../../Store.ts"

/** The groups of a record with their quality, in the order of the list: best first. */
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

/** Returns all synonyms of the groups, in the order of the record, with duplicates. */
export const fromRecord = (stored: StoredRecord): ReadonlyArray<FlatSynonym> => {
  const record = JSON.parse(new TextDecoder().decode(stored)) as Readonly<Record<string, unknown>>
  return qualities.flatMap(([group, quality]) => {
    const value = record[group]
    return (Array.isArray(value) ? value : [value])
      .filter((synonym): synonym is string => typeof synonym === "string")
      .map((synonym) => ({ synonym, quality }))
  })
}
