// Statements in a Postgres, and its address in the fixtures.
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>

/** Runs statements in the database of an address. */
export const query = (url: string, statements: string): Promise<ReadonlyArray<Row>> =>
  Effect.flatMap(SqlClient.SqlClient, (client) => client.unsafe<Row>(statements)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
    Effect.runPromise
  )

/** Runs the statements of a dump. The client sends one statement at a time, so they are the body of one block. */
export const restore = async (url: string, dump: string): Promise<void> => {
  await query(
    url,
    `DO $restore$ BEGIN\n${dump.replaceAll(/^SELECT setval/gm, "PERFORM setval")}END $restore$`
  )
}

/** The address of a database as a harvest stores it: without the password. */
export const storedAddress = (url: string): string => url.replace(/:[^:@/]+@/, "@")
