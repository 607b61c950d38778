/**
 * Limits the time of each statement of a client of Postgres, except of streams, and cancels it on the server afterwards. A connection that
 * is destroyed instead leaves a session that waits for its lock, so that a locked table would use up all connections.
 */
import { Duration, Effect } from "effect"
import type { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, type Statement } from "effect/sql"

type Connection = SqlConnection.Connection

/** Makes a client with the connections of another one, whose statements fail after `longest` milliseconds. */
export const make = (
  { driver, reserve }: SqlClient.SqlClient,
  compiler: Statement.Compiler,
  longest: number
): Effect.Effect<SqlClient.SqlClient, never, Reactivity.Reactivity> =>
  SqlClient.make({
    driver,
    compiler,
    acquirer: Effect.map(reserve, (connection) => limited(connection, longest)),
    commit,
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })

const limited = (connection: Connection, longest: number): Connection => {
  const time = Duration.format(Duration.millis(longest))
  const limit = <A>(statement: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> =>
    // An interrupted statement is cancelled by its connection.
    Effect.timeoutOrElse(statement, {
      duration: longest,
      orElse: () => fail("StatementTimeoutError", `the statement did not end within ${time}`)
    })
  return {
    execute: (...args) => limit(connection.execute(...args)),
    executeRaw: (...args) => limit(connection.executeRaw(...args)),
    executeStream: (...args) => connection.executeStream(...args),
    executeUnprepared: (...args) => limit(connection.executeUnprepared(...args)),
    executeValues: (...args) => limit(connection.executeValues(...args)),
    executeValuesUnprepared: (...args) => limit(connection.executeValuesUnprepared(...args))
  }
}

/** Postgres responds to the `COMMIT` of a failed transaction that it has rolled back, without an error. */
const commit = (connection: Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as { readonly command?: unknown }).command === "ROLLBACK"
      ? fail("UnknownError", "the transaction was rolled back, because one of its statements had failed")
      : Effect.void
  )

const fail = (reason: "StatementTimeoutError" | "UnknownError", message: string) =>
  Effect.fail(new SqlError.SqlError({ reason: new SqlError[reason]({ cause: new Error(message), message }) }))
