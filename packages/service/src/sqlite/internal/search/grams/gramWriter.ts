/**
 * Writes the gram index: collects changes by stripe (a range of 65,536 substances, `documentSets.ts`), and sorts them by gram
 * at the end of an import.
 */
import type { DatabaseSync } from "node:sqlite"
import { arraysOf } from "../../database/sqlReads.ts"
import { groupCount } from "../nameGroups.ts"
import { change, decode, encode, parts, width } from "./documentSets.ts"
import type { Writer } from "./GramIndex.ts"
import { GramNumbers } from "./gramNumbers.ts"
import { gramStart, maxGrams, maxStripes, type Row, rowFrom, sizeOf } from "./gramRows.ts"
import { fromRow, type Posting, toRows } from "./postingRows.ts"
import { StripeChanges } from "./stripeChanges.ts"

/** A change of a gram's set in a stripe: the removed and the added documents. Null without any. */
interface Change {
  readonly stripe: number
  readonly removed: Uint8Array | null
  readonly added: Uint8Array | null
}

/** The statements that store changes and write rows of postings. */
const writerStatements = (database: DatabaseSync) => {
  // The changes by stripe. The number combines group, stripe and gram, in this order.
  database.exec("CREATE TEMP TABLE new_postings (id INTEGER PRIMARY KEY, removed BLOB, added BLOB)")
  const arrays = arraysOf(database)
  const insertChange = database.prepare("INSERT INTO new_postings VALUES (?, ?, ?)")
  const selectChanges = arrays(
    `SELECT id, removed, added FROM new_postings WHERE id >= ? AND id < ? ORDER BY id % ${maxGrams}, id`
  )
  const deleteChanges = database.prepare("DELETE FROM new_postings WHERE id >= ? AND id < ?")
  const anyOf = arrays("SELECT 1 FROM postings WHERE id >= ? AND id < ? LIMIT 1")
  const rowAt = arrays(rowFrom)
  const lastBefore = arrays(
    "SELECT id, documents FROM postings WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1"
  )
  const insert = database.prepare("INSERT INTO postings VALUES (?, ?)")
  const remove = database.prepare("DELETE FROM postings WHERE id = ?")
  return { insertChange, selectChanges, deleteChanges, anyOf, rowAt, lastBefore, insert, remove }
}

export const writer = (database: DatabaseSync): Writer => new GramWriter(database)

class GramWriter implements Writer {
  private readonly statements: ReturnType<typeof writerStatements>
  private readonly numbers: GramNumbers
  /** By group: the changes of the current stripe, which are not stored yet. */
  private readonly pending = Array.from({ length: groupCount }, () => new StripeChanges())

  constructor(database: DatabaseSync) {
    this.statements = writerStatements(database)
    this.numbers = new GramNumbers(database)
  }

  begin(): void {
    for (let group = 0; group < groupCount; group++) this.discard(group)
    this.numbers.begin()
  }

  put(group: number, substance: number, before: string | undefined, now: string | undefined): void {
    const stripe = this.pending[group] as StripeChanges
    const next = stripeStart(group, Math.floor(substance / width))
    if (next !== stripe.start) this.keepStripe(stripe)
    stripe.start = next
    const document = substance % width
    const size = sizeOf(group)
    if (before !== undefined) this.numbers.forEach(before, size, (gram) => stripe.removed.add(gram, document))
    if (now !== undefined) this.numbers.forEach(now, size, (gram) => stripe.added.add(gram, document))
  }

  *finish(): Generator<void, void> {
    for (let group = 0; group < groupCount; group++) {
      this.keepStripe(this.pending[group] as StripeChanges)
      this.writeGroup(group)
      this.discard(group)
      yield
    }
  }

  /** Moves the changes of a stripe from memory to the temporary table. */
  private keepStripe(stripe: StripeChanges): void {
    const first = stripe.start
    if (first === undefined) return
    stripe.start = undefined
    const added = stripe.added.take()
    const removed = stripe.removed.take()
    for (let gram = 0; gram < Math.max(added.end, removed.end); gram++) {
      const now = added.documentsOf(gram)
      const before = removed.documentsOf(gram)
      if (now.length === 0 && before.length === 0) continue
      this.statements.insertChange.run(first + gram, orNull(before), orNull(now))
    }
  }

  /**
   * Applies the changes of a gram, in the order of stripes, row by row. `first` is its first row number. `isNew`: the group
   * has no rows yet.
   */
  private write(first: number, changes: ReadonlyArray<Change>, isNew: boolean): void {
    let remaining = changes
    for (let [next] = remaining; next !== undefined; [next] = remaining) {
      const end = first + maxStripes
      const row = isNew
        ? undefined
        : (this.statements.rowAt.get(first + next.stripe, end) as unknown as Row | undefined)
      // If no row reaches the stripe, the last row of the gram may have space.
      const last =
        row ??
        (isNew ? undefined : (this.statements.lastBefore.get(first, end) as unknown as Row | undefined))
      const lastStripe = row === undefined ? maxStripes : row[0] - first
      if (last !== undefined) this.statements.remove.run(last[0])
      const changesOfRow = remaining.filter(({ stripe }) => stripe <= lastStripe)
      remaining = remaining.slice(changesOfRow.length)
      for (const encoded of toRows(applyChanges(last === undefined ? [] : fromRow(last[1]), changesOfRow))) {
        this.statements.insert.run(first + encoded.last, encoded.row)
      }
    }
  }

  discard(group: number): void {
    this.pending[group] = new StripeChanges()
    this.statements.deleteChanges.run(stripeStart(group, 0), stripeStart(group + 1, 0))
  }

  private writeGroup(group: number): void {
    const isNew = this.statements.anyOf.get(gramStart(group, 0), gramStart(group + 1, 0)) === undefined
    let gram = -1
    let changes: Array<Change> = []
    for (const row of this.statements.selectChanges.iterate(
      stripeStart(group, 0),
      stripeStart(group + 1, 0)
    )) {
      const [id, before, now] = row as unknown as readonly [number, Uint8Array | null, Uint8Array | null]
      if (id % maxGrams !== gram) {
        this.write(gramStart(group, gram), changes, isNew)
        gram = id % maxGrams
        changes = []
      }
      changes.push({ stripe: Math.floor(id / maxGrams) - group * maxStripes, removed: before, added: now })
    }
    this.write(gramStart(group, gram), changes, isNew)
  }
}

// Returns the number of the first change of a stripe.
const stripeStart = (group: number, stripe: number): number => (group * maxStripes + stripe) * maxGrams

const orNull = (members: Uint16Array): Uint8Array | null => (members.length === 0 ? null : encode(members))

const membersOf = (bytes: Uint8Array | null): Uint16Array => {
  const [members = none] = bytes === null ? [] : parts(decode(bytes), width)
  return members
}

// Applies changes to sets. Returns the sets in the order of stripes, without empty ones.
const applyChanges = (
  sets: ReadonlyArray<Posting>,
  changes: ReadonlyArray<Change>
): ReadonlyArray<Posting> => {
  const all = new Map(sets.map(({ set, stripe }) => [stripe, set]))
  for (const { added, removed, stripe } of changes) {
    const stored = all.get(stripe)
    const set =
      stored === undefined
        ? (added ?? noBytes)
        : encode(change(decode(stored), membersOf(removed), membersOf(added)))
    if (set.length > 0) all.set(stripe, set)
    else all.delete(stripe)
  }
  return [...all].map(([stripe, set]) => ({ stripe, set })).sort((a, b) => a.stripe - b.stripe)
}

const none = new Uint16Array()
const noBytes = new Uint8Array()
