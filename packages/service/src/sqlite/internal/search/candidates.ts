/**
 * Adds substances to the hits of a search after reading their names.
 */
import type { Collector } from "../writes/collector.ts"
import { fold } from "./fold.ts"
import { kindOf, rowOf, separator, substanceOfRow } from "./groups.ts"
import * as hit from "./hits.ts"
import type { ApprovedHits, NameRow, SearchStatements } from "./searchStatements.ts"

/** How many rows of names are read at once at least: some may not hold the word. */
const fewestRows = 50

/** Which of the lines of a substance is a hit, if any: a number from 0, or -1. */
export type FindLine = (lines: ReadonlyArray<string>, substance: number) => number

/** How many substances a search has looked at because of their grams, and how many of them have the word. */
export interface Tally {
  looked: number
  found: number
}

// Whether what hits show is read of those alone that are known to have the word. Of `hoxym` a name has the grams without
// having the word, in 27 of 28: they take most of the time of such a search.
const isRare = ({ found, looked }: Tally): boolean => found * 2 < looked

/** What the statements about approved names are asked with. */
const having = (substances: ReadonlyArray<number>, word: string) =>
  [JSON.stringify(substances), hit.wordInName(word), word] as const

// Adds those of some substances that are not among the hits, and of whose names in a group one is found.
export const addNames = (
  statements: SearchStatements,
  hits: Collector,
  of: number,
  substances: ReadonlyArray<number>,
  find: FindLine,
  tally: Tally = { looked: 0, found: 0 }
): void => {
  const waiting = substances.filter((substance) => !hits.has(substance))
  while (waiting.length > 0 && !hits.isFull) {
    const next = waiting.splice(0, Math.max(hits.room, fewestRows))
    const asked = next.map((substance) => rowOf(of, substance))
    const found = isRare(tally) ? rowsWith(statements, asked, find) : asked
    const rows =
      found.length === 0
        ? []
        : (statements.namesAt.all(JSON.stringify(found)) as unknown as ReadonlyArray<NameRow>)
    tally.looked += next.length
    for (const [id, names, fields] of rows) {
      const substance = substanceOfRow(id)
      const lines = names.split(separator)
      const line = find(lines, substance)
      if (line === -1) continue
      tally.found++
      hits.add(substance, kindOf(of, line), lines[line] as string, fields)
      if (hits.isFull) return
    }
  }
}

// Those of some rows of names where one is found.
const rowsWith = (
  statements: SearchStatements,
  rows: ReadonlyArray<number>,
  find: FindLine
): ReadonlyArray<number> =>
  (statements.linesAt.all(JSON.stringify(rows)) as unknown as ReadonlyArray<readonly [number, string]>)
    .filter(([id, lines]) => find(lines.split(separator), substanceOfRow(id)) !== -1)
    .map(([id]) => id)

// Adds the substances of which names of a group contain a folded word.
export const addContaining = (
  statements: SearchStatements,
  hits: Collector,
  of: number,
  substances: ReadonlyArray<number>,
  word: string,
  skippedKind: number | undefined,
  tally: Tally
): void => {
  const find: FindLine = (lines) =>
    lines.findIndex((line, n) => kindOf(of, n) !== skippedKind && contains(line, word))
  addNames(statements, hits, of, substances, find, tally)
}

// The same of approved names: most hits are by these, so what hits show is read with the names.
export const addApproved = (
  statements: SearchStatements,
  hits: Collector,
  substances: ReadonlyArray<number>,
  word: string,
  tally: Tally
): void => {
  const waiting = substances.filter((substance) => !hits.has(substance))
  while (waiting.length > 0 && !hits.isFull) {
    const next = waiting.splice(0, Math.max(hits.room, fewestRows))
    const found = isRare(tally) ? approvedAmong(statements, next, word) : undefined
    const [count, bytes, marked] = statements.approvedWith.get(
      ...having(found ?? next, word)
    ) as unknown as ApprovedHits
    tally.looked += next.length
    tally.found += count
    if (bytes === null) continue
    hits.addApproved(count, bytes)
    if (hits.isFull) return
    for (const substance of marked.split(",")) hits.mark(Number(substance))
  }
}

// Those of some substances whose approved names contain a folded word.
const approvedAmong = (
  statements: SearchStatements,
  substances: ReadonlyArray<number>,
  word: string
): ReadonlyArray<number> =>
  (
    statements.whichApproved.all(...having(substances, word)) as unknown as ReadonlyArray<readonly [number]>
  ).map(([substance]) => substance)

const letters = /^[a-z]+$/

// Whether the folded form of a line contains a folded word. Letters stay what they are when a text is folded, but for
// one that a combining character follows: so most lines need not be folded, which is half the work of a search.
const contains = (line: string, word: string): boolean => {
  if (letters.test(word)) {
    const lower = line.toLowerCase()
    const at = lower.indexOf(word)
    if (at !== -1 && !(lower.charCodeAt(at + word.length) >= firstCombining)) return true
  }
  return fold(line).includes(word)
}

// U+0300, the first of the combining characters.
const firstCombining = 0x300
