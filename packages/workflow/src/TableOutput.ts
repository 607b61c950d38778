/**
 * Records and outcomes as tables of DuckDB, SQLite or Postgres (`TableTarget`), for runs that can be stopped at any moment.
 *
 * `TABLE` has a row a record, with the columns of the contract; `TABLE_outcomes` has a row an identifier. `TABLE_run` holds the
 * state of a run while it goes on. Rows and state are written in one transaction, so that a run that continues finds the
 * tables of that state. Saving at the right moment is `Checkpoint`'s, whose `Position` this is.
 */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import type { RawRecord, Table } from "@chemstream/ndjson"
import type { OutcomeRow } from "@chemstream/stream"
import type { Checkpoint } from "@chemstream/stream/node"
import { Data, Effect, Result, Scope } from "effect"
import type { SqlError } from "effect/sql"
import { unlimited } from "./internal/database/transaction.ts"
import * as duckdb from "./internal/tables/duckdb.ts"
import { create, type Engine } from "./internal/tables/engine.ts"
import * as Layout from "./internal/tables/layout.ts"
import * as postgres from "./internal/tables/postgres.ts"
import * as RunTable from "./internal/tables/runTable.ts"
import * as sqlite from "./internal/tables/sqlite.ts"
import { nameOf, type TableTarget } from "./TableTarget.ts"

/** The most bytes of records that wait to be written. */
export const largestWait: number = 8 * 1024 * 1024

/** A table cannot be written; `isRefusal` tells whether that is because of what it is, and not because writing failed. */
export class TableOutputError extends Data.TaggedError("TableOutputError")<{
  readonly table: string
  readonly isRefusal: boolean
  readonly message: string
  readonly cause?: unknown
}> {}

/** What the tables hold. */
export interface Options {
  readonly target: TableTarget
  /** The columns of the records. What a record has beside them is in the column `other_fields`. */
  readonly columns: ReadonlyArray<Table.Column>
  /** The columns that tell a record from every other. Default: none, and records are told apart by whose they are. */
  readonly primaryKey?: ReadonlyArray<string> | undefined
  /** Whether each line of the input has records of its own, also one that repeats another. Default: false. */
  readonly perLine?: boolean | undefined
}

/** An outcome and its records. */
export interface Entry {
  readonly outcome: OutcomeRow.OutcomeRow
  readonly records: ReadonlyArray<RawRecord.RawRecord>
}

/** Tables that are open. */
export interface TableOutput {
  /** What messages call it. It holds no password. */
  readonly name: string
  /** Adds rows, which are written when `position` is replaced. */
  readonly add: (entry: Entry) => Effect.Effect<void, TableOutputError>
  /** Whether so much waits to be written that the run should be saved now. */
  readonly isFull: () => boolean
  /** The state of the run in the same database. */
  readonly position: Checkpoint.Position<TableOutputError>
}

/**
 * Opens the tables of a run until the scope closes. Refuses tables of another shape, and says how they differ. Tables, and a
 * file that is not there, are made when the first rows are written.
 *
 * @example
 * ```ts
 * import { DetailRecord } from "@chemstream/api"
 * import { RawRecord, Table } from "@chemstream/ndjson"
 * import { Outcome, OutcomeRow } from "@chemstream/stream"
 * import { TableOutput, TableTarget } from "@chemstream/workflow"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const target = yield* Effect.fromResult(TableTarget.parse("chemicals.sqlite#details"))
 *   const columns = Table.columnsOf(DetailRecord.schemas.compact)
 *   const tables = yield* TableOutput.open({ target, columns, primaryKey: ["dtxsid"] })
 *   const record = RawRecord.fromText('{"dtxsid":"DTXSID7020182"}')
 *   const outcome = OutcomeRow.make(Outcome.found("DTXSID7020182", 1, [record]))
 *   yield* tables.add({ outcome, records: [record] })
 *   yield* tables.position.replace("the state of the run")
 *   yield* tables.position.remove
 * }).pipe(Effect.scoped)
 * ```
 */
export const open = (options: Options): Effect.Effect<TableOutput, TableOutputError, Scope.Scope> =>
  Effect.gen(function* () {
    const { target } = options
    const name = nameOf(target)
    const refuse = (message: string) =>
      Effect.fail(new TableOutputError({ table: name, isRefusal: true, message }))
    const failing = <A, E extends SqlError.SqlError | duckdb.MissingDuckdb, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.mapError(effect, (error) => failure(name, error))
    const layout = Layout.make({ ...options, table: target.table })
    const wrong = Layout.problem(layout)
    if (wrong !== undefined) return yield* refuse(`cannot write ${name}: ${wrong}`)
    if (target._tag === "Duckdb") yield* failing(duckdb.load)
    const isThere = target._tag === "Postgres" || existsSync(target.file)
    if (!isThere && !existsSync(dirname(target.file)))
      return yield* refuse(`cannot write ${name}: there is no folder ${dirname(target.file)}`)
    const scope = yield* Scope.Scope
    let engine: Engine | undefined
    const opened = Effect.suspend(() =>
      engine === undefined
        ? Effect.tap(failing(Scope.provide(engineOf(target), scope)), (made) =>
            Effect.sync(() => {
              engine = made
            })
          )
        : Effect.succeed(engine)
    )
    const run = RunTable.make(layout.run)
    if (isThere) {
      const known = yield* opened
      for (const definition of [layout.records, layout.outcomes]) {
        const shape = yield* failing(known.shapeOf(definition.name))
        const difference = shape === undefined ? undefined : Layout.difference(known, definition, shape)
        if (difference !== undefined)
          return yield* refuse(
            `the table ${definition.name} in ${name} has another shape: ${difference}. Name another table, or drop this one`
          )
      }
    }
    const waiting = Layout.waiting(layout)
    return {
      name,
      add: (entry) =>
        Result.match(waiting.add(entry), {
          onSuccess: () => Effect.void,
          onFailure: (message) =>
            Effect.fail(
              new TableOutputError({
                table: name,
                isRefusal: false,
                message: `cannot write to ${name}: ${message}`
              })
            )
        }),
      isFull: () => waiting.bytes() >= largestWait,
      position: {
        name,
        isOutput: true,
        read: isThere ? Effect.flatMap(opened, (known) => failing(run.read(known))) : Effect.undefined,
        replace: (state) =>
          Effect.gen(function* () {
            const known = yield* opened
            const { outcomes, records } = waiting.rows(known.takes)
            const isOwn = yield* failing(
              unlimited(
                known.sql,
                Effect.gen(function* () {
                  yield* makeTables(known, layout, target)
                  if (!(yield* run.replace(known, state))) return false
                  yield* known.insert(layout.records, records, "replace")
                  yield* known.insert(layout.outcomes, outcomes, "replace")
                  return true
                })
              )
            )
            if (!isOwn) return yield* refuse(inUse(name))
            run.committed()
            waiting.clear()
          }),
        remove: Effect.flatMap(opened, (known) =>
          failing(unlimited(known.sql, Effect.andThen(Layout.trim(known, layout), run.remove(known))))
        )
      }
    }
  })

const inUse = (name: string): string =>
  `another run or program is using ${name}: wait until it has ended, or stop it`

const engineOf = (
  target: TableTarget
): Effect.Effect<Engine, SqlError.SqlError | duckdb.MissingDuckdb, Scope.Scope> => {
  switch (target._tag) {
    case "Duckdb":
      return duckdb.open(target.file)
    case "Sqlite":
      return sqlite.open(target.file)
    case "Postgres":
      return postgres.open(target.url, target.schema, target.table)
  }
}

/** Makes the tables that are not there. */
const makeTables = (engine: Engine, layout: Layout.Layout, target: TableTarget) =>
  Effect.gen(function* () {
    const { sql } = engine
    if (target._tag === "Postgres" && target.schema !== undefined)
      yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(target.schema)}`
    for (const definition of [layout.records, layout.outcomes, layout.run])
      if ((yield* engine.shapeOf(definition.name)) === undefined) yield* create(engine, definition)
  })

const failure = (name: string, error: SqlError.SqlError | duckdb.MissingDuckdb): TableOutputError => {
  if (error._tag === "MissingDuckdb")
    return new TableOutputError({ table: name, isRefusal: true, message: error.message, cause: error })
  if (error.reason._tag === "LockTimeoutError")
    return new TableOutputError({ table: name, isRefusal: true, message: inUse(name), cause: error })
  const cause = error.reason.cause instanceof Error ? error.reason.cause.message : ""
  const reason = cause === "" || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`
  return new TableOutputError({
    table: name,
    isRefusal: false,
    message: `cannot write ${name}: ${reason}`,
    cause: error
  })
}
