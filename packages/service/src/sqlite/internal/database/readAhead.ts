/**
 * Reads the data of searches once, so that the system caches it. A search on uncached pages is ten times as slow.
 *
 * Idle search threads run it in steps of a few milliseconds.
 */
import { statSync } from "node:fs"
import { totalmem } from "node:os"
import type { DatabaseSync } from "node:sqlite"
import { arraysOf } from "./sqlReads.ts"

/** A position: the table, and the last number that was read from it. */
export interface Position {
  readonly table: number
  readonly after: number
}

export const start: Position = { table: 0, after: -1 }

/** Reads from a position. Returns the next one, or undefined at the end. */
export type ReadAhead = (from: Position) => Position | undefined

const tables = [
  { name: "hits", number: "substance", value: "folded" },
  { name: "postings", number: "id", value: "documents" },
  { name: "names", number: "id", value: "lines" }
] as const

/** The duration of a step, in milliseconds. A search may have to wait that long. */
const stepTime = 5

/** The number of rows per query: about ten pages. */
const rowsPerQuery = 500

/** The smallest file that is read ahead, in bytes. Searches soon cache a smaller one. */
const smallestFile = 64 * 2 ** 20

/**
 * The largest file that is read ahead, as a multiple of the machine's memory.
 *
 * The tables of searches are an eighth of the file, so they fill at most a quarter of the memory.
 */
const maxMemoryMultiple = 2

/** Returns whether reading a file ahead is worthwhile. */
export const isWorthwhile = (file: string): boolean => {
  const { size } = statSync(file)
  return size >= smallestFile && size <= maxMemoryMultiple * totalmem()
}

/** Prepares reading ahead on an open database. */
export const reader = (database: DatabaseSync, rows: number = rowsPerQuery): ReadAhead => {
  const arrays = arraysOf(database)
  // The comparison with x'00' makes SQLite read each value to its end.
  const steps = tables.map(({ name, number, value }) =>
    arrays(
      `SELECT max(number), count(*), sum(value = x'00') FROM
         (SELECT ${number} AS number, ${value} AS value FROM ${name} WHERE ${number} > ? ORDER BY ${number} LIMIT ${rows})`
    )
  )
  const readPiece: ReadAhead = ({ table, after }) => {
    const step = steps[table]
    if (step === undefined) return undefined
    const [last, read] = step.get(after) as unknown as readonly [number | null, number]
    return last === null || read < rows ? next(table) : { table, after: last }
  }
  return (from) => {
    const end = performance.now() + stepTime
    let position = readPiece(from)
    while (position !== undefined && performance.now() < end) position = readPiece(position)
    return position
  }
}

const next = (table: number): Position | undefined =>
  table + 1 < tables.length ? { table: table + 1, after: -1 } : undefined
