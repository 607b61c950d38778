/**
 * The SQL of searches by name, and its rows. `nameSearch` makes hits of them. `../database/schema.ts` explains terms, lines and kinds;
 * `nameGroups.ts` explains groups.
 */
import type { DatabaseSync } from "node:sqlite"
import { arraysOf } from "../database/sqlReads.ts"
import * as hits from "./hitFields.ts"
import { approvedKind, groupOfKind, kindNumbers, rowOfSubstance, substanceOf } from "./nameGroups.ts"
import { hitSeparator, type Settings } from "./rankedHits.ts"

export type NameRow = readonly [row: number, lines: string, fields: string]
export type TermRow = readonly [...NameRow, kind: number, line: number]
export type StartRow = readonly [substance: number, line: number, term: string]
export type ApprovedHits =
  | readonly [count: number, hits: Uint8Array<ArrayBuffer>, substances: string]
  | readonly [0, null, null]

/** The prepared statements of searches. */
export type SearchStatements = ReturnType<typeof searchStatements>

export const searchStatements = (database: DatabaseSync, settings: Settings) => {
  const arrays = arraysOf(database)
  // Joins the hits of many rows into one value, and lists their substances. A row for each hit would be twice as
  // slow.
  const combined = (hit: string, substance: string): string =>
    `count(*), CAST(group_concat(${hit}, char(${hitSeparator})) AS BLOB), group_concat(${substance})`
  const approvedContaining = `FROM json_each(?) CROSS JOIN hits ON hits.substance = json_each.value
    WHERE ${hits.nameContains}`
  return {
    // CROSS JOIN fixes the order of the tables. The planner does not know that the first one has few rows.
    namesByTerm: arrays(
      `SELECT names.id, names.lines, ${hits.fields}, terms.kind, terms.line
       FROM terms
         CROSS JOIN names ON names.id = ${rowOfSubstance("terms.substance", groupOfKind("terms.kind"))}
         CROSS JOIN hits USING (substance)
       WHERE terms.kind IN (${kindNumbers.join(", ")}) AND terms.term = ?
       ORDER BY terms.kind, terms.substance LIMIT ? OFFSET ?`
    ),
    // Without the fields of hits, because most substances are hits by a better name already.
    termsByPrefix: arrays(
      `SELECT substance, line, term FROM terms WHERE kind = ? AND (term, substance) > (?, ?) AND term < ?
       ORDER BY term, substance LIMIT ?`
    ),
    // `terms` has the fields of hits beside approved names.
    approvedByPrefix: arrays(
      `SELECT ${combined("hit", "substance")} FROM (
         SELECT substance, ${hits.approvedHit(settings.kinds, "fields", "name")} AS hit FROM terms
         WHERE kind = ${approvedKind} AND term >= ? AND term < ?
         ORDER BY term, substance LIMIT ? OFFSET ?
       )`
    ),
    // Selects the substances whose approved name contains the word.
    approvedHitsOf: arrays(
      `SELECT ${combined(hits.approvedHit(settings.kinds, hits.fieldTexts, "hits.name"), "hits.substance")}
       ${approvedContaining}`
    ),
    approvedSubstances: arrays(`SELECT hits.substance ${approvedContaining}`),
    linesOfRows: arrays(
      "SELECT names.id, names.lines FROM json_each(?) CROSS JOIN names ON names.id = json_each.value"
    ),
    // Reads the fields of hits with the names, because most candidates are hits.
    namesOfRows: arrays(
      `SELECT names.id, names.lines, ${hits.fields}
       FROM json_each(?)
         CROSS JOIN names ON names.id = json_each.value
         CROSS JOIN hits ON hits.substance = ${substanceOf("names.id")}`
    )
  }
}
