/**
 * The write side of the gram index: gathers changes by stripe as records come, and sorts them by gram at the end of
 * an import.
 */
import type { DatabaseSync } from "node:sqlite"
import { arraysOf } from "../../database/statements.ts"
import { groups } from "../groups.ts"
import { change, decode, encode, parts, width } from "./documents.ts"
import type { Writer } from "./GramIndex.ts"
import { GramNumbers } from "./gramNumbers.ts"
import { ofRow, type Posting, toRows } from "./postings.ts"
import { gramStart, mostGrams, mostStripes, type Row, rowFrom, sizeOf } from "./rows.ts"
import { StripeChanges } from "./stripeChanges.ts"

/** A change of a gram's set in a stripe: removed and added documents, null for none. */
interface Change {
  readonly stripe: number
  readonly gone: Uint8Array | null
  readonly come: Uint8Array | null
}

/** The statements that store changes and write rows of postings. */
const writerStatements = (database: DatabaseSync) => {
  // The changes by stripe. The number combines group, stripe and gram.
  database.exec("CREATE TEMP TABLE new_postings (id INTEGER PRIMARY KEY, gone BLOB, come BLOB)")
  const arrays = arraysOf(database)
  const keep = database.prepare("INSERT INTO new_postings VALUES (?, ?, ?)")
  const kept = arrays(
    `SELECT id, gone, come FROM new_postings WHERE id >= ? AND id < ? ORDER BY id % ${mostGrams}, id`
  )
  const forget = database.prepare("DELETE FROM new_postings WHERE id >= ? AND id < ?")
  const anyOf = arrays("SELECT 1 FROM postings WHERE id >= ? AND id < ? LIMIT 1")
  const from = arrays(rowFrom)
  const lastBefore = arrays(
    "SELECT id, documents FROM postings WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1"
  )
  const insert = database.prepare("INSERT INTO postings VALUES (?, ?)")
  const remove = database.prepare("DELETE FROM postings WHERE id = ?")
  return { keep, kept, forget, anyOf, from, lastBefore, insert, remove }
}

export const writer = (database: DatabaseSync): Writer => new GramWriter(database)

class GramWriter implements Writer {
  private readonly statements: ReturnType<typeof writerStatements>
  private readonly numbers: GramNumbers
  /** By group: the changes that are not stored yet, all of one stripe. */
  private readonly pending = Array.from({ length: groups }, () => new StripeChanges())

  constructor(database: DatabaseSync) {
    this.statements = writerStatements(database)
    this.numbers = new GramNumbers(database)
  }

  begin(): void {
    for (let of = 0; of < groups; of++) this.forget(of)
    this.numbers.begin()
  }

  put(of: number, substance: number, before: string | undefined, now: string | undefined): void {
    const stripe = this.pending[of] as StripeChanges
    const next = stripeStart(of, Math.floor(substance / width))
    if (next !== stripe.start) this.keepStripe(stripe)
    stripe.start = next
    const document = substance % width
    const size = sizeOf(of)
    if (before !== undefined) this.numbers.of(before, size, (gram) => stripe.gone.add(gram, document))
    if (now !== undefined) this.numbers.of(now, size, (gram) => stripe.come.add(gram, document))
  }

  *finish(): Generator<void, void> {
    for (let of = 0; of < groups; of++) {
      this.keepStripe(this.pending[of] as StripeChanges)
      this.writeGroup(of)
      this.forget(of)
      yield
    }
  }

  private keepStripe(stripe: StripeChanges): void {
    const first = stripe.start
    if (first === undefined) return
    stripe.start = undefined
    const added = stripe.come.take()
    const removed = stripe.gone.take()
    for (let gram = 0; gram < Math.max(added.end, removed.end); gram++) {
      const now = added.of(gram)
      const before = removed.of(gram)
      if (now.length === 0 && before.length === 0) continue
      this.statements.keep.run(first + gram, orNull(before), orNull(now))
    }
  }

  private write(first: number, changes: ReadonlyArray<Change>, isNew: boolean): void {
    let waiting = changes
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const end = first + mostStripes
      const row = isNew
        ? undefined
        : (this.statements.from.get(first + next.stripe, end) as unknown as Row | undefined)
      // After all rows: the last one may have space.
      const last =
        row ??
        (isNew ? undefined : (this.statements.lastBefore.get(first, end) as unknown as Row | undefined))
      const until = row === undefined ? mostStripes : row[0] - first
      if (last !== undefined) this.statements.remove.run(last[0])
      const here = waiting.filter(({ stripe }) => stripe <= until)
      waiting = waiting.slice(here.length)
      for (const made of toRows(changed(last === undefined ? [] : ofRow(last[1]), here))) {
        this.statements.insert.run(first + made.last, made.row)
      }
    }
  }

  forget(of: number): void {
    this.pending[of] = new StripeChanges()
    this.statements.forget.run(stripeStart(of, 0), stripeStart(of + 1, 0))
  }

  private writeGroup(of: number): void {
    const isNew = this.statements.anyOf.get(gramStart(of, 0), gramStart(of + 1, 0)) === undefined
    let gram = -1
    let changes: Array<Change> = []
    for (const row of this.statements.kept.iterate(stripeStart(of, 0), stripeStart(of + 1, 0))) {
      const [id, before, now] = row as unknown as readonly [number, Uint8Array | null, Uint8Array | null]
      if (id % mostGrams !== gram) {
        this.write(gramStart(of, gram), changes, isNew)
        gram = id % mostGrams
        changes = []
      }
      changes.push({ stripe: Math.floor(id / mostGrams) - of * mostStripes, gone: before, come: now })
    }
    this.write(gramStart(of, gram), changes, isNew)
  }
}

// The number before the first gram of a stripe, among changes.
const stripeStart = (of: number, stripe: number): number => (of * mostStripes + stripe) * mostGrams

const orNull = (members: Uint16Array): Uint8Array | null => (members.length === 0 ? null : encode(members))

const membersOf = (bytes: Uint8Array | null): Uint16Array => {
  const [members = none] = bytes === null ? [] : parts(decode(bytes), width)
  return members
}

// Returns the changed sets in the order of stripes, without empty ones.
const changed = (sets: ReadonlyArray<Posting>, changes: ReadonlyArray<Change>): ReadonlyArray<Posting> => {
  const all = new Map(sets.map(({ set, stripe }) => [stripe, set]))
  for (const { come, gone, stripe } of changes) {
    const stored = all.get(stripe)
    const set =
      stored === undefined
        ? (come ?? noBytes)
        : encode(change(decode(stored), membersOf(gone), membersOf(come)))
    if (set.length > 0) all.set(stripe, set)
    else all.delete(stripe)
  }
  return [...all].map(([stripe, set]) => ({ stripe, set })).sort((a, b) => a.stripe - b.stripe)
}

const none = new Uint16Array()
const noBytes = new Uint8Array()
