/** Opens tables in a SQLite file. */
import { Array as Arr, Effect, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlError } from "effect/sql"
import * as SqliteClient from "../../sqlite/SqliteClient.ts"
import { columnsOf, onConflict, type TableDatabase, toShape } from "./tableDatabase.ts"

/** Far below SQLite's limit of 32,766 values, and fast to parse. A table of SQLite has at most 2000 columns. */
const valuesPerInsert = 8000

/** The type of text, JSON and times. Another type would make a number of a JSON text that looks like one. */
const text = "TEXT"

/** Opens a file, and creates it if it does not exist and is not only read. */
export const open = (
  file: string,
  isReadOnly = false
): Effect.Effect<TableDatabase, SqlError.SqlError, Scope.Scope> =>
  Effect.map(
    Effect.provide(SqliteClient.make({ file, isReadOnly }), Reactivity.layer),
    (sql): TableDatabase => {
      const table = (name: string) => sql(name)
      return {
        sql,
        types: { text, integer: "INTEGER", number: "REAL", boolean: "BOOLEAN", json: text, time: text },
        accepts: () => true,
        table,
        shapeOf: (name) =>
          Effect.map(
            sql<{ name: string; type: string; key: unknown }>`
            SELECT name, type, pk AS "key" FROM pragma_table_info(${name})`,
            toShape
          ),
        // JSON was stored as text, too.
        scalarsToText: (name, column) =>
          sql`UPDATE ${table(name)} SET ${sql(column)} = ${sql(column)} ->> '$'
          WHERE ${sql(column)} LIKE '"%' AND json_valid(${sql(column)})`,
        insert: (definition, rows, conflict) =>
          Effect.forEach(
            Arr.chunksOf(rows, Math.floor(valuesPerInsert / definition.columns.length)),
            (part) => {
              const columns = columnsOf(sql, definition)
              const values = sql.csv(part.map((row) => sql`(${sql.csv(row.map((value) => sql`${value}`))})`))
              return sql`INSERT INTO ${table(definition.name)} (${columns}) VALUES ${values} ${onConflict(sql, definition, conflict)}`
            },
            { discard: true }
          )
      }
    }
  )
