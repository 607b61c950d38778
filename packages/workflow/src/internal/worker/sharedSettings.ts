/**
 * Reads the settings that all workers of a database share: the lease and the rate. A worker that starts takes those of
 * the live workers, or is refused if it was given others.
 */
import { InvalidOption } from "@chemstream/client"
import { Duration, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { databaseTime } from "../database/databaseTime.ts"
import { releaseDeadOfMachine } from "./deadWorkers.ts"

/** The shared settings of a live worker. */
export interface Peer {
  readonly name: string
  readonly lease: Duration.Duration
  /** Requests per second. Infinity: no limit. Undefined: not recorded. */
  readonly rate: number | undefined
}

/** Returns the settings of the live worker that started first. Undefined: no worker runs. */
export const firstPeer: Effect.Effect<Peer | undefined, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    yield* releaseDeadOfMachine(sql)
    const now = yield* databaseTime(sql)
    const [row] = yield* sql<{ name: string; lease: unknown; rate: string | null }>`
      SELECT name, lease, rate FROM chemstream_workers
      WHERE seen_at > ${now} - lease AND seen_at < ${now} + lease ORDER BY started_at, name`
    return row === undefined
      ? undefined
      : {
          name: row.name,
          lease: Duration.millis(Number(row.lease)),
          rate: row.rate === null ? undefined : Number(row.rate)
        }
  }
)

/** Fails if an option differs from the setting of the live workers. */
export const refuseOthers = (
  peer: Peer,
  { lease, rate }: { readonly lease?: Duration.Input | undefined; readonly rate?: number | undefined }
): Effect.Effect<void, InvalidOption.InvalidOption> => {
  const differs = (option: string, given: string, theirs: string) =>
    new InvalidOption.InvalidOption({
      option,
      value: given,
      wanted: `${theirs}, as the running worker ${peer.name} has, or stop the running workers`
    })
  const asked = lease === undefined ? undefined : Duration.fromInputUnsafe(lease)
  if (asked !== undefined && Duration.toMillis(asked) !== Duration.toMillis(peer.lease))
    return differs("lease", Duration.format(asked), Duration.format(peer.lease))
  if (rate !== undefined && peer.rate !== undefined && rate !== peer.rate)
    return differs("rate", rateText(rate), rateText(peer.rate))
  return Effect.void
}

const rateText = (rate: number): string => (Number.isFinite(rate) ? `${rate} per second` : "no limit")
