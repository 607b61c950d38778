/**
 * Runs a worker in this process, with the options of `workerFlags.ts`. It takes the lease and the rate of workers that already run on the
 * same database, and says so.
 */
import { type Harvest, SharedRate, Worker } from "@chemstream/workflow"
import { Duration, Effect, type FileSystem, Layer, type Path } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type CommandFailure, runFailure, settingFailure } from "../CommandFailure.ts"
import * as clientFlags from "../flags/clientFlags.ts"
import * as RequestRate from "../flags/requestRate.ts"
import * as TimeFlag from "../flags/timeFlag.ts"
import * as Messages from "../terminal/messages.ts"
import * as harvestPlan from "./harvestPlan.ts"
import type { Flags } from "./workerFlags.ts"

/** Runs a worker until `work` finishes. Fails if the worker fails; the worker then gives back its shards. */
export const during = <A, E, R>(
  flags: Flags,
  work: Effect.Effect<A, E, R>,
  {
    onReady = () => {},
    logsWaits = false,
    quiet = false,
    workerName
  }: {
    /** Called when the worker has started, with an effect that returns whether it can work. */
    readonly onReady?: (isReady: Effect.Effect<boolean>) => void
    /** Whether to log why harvests wait or are paused. */
    readonly logsWaits?: boolean
    readonly quiet?: boolean
    readonly workerName?: string | undefined
  } = {}
): Effect.Effect<
  A,
  E | CommandFailure | Harvest.ServiceMismatch | Harvest.UnknownHarvest | SqlError.SqlError,
  R | FileSystem.FileSystem | Path.Path | SqlClient.SqlClient
> =>
  Effect.gen(function* () {
    const peer = yield* Worker.running
    const client = withRate(flags.client, peer?.rate)
    if (peer !== undefined) yield* reportShared(flags, peer)
    // A plan needs no key, and sends nothing.
    if (!quiet) yield* clientFlags.provide(client, { dryRun: true })(harvestPlan.announce)
    return yield* Effect.flatMap(Worker.Worker, ({ failure, isReady, logWaits }) => {
      onReady(isReady)
      return Effect.raceFirst(
        logsWaits ? Effect.raceFirst(work, logWaits) : work,
        Effect.mapError(failure, ({ message }) =>
          runFailure(`${message}. Its shards went to the other workers`)
        )
      )
    }).pipe(
      Effect.provide(
        Worker.layer({
          name: workerName,
          concurrency: flags.concurrency,
          lease: flags.lease,
          rate: client.rate && RequestRate.perSecond(client.rate),
          wait: flags.wait
        }).pipe(
          Layer.catchTag("InvalidOption", (error) =>
            Layer.effect(Worker.Worker, Effect.fail(settingFailure(error)))
          ),
          Layer.provide(clientFlags.layer(client).pipe(Layer.provide(SharedRate.layer)))
        )
      )
    )
  })

/** A worker that already runs on the database, if there is one. */
type Peer = Effect.Success<typeof Worker.running>

/** Takes the rate of the running workers, unless one is given. */
const withRate = (client: clientFlags.Settings, rate: number | undefined): clientFlags.Settings =>
  client.rate !== undefined || rate === undefined || !Number.isFinite(rate)
    ? client
    : { ...client, rate: { requests: rate, per: "1 second" } }

const reportShared = ({ client, lease }: Flags, peer: NonNullable<Peer>) =>
  Effect.sync(() => {
    const shared = [
      ...(lease === undefined &&
      Duration.toMillis(peer.lease) !== Duration.toMillis(Duration.fromInputUnsafe(Worker.defaultLease))
        ? [`--lease ${TimeFlag.toText(Duration.toMillis(peer.lease))}`]
        : []),
      ...(client.rate === undefined && peer.rate !== undefined ? [`--rate ${peer.rate}/s`] : [])
    ]
    if (shared.length > 0)
      Messages.say(`chemstream: uses ${shared.join(" and ")} of the running worker ${peer.name}\n`)
  })
