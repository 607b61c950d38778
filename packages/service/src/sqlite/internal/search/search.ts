/**
 * The SQL of search by name and identifier: exact, starts-with and contains. The rule by which texts are compared is
 * `fold`'s, suggestions are `suggest`'s.
 *
 * Groups of names are read in order of rank, so a search stops as soon as it has as many substances as are answered.
 */
import type { DatabaseSync } from "node:sqlite"
import { arraysOf, endOf, inSnapshot } from "../database/statements.ts"
import { between, Collector, type Found, nothing, type Settings } from "../writes/collector.ts"
import { fold } from "./fold.ts"
import * as gramReader from "./grams/reader.ts"
import {
  approvedKind,
  group,
  groupOf,
  groupOfKind,
  groups,
  inchikeyKind,
  kindNumbers,
  kindOf,
  rowOf,
  rowOfSubstance,
  separator,
  substanceOf,
  substanceOfRow
} from "./groups.ts"
import * as hit from "./hits.ts"

/** The searches, to be asked of an open database. */
export interface Searches {
  /** The substances of each word. */
  readonly equal: (words: ReadonlyArray<string>) => ReadonlyArray<Found>
  readonly startWith: (word: string) => Found
  readonly contain: (word: string) => Found
}

/** How many rows of names are read at once at least: some may not hold the word. */
const fewestRows = 50

/** How many rows are read at once beyond those that a full answer should need: some are of the same substances. */
const spareRows = 64

type NameRow = readonly [row: number, lines: string, shown: string]
type TermRow = readonly [...NameRow, kind: number, line: number]
type StartRow = readonly [substance: number, line: number, term: string]
type ApprovedHits =
  | readonly [count: number, hits: Uint8Array<ArrayBuffer>, substances: string]
  | readonly [0, null, null]

/** Which of the lines of a substance is a hit, if any: a number from 0, or -1. */
type FindLine = (lines: ReadonlyArray<string>, substance: number) => number

/** How many substances a search has looked at because of their grams, and how many of them have the word. */
interface Tally {
  looked: number
  found: number
}

// Whether what hits show is read of those alone that are known to have the word. Of `hoxym` a name has the grams without
// having the word, in 27 of 28: they take most of the time of such a search.
const isRare = ({ found, looked }: Tally): boolean => found * 2 < looked

/** What the statements about approved names are asked with. */
const having = (substances: ReadonlyArray<number>, word: string) =>
  [JSON.stringify(substances), hit.wordInName(word), word] as const

export const searches = (database: DatabaseSync, settings: Settings): Searches => {
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
  const together = (hit: string, substance: string): string =>
    `count(*), CAST(group_concat(${hit}, char(${between})) AS BLOB), group_concat(${substance})`
  // Read in their order, page by page: the hits of an approved name stand beside it.
  const approvedFrom = arrays(
    `SELECT ${together("hit", "substance")} FROM (
       SELECT substance, ${hit.approvedHit(settings.kinds, "fields", "name")} AS hit FROM terms
       WHERE kind = ${approvedKind} AND term >= ? AND term < ?
       ORDER BY term, substance LIMIT ? OFFSET ?
     )`
  )
  const approvedContaining = `FROM json_each(?) CROSS JOIN hits ON hits.substance = json_each.value
    WHERE ${hit.nameContains}`
  // Of substances whose approved names may contain a word, those where one does.
  const approvedWith = arrays(
    `SELECT ${together(hit.approvedHit(settings.kinds, hit.fieldTexts, "hits.name"), "hits.substance")}
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
  const index = gramReader.reader(database)
  // Rows are read by pages.
  const pageRows = settings.cap + spareRows

  const addTerms = (hits: Collector, rows: ReadonlyArray<TermRow>): void => {
    for (const [id, lines, fields, kind, line] of rows) {
      const substance = substanceOfRow(id)
      if (!hits.has(substance)) hits.add(substance, kind, lineOf(lines, line), fields)
      if (hits.isFull) return
    }
  }

  const byTerm = (term: string): Found => {
    const hits = new Collector(settings)
    for (let offset = 0, isMore = true; isMore && !hits.isFull; offset += pageRows) {
      const rows = withTerm.all(term, pageRows, offset) as unknown as ReadonlyArray<TermRow>
      addTerms(hits, rows)
      isMore = rows.length === pageRows
    }
    return hits.found()
  }

  const byStart = (start: string): Found => {
    const hits = new Collector(settings)
    for (const kind of kindNumbers) {
      if (kind === approvedKind) {
        byApprovedStart(hits, start)
        continue
      }
      let after: readonly [string, number] | undefined = [start, -1]
      while (after !== undefined && !hits.isFull) {
        const rows = fromTerm.all(
          kind,
          ...after,
          endOf(start),
          pageRows
        ) as unknown as ReadonlyArray<StartRow>
        addStarts(hits, kind, rows)
        const end = rows.length === pageRows ? rows.at(-1) : undefined
        after = end === undefined ? undefined : [end[2], end[0]]
      }
    }
    return hits.found()
  }

  // Adds the substances of names of a kind that start so, and that are not among the hits.
  const addStarts = (hits: Collector, kind: number, rows: ReadonlyArray<StartRow>): void => {
    const lineOfNew = new Map<number, number>()
    for (const [substance, line] of rows) {
      if (!lineOfNew.has(substance)) lineOfNew.set(substance, line)
    }
    const find: FindLine = (_, substance) => lineOfNew.get(substance) as number
    addNames(hits, groupOf(kind), [...lineOfNew.keys()], find)
  }

  // Adds those of some substances that are not among the hits, and of whose names in a group one is found.
  const addNames = (
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
      const found = isRare(tally) ? rowsWith(asked, find) : asked
      const rows =
        found.length === 0 ? [] : (namesAt.all(JSON.stringify(found)) as unknown as ReadonlyArray<NameRow>)
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
  const rowsWith = (rows: ReadonlyArray<number>, find: FindLine): ReadonlyArray<number> =>
    (linesAt.all(JSON.stringify(rows)) as unknown as ReadonlyArray<readonly [number, string]>)
      .filter(([id, lines]) => find(lines.split(separator), substanceOfRow(id)) !== -1)
      .map(([id]) => id)

  const byApprovedStart = (hits: Collector, start: string): void => {
    for (let offset = 0, isMore = true; isMore && !hits.isFull; offset += pageRows) {
      const [count, bytes, substances] = approvedFrom.get(
        start,
        endOf(start),
        pageRows,
        offset
      ) as unknown as ApprovedHits
      isMore = count === pageRows
      if (bytes === null) continue
      // One substance may have several approved names that start so.
      hits.addApproved(
        count,
        bytes,
        substances.split(",").map((substance) => hits.mark(Number(substance)))
      )
    }
  }

  // Adds the substances of which names of a group contain a folded word.
  const addContaining = (
    hits: Collector,
    of: number,
    substances: ReadonlyArray<number>,
    word: string,
    tally: Tally
  ): void => {
    const skipped = word.length < (settings.shortestInchikeyPart ?? 0) ? inchikeyKind : undefined
    const find: FindLine = (lines) =>
      lines.findIndex((line, n) => kindOf(of, n) !== skipped && contains(line, word))
    addNames(hits, of, substances, find, tally)
  }

  // The same of approved names: most hits are by these, so what hits show is read with the names.
  const addApproved = (
    hits: Collector,
    substances: ReadonlyArray<number>,
    word: string,
    tally: Tally
  ): void => {
    const waiting = substances.filter((substance) => !hits.has(substance))
    while (waiting.length > 0 && !hits.isFull) {
      const next = waiting.splice(0, Math.max(hits.room, fewestRows))
      const found = isRare(tally) ? approvedAmong(next, word) : undefined
      const [count, bytes, marked] = approvedWith.get(
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
  const approvedAmong = (substances: ReadonlyArray<number>, word: string): ReadonlyArray<number> =>
    (whichApproved.all(...having(substances, word)) as unknown as ReadonlyArray<readonly [number]>).map(
      ([substance]) => substance
    )

  const byPart = (word: string): Found => {
    const hits = new Collector(settings)
    const tally: Tally = { looked: 0, found: 0 }
    for (let of = 0; of < groups && !hits.isFull; of++) {
      for (const substances of index.find(of, word)) {
        if (of === group.approved) addApproved(hits, substances, word, tally)
        else addContaining(hits, of, substances, word, tally)
        if (hits.isFull) break
      }
    }
    return hits.found()
  }

  return {
    equal: (words) => inSnapshot(database, () => words.map((word) => byTerm(fold(word)))),
    startWith: (word) => {
      const start = fold(word)
      return start === "" ? nothing : inSnapshot(database, () => byStart(start))
    },
    contain: (word) => {
      const part = fold(word)
      return part === "" || unsearchable.test(part) ? nothing : inSnapshot(database, () => byPart(part))
    }
  }
}

/** What a search finds nothing with: controls stand in no name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unsearchable = /[\u0000-\u001f]/

const lineOf = (lines: string, line: number): string =>
  lines.includes(separator) ? (lines.split(separator)[line] as string) : lines

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
