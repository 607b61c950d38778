/** Misses cost little, even if there are many, and if no name resembles their words. */
import { SqliteStore } from "@chemstream/service"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { maxPending } from "../src/sqlite/internal/search/suggestionQueue.ts"
import { stubService } from "./stubService.ts"
import { databaseOf, run, send } from "./testService.ts"

const line = (dtxsid: string, preferredName: string) => JSON.stringify({ dtxsid, preferredName })

// Names with few letters in common. Finding one at a distance of two edits needs a look at most of them.
const names = Array.from({ length: 7000 }, (_, n) =>
  [n, n / 100, n * 7, n * 13, n * 31]
    .map((k) => String.fromCodePoint(0x4e00 + (Math.floor(k) % 100)))
    .join("")
)

it("suggestions have a budget: they are exact within it, and empty beyond it", () =>
  run(
    Effect.gen(function* () {
      const lines = names.map((name, n) => line(`DTXSID10${n + 10_000}`, name))
      const store = yield* SqliteStore.make({ file: yield* databaseOf(lines) })
      const name = names[3456] as string
      expect(yield* store.suggestions(`${name.slice(0, 4)}z`)).toEqual([name])
      expect(yield* store.suggestions(`${name.slice(0, 3)}zz`)).toEqual([])
    })
  ))

it("only a few misses wait for suggestions, others get none, and recent words have cached ones", () =>
  run(
    Effect.gen(function* () {
      const store = yield* SqliteStore.make({
        file: yield* databaseOf([line("DTXSID7020182", "Bisphenol A")])
      })
      const words = ["bisphenol", "bisphenol b", "bisphenol c", "bisphenol d", "bisphenol e", "bisphenol f"]
      const all = yield* Effect.forEach(words, store.suggestions, { concurrency: "unbounded" })
      expect(all.map((suggestions) => suggestions.length)).toEqual(
        words.map((_, n) => (n < maxPending ? 1 : 0))
      )
      const again = yield* Effect.forEach([...words.slice(0, maxPending), "bisphenol e"], store.suggestions, {
        concurrency: "unbounded"
      })
      expect(again.map((suggestions) => suggestions.length)).toEqual([1, 1, 1, 1, 1])
    })
  ))

it("a new import clears cached misses and suggestions", () =>
  run(
    Effect.gen(function* () {
      const database = yield* databaseOf([line("DTXSID7020182", "Bisphenol A")])
      const store = yield* SqliteStore.make({ file: database })
      expect(yield* store.suggestions("bisphenol c")).toEqual(["Bisphenol A"])
      const writer = yield* SqliteStore.makeWriter({ file: database })
      const record = new TextEncoder().encode(line("DTXSID9020112", "Bisphenol B"))
      yield* writer.transaction((transaction) =>
        transaction.putDetails([{ dtxsid: "DTXSID9020112", record }])
      )
      expect(yield* store.suggestions("bisphenol c")).toEqual(["Bisphenol A", "Bisphenol B"])
    })
  ))

it("a miss causes one search and one computation of suggestions", () =>
  run(
    Effect.gen(function* () {
      const calls: Array<string> = []
      const service = yield* stubService({
        searchEqual: (word) => {
          calls.push(`equal ${word}`)
          return Effect.succeed({ count: 0, json: new TextEncoder().encode("[]"), isCapped: false })
        },
        suggestions: (word) => {
          calls.push(`suggestions ${word}`)
          return Effect.succeed(["nothing at all"])
        }
      })
      const response = yield* send(service, "/chemical/search/equal/nothing")
      expect(JSON.parse(response.text)).toMatchObject({ status: 400, suggestions: ["nothing at all"] })
      expect(calls).toEqual(["equal nothing", "suggestions nothing"])
    })
  ))
