/**
 * Writes the index of names: the names by group and substance, sorted terms for exact and starts-with searches, and
 * grams.
 *
 * Names are written at once, terms and grams in `finish`, in sorted order. New substances in ascending order are
 * indexed as they come. After any other change, `finish` compares the old names with the new ones, so a replaced
 * record leaves no traces.
 *
 * `fold` comes from its own module: the whole contract would cost each search thread 40 MiB.
 */
import type { DatabaseSync } from "node:sqlite"
import { fold } from "@chemstream/api/NameForm"
import { arraysOf } from "../database/sqlReads.ts"
import { padding, type Writer } from "./grams/GramIndex.ts"
import * as gramWriter from "./grams/gramWriter.ts"
import * as hits from "./hitFields.ts"
import {
  approvedKind,
  groupCount,
  groupNumbers,
  groupOfKind,
  groupOfRow,
  isOfGroup,
  kindNumbers,
  kindOf,
  rowOf,
  separator,
  substanceOfRow
} from "./nameGroups.ts"
import { NumberSet } from "./numberSet.ts"

/** Joins the lines of a group as they are stored. */
export const toLines = (lines: ReadonlyArray<string>): string =>
  lines.map((line) => (line.includes(separator) ? line.replaceAll(separator, " ") : line)).join(separator)

/** Folds the lines of a group, one per line. */
export const foldLines = (lines: string): string =>
  lines.includes(separator)
    ? lines
        .split(separator)
        .map((line) => fold(line))
        .join("\n")
    : fold(lines)

const foldAndPad = (lines: string | undefined): string | undefined =>
  lines === undefined ? undefined : foldLines(lines) + padding

/** The writer. The caller has a transaction open. */
export interface Names {
  /** Starts a transaction: discards the unfinished work of an earlier one. */
  readonly begin: () => void
  /**
   * Sets the lines of a group of a substance, or removes the group if there are no lines. `force` indexes unchanged
   * lines too.
   */
  readonly put: (group: number, substance: number, lines: ReadonlyArray<string>, force?: boolean) => void
  /**
   * Sets the fields of a substance's hits. Returns true if they changed: put the approved name with `force` then.
   */
  readonly putHit: (substance: number, fields: hits.HitFields) => boolean
  /** Updates terms and grams in steps, so that the caller can pause or stop. */
  readonly finish: () => Generator<void, void>
}

/** The number of index rows in a step of `finish`. */
const stepRows = 5000

/** The temporary tables of an import, and the statements that fill the index. */
const nameStatements = (database: DatabaseSync) => {
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
  const insertOld = database.prepare("INSERT INTO old_names VALUES (?, ?)")
  const getOld = arrays("SELECT lines FROM old_names WHERE id = ?")
  const range = arrays(
    `SELECT id, lines FROM names WHERE id BETWEEN ? AND ? AND ${isOfGroup("id", "?")} ORDER BY id`
  )
  const newTerm = database.prepare("INSERT INTO new_terms VALUES (?, ?, ?, ?)")
  const oldTerm = database.prepare("INSERT INTO old_terms VALUES (?, ?, ?)")
  const deleteTerms = database.prepare(`DELETE FROM new_terms WHERE ${groupOfKind("kind")} = ?`)
  const last = arrays("SELECT max(id) FROM names")
  const anyOf = database.prepare("SELECT 1 FROM terms WHERE kind = ? LIMIT 1")
  return { get, insert, update, remove, insertOld, getOld, range, newTerm, oldTerm, deleteTerms, last, anyOf }
}

export const writer = (database: DatabaseSync): Names => new NameWriter(database)

class NameWriter implements Names {
  private readonly database: DatabaseSync
  private readonly statements: ReturnType<typeof nameStatements>
  private readonly writeHit: ReturnType<typeof hits.writer>
  private readonly index: Writer
  // By group: the substances put in this transaction, and the last substance before it.
  private changedSubstances: Array<NumberSet> = []
  private lastExisting: Array<number> = []
  private oldCount = 0
  // By group: the last substance that was indexed at once. Undefined: `finish` indexes the whole group.
  private lastIndexed: Array<number | undefined> = []

  constructor(database: DatabaseSync) {
    this.database = database
    this.statements = nameStatements(database)
    this.writeHit = hits.writer(database)
    this.index = gramWriter.writer(database)
  }

  begin(): void {
    this.database.exec("DELETE FROM old_names; DELETE FROM new_terms; DELETE FROM old_terms")
    this.index.begin()
    this.oldCount = 0
    this.lastIndexed = Array.from({ length: groupCount }, () => 0)
    this.changedSubstances = Array.from({ length: groupCount }, () => new NumberSet())
    const [row] = this.statements.last.get() as unknown as readonly [number | null]
    this.lastExisting = Array.from({ length: groupCount }, (_, group) =>
      row === null || this.statements.anyOf.get(kindOf(group, 0)) === undefined ? 0 : substanceOfRow(row)
    )
  }

  put(group: number, substance: number, lines: ReadonlyArray<string>, force = false): void {
    const changed = this.changedSubstances[group] as NumberSet
    const id = rowOf(group, substance)
    const isChanged = changed.has(substance)
    // A new substance has no stored lines, so they are not looked for.
    const stored =
      substance > (this.lastExisting[group] as number) && !isChanged ? undefined : this.linesOf(id)
    const next = lines.length === 0 ? undefined : toLines(lines)
    if (stored === next && (isChanged || stored === undefined || !force)) return
    // A new substance after all others of the group is indexed at once.
    const last = this.lastIndexed[group]
    const isNext = last !== undefined && !isChanged && stored === undefined && substance > last
    if (last !== undefined && !isNext) this.indexLater(group)
    if (!isChanged) {
      changed.add(substance)
      if (stored !== undefined) {
        this.statements.insertOld.run(id, stored)
        this.oldCount++
      }
    }
    if (stored === next) return
    if (next === undefined) this.statements.remove.run(id)
    else if (stored === undefined) this.statements.insert.run(id, next)
    else this.statements.update.run(next, id)
    if (!isNext || next === undefined) return
    this.lastIndexed[group] = substance
    this.addTerms(id, next)
    this.index.put(group, substance, undefined, foldAndPad(next))
  }

  // Leaves the whole group to `finish`.
  private indexLater(group: number): void {
    this.lastIndexed[group] = undefined
    this.statements.deleteTerms.run(group)
    this.index.discard(group)
  }

  private linesOf(id: number): string | undefined {
    return (this.statements.get.get(id) as unknown as readonly [string] | undefined)?.[0]
  }

  private addTerms(id: number, lines: string): void {
    const group = groupOfRow(id)
    const substance = substanceOfRow(id)
    for (const [line, text] of lines.split(separator).entries()) {
      const term = fold(text)
      if (term !== "") this.statements.newTerm.run(kindOf(group, line), term, substance, line)
    }
  }

  private removeTerms(id: number, lines: string): void {
    const group = groupOfRow(id)
    const substance = substanceOfRow(id)
    for (const [line, text] of lines.split(separator).entries()) {
      this.statements.oldTerm.run(kindOf(group, line), fold(text), substance)
    }
  }

  *finish(): Generator<void, void> {
    yield* this.indexPending()
    yield* this.index.finish()
    if (this.oldCount > 0) {
      this.database.exec("DELETE FROM terms WHERE (kind, term, substance) IN (SELECT * FROM old_terms)")
      yield
    }
    yield* this.writeTerms()
    this.begin()
  }

  private *indexPending(): Generator<void, void> {
    let rowsInStep = 0
    for (let group = 0; group < groupCount; group++) {
      if (this.lastIndexed[group] !== undefined) continue
      for (const [first, end] of (this.changedSubstances[group] as NumberSet).runs(stepRows)) {
        this.indexRun(group, first, end)
        // A step has several runs, because scattered records make short ones.
        rowsInStep += end - first
        if (rowsInStep < stepRows) continue
        rowsInStep = 0
        yield
      }
    }
  }

  private indexRun(group: number, first: number, end: number): void {
    const { getOld, range } = this.statements
    const rows = new Map(
      range.all(rowOf(group, first), rowOf(group, end - 1), group) as unknown as ReadonlyArray<
        [number, string]
      >
    )
    for (let substance = first; substance < end; substance++) {
      const id = rowOf(group, substance)
      const old = this.oldCount === 0 ? undefined : (getOld.get(id) as unknown as [string] | undefined)?.[0]
      const now = rows.get(id)
      if (old !== undefined) this.removeTerms(id, old)
      if (now !== undefined) this.addTerms(id, now)
      if (old !== now) this.index.put(group, substance, foldAndPad(old), foldAndPad(now))
    }
  }

  // In sorted order, inserts fill the tree page by page.
  private *writeTerms(): Generator<void, void> {
    for (const kind of kindNumbers) {
      const [fields, join] =
        kind === approvedKind
          ? [`${hits.fields}, hits.name`, "LEFT JOIN hits USING (substance)"]
          : ["NULL, NULL", ""]
      this.database.exec(
        `INSERT OR IGNORE INTO terms
         SELECT kind, term, substance, line, ${fields}
         FROM new_terms ${join} WHERE kind = ${kind} ORDER BY kind, term, substance, line`
      )
      yield
    }
  }

  putHit(substance: number, fields: hits.HitFields): boolean {
    return this.writeHit(
      substance,
      fields,
      foldLines(toLines(fields.approved)),
      substance > (this.lastExisting[groupNumbers.approved] as number)
    )
  }
}
