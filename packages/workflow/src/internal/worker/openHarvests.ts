/**
 * Opens harvests for a worker: their sinks and their requests.
 *
 * A harvest is opened for its first chunk, and closed when no chunk has used it for a while.
 */
import { hostname } from "node:os"
import { ChemClient } from "@chemstream/client"
import { Effect, type FileSystem, type Path, RcMap, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Fetch from "../../Fetch.ts"
import type * as Sink from "../../Sink.ts"
import { SinkError } from "../../Sink.ts"
import * as Sinks from "../../Sinks.ts"
import { ServiceMismatch } from "../harvest/harvestErrors.ts"
import { recordClaim } from "../harvest/harvestStateChanges.ts"
import { countRecorded } from "../harvest/progress.ts"
import * as serviceAndDialect from "../harvest/serviceAndDialect.ts"
import { identityOf } from "../harvest/sinkIdentity.ts"
import { columnsOf, placeOf } from "../sinks/recordedSink.ts"
import { HarvestEnded } from "./chunkFailure.ts"
import { type ChunkRequest, chunkRequest } from "./chunkRequest.ts"
import { type RunnableHarvest, UnfinishedHarvests } from "./unfinishedHarvests.ts"

/** A harvest that this worker has open. */
export interface OpenHarvest {
  readonly row: RunnableHarvest
  readonly sink: Sink.Sink
  readonly request: ChunkRequest
}

type Failure = Sink.SinkError | SqlError.SqlError | ServiceMismatch | HarvestEnded

type Services = ChemClient.ChemClient | SqlClient.SqlClient | FileSystem.FileSystem | Path.Path

/**
 * Runs with an open harvest. After a failure that a retry cannot fix, the next run opens it again, e.g. to create a
 * table that was dropped.
 */
export type UseHarvest = <A, E, R>(
  harvest: string,
  use: (opened: OpenHarvest) => Effect.Effect<A, E, R>
) => Effect.Effect<A, E | Failure, R>

/** Makes the function that opens harvests for the worker of this name. */
export const make = (
  worker: string
): Effect.Effect<UseHarvest, never, UnfinishedHarvests | Services | Scope.Scope> =>
  Effect.gen(function* () {
    const harvests = yield* UnfinishedHarvests
    const { availability, baseUrl, dialect } = yield* ChemClient.ChemClient
    const services = yield* Effect.context<Services>()
    const own = yield* Fetch.Lookups
    const opened = yield* RcMap.make({
      lookup: (id: string): Effect.Effect<OpenHarvest, Failure, Scope.Scope> =>
        Effect.gen(function* () {
          const row = yield* harvests.row(id)
          if (row === undefined) return yield* Effect.fail(new HarvestEnded())
          const other = serviceAndDialect.targetDifference(row, { service: baseUrl, dialect })
          if (other !== undefined) {
            const [before, now] = [other.before, other.now].map((value) =>
              serviceAndDialect.targetName(other.difference, value)
            )
            return yield* new ServiceMismatch({
              name: row.name,
              service: other.before,
              message: `it uses ${before}, and the worker ${worker} uses ${now}. Stop that worker, then resume`
            })
          }
          // The service has responded to another worker, or to an earlier one.
          if ((yield* countRecorded(id)) > 0) availability.recordResponse()
          const sink = yield* Sinks.open(row.definition.sink, {
            ...identityOf(row),
            columns: columnsOf(row.definition.fetch, own, dialect)
          })
          if (sink.claim !== undefined && (yield* recordClaim(id, sink.claim)) !== sink.claim)
            return yield* movedSink(row, worker)
          return { row, sink, request: chunkRequest(row.definition, own) }
        }).pipe(Effect.provideContext(services)),
      idleTimeToLive: "10 seconds"
    })
    return (harvest, use) => {
      const forget = RcMap.invalidate(opened, harvest)
      return RcMap.get(opened, harvest).pipe(
        Effect.tapError(() => forget),
        Effect.flatMap((found) =>
          Effect.tapError(use(found), (error) => (isPermanent(error) ? forget : Effect.void))
        ),
        Effect.scoped
      )
    }
  })

const isPermanent = (error: unknown): boolean => error instanceof SinkError && !error.retryable

/** The path of the sink leads to another folder or file than the first worker found. */
const movedSink = ({ definition: { sink } }: RunnableHarvest, worker: string): Sink.SinkError => {
  const path = placeOf(sink) ?? sink._tag
  return new SinkError({
    sink: path,
    operation: "open",
    retryable: false,
    message: `${path} leads the worker ${worker} on ${hostname()} to another place than this harvest began in. Run workers where the path leads to the same files, or write to a Postgres database`
  })
}
