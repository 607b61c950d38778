/**
 * Searches names and identifiers: exact, starts-with and contains.
 *
 * Groups of names are read by rank, so a search stops as soon as it has enough substances. `matchCandidates.ts`
 * reads the names of candidates, `rankedHits.ts` puts the hits in order, and `suggest.ts` makes suggestions. `fold` of the contract
 * decides which texts are equal.
 */
import type { DatabaseSync } from "node:sqlite"
import { fold } from "@chemstream/api/NameForm"
import { inSnapshot, prefixEnd } from "../database/sqlReads.ts"
import type { Reader } from "./grams/GramIndex.ts"
import * as gramReader from "./grams/gramReader.ts"
import { addApproved, addContaining, addNames, type FindLine, type Tally } from "./matchCandidates.ts"
import {
  approvedKind,
  groupCount,
  groupNumbers,
  groupOf,
  inchikeyKind,
  kindNumbers,
  separator,
  substanceOfRow
} from "./nameGroups.ts"
import { type Found, HitCollector, noHits, type Settings } from "./rankedHits.ts"
import {
  type ApprovedHits,
  type SearchStatements,
  type StartRow,
  searchStatements,
  type TermRow
} from "./searchStatements.ts"

/** The searches of an open database. */
export interface Searches {
  /** Returns the substances of each word. */
  readonly equal: (words: ReadonlyArray<string>) => ReadonlyArray<Found>
  readonly startWith: (word: string) => Found
  readonly contain: (word: string) => Found
}

/** The number of extra rows per page, because several rows may belong to one substance. */
const spareRows = 64

/** An open database with the state of its searches. */
interface Context {
  readonly statements: SearchStatements
  readonly index: Reader
  readonly settings: Settings
  /** The number of rows per page. */
  readonly pageRows: number
}

export const searches = (database: DatabaseSync, settings: Settings): Searches => {
  const context: Context = {
    statements: searchStatements(database, settings),
    index: gramReader.reader(database),
    settings,
    pageRows: settings.maxHits + spareRows
  }
  return {
    equal: (words) => inSnapshot(database, () => words.map((word) => searchTerm(context, fold(word)))),
    startWith: (word) => {
      const start = fold(word)
      return start === "" ? noHits : inSnapshot(database, () => searchPrefix(context, start))
    },
    contain: (word) => {
      const part = fold(word)
      return part === "" || unsearchable.test(part)
        ? noHits
        : inSnapshot(database, () => searchPart(context, part))
    }
  }
}

const addTerms = (hits: HitCollector, rows: ReadonlyArray<TermRow>): void => {
  for (const [id, lines, fields, kind, line] of rows) {
    const substance = substanceOfRow(id)
    if (!hits.has(substance)) hits.add(substance, kind, lineOf(lines, line), fields)
    if (hits.isFull) return
  }
}

const searchTerm = ({ pageRows, settings, statements }: Context, term: string): Found => {
  const hits = new HitCollector(settings)
  for (let offset = 0, isMore = true; isMore && !hits.isFull; offset += pageRows) {
    const rows = statements.namesByTerm.all(term, pageRows, offset) as unknown as ReadonlyArray<TermRow>
    addTerms(hits, rows)
    isMore = rows.length === pageRows
  }
  return hits.toFound()
}

const searchPrefix = (context: Context, start: string): Found => {
  const { pageRows, settings, statements } = context
  const hits = new HitCollector(settings)
  for (const kind of kindNumbers) {
    if (kind === approvedKind) {
      addApprovedByPrefix(context, hits, start)
      continue
    }
    let after: readonly [string, number] | undefined = [start, -1]
    while (after !== undefined && !hits.isFull) {
      const rows = statements.termsByPrefix.all(
        kind,
        ...after,
        prefixEnd(start),
        pageRows
      ) as unknown as ReadonlyArray<StartRow>
      addByPrefix(statements, hits, kind, rows)
      const end = rows.length === pageRows ? rows.at(-1) : undefined
      after = end === undefined ? undefined : [end[2], end[0]]
    }
  }
  return hits.toFound()
}

// Adds the substances with a name of a kind that has the prefix, without those that are hits already.
const addByPrefix = (
  statements: SearchStatements,
  hits: HitCollector,
  kind: number,
  rows: ReadonlyArray<StartRow>
): void => {
  const lineOfNew = new Map<number, number>()
  for (const [substance, line] of rows) {
    if (!lineOfNew.has(substance)) lineOfNew.set(substance, line)
  }
  const find: FindLine = (_, substance) => lineOfNew.get(substance) as number
  addNames(statements, hits, groupOf(kind), [...lineOfNew.keys()], find)
}

const addApprovedByPrefix = ({ pageRows, statements }: Context, hits: HitCollector, start: string): void => {
  for (let offset = 0, isMore = true; isMore && !hits.isFull; offset += pageRows) {
    const [count, bytes, substances] = statements.approvedByPrefix.get(
      start,
      prefixEnd(start),
      pageRows,
      offset
    ) as unknown as ApprovedHits
    isMore = count === pageRows
    if (bytes === null) continue
    // Several approved names of one substance may have the prefix.
    hits.addApproved(
      count,
      bytes,
      substances.split(",").map((substance) => hits.mark(Number(substance)))
    )
  }
}

const searchPart = ({ index, settings, statements }: Context, word: string): Found => {
  const skippedKind = word.length < (settings.shortestInchikeyPart ?? 0) ? inchikeyKind : undefined
  const hits = new HitCollector(settings)
  const tally: Tally = { read: 0, matching: 0 }
  for (let group = 0; group < groupCount && !hits.isFull; group++) {
    for (const substances of index.find(group, word)) {
      if (group === groupNumbers.approved) addApproved(statements, hits, substances, word, tally)
      else addContaining(statements, hits, group, substances, word, skippedKind, tally)
      if (hits.isFull) break
    }
  }
  return hits.toFound()
}

const lineOf = (lines: string, line: number): string =>
  lines.includes(separator) ? (lines.split(separator)[line] as string) : lines

/** Matches words without hits: no name has a control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const unsearchable = /[\u0000-\u001f]/
