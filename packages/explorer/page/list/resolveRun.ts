/**
 * Runs `Resolve` over a list, and writes its results as files.
 */
import type { ChemClient } from "@chemstream/client"
import * as ListReport from "@chemstream/figures/ListReport"
import { Csv, Ndjson, type RawRecord } from "@chemstream/ndjson"
import { type Identifiers, Resolve, ResolvedRows } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import type { Failure } from "../connection.ts"

/** How long a run waits for an unavailable service. Then the remaining rows fail. */
const wait = "15 seconds"

/** Resolves rows and passes on each result. Fails early on an error that would fail every row. */
export const resolve = (
  identifiers: ReadonlyArray<Identifiers.Identifier>,
  labels: ReadonlyArray<string>,
  onResult: (resolved: Resolve.RowResult) => void
): Effect.Effect<void, Failure, ChemClient.ChemClient> =>
  Stream.fromIterable(identifiers).pipe(
    Resolve.outcomes({ labels, availability: { wait } }),
    Stream.runForEach((resolved) => Effect.sync(() => onResult(resolved)))
  )

/** The statuses of rows, in the order of the ledger. */
export const statuses = ["found", "ambiguous", "conflict", "missing", "invalid", "failed"] as const

/** Counts the rows by status. */
export const count = (
  results: ReadonlyArray<Resolve.RowResult>
): Readonly<Record<Resolve.Status, number>> => {
  const counts = { found: 0, ambiguous: 0, conflict: 0, missing: 0, invalid: 0, failed: 0 }
  for (const { status } of results) counts[status]++
  return counts
}

/** Returns the counts as an equation, including the rows without a result. */
export const ledgerOf = (results: ReadonlyArray<Resolve.RowResult>, total: number): string => {
  const counts = count(results)
  const left = total - results.length
  const parts = statuses.map((status) => `${counts[status]} ${status}`)
  return `${total} rows = ${[...parts, ...(left === 0 ? [] : [`${left} without a result`])].join(" + ")}`
}

/** The rows that `chemstream resolve` writes: one per candidate for a list, one per row for a table. */
const layoutOf = (columns: ReadonlyArray<string> | undefined): ResolvedRows.Layout => ({
  columns,
  isTable: columns !== undefined,
  perCandidate: columns === undefined,
  fields: []
})

type Bytes = Effect.Effect<ReadonlyArray<Uint8Array>, Failure>

const recordsOf = (
  results: ReadonlyArray<Resolve.RowResult>,
  columns: ReadonlyArray<string> | undefined
): Stream.Stream<RawRecord.RawRecord> =>
  Stream.fromIterable(results.flatMap(ResolvedRows.make(layoutOf(columns))))

/** Encodes the results as CSV, as the command writes it. */
export const toCsv = (
  results: ReadonlyArray<Resolve.RowResult>,
  columns: ReadonlyArray<string> | undefined
): Bytes =>
  recordsOf(results, columns).pipe(
    Csv.encodeRaw({ columns: ResolvedRows.names(layoutOf(columns)), unquotedEmpty: columns !== undefined }),
    Stream.runCollect
  )

/** Encodes the results as NDJSON, as the command writes it. */
export const toNdjson = (
  results: ReadonlyArray<Resolve.RowResult>,
  columns: ReadonlyArray<string> | undefined
): Bytes => recordsOf(results, columns).pipe(Ndjson.encodeRaw(), Stream.runCollect)

/** Returns the report of the results as one HTML file. */
export const toReport = (name: string, results: ReadonlyArray<Resolve.RowResult>, total: number): string =>
  ListReport.toHtml({ title: name, ledger: ledgerOf(results, total), rows: results })
