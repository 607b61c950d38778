import { Bundled, SqliteStore } from "@chemstream/service"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { ask, askBatch, run } from "./serving.ts"
import { servingStub } from "./stubbed.ts"

const identifiers = JSON.stringify(["DTXSID7020182", "DTXSID0020020", "DTXSID9020112"])

/** The bytes that a store gives, kept to look at them later. */
const kept = <Asked extends ReadonlyArray<unknown>, Found, E>(
  query: (...asked: Asked) => Effect.Effect<Found, E>,
  bytesOf: (found: Found) => Uint8Array
) => {
  const given: Array<Uint8Array> = []
  return {
    given,
    query: (...asked: Asked) =>
      Effect.tap(query(...asked), (found) => Effect.sync(() => given.push(bytesOf(found))))
  }
}

it("gives back the memory of long answers as soon as they are sent, compressed or not", () =>
  run(
    Effect.gen(function* () {
      const store = yield* SqliteStore.make({ file: Bundled.database })
      const all = yield* store.detailPage(1, 340, ["dtxsid"])
      const dtxsids = JSON.stringify(
        (JSON.parse(new TextDecoder().decode(all)) as ReadonlyArray<{ readonly dtxsid: string }>).map(
          ({ dtxsid }) => dtxsid
        )
      )
      const batch = kept(store.detailArray, (bytes) => bytes)
      const search = kept(store.searchContain, ({ json }) => json)
      const answers = yield* Effect.scoped(
        Effect.gen(function* () {
          const service = yield* servingStub({ detailArray: batch.query, searchContain: search.query })
          return [
            yield* askBatch(service, dtxsids),
            yield* ask(service, "/chemical/search/contain/e"),
            yield* askBatch(service, dtxsids, "", { "accept-encoding": "identity" })
          ].map(({ status, text }) => [status, JSON.parse(text).length])
        })
      )
      expect(answers).toEqual([
        [200, 340],
        [200, answers[1]?.[1]],
        [200, 340]
      ])
      expect(answers[1]?.[1]).toBeGreaterThan(100)
      // The server has stopped, so all is sent.
      expect([...batch.given, ...search.given].map((bytes) => bytes.length)).toEqual([0, 0, 0])
    })
  ))

it("sends again what a store gives again", () =>
  run(
    Effect.gen(function* () {
      const text = JSON.stringify([{ dtxsid: "DTXSID7020182", preferredName: "a".repeat(100_000) }])
      const bytes = new TextEncoder().encode(text)
      const service = yield* servingStub({ detailArray: () => Effect.succeed(bytes) })
      for (let n = 0; n < 2; n++) expect((yield* askBatch(service, identifiers)).text).toBe(text)
    })
  ))
