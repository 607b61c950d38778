/**
 * Provides Effect's `SqlClient` over `node:sqlite`, for harvests on one machine: one connection, one statement at a
 * time, nested transactions, results as streams.
 *
 * The official driver will replace it when one fits: `@effect/sql-sqlite-node` 0.53.0 needs Effect 3, and 4.0.0-beta.102
 * imports `effect/unstable/sql`, which Effect 4.1 does not have. `node:sqlite` runs on the calling thread: a statement blocks
 * it, also while it waits for the lock of another process.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { Options as Declared } from "@chemstream/client"
import { Cause, Context, Duration, Effect, Layer, Schedule, type Scope, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"

/** The default wait for the lock of another process. */
export const defaultBusyTimeout: Duration.Input = "5 seconds"

/** The default number of cached prepared statements. */
export const defaultStatements = 200

/** The number of pages (16 MB) after which the log is copied into the file. This thread waits during the copy. */
const checkpointPages = 4000

/** The number of rows in one step of a stream. */
const rowsPerStep = 128

/** The file and its settings. */
export interface Options {
  /** The file, which is created if it does not exist. `:memory:`: a database that ends with its scope. */
  readonly file: string
  /** Whether to open the file only to read it, and leave its mode. Default: false. */
  readonly isReadOnly?: boolean | undefined
  /**
   * `full`: a committed transaction survives a power cut. `normal`: it survives only the death of the process, and
   * does not wait for the disk. Default: `full`.
   */
  readonly synchronous?: "full" | "normal" | undefined
  /** How long to wait for the lock of another process. Default: 5 seconds. */
  readonly busyTimeout?: Duration.Input | undefined
  /** The number of cached prepared statements; the least recently used is dropped first. Default: 200. */
  readonly statements?: number | undefined
}

const optionSet = /* @__PURE__ */ Declared.set<Options>()({
  file: Declared.required(Declared.text),
  isReadOnly: Declared.flag,
  synchronous: Declared.oneOf(["full", "normal"]),
  busyTimeout: Declared.time("finite"),
  statements: Declared.count
})

/**
 * Opens a file until the scope closes. Fails with `SqlError` if it cannot be opened or is not a database.
 * Unless it is opened only to read, its mode becomes WAL.
 *
 * A transaction takes the write lock when it begins (`BEGIN IMMEDIATE`): a transaction that reads first would fail if another
 * process has written meanwhile. Booleans are stored as 0 and 1.
 *
 * @example
 * ```ts
 * import { SqliteClient } from "@chemstream/workflow"
 * import { Effect } from "effect"
 * import { SqlClient } from "effect/sql"
 *
 * const program = Effect.gen(function* () {
 *   const sql = yield* SqlClient.SqlClient
 *   yield* sql`CREATE TABLE seen (id TEXT PRIMARY KEY)`
 *   yield* sql`INSERT INTO seen ${sql.insert([{ id: "a" }, { id: "b" }])}`
 *   return yield* sql`SELECT id FROM seen ORDER BY id`.values
 * })
 * await Effect.runPromise(Effect.provide(program, SqliteClient.layer({ file: ":memory:" }))) // => [["a"], ["b"]]
 * ```
 */
export const make = (
  options: Options
): Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    const connection = yield* open(Declared.refuse(optionSet, options))
    const semaphore = yield* Semaphore.make(1)
    return yield* SqlClient.make({
      ...SqlClient.makeSqliteAcquirers({
        connection: Effect.succeed(connection),
        semaphore,
        isTransaction: (conn) => conn.database.isTransaction
      }),
      compiler,
      driver: "node:sqlite",
      prepareTransactionControls: true,
      beginTransaction: "BEGIN IMMEDIATE",
      releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
      spanAttributes: [["db.system.name", "sqlite"]]
    })
  })

/** Provides the `SqlClient` of a file. */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effectContext(Effect.map(make(options), (client) => Context.make(SqlClient.SqlClient, client))).pipe(
    Layer.provide(Reactivity.layer)
  )

interface Connection extends SqlConnection.Connection {
  readonly database: DatabaseSync
}

const open = (options: Options): Effect.Effect<Connection, SqlError.SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    attempt("open", `cannot open ${options.file}`, () => {
      const database = new DatabaseSync(options.file, {
        timeout: Duration.toMillis(options.busyTimeout ?? defaultBusyTimeout),
        readOnly: options.isReadOnly ?? false
      })
      if (options.isReadOnly) return database
      try {
        database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${options.synchronous ?? "full"};
          PRAGMA wal_autocheckpoint = ${checkpointPages}`)
        return database
      } catch (cause) {
        database.close()
        throw cause
      }
    }).pipe(
      Effect.retry({ schedule: walRetrySchedule, while: (error) => error.reason._tag === "LockTimeoutError" })
    ),
    (database) => Effect.sync(() => database.close())
  ).pipe(Effect.map((database) => connect(database, options.statements ?? defaultStatements)))

// If two processes switch a file to WAL at the same moment, SQLite refuses one of them at once, despite the
// timeout.
const walRetrySchedule = Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(50)])

const connect = (database: DatabaseSync, capacity: number): Connection => {
  const prepared = statementCache(database, capacity)
  const run = <A>(
    sql: string,
    params: ReadonlyArray<unknown>,
    prepare: (sql: string) => StatementSync,
    use: (statement: StatementSync, values: ReadonlyArray<SQLInputValue>, integers: Integers) => A
  ): Effect.Effect<A, SqlError.SqlError> =>
    Effect.withFiber((fiber) =>
      attempt("execute", "a statement failed", () => {
        const statement = prepare(sql)
        // Otherwise node:sqlite fails on integers beyond 2^53, after the statement has run.
        statement.setReadBigInts(true)
        statement.setReturnArrays(false)
        return use(
          statement,
          params.map(toInput),
          Context.get(fiber.context, SqlClient.SafeIntegers) ? keepIntegers : integersToNumbers
        )
      })
    )
  // A stream uses its statement over several steps, so it needs its own.
  const prepareUncached = (sql: string): StatementSync => database.prepare(sql)
  const execute: SqlConnection.Connection["execute"] = (sql, params, transform) => {
    const rows = run(sql, params, prepared, all)
    return transform === undefined ? rows : Effect.map(rows, transform)
  }
  const values: SqlConnection.Connection["executeValues"] = (sql, params) =>
    run(sql, params, prepared, (statement, inputs, integers) => {
      statement.setReturnArrays(true)
      return all(statement, inputs, integers) as ReadonlyArray<ReadonlyArray<unknown>>
    })
  return {
    database,
    execute,
    // The engine uses this for the statements of every chunk, so they are cached as well.
    executeUnprepared: execute,
    executeValues: values,
    executeValuesUnprepared: values,
    executeRaw: (sql, params) =>
      run(sql, params, prepared, (statement, inputs, integers) =>
        statement.columns().length > 0
          ? all(statement, inputs, integers)
          : integers({ ...statement.run(...inputs) })
      ),
    executeStream: (sql, params, transform) => {
      const statement = run(sql, params, prepareUncached, (uncached, inputs, integers) => ({
        iterator: uncached.iterate(...inputs),
        integers
      }))
      const rows = streamRows(statement)
      return transform === undefined ? rows : Stream.mapArray(rows, (some) => transform(some) as typeof some)
    }
  }
}

interface Iteration {
  readonly iterator: Iterator<object>
  readonly integers: Integers
}

const streamRows = (statement: Effect.Effect<Iteration, SqlError.SqlError>) =>
  Stream.unwrap(
    Effect.acquireRelease(statement, ({ iterator }) => Effect.sync(() => void iterator.return?.())).pipe(
      Effect.map(({ integers, iterator }) => Stream.fromPull(Effect.succeed(nextRows(iterator, integers))))
    )
  )

/** Prepares statements, and caches the most recently used ones. */
const statementCache = (database: DatabaseSync, capacity: number): ((sql: string) => StatementSync) => {
  // Sorted by use, the least recent first.
  const cache = new Map<string, StatementSync>()
  return (sql) => {
    let statement = cache.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      const oldest = cache.size < capacity ? undefined : cache.keys().next().value
      if (oldest !== undefined) cache.delete(oldest)
    } else cache.delete(sql)
    cache.set(sql, statement)
    return statement
  }
}

const all = (
  statement: StatementSync,
  inputs: ReadonlyArray<SQLInputValue>,
  integers: Integers
): ReadonlyArray<object> => {
  if (statement.columns().length > 0) return statement.all(...inputs).map(integers)
  statement.run(...inputs)
  return []
}

/** Converts the integers of a row, which are read as `bigint`. */
type Integers = (row: object) => object

const keepIntegers: Integers = (row) => row

// The nearest number, as other drivers do.
const integersToNumbers: Integers = (row) => {
  const fields = row as Record<string, unknown>
  for (const name of Object.keys(fields)) {
    if (typeof fields[name] === "bigint") fields[name] = Number(fields[name])
  }
  return row
}

/** Reads up to `rowsPerStep` rows at once, because a step of a stream costs more than a row. */
const nextRows = (
  iterator: Iterator<object>,
  integers: Integers
): Effect.Effect<readonly [object, ...Array<object>], SqlError.SqlError | Cause.Done> =>
  Effect.flatMap(
    attempt("execute", "a statement failed while its rows were read", () => {
      const rows: Array<object> = []
      for (let next = iterator.next(); !next.done; next = iterator.next()) {
        if (rows.push(integers(next.value)) === rowsPerStep) break
      }
      return rows
    }),
    ([first, ...rest]) => (first === undefined ? Cause.done() : Effect.succeed([first, ...rest] as const))
  )

const escapeIdentifier = Statement.defaultEscape('"')

// Effect's compiler for SQLite, with `updateValues`, which it lacks.
const compiler = Statement.makeCompiler({
  dialect: "sqlite",
  placeholder: () => "?",
  onIdentifier: escapeIdentifier,
  onRecordUpdate: (placeholders, alias, columns, values, returning) => [
    `(WITH ${alias}${columns} AS (VALUES ${placeholders}) SELECT * FROM ${alias}) AS ${alias}${
      returning === undefined ? "" : ` RETURNING ${returning[0]}`
    }`,
    [...values.flat(), ...(returning?.[1] ?? [])]
  ],
  onCustom: () => ["", []]
})

const toInput = (value: unknown): SQLInputValue =>
  typeof value === "boolean" ? Number(value) : value === undefined ? null : (value as SQLInputValue)

const attempt = <A>(operation: string, what: string, run: () => A): Effect.Effect<A, SqlError.SqlError> =>
  Effect.try({
    try: run,
    catch: (cause) =>
      new SqlError.SqlError({
        reason: SqlError.classifySqliteError(withErrno(cause), {
          message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
          operation
        })
      })
  })

/** `node:sqlite` has the code of an error in `errcode`; Effect expects it in `errno`. */
const withErrno = (cause: unknown): unknown =>
  cause instanceof Error && "errcode" in cause ? Object.assign(cause, { errno: cause.errcode }) : cause
