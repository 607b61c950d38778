/**
 * Reads what searches read through once, so that the system has it in memory: a search that finds its pages on the disk
 * waits for hundreds of them, one after the other, which takes ten times as long as the search itself.
 *
 * In steps of some milliseconds: the search threads do one when they have nothing else to do.
 */
import { statSync } from "node:fs"
import { totalmem } from "node:os"
import type { DatabaseSync } from "node:sqlite"
import { arraysOf } from "./statements.ts"

/** Up to where has been read: which of the tables, and the last number of it. */
export interface Place {
  readonly table: number
  readonly after: number
}

/** Where to start. */
export const start: Place = { table: 0, after: -1 }

/** Reads on from a place; gives the next one, undefined where everything has been read. */
export type ReadAhead = (from: Place) => Place | undefined

const tables = [
  { name: "hits", number: "substance", value: "folded" },
  { name: "postings", number: "id", value: "documents" },
  { name: "names", number: "id", value: "lines" }
] as const

/** How long a step takes, in milliseconds: a search may have to wait for its end. */
const stepTime = 5

/** How many rows are read at once: some ten pages. */
const rowsAtOnce = 500

/** A file that is smaller than this is in memory soon enough, in bytes. */
const smallest = 64 * 2 ** 20

/** The tables are an eighth of a file of all kinds of records: of one so many times the memory, a quarter of that. */
const mostOfMemory = 2

/** Whether it pays to read ahead in a file. */
export const isWorthwhile = (file: string): boolean => {
  const { size } = statSync(file)
  return size >= smallest && size <= mostOfMemory * totalmem()
}

/** Prepares it on an open database. */
export const reader = (database: DatabaseSync, rows: number = rowsAtOnce): ReadAhead => {
  const arrays = arraysOf(database)
  // To compare a value it is read to its end, on whatever page that is.
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
