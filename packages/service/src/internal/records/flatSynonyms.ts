/**
 * The flat list of the synonyms of a record, under the projection `ccd-synonyms` (docs/service.md, section 5.4).
 *
 * The words for the quality are not documented, so they are this project's own: one for each group of the record.
 */
import type { SynonymRecord } from "@chemstream/api"
import type { StoredRecord } from "../../Store.ts"

/** The groups of a record and the quality of their synonyms, best first: the order of the list. */
const qualities = [
  ["valid", "Valid"],
  ["good", "Good"],
  ["other", "Other"],
  ["alternateCasrn", "Alternate CAS-RN"],
  ["deletedCasrn", "Deleted CAS-RN"],
  ["beilstein", "Beilstein"],
  ["pcCode", "PC-Code"]
] as const

/** One synonym and the word for its quality. */
export type FlatSynonym = Required<typeof SynonymRecord.FlatSynonym.Type>

/**
 * Every entry of the groups, in the order of the record, repeated ones too. A group that is null or absent has none.
 */
export const fromRecord = (stored: StoredRecord): ReadonlyArray<FlatSynonym> => {
  const record = JSON.parse(new TextDecoder().decode(stored)) as Readonly<Record<string, unknown>>
  return qualities.flatMap(([group, quality]) => {
    const value = record[group]
    return (Array.isArray(value) ? value : [value])
      .filter((synonym): synonym is string => typeof synonym === "string")
      .map((synonym) => ({ synonym, quality }))
  })
}
