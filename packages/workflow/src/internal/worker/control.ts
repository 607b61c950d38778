/**
 * What a worker knows of the open harvests of its database, and whether they may go on. Read twice a second, and at once
 * when something changes in this process; while the database does not answer, the last state holds.
 *
 * Harvests that this worker cannot do, because a newer release has recorded them or because it lacks their lookup, are left
 * out and named once.
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

/** How often the database is looked at. */
const interval: Duration.Input = "500 millis"

export class Control extends Context.Service<
  Control,
  {
    /** Waits while a harvest is paused; then whether it goes on. */
    readonly mayGoOn: (id: string) => Effect.Effect<boolean>
    /** An open harvest as of the last look. */
    readonly peek: (id: string) => Harvested | undefined
    /** An open harvest, looked for where it is not known; undefined where it has ended. */
    readonly row: (id: string) => Effect.Effect<Harvested | undefined>
    /** The open harvests that this worker leaves to others, by identifier: why. */
    readonly unable: () => Readonly<Record<string, string>>
    /** Says what a harvest waits for; undefined when it waits no longer. */
    readonly note: (id: string, reason: string | undefined) => Effect.Effect<void>
    /** Pauses a harvest that could not go on as it was in an epoch; if it was resumed since, that may be put right. */
    readonly pause: (
      id: string,
      epoch: number,
      reason: string,
      failure: definition.Failure
    ) => Effect.Effect<void>
    /** Harvests that have not ended, as of the last look. */
    readonly open: () => ReadonlyArray<Harvested>
    /** Looks, now and for ever, and tells what there is. */
    readonly watch: (tell: (open: ReadonlyArray<Harvested>) => Effect.Effect<void>) => Effect.Effect<never>
  }
>()("@chemstream/workflow/internal/Control") {}

export const layer: Layer.Layer<Control, never, SqlClient.SqlClient> = Layer.effect(
  Control,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { isSilent, look, looked, rows, unable } = yield* looking(sql)
    const reasons = new Map<string, string>()
    const open = (): ReadonlyArray<Harvested> => Array.from(rows.values())

    const row = (id: string): Effect.Effect<Harvested | undefined> =>
      Effect.suspend(() => {
        const known = rows.get(id)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.andThen(
          look,
          Effect.suspend(() =>
            isSilent() ? Effect.andThen(looked(), row(id)) : Effect.succeed(rows.get(id))
          )
        )
      })

    const mayGoOn = (id: string): Effect.Effect<boolean> =>
      Effect.flatMap(row(id), (found) =>
        found?.state === "paused"
          ? Effect.andThen(looked(), mayGoOn(id))
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
          look
        ).pipe(Effect.andThen(changes.tell(sql))),
      watch: (tell) =>
        Effect.gen(function* () {
          const change = yield* changes.upcoming(sql)
          yield* look
          yield* tell(open())
          yield* Effect.raceFirst(change, Effect.sleep(interval))
        }).pipe(Effect.forever)
    })
  })
)

/** Looks at the open harvests, and keeps what was found at the last look. */
const looking = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const own = yield* Fetch.Lookups
    const rows = new Map<string, Harvested>()
    let unable: Readonly<Record<string, string>> = {}
    // Opened at each look, and at once replaced: who waits for the next look waits for this.
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

    const look = read.pipe(
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
      look,
      rows,
      unable: () => unable,
      isSilent: () => isSilent,
      looked: (): Effect.Effect<void> => Effect.suspend(() => next.await)
    }
  })

/** Why a worker cannot do a harvest. */
const obstacle = (row: definition.Row, own: Readonly<Record<string, Fetch.Own>>): string | undefined =>
  row.definition === undefined
    ? "it was recorded by another release of chemstream, which this one cannot read"
    : Fetch.lacking(row.definition.fetch, own)?.message
