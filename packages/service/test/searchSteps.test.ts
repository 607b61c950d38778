import { join } from "node:path"
import { Import } from "@chemstream/service"
import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { connectReader } from "../src/sqlite/internal/connection.ts"
import { kinds } from "../src/sqlite/internal/kinds.ts"
import { type Stepwise, searches } from "../src/sqlite/internal/search.ts"
import * as searchPool from "../src/sqlite/internal/searchPool.ts"
import { fileOf, folder, run } from "./serving.ts"

const dtxsidOf = (n: number): string => `DTXSID${checkDigit(n)}0${n}`

// A name has all grams of `hoxym`, most of them apart: each has to be looked at, 50 a step.
const records = (count: number, found: ReadonlyArray<number>): string =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      dtxsid: dtxsidOf(n + 1_000_000),
      preferredName: found.includes(n) ? `Ethoxymethane ${n}` : `Ethoxy proxymethane ${n}`
    })
  ).join("\n")

const checkDigit = (n: number): number =>
  [...`0${n}`].reverse().reduce((sum, digit, i) => sum + Number(digit) * (i + 1), 0) % 10

const database = (found: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const within = yield* folder
    const file = join(within, "a.sqlite")
    const put = (text: string) =>
      Import.details({ database: file, files: [fileOf(within, "a.ndjson", text)] })
    yield* put(records(400, found))
    return { file, put }
  })

const settings = { kinds, cap: 10 }

const open = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => connectReader(file)),
    (connection) => Effect.sync(() => connection.close())
  )

// Takes all steps; between two of them as told.
const finish = (search: Stepwise, between: (step: number) => void) => {
  for (let step = 1; ; step++) {
    const found = search.step()
    if (found !== undefined) return { steps: step, names: namesOf(found.json) }
    between(step)
  }
}

const namesOf = (json: Uint8Array): ReadonlyArray<string> =>
  (JSON.parse(new TextDecoder().decode(json)) as ReadonlyArray<{ readonly preferredName: string }>).map(
    ({ preferredName }) => preferredName
  )

it("a contains search finds the same when it is left alone between its steps", () =>
  run(
    Effect.gen(function* () {
      const { file } = yield* database([3, 399])
      const { contain } = searches(yield* open(file), settings)
      const whole = finish(contain("hoxym"), () => {})
      expect(whole.steps).toBeGreaterThan(5)
      expect([...whole.names].sort()).toEqual(["Ethoxymethane 3", "Ethoxymethane 399"])
      const one = contain("hoxym")
      const other = contain("roxym")
      const left = finish(one, () => {
        one.pause()
        other.step()
        other.pause()
      })
      expect(left).toEqual(whole)
    })
  ))

it("a contains search begins anew when the database has changed between its steps", () =>
  run(
    Effect.gen(function* () {
      const { file, put } = yield* database([3, 399])
      const { contain } = searches(yield* open(file), settings)
      const search = contain("hoxym")
      for (let step = 0; step < 5; step++) expect(search.step()).toBeUndefined()
      search.pause()
      yield* put(records(400, [200]))
      expect(finish(search, () => {}).names).toEqual(["Ethoxymethane 200"])
    })
  ))

it("a thread does other jobs between the slices of a long search, and forgets one that nobody waits for", () =>
  run(
    Effect.gen(function* () {
      const { file } = yield* database([3, 399])
      const ask = yield* searchPool.make({ file, ...settings, slices: { first: 0, next: 0 } }, 1)
      const order: Array<string> = []
      const asking = (name: string, word: string) =>
        Effect.tap(ask("contain", word), () => Effect.sync(() => order.push(name)))
      const long = yield* Effect.forkChild(asking("long", "hoxym"), { startImmediately: true })
      const gone = yield* Effect.forkChild(asking("gone", "hoxym"), { startImmediately: true })
      const short = yield* Effect.forkChild(
        Effect.forEach(["one", "two", "three", "four", "five"], (name) => asking(name, "nothing has it"), {
          concurrency: "unbounded"
        }),
        { startImmediately: true }
      )
      yield* Fiber.join(short)
      yield* Fiber.interrupt(gone)
      const { json } = yield* Fiber.join(long)
      expect([...namesOf(json)].sort()).toEqual(["Ethoxymethane 3", "Ethoxymethane 399"])
      expect(order).toEqual(["one", "two", "three", "four", "five", "long"])
      expect((yield* asking("after", "roxym")).capped).toBe(true)
    })
  ))
