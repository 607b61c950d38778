/**
 * Opens sources whose columns have names and types already: Parquet and Arrow files, and tables of SQLite, DuckDB and Postgres.
 *
 * `openSource.ts` reads text and workbooks.
 */
import { type Table, TypedTable } from "@chemstream/ndjson"
import { TableTarget } from "@chemstream/workflow"
import { Effect, type Scope, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as SourceBytes from "./sourceBytes.ts"

/** The columns and rows of a source. Columns of a database have its types. */
export interface Records {
  readonly columns: ReadonlyArray<Table.ExpectedColumn>
  readonly rows: Stream.Stream<TypedTable.Values, CommandFailure>
}

/** Opens a table of a database. `typeOf` is that of `TableInput.open`. Undefined: the name is not one of a database. */
export const ofDatabase = (
  name: string,
  typeOf?: (name: string) => Table.ColumnType | undefined
): Effect.Effect<Records | undefined, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    if (!TableTarget.isTarget(name)) return undefined
    // Loaded on demand: most inputs are no databases.
    const { TableInput } = yield* Effect.promise(() => import("@chemstream/workflow"))
    const isNamed = name.includes("#")
    const target = yield* Effect.fromResult(
      TableTarget.parse(isNamed ? name : `${name}#_`, process.env, true)
    )
    // Without a name, the error names the tables.
    const { columns, rows } = yield* TableInput.open(isNamed ? target : { ...target, table: "" }, typeOf)
    return { columns, rows: Stream.mapError(rows, ({ message }) => usageFailure(message)) }
  }).pipe(Effect.mapError(({ message }) => usageFailure(message)))

/** Opens a Parquet or Arrow file by its first bytes. Undefined: it is neither. */
export const ofFile = (
  name: string,
  head: Uint8Array | undefined,
  bytes: SourceBytes.Bytes
): Effect.Effect<Records | undefined, CommandFailure> =>
  Effect.gen(function* () {
    if (head === undefined || !TypedTable.is(head)) return undefined
    const { columns, rows } = yield* Effect.mapError(
      TypedTable.read(yield* SourceBytes.all(bytes)),
      ({ message }) => usageFailure(`cannot read ${name}: ${message}`)
    )
    return { columns: columns.map((column) => ({ name: column })), rows: Stream.fromIterable(rows) }
  })
