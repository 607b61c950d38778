/**
 * Stores the state of a run beside its rows, with the run that owns the table. If a second run takes over the table,
 * the next transaction of the first run finds another owner and is rolled back.
 */
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Definition, Engine } from "./engine.ts"

/** The state of one run. */
export interface RunTable {
  readonly read: (engine: Engine) => Effect.Effect<string | undefined, SqlError.SqlError>
  /** Whether no state of this run was read or committed yet. */
  readonly isNew: () => boolean
  /** Replaces the state within the caller's transaction. Returns whether this run still owns the table. */
  readonly replace: (engine: Engine, state: string) => Effect.Effect<boolean, SqlError.SqlError>
  /** Records that the transaction was committed. */
  readonly confirm: () => void
  readonly remove: (engine: Engine) => Effect.Effect<void, SqlError.SqlError>
}

/** Makes the access to the state of one run. */
export const make = ({ name }: Definition): RunTable => {
  const owner = randomUUID()
  // The owner of the last state read. This run may replace only that state.
  let lastOwner: string | undefined
  return {
    read: ({ shapeOf, sql, table }) =>
      Effect.gen(function* () {
        if ((yield* shapeOf(name)) === undefined) return undefined
        const [row] = yield* sql<{ owner: string; state: string }>`SELECT owner, state FROM ${table(name)}`
        lastOwner = row?.owner
        return row?.state
      }),
    isNew: () => lastOwner === undefined,
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
