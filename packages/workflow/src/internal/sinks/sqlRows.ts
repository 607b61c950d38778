/**
 * The outcomes of a chunk as rows of the tables, and how rows get into SQLite and Postgres.
 *
 * Records are text, and bytes (`raw`) where the database takes no such text, so that they are kept byte for byte.
 */
import { isUtf8 } from "node:buffer"
import { RawRecord } from "@chemstream/ndjson"
import { Problem } from "@chemstream/stream"
import { Array as Arr, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type Chunk, outcomeName } from "../../Sink.ts"

/** Rows of one INSERT of SQLite: far below its 32,766 values. */
export const rowsOfInsert = 250

/** One row of `harvest_outcome`, of `harvest_more_records` or of `harvest_surplus`. */
export type Row = Record<string, string | number | Uint8Array | null>

/** The rows of a chunk. */
export interface Rows {
  readonly outcomes: ReadonlyArray<Row & { readonly id: string }>
  readonly more: ReadonlyArray<Row & { readonly id: string }>
  readonly surplus: ReadonlyArray<Row & { readonly n: number }>
}

/** The rows of a chunk of a harvest. */
export const ofChunk = (harvest: number, { index: chunk, outcomes }: Chunk): Rows => {
  const rows = { outcomes: Arr.empty<Rows["outcomes"][number]>(), more: Arr.empty<Rows["more"][number]>() }
  const surplus: Array<Rows["surplus"][number]> = []
  for (const outcome of outcomes) {
    if (outcome._tag === "Surplus") {
      const { reason } = outcome
      const id = outcome.id === undefined ? null : textOf(outcome.id)
      const cells = cellsOf(outcome.record as RawRecord.RawRecord)
      surplus.push({ harvest, chunk, n: surplus.length, id, reason, ...cells })
      continue
    }
    const id = textOf(outcome.id)
    const [first, ...others] = outcome._tag === "Found" ? outcome.records : []
    rows.outcomes.push({
      harvest,
      id,
      outcome: outcomeName(outcome),
      chunk,
      line: outcome.line,
      ...cellsOf(first),
      problem: outcome._tag === "Found" ? null : Problem.toLine(outcome)
    })
    others.forEach((record, k) => {
      rows.more.push({ harvest, id, n: k + 1, chunk, ...cellsOf(record) })
    })
  }
  // In one order, so that two transactions with the same identifiers wait for each other and not in a circle.
  rows.outcomes.sort((a, b) => (a.id < b.id ? -1 : 1))
  return { ...rows, surplus }
}

const cellsOf = (
  record: RawRecord.RawRecord | undefined
): { record: string | null; raw: Uint8Array | null } => {
  if (record === undefined) return { record: null, raw: null }
  const bytes = RawRecord.toBytes(record)
  return isUtf8(bytes) && !bytes.includes(0)
    ? { record: RawRecord.toText(record), raw: null }
    : { record: null, raw: bytes }
}

/** Postgres has no zero byte in a text; only a malformed identifier can hold one. */
export const textOf = (id: string): string => (id.includes("\0") ? id.replaceAll("\0", "\uFFFD") : id)

/** Inserts rows that are not there, and returns how many those were. */
export const insert = (
  sql: SqlClient.SqlClient,
  into: Statement.Identifier,
  rows: ReadonlyArray<Row>
): Effect.Effect<number, SqlError.SqlError> =>
  Effect.map(
    Effect.forEach(
      valuesOf(sql, rows),
      (values) => sql`INSERT INTO ${into} ${values} ON CONFLICT DO NOTHING`.raw
    ),
    (results) => results.reduce((sum: number, result) => sum + changesOf(sql, result), 0)
  )

/** Some rows as what an INSERT takes: in Postgres all of them, elsewhere so many at a time. */
const valuesOf = (sql: SqlClient.SqlClient, rows: ReadonlyArray<Row>): ReadonlyArray<Statement.Fragment> => {
  const [first] = rows
  if (first === undefined) return []
  return sql.onDialectOrElse({
    // One parameter a column: thousands of parameters cost Postgres and its client more than the rows themselves.
    pg: () => {
      const names = Object.keys(first) as ReadonlyArray<keyof typeof arrays>
      const columns = names.map((name) => {
        const values = rows.map((row) => row[name])
        return sql`${values.every((value) => value === null) ? null : values}::${sql.literal(arrays[name])}`
      })
      const list = sql.join(", ")
      return [sql`${list(names.map((name) => sql`${sql(name)}`))} SELECT * FROM unnest${list(columns)}`]
    },
    orElse: () => Arr.chunksOf(rows, rowsOfInsert).map((some) => sql`${sql.insert(some)}`)
  })
}

/** The columns of the tables as arrays in Postgres. */
const arrays = {
  harvest: "INTEGER[]",
  id: "TEXT[]",
  outcome: "TEXT[]",
  chunk: "INTEGER[]",
  line: "BIGINT[]",
  n: "INTEGER[]",
  reason: "TEXT[]",
  record: "TEXT[]",
  raw: "BYTEA[]",
  problem: "TEXT[]"
}

/** How many rows a statement has written, as the two drivers say it. */
const changesOf = (sql: SqlClient.SqlClient, result: unknown): number => {
  const { changes, rowCount } = result as { readonly changes?: number; readonly rowCount?: number }
  return sql.onDialectOrElse({ pg: () => rowCount, orElse: () => changes }) ?? 0
}
