/**
 * Resolves mixed rows of known substances with a service, over its bundled substances and over recorded ones.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChemClient } from "@chemstream/client"
import { Properties } from "@chemstream/figures"
import { Bundled, Import, Service } from "@chemstream/service"
import { Details, Identifiers, Ledger, Lookup, Resolve, Structures } from "@chemstream/stream"
import { Effect, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterAll, describe, expect, it } from "vitest"
import * as MixedRows from "../src/MixedRows.ts"

const apiKey = Redacted.make("a-key")

const recorded = join(import.meta.dirname, "../../../../shared/real/details-163.json")

const folder = mkdtempSync(join(tmpdir(), "chemstream-resolve-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const title =
  "accounts for each of 2,000 mixed rows, finds every valid one, and mistakes no substance for another"

describe("resolving bundled substances", () => {
  it(title, () => expectCorrectResults(Bundled.database))
})

describe.skipIf(!existsSync(recorded))(
  "resolving recorded substances (skipped without ../shared/real)",
  () => {
    it(title, async () => {
      const database = join(folder, "recorded.sqlite")
      await Effect.runPromise(Import.details({ database, files: [recorded] }))
      await expectCorrectResults(database)
    })
  }
)

/** Resolves 2,000 rows about the substances of a database, and checks each result. */
const expectCorrectResults = async (database: string): Promise<void> => {
  const ledger = Ledger.make()
  const { results, rows } = await Effect.gen(function* () {
    const service = yield* Service.make({ database, keys: [apiKey] })
    const client = yield* ChemClient.make({ baseUrl: service.url, apiKey })
    return yield* Effect.gen(function* () {
      const ids = Details.pages({ projection: "all-ids" }).pipe(
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
  expect(Ledger.sum(ledger)).toBe(2000)
  const wrong = rows.flatMap(({ expected, text, dtxsid, kind }, at) => {
    const { candidates, note, status } = results[at] as Resolve.RowResult
    const ids = candidates.map(({ dtxsid }) => dtxsid)
    const isRight =
      expected === "found"
        ? status === "found" && ids[0] === dtxsid
        : expected === "candidate"
          ? (status === "found" && ids[0] === dtxsid) ||
            (status === "ambiguous" && ids.includes(dtxsid ?? ""))
          : (status === "missing" || status === "invalid") && ids.length === 0 && note !== null
    return isRight ? [] : [`${kind} ${text}: ${status} ${ids.join()} (${note}), not ${dtxsid}`]
  })
  expect(wrong).toEqual([])
}
