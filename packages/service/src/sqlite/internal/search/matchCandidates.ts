/**
 * Reads the names of candidates, and adds those that match to the hits of a search.
 *
 * A candidate is a substance that the gram index or a prefix has found. It may not match, because the index knows only the
 * parts of its names.
 */

import { fold } from "@chemstream/api/NameForm"
import * as hit from "./hitFields.ts"
import { kindOf, rowOf, separator, substanceOfRow } from "./nameGroups.ts"
import type { HitCollector } from "./rankedHits.ts"
import type { ApprovedHits, NameRow, SearchStatements } from "./searchStatements.ts"

/** The smallest number of rows per query. Some may not match. */
const minRows = 50

/** Returns the line of a substance that matches, from 0, or -1. */
export type FindLine = (lines: ReadonlyArray<string>, substance: number) => number

/** The number of candidates that were read, and of those that match. */
export interface Tally {
  read: number
  matching: number
}

// Returns whether few candidates match. Then the fields of hits are read only for confirmed matches. For example,
// most names with the grams of `hoxym` do not contain it.
const isRare = ({ matching, read }: Tally): boolean => matching * 2 < read

/** The parameters of the statements about approved names. */
const nameParameters = (substances: ReadonlyArray<number>, word: string) =>
  [JSON.stringify(substances), hit.wordInName(word), word] as const

// Adds the substances with a matching name in a group, without those that are hits already.
export const addNames = (
  statements: SearchStatements,
  hits: HitCollector,
  group: number,
  substances: ReadonlyArray<number>,
  find: FindLine,
  tally: Tally = { read: 0, matching: 0 }
): void => {
  const remaining = substances.filter((substance) => !hits.has(substance))
  while (remaining.length > 0 && !hits.isFull) {
    const next = remaining.splice(0, Math.max(hits.room, minRows))
    const rowNumbers = next.map((substance) => rowOf(group, substance))
    const found = isRare(tally) ? matchingRows(statements, rowNumbers, find) : rowNumbers
    const rows =
      found.length === 0
        ? []
        : (statements.namesOfRows.all(JSON.stringify(found)) as unknown as ReadonlyArray<NameRow>)
    tally.read += next.length
    for (const [id, names, fields] of rows) {
      const substance = substanceOfRow(id)
      const lines = names.split(separator)
      const line = find(lines, substance)
      if (line === -1) continue
      tally.matching++
      hits.add(substance, kindOf(group, line), lines[line] as string, fields)
      if (hits.isFull) return
    }
  }
}

// Returns the rows with a matching name.
const matchingRows = (
  statements: SearchStatements,
  rows: ReadonlyArray<number>,
  find: FindLine
): ReadonlyArray<number> =>
  (statements.linesOfRows.all(JSON.stringify(rows)) as unknown as ReadonlyArray<readonly [number, string]>)
    .filter(([id, lines]) => find(lines.split(separator), substanceOfRow(id)) !== -1)
    .map(([id]) => id)

// Adds the substances with a name in a group that contains a folded word.
export const addContaining = (
  statements: SearchStatements,
  hits: HitCollector,
  group: number,
  substances: ReadonlyArray<number>,
  word: string,
  skippedKind: number | undefined,
  tally: Tally
): void => {
  const find: FindLine = (lines) =>
    lines.findIndex((line, n) => kindOf(group, n) !== skippedKind && contains(line, word))
  addNames(statements, hits, group, substances, find, tally)
}

// Adds the substances whose approved name contains a folded word. Most hits are of this kind, so their fields are
// read with the names.
export const addApproved = (
  statements: SearchStatements,
  hits: HitCollector,
  substances: ReadonlyArray<number>,
  word: string,
  tally: Tally
): void => {
  const remaining = substances.filter((substance) => !hits.has(substance))
  while (remaining.length > 0 && !hits.isFull) {
    const next = remaining.splice(0, Math.max(hits.room, minRows))
    const found = isRare(tally) ? matchingApproved(statements, next, word) : undefined
    const [count, bytes, substanceList] = statements.approvedHitsOf.get(
      ...nameParameters(found ?? next, word)
    ) as unknown as ApprovedHits
    tally.read += next.length
    tally.matching += count
    if (bytes === null) continue
    hits.addApproved(count, bytes)
    if (hits.isFull) return
    for (const substance of substanceList.split(",")) hits.mark(Number(substance))
  }
}

// Returns the substances whose approved names contain a folded word.
const matchingApproved = (
  statements: SearchStatements,
  substances: ReadonlyArray<number>,
  word: string
): ReadonlyArray<number> =>
  (
    statements.approvedSubstances.all(...nameParameters(substances, word)) as unknown as ReadonlyArray<
      readonly [number]
    >
  ).map(([substance]) => substance)

const letters = /^[a-z]+$/

// Returns whether a line contains a folded word. Folds few lines, because folding would be half the work of a search.
// It changes a letter only before a combining character.
const contains = (line: string, word: string): boolean => {
  if (letters.test(word)) {
    const lower = line.toLowerCase()
    const at = lower.indexOf(word)
    if (at !== -1 && !(lower.charCodeAt(at + word.length) >= firstCombining)) return true
  }
  return fold(line).includes(word)
}

// U+0300, the first combining character.
const firstCombining = 0x300
