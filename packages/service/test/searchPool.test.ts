import { join } from "node:path"
import { Import } from "@chemstream/service"
import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { Client } from "../src/Store.ts"
import { connectReader } from "../src/sqlite/internal/database/connection.ts"
import { kinds } from "../src/sqlite/internal/search/nameKinds.ts"
import { searches } from "../src/sqlite/internal/search/nameSearch.ts"
import * as searchPool from "../src/sqlite/internal/search/searchPool.ts"
import { fileOf, folder, run } from "./testService.ts"

const dtxsidOf = (n: number): string => `DTXSID${checkDigit(n)}0${n}`

// Every name has all grams of `hoxym`, but few contain it: each must be read.
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
    yield* Import.details({ database: file, files: [fileOf(within, "a.ndjson", records(400, found))] })
    return file
  })

const settings = { kinds, maxHits: 10 }

const open = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => connectReader(file)),
    (connection) => Effect.sync(() => connection.close())
  )

const namesOf = (json: Uint8Array): ReadonlyArray<string> =>
  (JSON.parse(new TextDecoder().decode(json)) as ReadonlyArray<{ readonly preferredName: string }>).map(
    ({ preferredName }) => preferredName
  )

it("a contains search finds the few substances whose names contain the word and not only its grams", () =>
  run(
    Effect.gen(function* () {
      const file = yield* database([3, 399])
      const { contain } = searches(yield* open(file), settings)
      expect([...namesOf(contain("hoxym").json)].sort()).toEqual(["Ethoxymethane 3", "Ethoxymethane 399"])
    })
  ))

it("a thread runs quick jobs before slow ones, and drops a cancelled job", () =>
  run(
    Effect.gen(function* () {
      const file = yield* database([3, 399])
      const ask = yield* searchPool.make({ file, ...settings, maxIdentifiers: 1 }, 1)
      const order: Array<string> = []
      const runJob = (job: "contain" | "startWith", word: string) =>
        Effect.forkChild(
          Effect.tap(ask(job, word), () => Effect.sync(() => order.push(`${job} ${word}`))),
          { startImmediately: true }
        )
      const running = yield* runJob("contain", "hoxym")
      const cancelled = yield* runJob("contain", "ethoxy")
      const slow = yield* runJob("contain", "proxym")
      const quick = yield* runJob("startWith", "ethoxym")
      yield* Fiber.interrupt(cancelled)
      for (const fiber of [running, slow, quick]) yield* Fiber.join(fiber)
      expect(order).toEqual(["contain hoxym", "startWith ethoxym", "contain proxym"])
    })
  ))

it("clients take turns, and a slow job runs after eight quick ones of others", () =>
  run(
    Effect.gen(function* () {
      const file = yield* database([3, 399])
      const ask = yield* searchPool.make({ file, ...settings, maxIdentifiers: 1 }, 1)
      const order: Array<string> = []
      const runJob = (client: string, job: "contain" | "startWith") =>
        ask(job, "ethoxym").pipe(
          Effect.tap(() => Effect.sync(() => order.push(`${client} ${job}`))),
          Effect.provideService(Client, client),
          Effect.forkChild({ startImmediately: true })
        )
      const fibers = [yield* runJob("a", "contain")]
      for (let n = 0; n < 12; n++) fibers.push(yield* runJob("a", "startWith"))
      fibers.push(yield* runJob("b", "startWith"), yield* runJob("b", "contain"))
      for (const fiber of fibers) yield* Fiber.join(fiber)
      const quick = Array(7).fill("a startWith")
      expect(order).toEqual([
        ...["a contain", "a startWith", "b startWith", ...quick.slice(1)],
        ...["b contain", ...quick.slice(0, 5)]
      ])
    })
  ))
