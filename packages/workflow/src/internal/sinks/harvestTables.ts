/**
 * Defines the tables of a harvest. `TABLE` and `TABLE_outcomes` are the same as for every run (`runTables.ts`).
 * `TABLE_surplus` has the records that belong to no identifier, `TABLE_chunks` the counts of each chunk, and
 * `TABLE_harvest` the harvest.
 */
import { randomUUID } from "node:crypto"
import type { Table } from "@chemstream/ndjson"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { countNames, type Identity, type SinkError } from "../../Sink.ts"
import { reading, transaction } from "../database/transaction.ts"
import * as runTables from "../tables/runTables.ts"
import { create, createSchema, type Definition, type TableDatabase } from "../tables/tableDatabase.ts"
import { occupiedSink, unusableSink } from "./sinkErrors.ts"

/** The definitions of the tables. */
export interface HarvestTables extends runTables.RunTables {
  readonly surplus: Definition
  readonly chunks: Definition
  readonly harvest: Definition
}

const integer = (name: string): Table.Column => ({ name, type: "integer" })
const text = (name: string): Table.Column => ({ name, type: "text" })

/** Makes the definitions. The key of a record includes its identifier, which leads to its chunk. */
export const define = (table: string, columns: ReadonlyArray<Table.Column>): HarvestTables => ({
  ...runTables.make({ table, columns, chunked: true }),
  surplus: {
    name: `${table}_surplus`,
    columns: [integer("chunk"), integer("n"), text("id"), text("reason"), { name: "record", type: "json" }],
    key: ["chunk", "n"]
  },
  chunks: {
    name: `${table}_chunks`,
    // `stored` is the number of rows of the chunk in the other tables.
    columns: ["chunk", "written_at", "stored", ...countNames].map(integer),
    key: ["chunk"]
  },
  harvest: {
    name: `${table}_harvest`,
    columns: [integer("number"), text("name"), text("source"), text("claim"), integer("chunks")],
    key: ["number"]
  }
})

/** The key of an advisory lock. Without the lock, two workers that create the same table would fail. */
const creationLock = 0x63686d73

/**
 * Creates the tables that do not exist, and records the harvest in them. Returns the mark of the tables. Fails if a
 * table has another shape or holds another harvest.
 */
export const claimTables = (
  database: TableDatabase,
  tables: HarvestTables,
  schema: string | undefined,
  name: string,
  identity: Identity
): Effect.Effect<string, SqlError.SqlError | SinkError> => {
  const { sql, table } = database
  return transaction(
    sql,
    Effect.gen(function* () {
      yield* sql.onDialectOrElse({
        pg: () => sql`SELECT pg_advisory_xact_lock(${creationLock})`,
        orElse: () => Effect.void
      })
      if (schema !== undefined) yield* createSchema(sql, schema)
      const { chunks, harvest, outcomes, records, surplus } = tables
      for (const definition of [records, outcomes, surplus, chunks, harvest]) {
        const shape = yield* database.shapeOf(definition.name)
        if (shape === undefined) {
          yield* create(database, definition)
          continue
        }
        const difference = yield* runTables.upgradedDifference(database, definition, shape)
        if (difference !== undefined)
          return yield* unusableSink(name, runTables.shapeMessage(name, definition, difference))
      }
      yield* sql`CREATE INDEX IF NOT EXISTS ${sql(`${outcomes.name}_chunk`)} ON ${table(outcomes.name)} (chunk)`
      // An identifier belongs to one chunk. An invalid text has a row for each of its lines.
      yield* sql`CREATE UNIQUE INDEX IF NOT EXISTS ${sql(`${outcomes.name}_id`)} ON ${table(outcomes.name)} (id)
        WHERE outcome <> 'invalid'`
      const own = { number: 1, name: identity.harvest, source: identity.source, claim: randomUUID() }
      yield* sql`INSERT INTO ${table(harvest.name)} ${sql.insert(own)} ON CONFLICT (number) DO NOTHING`
      const [holder = own] = yield* sql<typeof own>`SELECT name, source, claim FROM ${table(harvest.name)}`
      if (holder.name !== identity.harvest)
        return yield* occupiedSink(name, `the harvest "${holder.name}"`, "name another table")
      if (holder.source !== identity.source)
        return yield* occupiedSink(
          name,
          `the harvest "${holder.name}" of another source`,
          "give this harvest another name and another table"
        )
      return holder.claim
    })
  )
}

/** Returns the name of the harvest in the tables. Undefined without tables. Fails for a table with another key, e.g. that of a lookup. */
export const holderOf = (
  { shapeOf, sql, table }: TableDatabase,
  { harvest, records }: HarvestTables,
  name: string
): Effect.Effect<string | undefined, SqlError.SqlError | SinkError> =>
  Effect.gen(function* () {
    if ((yield* shapeOf(harvest.name)) === undefined) {
      const { key = records.key } = (yield* shapeOf(records.name)) ?? {}
      const difference = runTables.keyDifference(key, records)
      return difference === undefined
        ? undefined
        : yield* unusableSink(name, runTables.shapeMessage(name, records, difference))
    }
    const [row] = yield* reading(sql, sql<{ name: string }>`SELECT name FROM ${table(harvest.name)}`)
    return row?.name
  })
