import { ChemClient, InvalidOption } from "@chemstream/client"
import { Harvest, Refresh, Source, SqliteClient, Worker } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import type { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"

const client = ChemClient.layer({ baseUrl: "http://127.0.0.1:1", apiKey: Redacted.make("a-key") })
const services = Layer.mergeAll(
  Layer.provide(client, FetchHttpClient.layer),
  SqliteClient.layer({ file: ":memory:", busyTimeout: "1 second" }),
  NodeServices.layer
)

describe("an option of a worker that cannot be used", () => {
  it.each<[string, Worker.Options]>([
    ["concurrency", { concurrency: 0 }],
    ["concurrency", { concurrency: 1.5 }],
    ["lease", { lease: 0 }],
    ["lease", { lease: "Infinity" }],
    ["wait", { wait: -1 }],
    ["name", { name: 5 as never }],
    ["rate", { rate: 0 }],
    ["rate", { rate: "4" as never }]
  ])("%s is refused before the worker starts: %j", async (option, options) => {
    const refused = await Effect.runPromise(Effect.flip(Worker.run(options)).pipe(Effect.provide(services)))
    expect(refused).toBeInstanceOf(InvalidOption.InvalidOption)
    expect(refused).toMatchObject({ option })
  })
})

describe("a setting of a harvest that cannot be used", () => {
  const settings = {
    name: "h",
    source: Source.list([]),
    fetch: { lookup: "details.byDtxsid" },
    sink: { _tag: "Mirror", mirror: "m" }
  }
  it.each([
    ["name", 5],
    ["chunkSize", "10"],
    ["chunkSize", 0],
    ["chunkSize", Number.NaN],
    ["strictIds", "yes"],
    ["validate", "loud"],
    ["service", 5],
    ["dialect", "ctxx"],
    ["source", "ids.txt"],
    ["fetch", null],
    ["sink", "out"]
  ])("as %s: %j is refused before the database is queried", async (option, value) => {
    const start = Harvest.start({ ...settings, [option]: value } as unknown as Harvest.Settings)
    const refused = await Effect.runPromise(Effect.flip(start).pipe(Effect.provide(services)))
    expect(refused).toMatchObject({ _tag: "InvalidOption", option })
  })
})

describe("a time that cannot be used", () => {
  it.each<[string, Effect.Effect<unknown, { readonly _tag: string }, SqlClient.SqlClient>]>([
    ["every", Harvest.awaitEnd("h", 0)],
    ["every", Harvest.awaitHalt("h", "Infinity")],
    [
      "olderThan",
      Refresh.start({
        name: "r",
        mirror: "m",
        source: Source.list([]),
        fetch: { lookup: "Details.byDtxsid" },
        olderThan: -1
      })
    ]
  ])("as %s is refused before the database is queried", async (option, effect) => {
    const refused = await Effect.runPromise(Effect.flip(effect).pipe(Effect.provide(services)))
    expect(refused).toMatchObject({ _tag: "InvalidOption", option })
  })
})
