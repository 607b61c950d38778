/**
 * The families of records about a substance, and their requests. Both derive from the rows of the endpoints.
 */
import { Key, Operation, type Row, Rows } from "@chemstream/api"
import type { ChemClient } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Identifiers, Lookup } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import type { Failure } from "../Failure.ts"

/** A family, with the rows that need only a substance. */
export interface Section {
  readonly title: string
  readonly description: string
  readonly rows: ReadonlyArray<Row.Row>
}

/** A file is not a table, and the card has the records of the contract. */
const isOfSubstance = ({ dialect, get, key, query }: Row.Row): boolean =>
  dialect !== undefined && key === Key.dtxsid && query === undefined && get.body === undefined

/** The families with such rows, in the order of the commands. */
export const sections: ReadonlyArray<Section> = Rows.families.flatMap(({ description, title, word }) => {
  const rows = Rows.all.filter((row) => Operation.groupOf(row.name) === word && isOfSubstance(row))
  return rows.length === 0 ? [] : [{ title, description, rows }]
})

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
