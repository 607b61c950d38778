/**
 * The families of records about a substance, and their requests. Both derive from the rows of the endpoints.
 */
import { type Family, Key, Operation, type Row, Rows } from "@chemstream/api"
import type { ChemClient } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Identifiers, Lookup } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import type { ServiceView } from "../../src/ServiceView.ts"
import type { Failure } from "../Failure.ts"

/** A family, with the rows that need only a substance. */
export interface Section {
  /** The word of the family, e.g. `hazard`. */
  readonly word: string
  readonly title: string
  readonly description: string
  readonly rows: ReadonlyArray<Row.Row>
}

/** Returns the rows of a family. */
export const rowsOf = ({ word }: Family.Family): ReadonlyArray<Row.Row> =>
  Rows.all.filter((row) => Operation.groupOf(row.name) === word)

/** Whether a row needs only a substance. A file is not a table, so its row has a query or a body. */
export const isBySubstance = ({ get, key, query }: Row.Row): boolean =>
  key === Key.dtxsid && query === undefined && get.body === undefined

/** The families with such rows, in the order of the commands. The card and the plot have the records of the contract. */
export const sections: ReadonlyArray<Section> = Rows.families.flatMap((family) => {
  const { description, title, word } = family
  const rows = rowsOf(family).filter((row) => row.dialect !== undefined && isBySubstance(row))
  return rows.length === 0 ? [] : [{ word, title, description, rows }]
})

/** Whether a service has records of some of these rows, for any substance. */
export const hasRecords = (
  { endpoints }: Pick<ServiceView, "endpoints">,
  rows: ReadonlyArray<Row.Row>
): boolean => rows.some(({ from, name }) => endpoints.includes(from?.row ?? name))

/** How long a request waits for an unavailable service. */
const wait = "15 seconds"

/** Requests the records of a row for a substance, as the service sent them. */
export const recordsOf = (
  row: Row.Row,
  dtxsid: string
): Effect.Effect<ReadonlyArray<RawRecord.RawRecord>, Failure, ChemClient.ChemClient> =>
  Identifiers.fromIterable([dtxsid]).pipe(
    Lookup.outcomes(Lookup.of(row), { availability: { wait } }),
    Stream.runCollect,
    Effect.flatMap((outcomes) => {
      const failed = outcomes.find((one) => one._tag === "Failed" || one._tag === "Invalid")
      if (failed !== undefined) return Effect.fail<Failure>(failed.error)
      return Effect.succeed(outcomes.flatMap((one) => (one._tag === "Found" ? one.records : [])))
    })
  )
