/**
 * The index of names: rows of names by group and substance, sorted terms for exact and prefix search, and what goes into
 * the index of parts of names. Searching it is `search`'s.
 *
 * Names are written as records come; terms and grams are gathered then, or in `finish` from the difference between the
 * names before and after, and written there in sorted order. So a large import pays for sorting once, and a replaced
 * record leaves nothing.
 */
import type { DatabaseSync } from "node:sqlite"
import { arraysOf } from "../database/statements.ts"
import { fold } from "./fold.ts"
import { padding } from "./grams/GramIndex.ts"
import * as gramWriter from "./grams/writer.ts"
import {
  approvedKind,
  group,
  groupOfKind,
  groupOfRow,
  groups,
  isOfGroup,
  kindNumbers,
  kindOf,
  rowOf,
  separator,
  substanceOfRow
} from "./groups.ts"
import * as hits from "./hits.ts"

/** Lines of one group, as they are stored. */
export const toLines = (lines: ReadonlyArray<string>): string =>
  lines.map((line) => (line.includes(separator) ? line.replaceAll(separator, " ") : line)).join(separator)

/** The folded form of a group, a line each: what a word is looked for in. */
export const foldLines = (lines: string): string =>
  lines.includes(separator)
    ? lines
        .split(separator)
        .map((line) => fold(line))
        .join("\n")
    : fold(lines)

const padded = (lines: string | undefined): string | undefined =>
  lines === undefined ? undefined : foldLines(lines) + padding

/** The write side, within a transaction of the caller's. */
export interface Names {
  /** Forgets what an earlier transaction has left undone. */
  readonly begin: () => void
  /**
   * Sets the lines of a group of a substance, none to remove them; `again` indexes them also where they are the same.
   */
  readonly put: (group: number, substance: number, lines: ReadonlyArray<string>, again?: boolean) => void
  /**
   * Sets what a hit shows of a substance. Gives whether it showed something else before, so that its approved name must
   * be put again.
   */
  readonly show: (substance: number, shown: hits.Shown) => boolean
  /** Brings terms and grams up to date, step by step: the caller decides what runs between two steps. */
  readonly finish: () => Generator<void, void>
}

/** Rows of the index that one step of `finish` writes. */
const stepRows = 5000

export const writer = (database: DatabaseSync): Names => {
  database.exec(
    `CREATE TEMP TABLE old_names (id INTEGER PRIMARY KEY, lines TEXT NOT NULL);
     CREATE TEMP TABLE new_terms (kind INTEGER, term TEXT, substance INTEGER, line INTEGER);
     CREATE TEMP TABLE old_terms (kind INTEGER, term TEXT, substance INTEGER)`
  )
  const arrays = arraysOf(database)
  const get = arrays("SELECT lines FROM names WHERE id = ?")
  const insert = database.prepare("INSERT INTO names (id, lines) VALUES (?, ?)")
  const update = database.prepare("UPDATE names SET lines = ? WHERE id = ?")
  const remove = database.prepare("DELETE FROM names WHERE id = ?")
  const keepOld = database.prepare("INSERT INTO old_names VALUES (?, ?)")
  const getOld = arrays("SELECT lines FROM old_names WHERE id = ?")
  const range = arrays(
    `SELECT id, lines FROM names WHERE id BETWEEN ? AND ? AND ${isOfGroup("id", "?")} ORDER BY id`
  )
  const putHit = hits.writer(database)
  const index = gramWriter.writer(database)
  const newTerm = database.prepare("INSERT INTO new_terms VALUES (?, ?, ?, ?)")
  const oldTerm = database.prepare("INSERT INTO old_terms VALUES (?, ?, ?)")
  const forgetTerms = database.prepare(`DELETE FROM new_terms WHERE ${groupOfKind("kind")} = ?`)
  const last = arrays("SELECT max(id) FROM names")
  const anyOf = database.prepare("SELECT 1 FROM terms WHERE kind = ? LIMIT 1")

  // By group: which substances have been put in this transaction, and up to which number there was none before it.
  let touched: Array<Bits> = []
  let known: Array<number> = []
  let olds = 0
  // By group: the last substance that has been indexed when it was put; undefined where they wait for `finish`.
  let lastIndexed: Array<number | undefined> = []

  const begin = (): void => {
    database.exec("DELETE FROM old_names; DELETE FROM new_terms; DELETE FROM old_terms")
    index.begin()
    olds = 0
    lastIndexed = Array.from({ length: groups }, () => 0)
    touched = Array.from({ length: groups }, () => new Bits())
    const [row] = last.get() as unknown as readonly [number | null]
    known = Array.from({ length: groups }, (_, of) =>
      row === null || anyOf.get(kindOf(of, 0)) === undefined ? 0 : substanceOfRow(row)
    )
  }

  const put: Names["put"] = (of, substance, lines, again = false) => {
    const bits = touched[of] as Bits
    const id = rowOf(of, substance)
    const isTouched = bits.has(substance)
    const stored = substance > (known[of] as number) && !isTouched ? undefined : linesOf(id)
    const next = lines.length === 0 ? undefined : toLines(lines)
    if (stored === next && (isTouched || stored === undefined || !again)) return
    const last = lastIndexed[of]
    const isNext = last !== undefined && !isTouched && stored === undefined && substance > last
    if (last !== undefined && !isNext) indexLater(of)
    if (!isTouched) {
      bits.add(substance)
      if (stored !== undefined) {
        keepOld.run(id, stored)
        olds++
      }
    }
    if (stored === next) return
    if (next === undefined) remove.run(id)
    else if (stored === undefined) insert.run(id, next)
    else update.run(next, id)
    if (!isNext || next === undefined) return
    lastIndexed[of] = substance
    addTerms(id, next)
    index.put(of, substance, undefined, padded(next))
  }

  // What is put in order, and has not been there, is indexed when it comes: the thread has time then. Where something
  // else is put, all of the group waits until it is known what has become of it.
  const indexLater = (of: number): void => {
    lastIndexed[of] = undefined
    forgetTerms.run(of)
    index.forget(of)
  }

  const linesOf = (id: number): string | undefined =>
    (get.get(id) as unknown as readonly [string] | undefined)?.[0]

  const addTerms = (id: number, lines: string): void => {
    const of = groupOfRow(id)
    const substance = substanceOfRow(id)
    for (const [line, text] of lines.split(separator).entries()) {
      const term = fold(text)
      if (term !== "") newTerm.run(kindOf(of, line), term, substance, line)
    }
  }

  const removeTerms = (id: number, lines: string): void => {
    const of = groupOfRow(id)
    const substance = substanceOfRow(id)
    for (const [line, text] of lines.split(separator).entries()) {
      oldTerm.run(kindOf(of, line), fold(text), substance)
    }
  }

  const finish = function* (): Generator<void, void> {
    let inStep = 0
    for (let of = 0; of < groups; of++) {
      if (lastIndexed[of] !== undefined) continue
      for (const [first, end] of (touched[of] as Bits).runs(stepRows)) {
        const rows = new Map(
          range.all(rowOf(of, first), rowOf(of, end - 1), of) as unknown as ReadonlyArray<[number, string]>
        )
        for (let substance = first; substance < end; substance++) {
          const id = rowOf(of, substance)
          const old = olds === 0 ? undefined : (getOld.get(id) as unknown as [string] | undefined)?.[0]
          const now = rows.get(id)
          if (old !== undefined) removeTerms(id, old)
          if (now !== undefined) addTerms(id, now)
          if (old !== now) index.put(of, substance, padded(old), padded(now))
        }
        // Records that come now and then make runs of a few rows.
        inStep += end - first
        if (inStep < stepRows) continue
        inStep = 0
        yield
      }
    }
    yield* index.finish()
    if (olds > 0) {
      database.exec("DELETE FROM terms WHERE (kind, term, substance) IN (SELECT * FROM old_terms)")
      yield
    }
    // In sorted order the tree only grows at its end, or page by page where it is there already.
    for (const kind of kindNumbers) {
      const [shown, join] =
        kind === approvedKind
          ? [`${hits.fields}, hits.name`, "LEFT JOIN hits USING (substance)"]
          : ["NULL, NULL", ""]
      database.exec(
        `INSERT OR IGNORE INTO terms
         SELECT kind, term, substance, line, ${shown}
         FROM new_terms ${join} WHERE kind = ${kind} ORDER BY kind, term, substance, line`
      )
      yield
    }
    begin()
  }

  const show: Names["show"] = (substance, shown) =>
    putHit(
      substance,
      shown,
      foldLines(toLines(shown.approved)),
      substance > (known[group.approved] as number)
    )

  return { begin, put, show, finish }
}

/** A set of small whole numbers: a bit each. */
class Bits {
  private words = new Uint32Array(1024)

  has(n: number): boolean {
    return (((this.words[n >>> 5] ?? 0) >>> (n & 31)) & 1) === 1
  }

  /** Adds a number that is not in the set. */
  add(n: number): void {
    const word = n >>> 5
    if (word >= this.words.length) {
      const grown = new Uint32Array(Math.max(word + 1, this.words.length * 2))
      grown.set(this.words)
      this.words = grown
    }
    this.words[word] = (this.words[word] as number) | (1 << (n & 31))
  }

  /** The runs of members without a gap, from first to one past the last, none longer than `longest`. */
  *runs(longest: number): Generator<readonly [number, number], void> {
    let first = -1
    for (let word = 0; word <= this.words.length; word++) {
      const bits = this.words[word] ?? 0
      if (bits === 0 && first === -1) continue
      for (let bit = 0; bit < 32; bit++) {
        const n = word * 32 + bit
        const is = ((bits >>> bit) & 1) === 1
        if (first !== -1 && (!is || n - first === longest)) {
          yield [first, n]
          first = -1
        }
        if (is && first === -1) first = n
      }
    }
  }
}
