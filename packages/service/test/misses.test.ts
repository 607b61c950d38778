/**
 * What misses cost: little, however many come, and however far their words are from all names.
 */
import { SqliteStore } from "@chemstream/service"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { maxPending } from "../src/sqlite/internal/search/suggestionQueue.ts"
import { stubService } from "./stubService.ts"
import { databaseOf, run, send } from "./testService.ts"

const line = (dtxsid: string, preferredName: string) => JSON.stringify({ dtxsid, preferredName })

// Names that have few letters in common: to find one with two other letters takes a look at most of them.
const names = Array.from({ length: 7000 }, (_, n) =>
  [n, n / 100, n * 7, n * 13, n * 31]
    .map((k) => String.fromCodePoint(0x4e00 + (Math.floor(k) % 100)))
    .join("")
)

it("suggestions have a budget: within it they are exact, beyond it there are none", () =>
  run(
    Effect.gen(function* () {
      const lines = names.map((name, n) => line(`DTXSID10${n + 10_000}`, name))
      const store = yield* SqliteStore.make({ file: yield* databaseOf(lines) })
      const name = names[3456] as string
      expect(yield* store.suggestions(`${name.slice(0, 4)}z`)).toEqual([name])
      expect(yield* store.suggestions(`${name.slice(0, 3)}zz`)).toEqual([])
    })
  ))

it("only a few misses wait for suggestions; the others get none, and recent words get theirs at once", () =>
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

it("a word that a new import has brought is not missed any more, nor suggested of old", () =>
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

it("a miss is looked for once, and so are its suggestions", () =>
  run(
    Effect.gen(function* () {
      const asked: Array<string> = []
      const service = yield* stubService({
        searchEqual: (word) => {
          asked.push(`equal ${word}`)
          return Effect.succeed({ count: 0, json: new TextEncoder().encode("[]"), isCapped: false })
        },
        suggestions: (word) => {
          asked.push(`suggestions ${word}`)
          return Effect.succeed(["nothing at all"])
        }
      })
      const answer = yield* send(service, "/chemical/search/equal/nothing")
      expect(JSON.parse(answer.text)).toMatchObject({ status: 400, suggestions: ["nothing at all"] })
      expect(asked).toEqual(["equal nothing", "suggestions nothing"])
    })
  ))
