/**
 * The state of a run in the database that its rows are in, and whose run it is: of two that write the same tables, the first
 * finds out with its next transaction, and nothing of that transaction stays.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Definition, Engine } from "./engine.ts"

/** The state of one run. */
export interface RunTable {
  readonly read: (engine: Engine) => Effect.Effect<string | undefined, SqlError.SqlError>
  /** Keeps another state, if the transaction that this is part of is committed. Gives whether the table is still this run's. */
  readonly replace: (engine: Engine, state: string) => Effect.Effect<boolean, SqlError.SqlError>
  /** Notes that the transaction was committed. */
  readonly confirm: () => void
  readonly remove: (engine: Engine) => Effect.Effect<void, SqlError.SqlError>
}

/** Makes the access to the state of a run. */
export const make = ({ name }: Definition): RunTable => {
  const owner = randomUUID()
  // Whose state was read: the one that this run may replace.
  let lastOwner: string | undefined
  return {
    read: ({ shapeOf, sql, table }) =>
      Effect.gen(function* () {
        if ((yield* shapeOf(name)) === undefined) return undefined
        const [row] = yield* sql<{ owner: string; state: string }>`SELECT owner, state FROM ${table(name)}`
        lastOwner = row?.owner
        return row?.state
      }),
    replace: ({ sql, table }, state) =>
      Effect.gen(function* () {
        const changed =
          lastOwner === undefined
            ? yield* sql`INSERT INTO ${table(name)} (number, owner, state) VALUES (1, ${owner}, ${state})
                ON CONFLICT (number) DO NOTHING RETURNING number`
            : yield* sql`UPDATE ${table(name)} SET owner = ${owner}, state = ${state}
                WHERE owner = ${lastOwner} RETURNING number`
        return changed.length > 0
      }),
    confirm: () => {
      lastOwner = owner
    },
    remove: ({ shapeOf, sql, table }) =>
      Effect.gen(function* () {
        if ((yield* shapeOf(name)) !== undefined) yield* sql`DROP TABLE ${table(name)}`
        lastOwner = undefined
      })
  }
}
