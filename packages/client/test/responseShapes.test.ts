/**
 * Reads responses whose shape differs between deployments.
 */
import { type ChemClient, RetryPolicy } from "@chemstream/client"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, settings, withClient, withService } from "./testClient.ts"

type Client = ChemClient.ChemClient["Service"]
type Call = (client: Client) => Effect.Effect<unknown, unknown>

const result = (responder: Scripted.Responder, call: Call): Promise<unknown> =>
  withService([responder], ({ url }) =>
    Effect.map(Effect.result(withClient(settings(url), call)), (value) => value)
  )

const succeeds = async (body: string, call: Call): Promise<unknown> => {
  const value = (await result(Scripted.reply(200, body), call)) as { readonly success?: unknown }
  expect(value).toHaveProperty("success")
  return value.success
}

describe("one record", () => {
  const calls: ReadonlyArray<[string, Call, string]> = [
    [
      "summaryByDtxsid",
      ({ bioactivity }) => bioactivity.summaryByDtxsid(bisphenolA),
      `"dtxsid":"${bisphenolA}"`
    ],
    ["summaryByAeid", ({ bioactivity }) => bioactivity.summaryByAeid(700), `"aeid":700`],
    ["byM4id", ({ bioactivity }) => bioactivity.byM4id(7), `"m4id":7`]
  ]

  it.each(calls)("of %s is read from an object and from an array of one", async (_, call, field) => {
    const record = JSON.parse(`{${field}}`)
    expect(await succeeds(`{${field}}`, call)).toEqual(record)
    expect(await succeeds(`[ {${field}} ]`, call)).toEqual(record)
  })

  it.each(calls)("of %s is not found when the array is empty", async (_, call) => {
    expect(await result(Scripted.reply(200, "[ ]"), call)).toMatchObject({ failure: { _tag: "NotFound" } })
  })

  it.each(calls.slice(1))("of %s is not found when the body is empty", async (_, call) => {
    expect(await result(Scripted.reply(200, ""), call)).toMatchObject({ failure: { _tag: "NotFound" } })
  })

  it("of summaryByDtxsid is malformed when the body is empty", async () => {
    expect(
      await result(Scripted.reply(200, ""), ({ bioactivity }) => bioactivity.summaryByDtxsid(bisphenolA))
    ).toMatchObject({ failure: { _tag: "MalformedResponse" } })
  })

  it.each(["17", '"17"', "null"])("keeps the id %s of a detail", async (id) => {
    const record = { id: JSON.parse(id), dtxsid: bisphenolA }
    expect(await succeeds(JSON.stringify(record), ({ details }) => details.byDtxsid(bisphenolA))).toEqual(
      record
    )
    expect(
      await succeeds(JSON.stringify([record]), ({ details }) =>
        Effect.map(details.page(), ({ records }) => records)
      )
    ).toEqual([record])
  })

  it.each(['"C1"', '["C1","C2"]', "null"])("keeps the pcCode %s of synonyms", async (code) => {
    const record = { dtxsid: bisphenolA, pcCode: JSON.parse(code) }
    expect(await succeeds(JSON.stringify(record), ({ synonyms }) => synonyms.byDtxsid(bisphenolA))).toEqual(
      record
    )
  })
})

describe("a list of identifiers with a null", () => {
  const list = `["${bisphenolA}",null]`
  it.each<[string, Call, string, unknown]>([
    ["search.byExactFormula", ({ search }) => search.byExactFormula("C6H6"), list, [bisphenolA]],
    ["search.byMsreadyFormula", ({ search }) => search.byMsreadyFormula("C6H6"), list, [bisphenolA]],
    ["msready.byFormula", ({ msready }) => msready.byFormula("C6H6"), list, [bisphenolA]],
    ["msready.byDtxcid", ({ msready }) => msready.byDtxcid("DTXCID30182"), list, [bisphenolA]],
    ["msready.byMass", ({ msready }) => msready.byMass(1, 2), list, [bisphenolA]],
    [
      "msready.byDtxcidBatch (list)",
      ({ msready }) => msready.byDtxcidBatch(["DTXCID30182"]),
      list,
      new Map([["DTXCID30182", [bisphenolA]]])
    ],
    [
      "msready.byDtxcidBatch (mapping)",
      ({ msready }) => msready.byDtxcidBatch(["DTXCID30182"]),
      `{"DTXCID30182":${list}}`,
      new Map([["DTXCID30182", [bisphenolA]]])
    ],
    [
      "msready.byMassBatch",
      ({ msready }) => msready.byMassBatch([228]),
      `{"228.0":${list}}`,
      new Map([[228, [bisphenolA]]])
    ]
  ])("is read without the null by %s", async (_, call, body, expected) => {
    expect(await succeeds(body, call)).toEqual(expected)
  })
})

describe("the keys of a batch of masses", () => {
  it("are compared as numbers, in any order and notation", async () => {
    const masses = `{ "100000.0" : [ "c" ], "1.0E5" : [ "d" ], "12.0" : [ "a" ] }`
    expect(await succeeds(masses, ({ msready }) => msready.byMassBatch([12, 1e5]))).toEqual(
      new Map([
        [12, ["a"]],
        [100_000, ["c", "d"]]
      ])
    )
  })
})

describe("a 400", () => {
  it.each([
    "dtxsid with value X not found.",
    "DTXSID with value X not found.",
    "dtxcid with value X not found.",
    "Searched by InChI Skeleton: Found 0 results for 'X'."
  ])("is NotFound with the text: %s", async (detail) => {
    expect(
      await result(Scripted.problem(400, detail), ({ details }) => details.byDtxsid(bisphenolA))
    ).toMatchObject({ failure: { _tag: "NotFound", status: 400 } })
  })

  it("is InvalidRequest with another text", async () => {
    expect(
      await result(Scripted.problem(400, "projection with value X not supported."), ({ details }) =>
        details.byDtxsid(bisphenolA)
      )
    ).toMatchObject({ failure: { _tag: "InvalidRequest" } })
  })
})

describe("a batch", () => {
  const batch: Call = ({ details }) => details.byDtxsidBatch([bisphenolA, "DTXSID3039242"])
  it.each<[string, Scripted.Responder]>([
    [
      "the text of 2025",
      Scripted.problem(400, "System supports only '1000' '1001' at one time, 'dtxsid' are submitted.")
    ],
    [
      "the text of its documents",
      Scripted.problem(400, "System supports requests of '200' DTXSIDs at one time, '202' are submitted.")
    ],
    [
      "a list of violations",
      Scripted.problem(400, "Validation failure", {
        violations: ["Batch exceeded maximum configured size (1000)"]
      })
    ],
    [
      "violations by field",
      Scripted.reply(
        400,
        '{"title":"Constraint Violations","violations":{"ids":"Batch exceeded maximum size (1000)"}}'
      )
    ]
  ])("is too large if the refusal has %s", async (_, responder) => {
    expect(await result(responder, batch)).toMatchObject({ failure: { _tag: "BatchTooLarge", status: 400 } })
  })

  it("is refused with the violations in the message", async () => {
    expect(
      await result(
        Scripted.reply(
          400,
          '{"title":"Constraint Violations","violations":{"error":"error value couldn\'t be null"}}'
        ),
        batch
      )
    ).toMatchObject({
      failure: {
        _tag: "InvalidRequest",
        message: "the service rejected the request (400): Constraint Violations: error value couldn't be null"
      }
    })
  })
})

describe("a 500 without a reason", () => {
  const failure = Scripted.reply(
    500,
    '{"timestamp":"2026-03-04T20:06:20.663+00:00","status":500,"error":"Internal Server Error","path":"/x"}'
  )
  const reasoned = Scripted.problem(500, "the database is locked")
  const retry = RetryPolicy.make({ attempts: 5, baseDelay: 1, maxDelay: 1 })
  const requests = (responders: ReadonlyArray<Scripted.Responder>, aeids: ReadonlyArray<number>) =>
    withService(responders, (service) =>
      Effect.map(
        Effect.result(
          withClient(settings(service.url, { retry }), ({ bioactivity }) => bioactivity.byAeidBatch(aeids))
        ),
        ({ _tag }) => `${_tag} ${service.requests.length}`
      )
    )

  it("is retried once for a batch, and with all attempts for one value", async () => {
    expect(await requests([failure], [1, 2])).toBe("Failure 2")
    expect(await requests([failure, Scripted.reply(200, "[]")], [1, 2])).toBe("Success 2")
    expect(await requests([failure], [1])).toBe("Failure 5")
    expect(await requests([reasoned], [1, 2])).toBe("Failure 5")
  })
})
