/**
 * Reads the data of searches once, so that the system caches it: a search on uncached pages takes ten times as
 * long.
 *
 * It works in steps of some milliseconds, which idle search threads run.
 */
import { statSync } from "node:fs"
import { totalmem } from "node:os"
import type { DatabaseSync } from "node:sqlite"
import { arraysOf } from "./statements.ts"

/** The position so far: the table, and the last number read from it. */
export interface Place {
  readonly table: number
  readonly after: number
}

/** The start. */
export const start: Place = { table: 0, after: -1 }

/** Reads from a position. Returns the next one, or undefined at the end. */
export type ReadAhead = (from: Place) => Place | undefined

const tables = [
  { name: "hits", number: "substance", value: "folded" },
  { name: "postings", number: "id", value: "documents" },
  { name: "names", number: "id", value: "lines" }
] as const

/** The duration of a step in milliseconds. A search may have to wait for it. */
const stepTime = 5

/** The number of rows per query: some ten pages. */
const rowsAtOnce = 500

/** Smaller files are cached soon enough without this. In bytes. */
const smallest = 64 * 2 ** 20

/**
 * The largest file that is read ahead, as a multiple of the memory.
 *
 * The tables are an eighth of a file, so this is a quarter of the memory.
 */
const mostOfMemory = 2

/** Returns whether reading a file ahead is worthwhile. */
export const isWorthwhile = (file: string): boolean => {
  const { size } = statSync(file)
  return size >= smallest && size <= mostOfMemory * totalmem()
}

/** Prepares it on an open database. */
export const reader = (database: DatabaseSync, rows: number = rowsAtOnce): ReadAhead => {
  const arrays = arraysOf(database)
  // A comparison reads a value to its end, whatever pages it is on.
  const steps = tables.map(({ name, number, value }) =>
    arrays(
      `SELECT max(number), count(*), sum(value = x'00') FROM
         (SELECT ${number} AS number, ${value} AS value FROM ${name} WHERE ${number} > ? ORDER BY ${number} LIMIT ${rows})`
    )
  )
  const piece: ReadAhead = ({ table, after }) => {
    const step = steps[table]
    if (step === undefined) return undefined
    const [last, read] = step.get(after) as unknown as readonly [number | null, number]
    return last === null || read < rows ? next(table) : { table, after: last }
  }
  return (from) => {
    const end = performance.now() + stepTime
    let place = piece(from)
    while (place !== undefined && performance.now() < end) place = piece(place)
    return place
  }
}

const next = (table: number): Place | undefined =>
  table + 1 < tables.length ? { table: table + 1, after: -1 } : undefined
