/**
 * Connects to a Postgres whose connections may die without a word, as after a failover or behind a router that forgets
 * them.
 *
 * A connection on which nothing passes for a while is destroyed, so every statement ends, also those of transactions
 * and of the engine. The socket measures this, because a statement may be interrupted only with the help of its server.
 * Shortly before, the statement is cancelled, so that a server that still responds keeps no session.
 */
import { connect, type Socket } from "node:net"
import { Options as Declared } from "@chemstream/client"
import { Duration, Effect, Redacted, Scope, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { type SqlClient, SqlError } from "effect/sql"
import { completeAddress } from "./postgresAddress.ts"
import { releaseWithin } from "./releaseWithin.ts"
import { codeOf } from "./sqlErrorText.ts"
import * as statementLimit from "./statementTimeout.ts"
import { transaction } from "./transaction.ts"

export const defaultConnections = 4

export const defaultSilence: Duration.Input = "10 seconds"

export interface Options {
  /** The address. `PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD` and `PGDATABASE` fill in its missing parts. */
  readonly url: Redacted.Redacted
  /** The largest number of connections. Default: 4. */
  readonly connections?: number | undefined
  /** How long a connection may be silent during a statement before it is destroyed. Default: 10 seconds. */
  readonly silence?: Duration.Input | undefined
}

const optionSet = /* @__PURE__ */ Declared.set<Options>()({
  url: Declared.required(Declared.kind("an address in Redacted.make", Redacted.isRedacted, "secret")),
  connections: Declared.count,
  silence: Declared.time("positive")
})

/** The time without data after which the system probes a connection, in milliseconds. */
const keepAliveDelay = 10_000

/** How long an unused connection stays open, so that others of a role with a limit get one. */
const idleTimeout = "5 seconds"

/** The limit of a statement as a share of the silence, so that the connection can still cancel it. */
const statementShare = 0.8

/** How long a client waits for the statements that run when it closes. */
const longestRelease: Duration.Input = "5 seconds"

/** A client of `make`: its database, and its open connections. */
interface Known {
  readonly address: string
  readonly silence: number
  readonly sockets: ReadonlySet<Socket>
  /** Has a permit for each connection but one. */
  readonly accesses: Semaphore.Semaphore
}

/** The clients, for tables in the same database or in another one. */
const clients = new WeakMap<SqlClient.SqlClient, Known>()

/** Makes a client with a pool of connections. */
export const make = (options: Options): Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const PgClient = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
    const url = completed(Declared.refuse(optionSet, options).url)
    const silence = Duration.toMillis(Duration.fromInputUnsafe(options.silence ?? defaultSilence))
    const maxConnections = options.connections ?? defaultConnections
    const sockets = new Set<Socket>()
    const scope = yield* Scope.make()
    // The pool waits for the connections in use, perhaps forever.
    yield* Effect.addFinalizer((exit) =>
      Effect.tap(releaseWithin(longestRelease, Scope.close(scope, exit)), () =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
        })
      )
    )
    const pool = PgClient.make({
      url: Redacted.make(url.href),
      applicationName: "chemstream",
      maxConnections,
      idleTimeout,
      connectTimeout: Math.min(5000, silence),
      // A pooler that shares sessions loses named statements.
      prepare: false,
      stream: () => {
        const socket = openSocket(url, silence)
        sockets.add(socket)
        return socket.once("close", () => sockets.delete(socket))
      }
    })
    const sql = yield* Scope.provide(pool, scope).pipe(
      Effect.flatMap((client) =>
        statementLimit.make(client, PgClient.makeCompiler(), statementShare * silence)
      ),
      Effect.provide(Reactivity.layer)
    )
    const accesses = yield* Semaphore.make(Math.max(1, maxConnections - 1))
    clients.set(sql, { address: url.href, silence, sockets, accesses })
    return sql
  })

/**
 * Runs an access to the tables of a harvest. While another program locks them, such accesses use all connections of a
 * client but one, so that the signs of life of the worker do not wait for the lock.
 */
export const leavingOneFree = <A, E, R>(sql: SqlClient.SqlClient, access: Effect.Effect<A, E, R>) =>
  clients.get(sql)?.accesses.withPermit(access) ?? access

/** The codes of errors that another session might not have: read-only, a short timeout, another `search_path`. */
const sessionErrorCodes: ReadonlySet<string | undefined> = new Set(["25006", "57014", "42P01", "3F000"])

/** The text of the error of a statement whose connection was replaced. */
export const replaced = "the connection is replaced, because its session may have outdated settings"

/**
 * Replaces the connections of a client after an error of their sessions. A session keeps the settings that its role had
 * when it began, and its server may have become a standby. A worker that polls would use it forever.
 */
export const renewAfter = (sql: SqlClient.SqlClient, error: SqlError.SqlError): Effect.Effect<void> =>
  Effect.sync(() => {
    if (!sessionErrorCodes.has(codeOf(error))) return
    for (const socket of clients.get(sql)?.sockets ?? []) socket.destroy(new Error(replaced))
  })

/** The error of a pooler that shares sessions between statements. */
export const statementPooling =
  "a pooler in front of it ends transactions, as PgBouncer does in statement mode. Set its pool_mode to transaction or session, or connect directly"

/**
 * Fails if a pooler shares sessions between statements. It accepts a statement, which must have succeeded before, but
 * closes the connection at a transaction.
 */
export const refuseStatementPooling = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.mapError(transaction(sql, Effect.void), (cause) =>
    codeOf(cause) === undefined
      ? new SqlError.SqlError({
          reason: new SqlError.UnknownError({ cause, message: statementPooling, operation: "begin" })
        })
      : cause
  )

/**
 * Returns a client for the tables of a harvest: `own`, if it is connected to their database with the same user, else
 * another one, whose connections may be silent for as long.
 */
export const beside = (
  own: SqlClient.SqlClient | undefined,
  url: Redacted.Redacted
): Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope> => {
  const known = own === undefined ? undefined : clients.get(own)
  return own !== undefined && known?.address === completed(url).href
    ? Effect.succeed(own)
    : make({ url, silence: known?.silence })
}

/** Returns the address of the database of a client of `make`, with its password. */
export const addressOf = (sql: SqlClient.SqlClient): string | undefined => clients.get(sql)?.address

const completed = (url: Redacted.Redacted): URL =>
  completeAddress(Redacted.value(url), process.env) ?? new URL("postgres://localhost")

const openSocket = (url: URL, silence: number): Socket => {
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname).replace(/^\[|\]$/g, "")
  const port = Number(url.searchParams.get("port") ?? (url.port === "" ? 5432 : url.port))
  const socket = host.startsWith("/")
    ? connect({ path: `${host}/.s.PGSQL.${port}` })
    : connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveDelay })
  return socket.setTimeout(silence, () =>
    socket.destroy(new Error(`the connection was silent for ${Duration.format(Duration.millis(silence))}`))
  )
}
