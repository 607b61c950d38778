/** What the functions of the package say about a wrong option. */
import {
  AccessLog,
  ApiKeys,
  Bundled,
  Handlers,
  Import,
  Service,
  SqliteStore,
  type Store
} from "@chemstream/service"
import { Effect, Layer, type Scope } from "effect"
import { expect, it } from "vitest"

const database = Bundled.database
const run = (effect: Effect.Effect<unknown, unknown, Scope.Scope>): Promise<unknown> =>
  Effect.runPromise(Effect.scoped(effect))
const httpEffect = (options: object) =>
  Effect.provide(
    Effect.scoped(Service.httpEffect({ keys: [], ...options })),
    Layer.empty as Layer.Layer<Store.Store>
  )

it.each<[string, () => Promise<unknown>]>([
  [
    "The option variants.synonym is unknown. Give variants.synonyms.",
    () => run(httpEffect({ variants: { synonym: "2024" } }))
  ],
  [
    'The option variants.json is "petty". Give "pretty".',
    () => run(httpEffect({ variants: { json: "petty" } }))
  ],
  ["The option rows[0] is an object. Give a row", () => run(httpEffect({ rows: [{}] }))],
  ["The option metricsPort is 1.5. Give a port", () => run(httpEffect({ metricsPort: 1.5 }))],
  ["The option routes[0].method is missing.", () => run(httpEffect({ routes: [{}] }))],
  ["The option keys cannot be used.", () => run(httpEffect({ keys: { current: 5 } }))],
  [
    "The option inchikeys.rank is missing.",
    () => run(SqliteStore.make({ file: database, inchikeys: {} } as never))
  ],
  ["The option port is 70000. Give a port", () => run(Service.make({ database, keys: [], port: 70_000 }))],
  ["The option files is unknown. Give file.", () => run(ApiKeys.resolve({ files: "keys" } as never))],
  ["The option maxPending is NaN.", () => run(AccessLog.stderr({ maxPending: Number.NaN }))],
  [
    "The option maxHit is unknown. Give maxHits.",
    () => run(SqliteStore.make({ file: database, maxHit: 5 } as never))
  ],
  ["The option rows[0] is an object. Give a row", async () => Handlers.layer({ rows: [{}] } as never)],
  ["The argument row is an object. Give a row", async () => Import.isOfRow({} as never)],
  ["The argument row is an object. Give a row", async () => Import.rowEntries({} as never)]
])("%s", async (message, call) => {
  await expect(call()).rejects.toThrow(
    expect.objectContaining({ _tag: "InvalidOption", message: expect.stringContaining(message) })
  )
})
