/**
 * The forms in which services of the families send records, misses, refusals and large responses.
 */
import type { RawRecord } from "@chemstream/ndjson"
import {
  Exposure,
  Fate,
  Files,
  Hazard,
  Ledger,
  Lists,
  type Lookup,
  type Outcome,
  Properties
} from "@chemstream/stream"
import { describe, expect, it } from "vitest"
import { ok, outcomesOf, type Respond, run, type ScriptedResponse, short } from "./lookupService.ts"

type AnyLookup = Lookup.Lookup<RawRecord.RawRecord>

const id = "DTXSID7020182"

const other = "DTXSID3039242"

/** Distinct identifiers. */
const substances = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) => `DTXSID${10_000_000 + n}`)

const found = async (
  respond: Respond,
  lookup: AnyLookup,
  ids: ReadonlyArray<string>,
  options?: Lookup.Options
) => (await outcomesOf(respond, lookup, ids, options)).map(short)

const idsOf = (body: unknown): ReadonlyArray<string> => body as ReadonlyArray<string>

const refusal = (status: number, body: object): ScriptedResponse => ({ status, body: JSON.stringify(body) })

describe("a record", () => {
  it.each([
    ["numbers as text", '{"dtxsid":"DTXSID7020182","label":"Clint","value":"19.90","reference":"NA"}'],
    ["HTML", '{"dtxsid":"DTXSID7020182","description":"<p>Fraction &lt; 1</p>"}'],
    ["twins in both spellings", '{"dtxsid":"DTXSID7020182","prop_value":null,"propValue":1.0}'],
    ["marks of unknown values", '{"dtxsid":"DTXSID7020182","toxvalNumeric":-999.0,"year":"-","source":""}']
  ])("with %s has the text of the response", async (_, record) => {
    expect(await found(() => ok(`[ ${record} ]`), Hazard.admeIvive() as AnyLookup, [id])).toEqual([
      [id, record]
    ])
  })

  it.each([
    ["one object", `{"listName":"CCL4","dtxsids":"${id},${other}"}`],
    ["an array of one", `[{"listName":"CCL4","dtxsids":"${id},${other}"}]`]
  ])("is read from %s", async (_, body) => {
    const lookup = Lists.byName({ projection: "chemicallistwithdtxsids" }) as AnyLookup
    expect(await found(() => ok(body), lookup, ["ccl4"])).toEqual([
      ["ccl4", `{"listName":"CCL4","dtxsids":"${id},${other}"}`]
    ])
  })
})

describe("an image", () => {
  it.each([
    ["a body of 0 bytes with the type of an image", "", "image/png"],
    ["a body of 0 bytes without a type", "", undefined]
  ])("that is unknown is missing: %s", async (_, body, type) => {
    const respond: Respond = () => ({
      status: 200,
      body,
      headers: type === undefined ? {} : { "content-type": type }
    })
    expect(await found(respond, Files.image() as AnyLookup, [id])).toEqual([`Missing ${id}`])
  })

  it.each([
    ["a JSON text", '{"detail":"try later"}', "application/json"],
    ["a JSON text with the type of an image", "[ ]", "image/png"],
    ["a text", "image not ready", "text/plain"]
  ])("is never %s", async (_, body, type) => {
    const respond: Respond = () => ({ status: 200, body, headers: { "content-type": type } })
    const outcomes = await outcomesOf(respond, Files.image() as AnyLookup, [id])
    const message = expect.stringContaining("the body is not an image, but starts with")
    expect(outcomes).toMatchObject([{ _tag: "Failed", error: { _tag: "MalformedResponse", message } }])
  })

  it.each(["text/html", "image/png"])(
    "is never a page with the type %s, which stops the run",
    async (type) => {
      const body = "<!doctype html><title>Sign in</title>"
      const respond: Respond = () => ({ status: 200, body, headers: { "content-type": type } })
      expect(await run(respond, Files.image() as AnyLookup, [id])).toMatchObject({
        failure: { _tag: "MalformedResponse", page: "Sign in" }
      })
    }
  )

  it("of the SVG format has that type, and its bytes", async () => {
    const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'
    const base64 = Buffer.from(svg).toString("base64")
    expect(await found(() => ok(svg), Files.image() as AnyLookup, [id])).toEqual([
      [id, `{"dtxsid":"${id}","mediaType":"image/svg+xml","size":${svg.length},"base64":"${base64}"}`]
    ])
  })
})

describe("a batch that is refused because of one malformed identifier", () => {
  const all = substances(40)
  const bad = all[17] as string
  const batches: Array<number> = []

  it.each([
    ["messages in `detail`", { detail: `Bad DTXSID format: ${bad}, Bad DTXSID format` }],
    ["violations", { detail: "Constraint Violation", violations: { ids: `Bad DTXSID format: ${bad}` } }],
    ["no reason", { timestamp: "2026-03-04T20:05:37.500+00:00", error: "Bad Request" }]
  ])("is bisected until that one is alone, with %s", async (_, problem) => {
    const respond: Respond = ({ body }) => {
      const ids = idsOf(body)
      batches.push(ids.length)
      return ids.includes(bad)
        ? refusal(400, { status: 400, ...problem })
        : ok(JSON.stringify(ids.map((dtxsid) => ({ dtxsid, propName: "LogP" }))))
    }
    const outcomes = await outcomesOf(respond, Properties.predicted() as AnyLookup, all)
    expect(outcomes.map(({ _tag, id: one }) => [_tag, one])).toEqual(
      all.map((one) => [one === bad ? "Failed" : "Found", one])
    )
  })
})

describe("a batch above the limit of a service", () => {
  const all = substances(200)

  const limited =
    (limit: number, tooLarge: ScriptedResponse, sizes: Array<number>): Respond =>
    ({ body }) => {
      const ids = idsOf(body)
      sizes.push(ids.length)
      return ids.length > limit ? tooLarge : ok(JSON.stringify(ids.map((dtxsid) => ({ dtxsid, id: 1 }))))
    }

  it.each<[string, AnyLookup, ScriptedResponse]>([
    [
      "a 500 without a reason (exposure)",
      Exposure.functionalUse() as AnyLookup,
      refusal(500, {
        timestamp: "2026-03-04T20:06:01.304+00:00",
        status: 500,
        error: "Internal Server Error"
      })
    ],
    ["a 500 with an empty body (exposure)", Exposure.httk() as AnyLookup, { status: 500, body: "" }],
    [
      "a 400 that names the limit (hazard)",
      Hazard.skinEye() as AnyLookup,
      refusal(400, { detail: "System supports only '60' dtxsid at one time, '200' are submitted." })
    ]
  ])("is halved until it is accepted, after %s", async (_, lookup, tooLarge) => {
    const sizes: Array<number> = []
    const ledger = Ledger.make()
    const outcomes = await outcomesOf(limited(60, tooLarge, sizes), lookup, all, { ledger })
    expect(new Set(outcomes.map(({ _tag }) => _tag))).toEqual(new Set(["Found"]))
    expect(outcomes).toHaveLength(200)
    expect(sizes.length).toBeLessThanOrEqual(24)
  })
})

describe("large responses", () => {
  /** The most bytes of a response that batches aim at. */
  const window = 8 * 2 ** 20

  const recordsOf = (dtxsid: string, count: number, bytes: number): ReadonlyArray<string> =>
    Array.from(
      { length: count },
      (_, n) => `{"dtxsid":"${dtxsid}","toxvalId":${n},"note":"${"x".repeat(bytes)}"}`
    )

  it("of the largest recorded kind stay below 8 MiB, and all substances are found", async () => {
    const bodies: Array<number> = []
    const respond: Respond = ({ body }) => {
      const text = `[${idsOf(body)
        .flatMap((dtxsid) => recordsOf(dtxsid, 130, 2440))
        .join(",")}]`
      bodies.push(text.length)
      return ok(text)
    }
    const outcomes = await outcomesOf(respond, Hazard.toxval() as AnyLookup, substances(60))
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(Array(60).fill("Found"))
    expect(Math.max(...bodies)).toBeLessThanOrEqual(window)
    expect(bodies.length).toBeLessThan(20)
  })

  it("make the batches after them smaller, so that those have at most 8 MiB", async () => {
    const bodies: Array<number> = []
    const respond: Respond = ({ body }) => {
      const text = `[${idsOf(body)
        .flatMap((dtxsid) => recordsOf(dtxsid, 1, 250_000))
        .join(",")}]`
      bodies.push(text.length)
      return ok(text)
    }
    const options = { concurrency: 1 }
    const outcomes = await outcomesOf(respond, Fate.byDtxsid() as AnyLookup, substances(150), options)
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(Array(150).fill("Found"))
    // The second batch is sent before the first response has been read.
    expect(Math.max(...bodies.slice(2))).toBeLessThanOrEqual(window)
    expect(bodies.length).toBeLessThan(20)
  })

  it("of one value are in memory once: its records are places in the body", async () => {
    const body = `[${recordsOf(id, 2000, 2440).join(",")}]`
    const outcomes = await outcomesOf(() => ok(body), Exposure.mmdbAggregate() as AnyLookup, [id])
    const records = outcomes.flatMap((outcome) => (outcome._tag === "Found" ? outcome.records : []))
    expect(records).toHaveLength(2000)
    expect(new Set(records.map(({ bytes }) => bytes.buffer)).size).toBe(1)
    expect(records[0]?.bytes.buffer.byteLength).toBeLessThanOrEqual(body.length + 1024)
  })
})

describe("a service without a family", () => {
  const routers: ReadonlyArray<readonly [string, ScriptedResponse]> = [
    [
      "a problem document",
      refusal(404, { title: "Not Found", status: 404, detail: "No static resource hazard." })
    ],
    [
      "an error without a reason",
      refusal(404, { timestamp: "x", status: 404, error: "Not Found", path: "/x" })
    ],
    ["a text", { status: 404, body: "404 page not found", headers: { "content-type": "text/plain" } }],
    [
      "a page",
      { status: 404, body: "<html><title>404</title></html>", headers: { "content-type": "text/html" } }
    ],
    ["an empty body", { status: 404, body: "" }],
    ["a 405", refusal(405, { status: 405, error: "Method Not Allowed" })]
  ]

  it.each(routers)("stops a run after its first response, with %s", async (_, router) => {
    for (const lookup of [Hazard.toxval(), Hazard.iris()] as ReadonlyArray<AnyLookup>) {
      const requests: Array<string> = []
      const respond: Respond = ({ url }) => {
        requests.push(url)
        return router
      }
      const result = await run(respond, lookup, substances(1000), { concurrency: 1 })
      const name = lookup.endpoint.replace("Batch", "")
      expect(result).toMatchObject({
        failure: {
          _tag: "InvalidRequest",
          isEndpointMissing: true,
          message: expect.stringMatching(
            new RegExp(
              `^the service has no endpoint ${name} \\(40[45]: /hazard/.*\\. Use a service that has hazard, or`
            )
          )
        }
      })
      expect(requests).toHaveLength(1)
    }
  })

  it("is told apart from a service that has another endpoint", async () => {
    const respond: Respond = ({ url }) =>
      url.includes("/toxval/") ? refusal(404, { detail: "No static resource hazard/toxval." }) : ok("[]")
    expect(await found(respond, Hazard.iris() as AnyLookup, [id])).toEqual([`Missing ${id}`])
    expect(await run(respond, Hazard.toxval() as AnyLookup, [id])).toMatchObject({
      failure: { isEndpointMissing: true }
    })
  })

  it("fails an identifier whose response is a 404, and no other, if the endpoint has responded before", async () => {
    const respond: Respond = ({ url }) =>
      url.endsWith(other) ? refusal(404, { timestamp: "x", status: 404, error: "Not Found" }) : ok("[]")
    const outcomes = await outcomesOf(respond, Hazard.iris() as AnyLookup, [id, other], { concurrency: 1 })
    expect(outcomes).toMatchObject([
      { _tag: "Missing", id },
      { _tag: "Failed", id: other, error: { _tag: "InvalidRequest", status: 404 } }
    ])
  })

  it("fails a value that no router accepts, and no other", async () => {
    const respond: Respond = ({ url }) =>
      url.includes("%2F") ? refusal(404, { detail: "No static resource chemical/list." }) : ok("[]")
    const outcomes = await outcomesOf(respond, Lists.members() as AnyLookup, ["a/b", "CCL4"], {
      concurrency: 1
    })
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Failed", "Missing"])
  })
})

describe("an unknown value of a vocabulary", () => {
  const catalogues: Readonly<Record<string, string>> = {
    "/exposure/mmdb/mediums": '[{"harmonizedMedium":"surface water"},{"harmonizedMedium":"sediment"}]',
    "/chemical/list/all?projection=chemicallistname": '[{"listName":"CCL4"},{"listName":"PFASSTRUCTV5"}]',
    "/chemical/list/type": '["federal","state"]',
    "/chemical/property/predicted/name": '[{"propertyName":"Boiling Point"},{"propertyName":"LogKow"}]'
  }

  const suggestionsOf = (outcome: Outcome.Outcome<unknown, unknown>): unknown =>
    outcome._tag === "Missing" ? (outcome.suggestions ?? "none") : outcome._tag

  const empty = (url: string): ScriptedResponse =>
    url.includes("pageNumber")
      ? ok('{"pageNumber":1,"totalPages":1,"data":[]}')
      : url.includes("/by-name/")
        ? refusal(400, { detail: "List name with value X not found." })
        : ok("[]")

  const cases: ReadonlyArray<
    readonly [string, AnyLookup, string, ReadonlyArray<string> | undefined, number]
  > = [
    ["a medium", Exposure.mmdbAggregateByMedium() as AnyLookup, "surfacewater", ["surface water"], 1],
    ["a list", Lists.members() as AnyLookup, "PFASSTRUCTv4", ["PFASSTRUCTV5"], 1],
    ["a list by name", Lists.byName() as AnyLookup, "CCL-4", ["CCL4"], 1],
    ["a list with a word", Lists.membersEqual() as AnyLookup, "CCL5,1,4-Dioxane", ["CCL4,1,4-Dioxane"], 1],
    ["a type of lists", Lists.byType() as AnyLookup, "fedral", ["federal"], 1],
    ["a property", Properties.predictedInRange() as AnyLookup, "Boiling Pont,1,2", ["Boiling Point,1,2"], 1],
    ["a study type", Hazard.toxrefDataByStudyType() as AnyLookup, "DEVE", ["DEV"], 0],
    ["a list that has no members", Lists.members() as AnyLookup, "CCL4", undefined, 1],
    ["a name that is like no other", Lists.members() as AnyLookup, "antibiotics", undefined, 1]
  ]

  it.each(cases)(
    "(%s) is missing, with the nearest known value",
    async (_, lookup, value, suggestions, requests) => {
      const requested: Array<string> = []
      const respond: Respond = ({ url }) => {
        const catalogue = catalogues[url]
        if (catalogue !== undefined) requested.push(url)
        return catalogue === undefined ? empty(url) : ok(catalogue)
      }
      const outcomes = await outcomesOf(respond, lookup, [value, "antiquities"])
      expect(outcomes.map(suggestionsOf)[0]).toEqual(suggestions ?? "none")
      expect(requested).toHaveLength(requests)
    }
  )

  it("is missing without a suggestion if the service has no catalogue, and costs no request if it is found", async () => {
    const respond: Respond = ({ url }) =>
      url.endsWith("/CCL4") ? ok(`["${id}"]`) : url.includes("/all") ? refusal(500, {}) : ok("[]")
    const outcomes = await outcomesOf(respond, Lists.members() as AnyLookup, ["CCL4", "CCL5"])
    expect(outcomes.map(suggestionsOf)).toEqual(["Found", "none"])
  })
})
