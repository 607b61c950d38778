/**
 * Stores the state of a run (the text of its checkpoint) beside its rows, with the run that owns the table. If a second run takes over the table,
 * the next transaction of the first run finds another owner and is rolled back.
 *
 * Row 1 is the state. The rows after it are the responses that a stopped run could not use yet.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Definition, TableDatabase } from "./tableDatabase.ts"

/** The state of one run. */
export interface RunState {
  readonly read: (database: TableDatabase) => Effect.Effect<string | undefined, SqlError.SqlError>
  /** Reads the responses that belong to the state. */
  readonly readResponses: (database: TableDatabase) => Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
  /** Whether no state of this run was read or committed yet. */
  readonly isNew: () => boolean
  /** Sets the responses that the next `replace` writes. */
  readonly setResponses: (responses: ReadonlyArray<string>) => void
  /**
   * Replaces the state, and the responses that were set, within the caller's transaction. Returns whether this run still
   * owns the table.
   */
  readonly replace: (database: TableDatabase, state: string) => Effect.Effect<boolean, SqlError.SqlError>
  /** Records that the transaction was committed. */
  readonly confirm: () => void
  /** Removes the state within the caller's transaction. Returns whether this run still owns the table. */
  readonly remove: (database: TableDatabase) => Effect.Effect<boolean, SqlError.SqlError>
}

/** Makes the access to the state of one run. */
export const make = (definition: Definition): RunState => {
  const { name } = definition
  const owner = randomUUID()
  // The owner of the last state read. This run may replace only that state.
  let lastOwner: string | undefined
  let responses: ReadonlyArray<string> | undefined
  return {
    read: ({ shapeOf, sql, table }) =>
      Effect.gen(function* () {
        if ((yield* shapeOf(name)) === undefined) return undefined
        const [row] = yield* sql<{ owner: string; state: string }>`
          SELECT owner, state FROM ${table(name)} WHERE number = 1`
        lastOwner = row?.owner
        return row?.state
      }),
    readResponses: ({ sql, table }) =>
      lastOwner === undefined
        ? Effect.succeed([])
        : Effect.map(
            sql<{ state: string }>`SELECT state FROM ${table(name)} WHERE number > 1 ORDER BY number`,
            (rows) => rows.map(({ state }) => state)
          ),
    setResponses: (texts) => {
      responses = texts
    },
    isNew: () => lastOwner === undefined,
    replace: (database, state) =>
      Effect.gen(function* () {
        const { sql, table } = database
        const changed =
          lastOwner === undefined
            ? yield* sql`INSERT INTO ${table(name)} (number, owner, state) VALUES (1, ${owner}, ${state})
                ON CONFLICT (number) DO NOTHING RETURNING number`
            : yield* sql`UPDATE ${table(name)} SET owner = ${owner}, state = ${state}
                WHERE number = 1 AND owner = ${lastOwner} RETURNING number`
        if (changed.length === 0) return false
        if (responses !== undefined) {
          yield* sql`DELETE FROM ${table(name)} WHERE number > 1`
          const rows = responses.map((response, at) => [BigInt(at + 2), owner, response])
          yield* database.insert(definition, rows, "replace")
        }
        return true
      }),
    confirm: () => {
      lastOwner = owner
      responses = undefined
    },
    remove: ({ shapeOf, sql, table }) =>
      Effect.gen(function* () {
        if ((yield* shapeOf(name)) === undefined) return lastOwner === undefined
        const [row] = yield* sql<{ owner: string }>`SELECT owner FROM ${table(name)} WHERE number = 1`
        if (row?.owner !== lastOwner) return false
        yield* sql`DROP TABLE ${table(name)}`
        lastOwner = undefined
        return true
      })
  }
}
