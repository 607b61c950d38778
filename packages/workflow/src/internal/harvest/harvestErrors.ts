/** The errors of harvests: an unknown name, a different harvest, a different service. `getRow` fails with the first. */
import { Quote } from "@chemstream/api"
import { Options } from "@chemstream/client"
import { Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as harvestRow from "./harvestRow.ts"

/** There is no harvest of this name. */
export class UnknownHarvest extends Schema.TaggedError<UnknownHarvest>()("UnknownHarvest", {
  name: Schema.String,
  message: Schema.String
}) {}

/**
 * A different harvest of this name exists, or an unfinished one has the same output. `difference` names the setting, the
 * message both values.
 */
export class HarvestMismatch extends Schema.TaggedError<HarvestMismatch>()("HarvestMismatch", {
  name: Schema.String,
  difference: Schema.Literals(["source", "settings", "service", "dialect", "output", "concurrent start"]),
  message: Schema.String
}) {}

/**
 * Another unfinished harvest of the database uses another service or dialect.
 *
 * All unfinished harvests of a database use one service and dialect: those of the workers' clients.
 */
export class ServiceMismatch extends Schema.TaggedError<ServiceMismatch>()("ServiceMismatch", {
  /** The unfinished harvest. */
  name: Schema.String,
  /** Its address or dialect. */
  service: Schema.String,
  message: Schema.String
}) {}

/** Returns the row of a harvest. Fails with `UnknownHarvest`. */
export const getRow = (
  name: string
): Effect.Effect<harvestRow.Row, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(harvestRow.byName(Options.argument("name", Options.text, name)), (row) =>
    Option.isSome(row)
      ? Effect.succeed(row.value)
      : new UnknownHarvest({
          name,
          message: `there is no harvest ${Quote.value(name)} in this database. List the harvests to see their names`
        })
  )
