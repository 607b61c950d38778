/**
 * What fails about harvests as such: no harvest of a name, another one, another service.
 */
import { Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as definition from "./definition.ts"

/** There is no harvest of this name. */
export class UnknownHarvest extends Schema.TaggedError<UnknownHarvest>()("UnknownHarvest", {
  name: Schema.String,
  message: Schema.String
}) {}

/** A harvest of this name is there, and is another: `difference` says in what, and the message names both values. */
export class HarvestMismatch extends Schema.TaggedError<HarvestMismatch>()("HarvestMismatch", {
  name: Schema.String,
  difference: Schema.Literals(["source", "settings", "service", "dialect", "concurrent start"]),
  message: Schema.String
}) {}

/**
 * Another harvest of the database has not ended, and asks another service or in another dialect. All of a database ask alike:
 * a worker asks where its client does.
 */
export class ServiceMismatch extends Schema.TaggedError<ServiceMismatch>()("ServiceMismatch", {
  /** The harvest that has not ended. */
  name: Schema.String,
  /** The address or the dialect that it asks. */
  service: Schema.String,
  message: Schema.String
}) {}

/** The row of a harvest. */
export const existing = (
  name: string
): Effect.Effect<definition.Row, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(definition.byName(name), (row) =>
    Option.isSome(row)
      ? Effect.succeed(row.value)
      : Effect.fail(
          new UnknownHarvest({
            name,
            message: `there is no harvest ${JSON.stringify(name)} in this database; list says which there are`
          })
        )
  )
