/**
 * Shares one rate limit among all workers of a database, through a store for the rates and pauses of their clients.
 *
 * Provide it to the `ChemClient` of each worker. Ten workers together then send at most the client's
 * `requestsPerSecond`, and a 429 to one worker pauses all. While the database does not respond, no worker sends a
 * request.
 */
import { Duration, Effect, Layer, Schedule } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient, type SqlError } from "effect/sql"
import { databaseTime } from "./internal/database/databaseTime.ts"
import * as rates from "./internal/database/rates.ts"
import { transaction } from "./internal/database/transaction.ts"

/** Retries while the database does not respond, at growing intervals of up to one second. */
const retrySchedule = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")])

/** The largest expected correction of the clock of a Postgres, in milliseconds. */
const maxClockStep = 60_000

/**
 * Provides the store in the database of harvests.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { Database, SharedRate, Worker } from "@chemstream/workflow"
 * import * as NodeServices from "@effect/platform-node/NodeServices"
 * import { Layer, Redacted } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const client = ChemClient.layer({
 *   baseUrl: "http://127.0.0.1:8090",
 *   apiKey: Redacted.make("a-key"),
 *   limits: { requestsPerSecond: 10 }
 * }).pipe(Layer.provide(SharedRate.layer))
 * const worker = Worker.layer().pipe(
 *   Layer.provide([client, NodeServices.layer]),
 *   Layer.provide(FetchHttpClient.layer),
 *   Layer.provide(Database.layerSqlite("harvests.db"))
 * )
 * ```
 */
export const layer: Layer.Layer<RateLimiter.RateLimiterStore, never, SqlClient.SqlClient> = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const { change, read } = rateStates(sql)

    return RateLimiter.RateLimiterStore.of({
      fixedWindow: ({ key, limit, refillRate, tokens }) =>
        change<rates.Window, readonly [number, number]>(`window/${key}`, (state, at) =>
          rates.fixedWindow(state, at, { tokens, limit, refill: Duration.toMillis(refillRate) })
        ),
      tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
        change<rates.Bucket, readonly [number, number]>(`bucket/${key}`, (state, at) =>
          rates.tokenBucket(state, at, {
            tokens,
            limit,
            allowOverflow,
            refill: Duration.toMillis(refillRate)
          })
        ),
      adaptiveConsume: ({ fallbackWindow, key, tokens }) =>
        Effect.gen(function* () {
          const name = `adaptive/${key}`
          // Usually no worker is throttled, and a read is enough.
          const known = yield* read<rates.Adaptive>(name)
          if (known === undefined) return inactive
          const { delay, epoch, phase } = yield* change<rates.Adaptive, Consumption>(name, (state, at) =>
            state === undefined || rates.isOver(state, at)
              ? [undefined, { ...inactive, delay: 0 }]
              : rates.consume(state, at, { tokens, fallbackWindow: Duration.toMillis(fallbackWindow) })
          )
          return { delay: Duration.millis(delay), epoch, phase }
        }),
      adaptiveFeedback: ({ epoch, key, retryAfter, status, tokens }) =>
        status !== 429 || retryAfter === undefined
          ? Effect.void
          : change<rates.Adaptive, void>(`adaptive/${key}`, (state, at) => [
              rates.feedback(state === undefined || rates.isOver(state, at) ? undefined : state, at, {
                epoch,
                tokens,
                wait: Duration.toMillis(retryAfter)
              }),
              undefined
            ])
    })
  })
)

/** Reads and changes the stored states. */
const rateStates = (sql: SqlClient.SqlClient) => {
  const now = databaseTime(sql)
  return {
    read: <State>(name: string): Effect.Effect<State | undefined> =>
      retryForever(
        Effect.map(
          sql<{ state: string }>`SELECT state FROM chemstream_rates WHERE name = ${name}`,
          ([row]) => storedOf<State>(row)?.state
        )
      ),
    /** Changes a state under a lock. */
    change: <State, A>(
      name: string,
      update: (state: State | undefined, now: number) => rates.StateUpdate<State, A>
    ): Effect.Effect<A> =>
      transaction(
        sql,
        Effect.gen(function* () {
          // The insert locks the row, and creates it if necessary, in both databases.
          const [row] = yield* sql<{ state: string }>`
            INSERT INTO chemstream_rates ${sql.insert({ name, state: "" })}
            ON CONFLICT (name) DO UPDATE SET state = chemstream_rates.state RETURNING state`
          const at = yield* now
          const stored = storedOf<State>(row)
          // A time in the future was stored before a restart of the machine (`databaseTime`).
          const isCurrent = stored !== undefined && stored.at <= at + maxClockStep
          const [next, result] = update(isCurrent ? stored.state : undefined, at)
          if (next !== undefined) {
            const text = JSON.stringify({ at, state: next } satisfies Stored<State>)
            yield* sql`UPDATE chemstream_rates SET state = ${text} WHERE name = ${name}`
          }
          return result
        })
      ).pipe(retryForever)
  }
}

interface Consumption {
  readonly delay: number
  readonly epoch: number
  readonly phase: RateLimiter.AdaptivePhase
}

const inactive = { delay: Duration.zero, epoch: 0, phase: "inactive" } as const

/** A state with the time when it was stored. */
interface Stored<State> {
  readonly at: number
  readonly state: State
}

const storedOf = <State>(row: { readonly state: string } | undefined): Stored<State> | undefined =>
  row === undefined || row.state === "" ? undefined : (JSON.parse(row.state) as Stored<State>)

// Never fails: after a failure, the client would send without a limit.
const retryForever = <A>(effect: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A> =>
  Effect.orDie(Effect.retry(effect, { schedule: retrySchedule }))
