/**
 * Serves the status of the harvests of a database to the explorer, without the paths and addresses of their outputs.
 */
import { Explorer, type HarvestView } from "@chemstream/explorer"
import type { ServiceRoute } from "@chemstream/service"
import { Harvest } from "@chemstream/workflow"
import { Context, Effect, Layer, type Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import type { CommandFailure } from "../CommandFailure.ts"
import * as harvestDatabase from "../harvest/harvestDatabase.ts"

/** The largest number of harvests in a response. The newest come first. */
const mostHarvests = 50

/** Returns the route over the database of a flag. The database stays open until the scope closes. */
export const route = (
  database: string | undefined
): Effect.Effect<ServiceRoute.ServiceRoute, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const sql = Context.get(
      yield* Layer.build(harvestDatabase.layer(database, { option: "--harvests" })),
      SqlClient.SqlClient
    )
    return {
      method: "GET",
      path: Explorer.harvestsPath,
      access: "key",
      handle: Effect.gen(function* () {
        const harvests = yield* Harvest.list
        return HttpServerResponse.jsonUnsafe(yield* Effect.forEach(harvests.slice(0, mostHarvests), viewOf))
      }).pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.orDie)
    }
  })

const viewOf = ({ name }: Harvest.Summary) =>
  Effect.map(Harvest.status(name), (status): HarvestView.HarvestView => {
    const { chunks, chunksDone, eta, failures, identifiers, rate, reason, source, startedAt, state, tally } =
      status
    const workers = status.workers.map(({ chunks, name, rate }) => ({ name, chunks, rate }))
    const { duplicates, failed, found, invalid, missing, read } = tally
    return {
      ...{ name, state, source, identifiers, chunks, chunksDone, rate, startedAt, workers, failures },
      ...{ reason: reason ?? null, secondsLeft: eta ?? null, working: status.working },
      tally: { read, found, missing, failed, duplicates, invalid }
    }
  })
