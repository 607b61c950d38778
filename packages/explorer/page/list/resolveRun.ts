/**
 * Runs `Resolve` over a list, and makes its files.
 */
import type { ChemClient } from "@chemstream/client"
import * as ListReport from "@chemstream/figures/ListReport"
import { type Identifiers, Resolve, ResolvedRows } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import type { Failure } from "../Failure.ts"
import type { Content } from "../parts/encodeRecords.ts"

/** How long a run waits for an unavailable service. Then the remaining rows fail. */
export const wait = "15 seconds"

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

/** Returns the rows that `chemstream resolve` writes: one per candidate for a list, one per row for a table. */
export const contentOf = (
  results: ReadonlyArray<Resolve.RowResult>,
  columns: ReadonlyArray<string> | undefined
): Content => {
  const isTable = columns !== undefined
  const layout: ResolvedRows.Layout = { columns, isTable, perCandidate: !isTable, fields: [] }
  return {
    records: results.flatMap(ResolvedRows.make(layout)),
    columns: ResolvedRows.names(layout),
    unquotedEmpty: isTable
  }
}

/** Returns the report of the results as one HTML file. */
export const toReport = (name: string, results: ReadonlyArray<Resolve.RowResult>, ledger: string): string =>
  ListReport.toHtml({ title: name, ledger, rows: results })
