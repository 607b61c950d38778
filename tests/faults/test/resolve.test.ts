/**
 * Resolves mixed rows against the service over its bundled substances, whose truth is known.
 */
import { ChemClient } from "@chemstream/client"
import { Properties } from "@chemstream/figures"
import { Bundled, Service } from "@chemstream/service"
import { Details, Identifiers, Ledger, Lookup, Resolve, Structures } from "@chemstream/stream"
import { Effect, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { expect, it } from "vitest"
import * as MixedRows from "../src/mixedRows.ts"

const apiKey = Redacted.make("a-key")

it("accounts for each of 2,000 mixed rows, finds every valid one, and takes none for another substance", async () => {
  const ledger = Ledger.make()
  const { results, rows } = await Effect.gen(function* () {
    const service = yield* Service.make({ database: Bundled.database, keys: [apiKey] })
    const client = yield* ChemClient.make({ baseUrl: service.url, apiKey })
    return yield* Effect.gen(function* () {
      const ids = Details.all({ projection: "all-ids" }).pipe(
        Stream.flatMap((page) => Stream.fromIterable(page.records.map(MixedRows.substance))),
        Stream.map(({ dtxsid }, at) => ({ text: String(dtxsid), line: at + 1 }))
      )
      const details = yield* Lookup.outcomes(ids, Details.byDtxsid()).pipe(Stream.runCollect)
      const substances = details.flatMap((outcome) =>
        outcome._tag === "Found" ? outcome.records.map(MixedRows.substance) : []
      )
      const rows = MixedRows.make(substances, 2000)
      const results = yield* Identifiers.fromIterable(rows.map(({ text }) => text)).pipe(
        Resolve.outcomes({ ledger, maxCandidates: 100 }),
        Stream.runCollect
      )
      return { rows, results }
    }).pipe(
      Effect.provideService(ChemClient.ChemClient, client),
      Effect.provideService(Structures.Structures, Properties.structures)
    )
  }).pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped, Effect.runPromise)

  expect(results.map(({ line }) => line)).toEqual(rows.map((_, at) => at + 1))
  expect(Ledger.accounted(ledger)).toBe(2000)
  const wrong = rows.flatMap(({ expected, text, truth, what }, at) => {
    const { candidates, note, status } = results[at] as Resolve.Resolved
    const ids = candidates.map(({ dtxsid }) => dtxsid)
    const isRight =
      expected === "found"
        ? status === "found" && ids[0] === truth
        : expected === "among"
          ? (status === "found" && ids[0] === truth) || (status === "ambiguous" && ids.includes(truth ?? ""))
          : (status === "missing" || status === "invalid") && ids.length === 0 && note !== null
    return isRight ? [] : [`${what} ${text}: ${status} ${ids.join()} (${note}), not ${truth}`]
  })
  expect(wrong).toEqual([])
})
