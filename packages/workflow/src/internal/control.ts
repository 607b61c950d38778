/**
 * What a worker knows of the harvests of its database: which there are, and whether they may go on. Read anew twice a
 * second, and at once when something is changed in this process; while the database does not answer, the last word holds.
 */
import { Context, type Duration, Effect, Latch, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as changes from "./changes.ts"
import * as definition from "./definition.ts"

/** How often the database is looked at. */
const interval: Duration.Input = "500 millis"

export class Control extends Context.Service<
  Control,
  {
    /** Waits while a harvest is paused; then whether it goes on. */
    readonly mayGoOn: (id: string) => Effect.Effect<boolean>
    /** Whether it went on at the last look. */
    readonly isRunning: (id: string) => boolean
    /** How often it was resumed, as of the last look. */
    readonly epochOf: (id: string) => number
    /** The row of a harvest, as of the last look. */
    readonly row: (id: string) => Effect.Effect<definition.Row>
    /** Says what a harvest waits for; undefined when it waits no longer. */
    readonly note: (id: string, reason: string | undefined) => Effect.Effect<void>
    /** Pauses a harvest that could not go on as it was in an epoch; if it was resumed since, that may be put right. */
    readonly pause: (
      id: string,
      epoch: number,
      reason: string,
      failure: definition.Failure
    ) => Effect.Effect<void>
    /** Ends a harvest. */
    readonly finish: (id: string, at: number) => Effect.Effect<void, SqlError.SqlError>
    /** Harvests that have not ended, as of the last look. */
    readonly open: () => ReadonlyArray<definition.Row>
    /** Looks, now and for ever, and tells what there is. */
    readonly watch: (
      tell: (open: ReadonlyArray<definition.Row>) => Effect.Effect<void>
    ) => Effect.Effect<never>
  }
>()("@chemstream/workflow/internal/Control") {}

export const layer: Layer.Layer<Control, never, SqlClient.SqlClient> = Layer.effect(
  Control,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = new Map<string, definition.Row>()
    const reasons = new Map<string, string>()
    // Opened at each look, and at once replaced: who waits for the next look waits for this.
    let looked = Latch.makeUnsafe(false)
    let isSilent = false

    const look = Effect.gen(function* () {
      const found = yield* Effect.provideService(definition.all, SqlClient.SqlClient, sql)
      isSilent = false
      rows.clear()
      for (const row of found) rows.set(row.id, row)
    }).pipe(
      Effect.catch((error) =>
        Effect.suspend(() => {
          if (isSilent) return Effect.void
          isSilent = true
          return Effect.logWarning("the database does not answer: waiting for it", error)
        })
      ),
      Effect.ensuring(
        Effect.suspend(() => {
          const waiting = looked
          looked = Latch.makeUnsafe(false)
          return waiting.open
        })
      )
    )

    const fresh = (id: string): Effect.Effect<definition.Row | undefined> =>
      Effect.suspend(() =>
        rows.has(id) ? Effect.succeed(rows.get(id)) : Effect.map(look, () => rows.get(id))
      )

    const mayGoOn = (id: string): Effect.Effect<boolean> =>
      Effect.flatMap(fresh(id), (row) => {
        if (row === undefined && isSilent) return Effect.andThen(looked.await, mayGoOn(id))
        if (row?.state !== "paused") return Effect.succeed(row?.state === "running")
        return Effect.andThen(looked.await, mayGoOn(id))
      })

    const row = (id: string): Effect.Effect<definition.Row> =>
      Effect.flatMap(fresh(id), (found) =>
        found === undefined ? Effect.andThen(looked.await, row(id)) : Effect.succeed(found)
      )

    const open = (): ReadonlyArray<definition.Row> => Array.from(rows.values()).filter(definition.isOpen)

    return Control.of({
      mayGoOn,
      isRunning: (id) => rows.get(id)?.state === "running",
      epochOf: (id) => rows.get(id)?.epoch ?? 0,
      row,
      open,
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
      finish: (id, at) =>
        Effect.andThen(
          sql`
            UPDATE chemstream_harvests SET state = 'finished', reason = NULL, failure = NULL, ended_at = ${at}
            WHERE id = ${id} AND state IN ('running', 'paused')`,
          changes.tell(sql)
        ),
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
