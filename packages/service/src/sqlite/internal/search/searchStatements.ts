/**
 * The SQL of searches by name, and the rows it returns. How rows become hits is `search.ts`.
 */
import type { DatabaseSync } from "node:sqlite"
import { arraysOf } from "../database/statements.ts"
import { between, type Settings } from "../writes/collector.ts"
import { approvedKind, groupOfKind, kindNumbers, rowOfSubstance, substanceOf } from "./groups.ts"
import * as hit from "./hits.ts"

export type NameRow = readonly [row: number, lines: string, shown: string]
export type TermRow = readonly [...NameRow, kind: number, line: number]
export type StartRow = readonly [substance: number, line: number, term: string]
export type ApprovedHits =
  | readonly [count: number, hits: Uint8Array<ArrayBuffer>, substances: string]
  | readonly [0, null, null]

/** The prepared statements of searches. */
export type SearchStatements = ReturnType<typeof searchStatements>

export const searchStatements = (database: DatabaseSync, settings: Settings) => {
  const arrays = arraysOf(database)
  // CROSS JOIN keeps the order of the tables: the planner does not know how few rows the first one gives.
  const withTerm = arrays(
    `SELECT names.id, names.lines, ${hit.fields}, terms.kind, terms.line
     FROM terms
       CROSS JOIN names ON names.id = ${rowOfSubstance("terms.substance", groupOfKind("terms.kind"))}
       CROSS JOIN hits USING (substance)
     WHERE terms.kind IN (${kindNumbers.join(", ")}) AND terms.term = ?
     ORDER BY terms.kind, terms.substance LIMIT ? OFFSET ?`
  )
  // Without their names, for most are of substances that have been found by a better name.
  const fromTerm = arrays(
    `SELECT substance, line, term FROM terms WHERE kind = ? AND (term, substance) > (?, ?) AND term < ?
     ORDER BY term, substance LIMIT ?`
  )
  // All hits of many rows in one, as bytes, and the numbers of the substances as a list. As rows of texts they would take
  // twice the time.
  const combined = (hit: string, substance: string): string =>
    `count(*), CAST(group_concat(${hit}, char(${between})) AS BLOB), group_concat(${substance})`
  // Read in their order, page by page: the hits of an approved name stand beside it.
  const approvedFrom = arrays(
    `SELECT ${combined("hit", "substance")} FROM (
       SELECT substance, ${hit.approvedHit(settings.kinds, "fields", "name")} AS hit FROM terms
       WHERE kind = ${approvedKind} AND term >= ? AND term < ?
       ORDER BY term, substance LIMIT ? OFFSET ?
     )`
  )
  const approvedContaining = `FROM json_each(?) CROSS JOIN hits ON hits.substance = json_each.value
    WHERE ${hit.nameContains}`
  // Of substances whose approved names may contain a word, those where one does.
  const approvedWith = arrays(
    `SELECT ${combined(hit.approvedHit(settings.kinds, hit.fieldTexts, "hits.name"), "hits.substance")}
     ${approvedContaining}`
  )
  const whichApproved = arrays(`SELECT hits.substance ${approvedContaining}`)
  const linesAt = arrays(
    "SELECT names.id, names.lines FROM json_each(?) CROSS JOIN names ON names.id = json_each.value"
  )
  // Most of what is looked at is found, so what hits show is read with the names.
  const namesAt = arrays(
    `SELECT names.id, names.lines, ${hit.fields}
     FROM json_each(?)
       CROSS JOIN names ON names.id = json_each.value
       CROSS JOIN hits ON hits.substance = ${substanceOf("names.id")}`
  )
  return { withTerm, fromTerm, approvedFrom, approvedWith, whichApproved, linesAt, namesAt }
}
