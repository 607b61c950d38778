/**
 * Shares the rate and the pauses of the clients of all workers of a database: a table with the state of each `Pace`. An epoch
 * of a pace is the time between two changes of its rate; accepted requests count towards the epoch in which they were sent.
 *
 * Provide it to the `ChemClient` of each worker. Ten workers together then send at most the client's
 * `requestsPerSecond`, and learn together what the service accepts. A 429 to one worker pauses all. While the database
 * does not respond, no worker sends a request.
 */
import { Pace } from "@chemstream/client"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { databaseTime } from "./internal/database/databaseTime.ts"
import { transaction } from "./internal/database/transaction.ts"

/** Retries while the database does not respond, at growing intervals of up to one second. */
const retrySchedule = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")])

/** The largest expected correction of the clock of a Postgres, in milliseconds. */
const maxClockStep = 60_000

/** A pace without a limit is stored at this interval, in milliseconds. */
const unlimitedInterval = 1000

/**
 * Provides the store of paces in the database of harvests.
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
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effect(
  Pace.Store,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const now = databaseTime(sql)
    /** The requests that were accepted since the last write, by the name of their pace. */
    const unwritten = new Map<string, Pace.Accepted>()

    const withUnwritten = (name: string, state: Pace.State | undefined): Pace.State | undefined => {
      const accepted = unwritten.get(name)
      return state === undefined || accepted?.epoch !== state.epoch ? state : Pace.counted(state, accepted)
    }

    /** Changes a state under a lock. */
    const write = <A>(name: string, change: Change<A>) =>
      Effect.tap(
        transaction(
          sql,
          Effect.gen(function* () {
            // The insert locks the row, and creates it if necessary, in both databases.
            const [row] = yield* sql<Row>`
              INSERT INTO chemstream_rates ${sql.insert({ name, state: "" })}
              ON CONFLICT (name) DO UPDATE SET state = chemstream_rates.state
              RETURNING state, ${yield* now} AS at`
            const at = Number(row?.at)
            const [state, result] = change(withUnwritten(name, storedOf(row, at)?.state), at)
            const text = JSON.stringify({ at, state } satisfies Stored)
            yield* sql`UPDATE chemstream_rates SET state = ${text} WHERE name = ${name}`
            return result
          })
        ),
        () => Effect.sync(() => unwritten.delete(name))
      )

    /** Changes a state without a limit, which needs no lock. Returns false if it has a limit, or was written long ago. */
    const changeUnlimited = <A>(name: string, change: Change<A>) =>
      Effect.gen(function* () {
        const [row] = yield* sql<Row>`
          SELECT state, ${yield* now} AS at FROM chemstream_rates WHERE name = ${name}`
        const at = Number(row?.at)
        const stored = storedOf(row, at)
        if (stored === undefined || at > stored.at + unlimitedInterval) return undefined
        const { state } = stored
        const [next, result] = change(withUnwritten(name, state), at)
        const isUnlimited = next.rate === null && next.pausedUntil <= at && next.next <= at
        if (!isUnlimited || next.epoch !== state.epoch || next.recent.from !== state.recent.from)
          return undefined
        unwritten.set(name, { epoch: state.epoch, count: next.accepted - state.accepted })
        return { result }
      })

    return {
      modify: (key, change) => {
        const name = `pace/${key}`
        return Effect.flatMap(changeUnlimited(name, change), (changed) =>
          changed === undefined ? write(name, change) : Effect.succeed(changed.result)
        ).pipe(retryForever)
      }
    }
  })
)

type Change<A> = (state: Pace.State | undefined, now: number) => readonly [next: Pace.State, result: A]

interface Row {
  readonly state: string
  readonly at: unknown
}

/** A state with the time when it was stored. */
interface Stored {
  readonly at: number
  readonly state: Pace.State
}

const storedOf = (row: Row | undefined, now: number): Stored | undefined => {
  if (row === undefined || row.state === "") return undefined
  const stored = JSON.parse(row.state) as Stored
  // A time in the future was stored before a restart of the machine (`databaseTime`).
  return stored.at <= now + maxClockStep ? stored : undefined
}

// Never fails: after a failure, the client would send without a limit.
const retryForever = <A>(effect: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A> =>
  Effect.orDie(Effect.retry(effect, { schedule: retrySchedule }))
