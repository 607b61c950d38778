/** A response shows one state of the database, even if it needs several statements or is read slowly. */
import { Import, type Service, SqliteStore, type Store } from "@chemstream/service"
import { Effect, type Scope } from "effect"
import { expect, it } from "vitest"
import { serviceOfDatabase } from "./recordKindsService.ts"
import { databaseOfKinds, fileOf, folder, key, run } from "./testService.ts"

const dtxsid = "DTXSID7020182"

const dataOf = (state: string, size = 10_000): ReadonlyArray<string> =>
  Array.from({ length: 20_000_000 / size }, (_, n) =>
    JSON.stringify({ m4id: n + 1, aeid: 1, spid: "S1", dtxsid, hitc: 0.95, state, text: "x".repeat(size) })
  )

const change = (database: string, state: string): Effect.Effect<unknown, unknown, Scope.Scope> =>
  Effect.flatMap(folder, (directory) =>
    Import.bioactivity({ database, files: [fileOf(directory, "b.ndjson", dataOf(state).join("\n"))] })
  )

const pages = (store: Store.Store["Service"], from: Store.Cursor) => store.dataByDtxsid([dtxsid], from)

it("a page of records shows the same state as the page before, or fails", () =>
  run(
    Effect.gen(function* () {
      const database = yield* databaseOfKinds({ bioactivity: dataOf("old") })
      const store = yield* SqliteStore.make({ file: database })
      const first = yield* pages(store, { index: 0, after: 0 })
      const second = yield* pages(store, first.next ?? expect.fail("there is a second page"))
      expect(second.records.length).toBeGreaterThan(0)
      yield* change(database, "new")
      const error = yield* Effect.flip(pages(store, first.next ?? expect.fail("there is a second page")))
      expect(error.reason).toBe("changed")
      expect((yield* pages(store, { index: 0, after: 0 })).records.length).toBeGreaterThan(0)
    })
  ))

it("a long response is cut off if an import changes its records, and never mixes two states", () =>
  run(
    Effect.gen(function* () {
      const database = yield* databaseOfKinds({ bioactivity: dataOf("old") })
      const service: Service.Service["Service"] = yield* serviceOfDatabase(database)
      const response = yield* Effect.promise(() =>
        fetch(`${service.url}/bioactivity/data/search/by-dtxsid/${dtxsid}`, {
          headers: { "x-api-key": key, "accept-encoding": "identity" }
        })
      )
      const reader = response.body?.getReader() ?? expect.fail("a body")
      const decoder = new TextDecoder()
      let text = decoder.decode((yield* Effect.promise(() => reader.read())).value)
      yield* change(database, "new")
      const isWhole = yield* Effect.promise(async () => {
        try {
          for (;;) {
            const { done, value } = await reader.read()
            if (done) return true
            text += decoder.decode(value)
          }
        } catch {
          return false
        }
      })
      expect(isWhole).toBe(false)
      expect(text).toContain('"state":"old"')
      expect(text).not.toContain('"state":"new"')
    })
  ))
