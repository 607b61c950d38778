import { Database, SharedRate } from "@chemstream/workflow"
import { Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"

const ahead = 10 ** 12

it("a shared rate of an earlier boot, whose clock was ahead, is forgotten", async () => {
  const remaining = await Effect.runPromise(
    Effect.gen(function* () {
      const store = yield* RateLimiter.RateLimiterStore
      const sql = yield* SqlClient.SqlClient
      const take = Effect.map(
        store.tokenBucket({
          key: "k",
          limit: 3,
          refillRate: Duration.hours(1),
          tokens: 3,
          allowOverflow: true
        }),
        ([left]) => left
      )
      const first = yield* take
      const second = yield* take
      const [row] = yield* sql<{ name: string; state: string }>`SELECT name, state FROM chemstream_rates`
      const { at, state } = JSON.parse(row?.state ?? "")
      const later = { at: at + ahead, state: { ...state, lastRefill: state.lastRefill + ahead } }
      yield* sql`UPDATE chemstream_rates SET state = ${JSON.stringify(later)} WHERE name = ${row?.name}`
      return [first, second, yield* take]
    }).pipe(Effect.provide(SharedRate.layer.pipe(Layer.provideMerge(Database.layerSqlite(":memory:")))))
  )
  expect(remaining).toEqual([0, -3, 0])
})
