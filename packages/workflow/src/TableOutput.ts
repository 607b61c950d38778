/**
 * Writes records and outcomes to tables of DuckDB, SQLite or Postgres (`TableTarget`). The run can be stopped at any
 * moment.
 *
 * `TABLE` has a row for each record, with the columns of the contract. `TABLE_outcomes` has a row for each outcome
 * of the last run. `TABLE_run` holds the state of the run until its end, with the responses that it could
 * not use yet. One transaction writes rows and state, so the tables always match the state. `Checkpoint` decides when to
 * save, and uses this module as its `Position`.
 */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { Quote } from "@chemstream/api"
import { Options as Declared } from "@chemstream/client"
import type { RawRecord, Table } from "@chemstream/ndjson"
import type { OutcomeRow } from "@chemstream/stream"
import type { Checkpoint } from "@chemstream/stream/node"
import { Clock, Data, Effect, Scope } from "effect"
import type { SqlError } from "effect/sql"
import { sqlErrorText } from "./internal/database/sqlErrorText.ts"
import { transactionWithoutLimit } from "./internal/database/transaction.ts"
import * as duckdbTables from "./internal/tables/duckdbTables.ts"
import * as PendingRows from "./internal/tables/pendingRows.ts"
import * as postgresTables from "./internal/tables/postgresTables.ts"
import * as runState from "./internal/tables/runState.ts"
import * as runTables from "./internal/tables/runTables.ts"
import * as sqliteTables from "./internal/tables/sqliteTables.ts"
import { create, createSchema, type TableDatabase } from "./internal/tables/tableDatabase.ts"
import * as TableTarget from "./TableTarget.ts"

/** The largest size of the pending records, in bytes. */
export const maxPendingBytes: number = 8 * 1024 * 1024

/**
 * A table could not be written. `isRefusal` is true if nothing was written, e.g. because the table has another shape.
 */
export class TableOutputError extends Data.TaggedError("TableOutputError")<{
  readonly table: string
  readonly isRefusal: boolean
  readonly message: string
  readonly cause?: unknown
}> {}

/** The tables and their columns. */
export interface Options {
  readonly target: TableTarget.TableTarget
  /** The columns of the records. All other fields of a record go to the column `other_fields`. */
  readonly columns: ReadonlyArray<Table.Column>
  /** The columns that identify a record. Default: the identifier and the number of the record. */
  readonly primaryKey?: ReadonlyArray<string> | undefined
  /** Whether each line of the input has its own rows, even if it repeats an identifier. Default: false. */
  readonly perLine?: boolean | undefined
  /** With `perLine`: whether each line has one record, so that no column has the number of the record. Default: false. */
  readonly isSingle?: boolean | undefined
  /**
   * Whether the outcomes of an earlier run stay, e.g. if this run retries its failed identifiers. Outcomes with the
   * same line and identifier are replaced. Default: a new run replaces all outcomes.
   */
  readonly amends?: boolean | undefined
  /**
   * What a complete run does with records of identifiers that it has requested and not found: `keep` them, `mark` them
   * with the time in the column `gone_at`, or `delete` them. A run that `amends` can only keep them, because the
   * outcomes include those of the earlier run. Default: `keep`.
   */
  readonly stale?: TableTarget.Stale | undefined
}

const optionSet = /* @__PURE__ */ Declared.set<Options>()({
  target: Declared.required(TableTarget.kind),
  columns: Declared.required(Declared.list(Declared.objectWith("a column", { name: Declared.text }))),
  primaryKey: Declared.list(Declared.text),
  perLine: Declared.flag,
  isSingle: Declared.flag,
  amends: Declared.flag,
  stale: Declared.oneOf(TableTarget.stales)
})

/** An outcome and its records. */
export interface Entry {
  readonly outcome: OutcomeRow.OutcomeRow
  readonly records: ReadonlyArray<RawRecord.RawRecord>
}

/** Open tables. */
export interface TableOutput {
  /** The name in messages. It holds no password. */
  readonly name: string
  /** Adds rows. They are written when `position` is replaced. */
  readonly add: (entry: Entry) => Effect.Effect<void, TableOutputError>
  /** Whether the table of records exists already. */
  readonly isKnown: boolean
  /** The fields whose columns have another name, because no column can have theirs. */
  readonly renamed: ReadonlyArray<{ readonly field: string; readonly column: string }>
  /** Whether the pending rows have reached `maxPendingBytes`. The run should then be saved. */
  readonly isFull: () => boolean
  /** The state of the run in the same database. */
  readonly position: Checkpoint.Position<TableOutputError>
  /** The number of records of identifiers that the last run did not request. They are not refreshed. */
  readonly unrequested: Effect.Effect<number, TableOutputError>
  /** The responses that are not in the tables yet, because an earlier value is not settled. Each is a text. */
  readonly responses: {
    /** Reads those of the earlier run, after its state. */
    readonly read: Effect.Effect<ReadonlyArray<string>, TableOutputError>
    /** Replaces them when `position` is replaced. The end of the run removes them. */
    readonly replace: (responses: ReadonlyArray<string>) => void
  }
}

/**
 * Opens the tables of a run until the scope closes. Refuses tables of another shape, and names the difference. The
 * first save creates the tables, and the file if it does not exist.
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
    const { target } = Declared.refuse(optionSet, options)
    const name = TableTarget.nameOf(target)
    const asError = asTableOutputError(name)
    if (target._tag === "Duckdb") yield* asError(duckdbTables.load)
    const exists = target._tag === "Postgres" || existsSync(target.file)
    if (!exists && !existsSync(dirname(target.file)))
      return yield* refuse(name, `cannot write ${name}: there is no folder ${dirname(target.file)}`)
    const database = yield* openOnce(asError(openDatabase(target)))
    const stale = options.stale ?? "keep"
    const layoutOf = ({ columns, marked }: { columns: Options["columns"]; marked: boolean }) =>
      runTables.make({
        ...options,
        columns,
        table: target.table,
        marked,
        longestName: longestName[target._tag]
      })
    const known = exists
      ? yield* Effect.flatMap(database, (opened) => asError(adoptTable(options, stale, opened, layoutOf)))
      : undefined
    const layout = layoutOf(known ?? { columns: options.columns, marked: stale === "mark" })
    if (exists) yield* checkShapes(yield* database, layout, name)
    const isKnown = known !== undefined
    if (stale !== "keep" && options.amends === true)
      return yield* refuse(
        name,
        `cannot ${stale} records in ${name} that the service no longer has: a retry requests only some values. Omit --stale`
      )
    if (stale !== "keep" && runTables.requestedColumn(layout) === undefined)
      return yield* refuse(
        name,
        `cannot ${stale} records in ${name} that the service no longer has: their key is ${layout.records.key.join(", ")}, not the requested value. Omit --stale`
      )
    const writer = writerOf(options, { database, exists, isKnown, layout })
    const renamed = layout.recordColumns.filter((field) => field.column !== field.name)
    return {
      ...writer,
      renamed: renamed.map(({ column, name: field }) => ({ field, column })),
      unrequested: Effect.flatMap(database, (opened) => asError(runTables.countUnrequested(opened, layout)))
    }
  })

/**
 * Adds the column `gone_at` to an existing table if records are marked. Returns the columns of the records, with the types
 * of the table if they allow them, and whether the table has the mark. Records may have a field of the same name, as those
 * of a mirror.
 */
const adoptTable = (
  { columns, target }: Options,
  stale: TableTarget.Stale,
  database: TableDatabase,
  layoutOf: (table: { columns: Options["columns"]; marked: boolean }) => runTables.RunTables
) =>
  Effect.gen(function* () {
    const { sql, types } = database
    const shape = yield* database.shapeOf(target.table)
    if (shape === undefined) return undefined
    const { name, type } = runTables.goneAt
    const marked =
      stale === "mark" || (shape.columns.has(name) && !columns.some((column) => column.name === name))
    if (stale === "mark" && !shape.columns.has(name))
      yield* sql`ALTER TABLE ${database.table(target.table)} ADD COLUMN ${sql(name)} ${sql.literal(types[type])}`
    const { recordColumns } = layoutOf({ columns, marked })
    return { columns: recordColumns.map((column) => runTables.adoptType(database, column, shape)), marked }
  })

/** The longest name of a column that is not cut, in bytes, with room for a number after it. */
const longestName: Partial<Record<TableTarget.TableTarget["_tag"], number>> = { Postgres: 58 }

/** Opens a database at its first use. It closes with the scope. */
const openOnce = (
  opening: Effect.Effect<TableDatabase, TableOutputError, Scope.Scope>
): Effect.Effect<Effect.Effect<TableDatabase, TableOutputError>, never, Scope.Scope> =>
  Effect.map(Scope.Scope, (scope) => {
    let database: TableDatabase | undefined
    return Effect.gen(function* () {
      database ??= yield* Scope.provide(opening, scope)
      return database
    })
  })

/** Refuses tables of another shape, and upgrades those of an earlier release. */
const checkShapes = (
  database: TableDatabase,
  layout: runTables.RunTables,
  name: string
): Effect.Effect<void, TableOutputError> =>
  Effect.gen(function* () {
    const asError = asTableOutputError(name)
    const transact = <A>(body: Effect.Effect<A, SqlError.SqlError>) =>
      asError(transactionWithoutLimit(database.sql, body))
    yield* transact(runTables.upgradeScalars(database, layout))
    for (const definition of [layout.records, layout.outcomes]) {
      const shape = yield* asError(database.shapeOf(definition.name))
      if (shape === undefined) continue
      const difference = yield* transact(runTables.upgradedDifference(database, definition, shape))
      if (difference !== undefined)
        return yield* refuse(name, runTables.shapeMessage(name, definition, difference))
    }
  })

/** Collects rows, and writes them with the state of the run in one transaction. */
const writerOf = (
  { amends = false, stale = "keep", target }: Options,
  {
    database,
    exists,
    isKnown,
    layout
  }: {
    readonly database: Effect.Effect<TableDatabase, TableOutputError>
    readonly exists: boolean
    readonly isKnown: boolean
    readonly layout: runTables.RunTables
  }
): Omit<TableOutput, "renamed" | "unrequested"> => {
  const name = TableTarget.nameOf(target)
  const asError = asTableOutputError(name)
  const run = runState.make(layout.run)
  const pending = PendingRows.make(layout)
  // A run that is discarded writes nothing before it removes its state.
  let hasWritten = false
  const retire = (known: TableDatabase) =>
    stale === "keep" || !hasWritten
      ? Effect.void
      : Effect.flatMap(Clock.currentTimeMillis, (at) =>
          runTables.retire(known, layout, stale, new Date(at).toISOString())
        )
  return {
    name,
    isKnown,
    add: (entry) => Effect.mapError(Effect.fromResult(pending.add(entry)), rowFailure(name, entry)),
    isFull: () => pending.bytes() >= maxPendingBytes,
    position: {
      name,
      isOutput: true,
      read: exists ? Effect.flatMap(database, (known) => asError(run.read(known))) : Effect.undefined,
      replace: (state) =>
        Effect.gen(function* () {
          const known = yield* database
          const { outcomes, records } = pending.rows(known.accepts)
          yield* whileOwner(
            known,
            name,
            Effect.gen(function* () {
              yield* createTables(known, layout, target)
              if (!(yield* run.replace(known, state))) return false
              if (run.isNew() && !amends) yield* known.sql`DELETE FROM ${known.table(layout.outcomes.name)}`
              yield* known.insert(layout.records, records, "replace")
              yield* known.insert(layout.outcomes, outcomes, "replace")
              return true
            })
          )
          run.confirm()
          hasWritten = true
          pending.clear()
        }),
      remove: Effect.gen(function* () {
        const known = yield* database
        yield* whileOwner(
          known,
          name,
          Effect.gen(function* () {
            if (!(yield* run.remove(known))) return false
            yield* Effect.andThen(runTables.trim(known, layout), retire(known))
            return true
          })
        )
      })
    },
    responses: {
      read: exists
        ? Effect.flatMap(database, (known) => asError(run.readResponses(known)))
        : Effect.succeed([]),
      replace: run.setResponses
    }
  }
}

const rowFailure =
  (name: string, { outcome: { id, line } }: Entry) =>
  (reason: string): TableOutputError =>
    new TableOutputError({
      table: name,
      isRefusal: false,
      message: `cannot write to ${name}: line ${line} (${Quote.value(id)}): ${reason}`
    })

/** Runs a transaction. Fails if it returns that another run owns the table, so that it changed nothing. */
const whileOwner = (database: TableDatabase, name: string, body: Effect.Effect<boolean, SqlError.SqlError>) =>
  asTableOutputError(name)(transactionWithoutLimit(database.sql, body)).pipe(
    Effect.flatMap((isOwn) => (isOwn ? Effect.void : refuse(name, inUse(name))))
  )

const refuse = (name: string, message: string) =>
  Effect.fail(new TableOutputError({ table: name, isRefusal: true, message }))

const asTableOutputError =
  (name: string) =>
  <A, E extends OpenError, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.mapError(effect, (error) => tableOutputError(name, error))

const inUse = (name: string): string =>
  `another run or program is using ${name}: wait until it has ended, or stop it`

type OpenError = SqlError.SqlError | duckdbTables.MissingDuckdb | postgresTables.SharedSessions

const openDatabase = (
  target: TableTarget.TableTarget
): Effect.Effect<TableDatabase, OpenError, Scope.Scope> => {
  switch (target._tag) {
    case "Duckdb":
      return duckdbTables.open(target.file)
    case "Sqlite":
      return sqliteTables.open(target.file)
    case "Postgres":
      return postgresTables.open(target.url, target.schema, target.table)
  }
}

/** Creates the tables that do not exist. */
const createTables = (
  database: TableDatabase,
  layout: runTables.RunTables,
  target: TableTarget.TableTarget
) =>
  Effect.gen(function* () {
    const { sql } = database
    if (target._tag === "Postgres" && target.schema !== undefined) yield* createSchema(sql, target.schema)
    for (const definition of [layout.records, layout.outcomes, layout.run])
      if ((yield* database.shapeOf(definition.name)) === undefined) yield* create(database, definition)
  })

const tableOutputError = (name: string, error: OpenError): TableOutputError => {
  const refusal = (message: string) =>
    new TableOutputError({ table: name, isRefusal: true, message, cause: error })
  if (error._tag === "MissingDuckdb") return refusal(error.message)
  if (error._tag === "SharedSessions") return refusal(`cannot write ${name}: ${error.message}`)
  if (error.reason._tag === "LockTimeoutError") return refusal(inUse(name))
  return new TableOutputError({
    table: name,
    isRefusal: false,
    message: `cannot write ${name}: ${sqlErrorText(error)}`,
    cause: error
  })
}
