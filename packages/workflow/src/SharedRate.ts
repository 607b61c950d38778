/**
 * One rate limit for all workers of a database: the store that their clients keep rate and pauses in.
 *
 * With it in the context that a `ChemClient` is made in, ten workers together send no more than the client's
 * `requestsPerSecond`, and a 429 to one makes all of them wait. While the database does not answer nobody sends: each
 * asks until it does.
 */
import { Duration, Effect, Layer, Schedule } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient, type SqlError } from "effect/sql"
import { databaseTime } from "./internal/databaseTime.ts"
import * as rates from "./internal/rates.ts"
import { transaction } from "./internal/transaction.ts"

/** Waits while the database does not answer: longer and longer, a second at most. */
const patience = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")])

/**
 * The store in the database of harvests.
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

    const now = databaseTime(sql)

    const read = <State>(name: string): Effect.Effect<State | undefined, SqlError.SqlError> =>
      Effect.map(sql<{ state: string }>`SELECT state FROM chemstream_rates WHERE name = ${name}`, ([row]) =>
        stateOf<State>(row)
      )

    /** Changes a state while nobody else does. */
    const change = <State, A>(
      name: string,
      turn: (state: State | undefined, now: number) => rates.Turn<State, A>
    ): Effect.Effect<A> =>
      transaction(
        sql,
        Effect.gen(function* () {
          // Written to be locked, and made where there is none: the same in both databases.
          const [row] = yield* sql<{ state: string }>`
              INSERT INTO chemstream_rates ${sql.insert({ name, state: "" })}
              ON CONFLICT (name) DO UPDATE SET state = chemstream_rates.state RETURNING state`
          const [next, answer] = turn(stateOf<State>(row), yield* now)
          if (next !== undefined) {
            yield* sql`UPDATE chemstream_rates SET state = ${JSON.stringify(next)} WHERE name = ${name}`
          }
          return answer
        })
      ).pipe(steadily)

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
          // Most of the time nobody was ever told to wait, and there is nothing to change.
          const known = yield* steadily(read<rates.Adaptive>(name))
          if (known === undefined) return inactive
          const { delay, epoch, phase } = yield* change<rates.Adaptive, Answer>(name, (state, at) =>
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

interface Answer {
  readonly delay: number
  readonly epoch: number
  readonly phase: RateLimiter.AdaptivePhase
}

const inactive = { delay: Duration.zero, epoch: 0, phase: "inactive" } as const

const stateOf = <State>(row: { readonly state: string } | undefined): State | undefined =>
  row === undefined || row.state === "" ? undefined : (JSON.parse(row.state) as State)

// An error here would let a request go without a limit.
const steadily = <A>(effect: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A> =>
  Effect.orDie(Effect.retry(effect, { schedule: patience }))
