/**
 * Tracks the unfinished harvests of a database for a worker, and whether they may continue.
 *
 * It polls twice a second, ever more rarely while it is idle, and at once after a change in this process. While the
 * database does not respond, the last state holds. It excludes harvests that a newer release recorded or whose lookup this worker lacks, and reports each
 * once.
 */
import { Quote } from "@chemstream/api"
import { Context, Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Fetch from "../../Fetch.ts"
import * as harvestRow from "../harvest/harvestRow.ts"
import * as harvestSignals from "../harvest/harvestSignals.ts"
import * as Outages from "./databaseOutages.ts"

/** An unfinished harvest that this worker can do. */
export interface RunnableHarvest extends harvestRow.Row {
  readonly definition: harvestRow.Definition
}

/** The interval of polling while a harvest is unfinished, in milliseconds. */
const interval = 500

/** The interval of polling after some time without an unfinished harvest, in milliseconds. */
const idleInterval = 4000

/** The unfinished harvests, as last read. Identifiers are keys of rows (`Row.id`). An epoch counts how often one was resumed. */
export class UnfinishedHarvests extends Context.Service<
  UnfinishedHarvests,
  {
    /** Waits while a harvest is paused. Returns whether it continues. */
    readonly mayContinue: (id: string) => Effect.Effect<boolean>
    /** Waits until a harvest has paused or ended, or was resumed since. */
    readonly halt: (id: string) => Effect.Effect<void>
    /** Returns an unfinished harvest as last read. */
    readonly peek: (id: string) => RunnableHarvest | undefined
    /** Returns an unfinished harvest, and reads the database if it is unknown. Returns undefined if it has ended. */
    readonly row: (id: string) => Effect.Effect<RunnableHarvest | undefined>
    /** Returns the reason for each harvest that this worker excludes, by the key of the harvest. */
    readonly obstacles: () => Readonly<Record<string, string>>
    /** Records the reason why a harvest waits. */
    readonly noteWaiting: (id: string, reason: string) => Effect.Effect<void>
    /** Removes the reason why a harvest waits, or only this one. */
    readonly clearWaiting: (id: string, reason?: string) => Effect.Effect<void>
    /** Pauses a harvest that failed in this epoch. Does nothing if the harvest was resumed since, in a later epoch. */
    readonly pause: (
      id: string,
      epoch: number,
      reason: string,
      failure: harvestRow.Failure
    ) => Effect.Effect<void>
    /** Returns the unfinished harvests as last read. */
    readonly unfinished: () => ReadonlyArray<RunnableHarvest>
    /** The outages of the database. */
    readonly outages: Outages.Outages
    /** Polls forever, at least three times within this many milliseconds, and reports errors. */
    readonly watch: (
      handle: (open: ReadonlyArray<RunnableHarvest>) => Effect.Effect<void>,
      within: number
    ) => Effect.Effect<never>
  }
>()("@chemstream/workflow/internal/UnfinishedHarvests") {}

export const layer: Layer.Layer<UnfinishedHarvests, never, SqlClient.SqlClient> = Layer.effect(
  UnfinishedHarvests,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const outages = Outages.make(sql)
    const { nextWait, poll, nextPoll, rows, obstacles } = yield* poller(sql, outages)
    /** The last recorded reasons, with the epochs of their harvests. */
    const reasons = new Map<string, { readonly reason: string; readonly epoch: number | undefined }>()
    const unfinished = (): ReadonlyArray<RunnableHarvest> => Array.from(rows.values())

    const row = (id: string): Effect.Effect<RunnableHarvest | undefined> =>
      Effect.gen(function* () {
        while (!rows.has(id)) {
          yield* poll
          if (!outages.isGoing("reads")) break
          yield* nextPoll()
        }
        return rows.get(id)
      })

    const mayContinue = (id: string): Effect.Effect<boolean> =>
      Effect.flatMap(row(id), (found) =>
        found?.state === "paused"
          ? Effect.andThen(nextPoll(), mayContinue(id))
          : Effect.succeed(found?.state === "running")
      )

    const halt = (id: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const epoch = rows.get(id)?.epoch
        const isGoing = (): boolean => rows.get(id)?.state === "running" && rows.get(id)?.epoch === epoch
        return Effect.whileLoop({ while: isGoing, body: nextPoll, step: () => {} })
      })

    const recordReason = (id: string, reason: string | null) =>
      Effect.ignore(
        sql`UPDATE chemstream_harvests SET reason = ${reason} WHERE id = ${id} AND state = 'running'`
      )

    return UnfinishedHarvests.of({
      mayContinue,
      halt,
      row,
      unfinished,
      outages,
      peek: (id) => rows.get(id),
      obstacles,
      noteWaiting: (id, reason) =>
        Effect.suspend(() => {
          const noted = reasons.get(id)
          // A resumed harvest has no reason.
          const epoch = rows.get(id)?.epoch
          if (noted?.reason === reason && noted.epoch === epoch) return Effect.void
          reasons.set(id, { reason, epoch })
          return recordReason(id, reason)
        }),
      clearWaiting: (id, reason) =>
        Effect.suspend(() => {
          const noted = reasons.get(id)
          if (noted === undefined || (reason !== undefined && noted.reason !== reason)) return Effect.void
          reasons.delete(id)
          return recordReason(id, null)
        }),
      pause: (id, epoch, reason, failure) =>
        Effect.andThen(
          Effect.ignore(sql`
            UPDATE chemstream_harvests
            SET state = 'paused', reason = ${reason}, failure = ${harvestRow.encodeFailure(failure)}
            WHERE id = ${id} AND state = 'running' AND epoch = ${epoch}`),
          poll
        ).pipe(Effect.andThen(harvestSignals.notify(sql))),
      watch: (handle, within) =>
        Effect.gen(function* () {
          const change = yield* harvestSignals.nextChange(sql)
          yield* poll
          yield* handle(unfinished())
          yield* Effect.raceFirst(change, Effect.sleep(nextWait(within)))
        }).pipe(Effect.forever)
    })
  })
)

/** Polls the unfinished harvests, and keeps the last state. */
const poller = (sql: SqlClient.SqlClient, outages: Outages.Outages) =>
  Effect.gen(function* () {
    const lookups = yield* Fetch.Lookups
    const rows = new Map<string, RunnableHarvest>()
    let obstacles: Readonly<Record<string, string>> = {}
    // Each poll opens the latch, and replaces it with a new one.
    let next = Latch.makeUnsafe(false)
    let wait = interval

    const read = Effect.gen(function* () {
      const unfinished = yield* Effect.provideService(harvestRow.unfinished, SqlClient.SqlClient, sql)
      yield* outages.end("reads")
      rows.clear()
      const found: Record<string, string> = {}
      for (const row of unfinished) {
        const reason = obstacle(row, lookups)
        if (reason === undefined) rows.set(row.id, row as RunnableHarvest)
        else found[row.id] = reason
        if (reason === undefined || row.id in obstacles) continue
        yield* Effect.logWarning(`the harvest ${Quote.value(row.name)} is left to other workers: ${reason}`)
      }
      obstacles = found
    })

    const poll = read.pipe(
      Effect.catch((error) => outages.note("reads", error)),
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
      obstacles: () => obstacles,
      /** Returns the time until the next poll. Without an unfinished harvest, each one is twice as long. */
      nextWait: (within: number): number => {
        const isIdle = rows.size === 0 && Object.keys(obstacles).length === 0 && !outages.isGoing("reads")
        wait = Math.min(isIdle ? Math.min(2 * wait, idleInterval) : interval, within / 3)
        return wait
      },
      nextPoll: (): Effect.Effect<void> => Effect.suspend(() => next.await)
    }
  })

/** Returns the reason why a worker cannot do a harvest, or undefined if it can. */
const obstacle = (row: harvestRow.Row, lookups: Fetch.OwnLookups): string | undefined =>
  row.definition === undefined
    ? "it was recorded by another release of chemstream, which this one cannot read"
    : Fetch.missingLookup(row.definition.fetch, lookups)?.message
