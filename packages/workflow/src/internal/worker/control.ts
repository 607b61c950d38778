/**
 * Tracks the open harvests of a database for a worker, and whether they may continue.
 *
 * It polls twice a second, and reads at once after a change in this process. While the database does not respond,
 * the last state holds. Harvests that this worker cannot do, because a newer release has recorded them or it lacks
 * their lookup, are excluded and reported once.
 */
import { Context, type Duration, Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { explain } from "../../Database.ts"
import * as Fetch from "../../Fetch.ts"
import * as changes from "../harvest/changes.ts"
import * as definition from "../harvest/definition.ts"

/** An open harvest that this worker can do. */
export interface Harvested extends definition.Row {
  readonly definition: definition.Definition
}

/** The interval of polling. */
const interval: Duration.Input = "500 millis"

export class Control extends Context.Service<
  Control,
  {
    /** Waits while a harvest is paused. Returns whether it continues. */
    readonly mayGoOn: (id: string) => Effect.Effect<boolean>
    /** Returns an open harvest as last read. */
    readonly peek: (id: string) => Harvested | undefined
    /** Returns an open harvest, and reads the database if it is unknown. Undefined: it has ended. */
    readonly row: (id: string) => Effect.Effect<Harvested | undefined>
    /** The open harvests that this worker excludes, by identifier, with the reason. */
    readonly unable: () => Readonly<Record<string, string>>
    /** Records what a harvest is waiting for. Undefined: it is not waiting any more. */
    readonly note: (id: string, reason: string | undefined) => Effect.Effect<void>
    /** Pauses a harvest that failed in this epoch. A later epoch may have fixed the cause. */
    readonly pause: (
      id: string,
      epoch: number,
      reason: string,
      failure: definition.Failure
    ) => Effect.Effect<void>
    /** The unfinished harvests as last read. */
    readonly open: () => ReadonlyArray<Harvested>
    /** Polls forever, and reports errors. */
    readonly watch: (handle: (open: ReadonlyArray<Harvested>) => Effect.Effect<void>) => Effect.Effect<never>
  }
>()("@chemstream/workflow/internal/Control") {}

export const layer: Layer.Layer<Control, never, SqlClient.SqlClient> = Layer.effect(
  Control,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { isSilent, poll, nextPoll, rows, unable } = yield* poller(sql)
    const reasons = new Map<string, string>()
    const open = (): ReadonlyArray<Harvested> => Array.from(rows.values())

    const row = (id: string): Effect.Effect<Harvested | undefined> =>
      Effect.suspend(() => {
        const known = rows.get(id)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.andThen(
          poll,
          Effect.suspend(() =>
            isSilent() ? Effect.andThen(nextPoll(), row(id)) : Effect.succeed(rows.get(id))
          )
        )
      })

    const mayGoOn = (id: string): Effect.Effect<boolean> =>
      Effect.flatMap(row(id), (found) =>
        found?.state === "paused"
          ? Effect.andThen(nextPoll(), mayGoOn(id))
          : Effect.succeed(found?.state === "running")
      )

    return Control.of({
      mayGoOn,
      row,
      open,
      peek: (id) => rows.get(id),
      unable,
      note: (id, reason) =>
        Effect.suspend(() => {
          if (reasons.get(id) === reason) return Effect.void
          if (reason === undefined) reasons.delete(id)
          else reasons.set(id, reason)
          return Effect.ignore(sql`
            UPDATE chemstream_harvests SET reason = ${reason ?? null} WHERE id = ${id} AND state = 'running'`)
        }),
      pause: (id, epoch, reason, failure) =>
        Effect.andThen(
          Effect.ignore(sql`
            UPDATE chemstream_harvests
            SET state = 'paused', reason = ${reason}, failure = ${definition.encodeFailure(failure)}
            WHERE id = ${id} AND state = 'running' AND epoch = ${epoch}`),
          poll
        ).pipe(Effect.andThen(changes.notify(sql))),
      watch: (tell) =>
        Effect.gen(function* () {
          const change = yield* changes.upcoming(sql)
          yield* poll
          yield* tell(open())
          yield* Effect.raceFirst(change, Effect.sleep(interval))
        }).pipe(Effect.forever)
    })
  })
)

/** Polls the open harvests, and keeps the last state. */
const poller = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const own = yield* Fetch.Lookups
    const rows = new Map<string, Harvested>()
    let unable: Readonly<Record<string, string>> = {}
    // Opened at each poll and replaced at once, so that a waiter for the next poll waits for this one.
    let next = Latch.makeUnsafe(false)
    let isSilent = false

    const read = Effect.gen(function* () {
      const found = yield* Effect.provideService(definition.open, SqlClient.SqlClient, sql)
      isSilent = false
      rows.clear()
      const others: Record<string, string> = {}
      for (const row of found) {
        const why = obstacle(row, own)
        if (why === undefined) rows.set(row.id, row as Harvested)
        else others[row.id] = why
        if (why === undefined || row.id in unable) continue
        yield* Effect.logWarning(`the harvest ${JSON.stringify(row.name)} is left to other workers: ${why}`)
      }
      unable = others
    })

    const poll = read.pipe(
      Effect.catch((error) =>
        Effect.suspend(() => {
          if (isSilent) return Effect.void
          isSilent = true
          return Effect.logWarning(`waiting: ${explain(error)}`)
        })
      ),
      Effect.ensuring(
        Effect.suspend(() => {
          const waiting = next
          next = Latch.makeUnsafe(false)
          return waiting.open
        })
      )
    )

    return {
      poll,
      rows,
      unable: () => unable,
      isSilent: () => isSilent,
      nextPoll: (): Effect.Effect<void> => Effect.suspend(() => next.await)
    }
  })

/** Why a worker cannot do a harvest. */
const obstacle = (row: definition.Row, own: Readonly<Record<string, Fetch.Own>>): string | undefined =>
  row.definition === undefined
    ? "it was recorded by another release of chemstream, which this one cannot read"
    : Fetch.lacking(row.definition.fetch, own)?.message
