/**
 * Reads recorded responses of the public service with the client. Skipped without ../shared/real.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { ChemClient, ChemError } from "@chemstream/client"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, settings, withClient, withService } from "./testClient.ts"

type Client = ChemClient.ChemClient["Service"]

const folder = join(import.meta.dirname, "../../../../shared/real")
const text = (name: string): string => readFileSync(join(folder, name), "utf8")
const parsed = (name: string): unknown => JSON.parse(text(name))

/** Returns the result of a call whose response has this recorded body. */
const result = <A, E>(
  name: string,
  status: number,
  call: (client: Client) => Effect.Effect<A, E>
): Promise<A | E> =>
  withService([(response, request) => Scripted.reply(status, text(name))(response, request)], ({ url }) =>
    Effect.match(withClient(settings(url), call), {
      onSuccess: (value): A | E => value,
      onFailure: (error) => error as E
    })
  )

describe.skipIf(!existsSync(folder))("a recorded success (skipped without ../shared/real)", () => {
  it.each<[string, (client: Client) => Effect.Effect<unknown, unknown>]>([
    ["detail-DTXSID7020182-2026.json", ({ details }) => details.byDtxsid(bisphenolA)],
    ["detail-chemicalidentifier.json", ({ details }) => details.byDtxsid(bisphenolA)],
    [
      "details-batch-compact-2026.json",
      ({ details }) => details.byDtxsidBatch([bisphenolA], { projection: "compact" })
    ],
    ["details-163.json", ({ details }) => details.byDtxsidBatch([bisphenolA])],
    ["synonyms-DTXSID7020182.json", ({ synonyms }) => synonyms.byDtxsid(bisphenolA)],
    ["synonyms-DTXSID7020182-2026.json", ({ synonyms }) => synonyms.byDtxsid(bisphenolA)],
    ["msready-by-formula-CH4.json", ({ msready }) => msready.byFormula("CH4")],
    ["bioactivity-summary-aeid-700.json", ({ bioactivity }) => bioactivity.summaryByAeid(700)],
    ["bioactivity-data-aeid-704.json", ({ bioactivity }) => bioactivity.byAeid(704)],
    ["aed-batch-2026-first-4.json", ({ bioactivity }) => bioactivity.aedByDtxsidBatch([bisphenolA])]
  ])("%s is returned unchanged", async (name, call) => {
    expect(await result(name, 200, call)).toEqual(parsed(name))
  })

  it.each<[string, (client: Client) => Effect.Effect<unknown, unknown>]>([
    ["bioactivity-summary-dtxsid-2026.json", ({ bioactivity }) => bioactivity.summaryByDtxsid(bisphenolA)],
    ["bioactivity-data-by-m4id-11847245-2025.json", ({ bioactivity }) => bioactivity.byM4id(11847245)]
  ])("%s, an array of one, becomes the record", async (name, call) => {
    expect(await result(name, 200, call)).toEqual((parsed(name) as ReadonlyArray<unknown>)[0])
  })

  it("a null is removed from a list of identifiers", async () => {
    const found = await result("exact-formula-C6H6-2026.json", 200, ({ search }) =>
      search.byExactFormula("C6H6")
    )
    expect(found).toEqual(
      (parsed("exact-formula-C6H6-2026.json") as ReadonlyArray<unknown>).filter((id) => id !== null)
    )
    expect(found).toHaveLength(19)
  })

  it("a batch search returns hits and misses in the order of the words", async () => {
    const words = [bisphenolA, "DTXSID5032381", "DTXSID8024291"]
    expect(
      await result("search-batch-equal-text-2026.json", 200, ({ search }) => search.equalBatch(words))
    ).toMatchObject([
      { _tag: "Found", word: words[0] },
      { _tag: "Missing", word: words[1], suggestions: [] },
      { _tag: "Missing", word: words[2], suggestions: [] }
    ])
    expect(
      await result("search-batch-equal-miss.json", 200, ({ search }) => search.equalBatch(["gvfdsr7"]))
    ).toMatchObject([{ _tag: "Missing", word: "gvfdsr7" }])
  })

  it("one record for three words is a malformed response, not a miss", async () => {
    const words = [bisphenolA, "DTXSID5032381", "DTXSID8024291"]
    expect(
      await result("search-batch-equal-json-array-2026.json", 200, ({ search }) => search.equalBatch(words))
    ).toMatchObject({ _tag: "MalformedResponse", path: "[0].searchValue", dialect: "ctx" })
  })
})

describe.skipIf(!existsSync(folder))("a recorded refusal (skipped without ../shared/real)", () => {
  it.each<
    [string, number, (client: Client) => Effect.Effect<unknown, unknown>, Partial<ChemError.ChemError>]
  >([
    [
      "detail-miss-dtxsid-2026.problem.json",
      400,
      ({ details }) => details.byDtxsid("DTXSID5032381"),
      { _tag: "NotFound" }
    ],
    [
      "synonym-miss-2026.problem.json",
      400,
      ({ synonyms }) => synonyms.byDtxsid("DTXSID5032381"),
      { _tag: "NotFound" }
    ],
    [
      "search-equal-miss.problem.json",
      400,
      ({ search }) => search.equal("gvfds"),
      { _tag: "NotFound", suggestions: ["apfds", "upfds", "pfds", "vfdf"] }
    ],
    ["search-contain-miss.problem.json", 400, ({ search }) => search.contain("x"), { _tag: "NotFound" }],
    [
      "route-missing-segment-2026.problem.json",
      404,
      ({ msready }) => msready.byMass(1, 2),
      { _tag: "InvalidRequest" }
    ],
    [
      "bioactivity-aeid-not-a-number-2026.error.json",
      400,
      ({ bioactivity }) => bioactivity.summaryByAeid(1),
      { _tag: "InvalidRequest", message: "the service rejected the request (400): Bad Request" }
    ],
    [
      "bioactivity-batch-bad-aeid-2026.error.json",
      500,
      ({ bioactivity }) => bioactivity.byAeidBatch([1, 2]),
      { _tag: "ServiceFailure", message: "the service failed (500): Internal Server Error" }
    ],
    [
      "auth-401-wrong-key.json",
      401,
      ({ bioactivity }) => bioactivity.byAeidBatch([1, 2]),
      { _tag: "Unauthorized" }
    ]
  ])("%s is classified", async (name, status, call, error) => {
    expect(await result(name, status, call)).toMatchObject(error)
  })
})
