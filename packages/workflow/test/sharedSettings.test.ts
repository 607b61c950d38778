// Tests the settings that all workers of a database share, in one process.
import { ChemClient } from "@chemstream/client"
import { Database, Worker } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { awaitWorker } from "./harvestFixture.ts"

const client = ChemClient.layer({ baseUrl: "http://127.0.0.1:1", apiKey: Redacted.make("a-key") }).pipe(
  Layer.provide(FetchHttpClient.layer)
)

/** Starts a worker beside the others of the database. */
const start = (options: Worker.Options) =>
  Layer.build(Layer.fresh(Worker.layer(options)).pipe(Layer.provide(client)))

const run = <A, E>(
  program: Effect.Effect<A, E, SqlClient.SqlClient | NodeServices.NodeServices | import("effect").Scope.Scope>
): Promise<A> =>
  program.pipe(
    Effect.scoped,
    Effect.provide(Layer.merge(Database.layerSqlite(":memory:"), NodeServices.layer)),
    Effect.runPromise
  )

const first = { name: "first", lease: "5 seconds", rate: 2 } as const

describe("a worker that starts beside another one", () => {
  it.each<[string, Worker.Options, string]>([
    ["lease", { lease: "1 minute" }, 'The option lease is "1m". Give 5s, as the running worker first has'],
    ["rate", { lease: "5 seconds", rate: 10 }, 'The option rate is "10 per second". Give 2 per second, as'],
    ["rate", { rate: Number.POSITIVE_INFINITY }, 'The option rate is "no limit". Give 2 per second, as']
  ])("is refused with another %s: %j", (option, options, message) =>
    run(
      Effect.gen(function* () {
        yield* start(first)
        yield* awaitWorker("first")
        const refused = yield* Effect.flip(Effect.scoped(start({ name: "second", ...options })))
        expect(refused).toMatchObject({ _tag: "InvalidOption", option })
        expect(refused.message).toContain(message)
      })
    )
  )

  it("takes the lease and the rate of the other one, if it has none of its own", () =>
    run(
      Effect.gen(function* () {
        yield* start(first)
        yield* awaitWorker("first")
        expect(yield* Worker.running).toMatchObject({ name: "first", rate: 2 })
        yield* start({ name: "second" })
        yield* awaitWorker("second")
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT name, lease, rate FROM chemstream_workers ORDER BY name`).toEqual([
          { name: "first", lease: 5000, rate: "2" },
          { name: "second", lease: 5000, rate: "2" }
        ])
      })
    ))

  it("has its own settings after the others have stopped", () =>
    run(
      Effect.gen(function* () {
        yield* Effect.scoped(Effect.andThen(start(first), awaitWorker("first")))
        expect(yield* Worker.running).toBeUndefined()
        yield* start({ name: "second", lease: "1 minute", rate: 10 })
        yield* awaitWorker("second")
        expect(yield* Worker.running).toMatchObject({ name: "second", rate: 10 })
      })
    ))
})
