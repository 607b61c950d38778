import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ChemClient, ResponseCache } from "@chemstream/client"
import { DiskCache } from "@chemstream/client/node"
import { Bundled, Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, key, settings, withClient, withService } from "./testClient.ts"

type Client = ChemClient.ChemClient["Service"]

const capped = { "content-type": "application/json", "x-total-capped": "true" }
const hit = { dtxsid: bisphenolA, searchValue: "phenol", rank: 9 }
const reply = (headers: Record<string, string>) => Scripted.reply(200, JSON.stringify([hit]), headers)

describe("a search with truncated hits", () => {
  it("has `truncated`, and a search with all hits does not", () =>
    Effect.gen(function* () {
      const { url } = yield* Service.make({
        database: Bundled.database,
        keys: [Redacted.make(key)],
        maxHits: 2
      })
      yield* withClient(settings(url), ({ search }) =>
        Effect.gen(function* () {
          for (const found of [yield* search.contain("phenol"), yield* search.startWith("bisphenol")]) {
            expect(found).toMatchObject({ truncated: "capped" })
            expect(found.hits).toHaveLength(2)
          }
          expect(yield* search.equal("Bisphenol A")).not.toHaveProperty("truncated")
        })
      )
    }).pipe(Effect.scoped, Effect.runPromise))

  it.each<[string, (client: Client) => Effect.Effect<unknown, unknown>]>([
    ["equal", ({ search }) => search.equal("phenol")],
    ["equalMany", ({ search }) => Effect.map(search.equalMany(["phenol"]), ([result]) => result)],
    ["equalBatch", ({ search }) => Effect.map(search.equalBatch(["phenol"]), ([result]) => result)],
    ["equal by batch search", ({ search }) => search.equal("..")]
  ])("has `truncated` by %s", (name, call) =>
    withService(
      [
        Scripted.reply(
          200,
          JSON.stringify([{ ...hit, searchValue: name.includes("batch") ? ".." : "phenol" }]),
          capped
        )
      ],
      ({ url }) =>
        Effect.gen(function* () {
          expect(yield* withClient(settings(url), call)).toMatchObject({ truncated: "capped" })
        })
    )
  )
})

describe("a cached search with truncated hits", () => {
  it("has `truncated` from memory, and after a revalidation", () =>
    withService([reply({ ...capped, etag: '"1"' }), Scripted.reply(304, "", {}), reply({})], (service) =>
      withClient(
        settings(service.url, { cache: { store: ResponseCache.memory(), ttl: 1000 } }),
        ({ search }) =>
          Effect.gen(function* () {
            const truncated = Effect.map(search.contain("phenol"), (found) => found.truncated)
            expect([yield* truncated, yield* truncated]).toEqual(["capped", "capped"])
            yield* TestClock.adjust(1000)
            expect([yield* truncated, yield* truncated]).toEqual(["capped", "capped"])
            expect(service.requests).toHaveLength(2)
            yield* TestClock.adjust(1000)
            expect([yield* truncated, service.requests.length]).toEqual([undefined, 3])
          })
      ).pipe(Effect.provide(TestClock.layer()))
    ))

  it("has `truncated` from the disk", async () => {
    const folder = mkdtempSync(join(tmpdir(), "chemstream-truncated-"))
    const search = (url: string) =>
      Effect.scoped(
        Effect.gen(function* () {
          const store = yield* DiskCache.make({ file: join(folder, "cache") })
          return yield* withClient(settings(url, { cache: { store } }), ({ search }) =>
            search.contain("phenol")
          )
        })
      )
    await withService([reply(capped)], (service) =>
      Effect.gen(function* () {
        expect([yield* search(service.url), yield* search(service.url)]).toMatchObject([
          { truncated: "capped" },
          { truncated: "capped" }
        ])
        expect(service.requests).toHaveLength(1)
      })
    )
    rmSync(folder, { recursive: true })
  })
})
