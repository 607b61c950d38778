import { ChemicalApi, Dialect, Operation, Row, Rows } from "@chemstream/api"
import type { ChemClient } from "@chemstream/client"
import { Cause, Effect, Exit, Result, type Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { settings, withClient, withService } from "./testClient.ts"

type Client = ChemClient.ChemClient["Service"]

interface Case {
  readonly call: (client: Client) => Effect.Effect<unknown, { readonly message: string }>
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly accept?: string
  /** The body of the response, and the result of the method if it differs. */
  readonly response: unknown
  readonly value?: unknown
}

const sid = "DTXSID7020182"
const cid = "DTXCID30182"
const record = { dtxsid: sid, dtxcid: cid }

/** A call of each endpoint of the contract. */
const cases: Readonly<Record<string, Case>> = {
  "details.byDtxsid": {
    call: ({ details }) => details.byDtxsid(sid, { projection: "compact" }),
    params: { dtxsid: sid },
    query: "projection=compact",
    response: record
  },
  "details.byDtxsidBatch": {
    call: ({ details }) => details.byDtxsidBatch([sid], { projection: "ntatoolkit" }),
    query: "projection=ntatoolkit",
    body: [sid],
    response: [record]
  },
  "details.byDtxcid": {
    call: ({ details }) => details.byDtxcid(" dtxcid30182 "),
    params: { dtxcid: cid },
    response: record
  },
  "details.byDtxcidBatch": {
    call: ({ details }) => details.byDtxcidBatch([cid], { projection: "compact" }),
    query: "projection=compact",
    body: [cid],
    response: [record]
  },
  "details.all": {
    call: ({ details }) => Effect.map(details.page(3, { projection: "all-ids" }), ({ records }) => records),
    query: "next=3&projection=all-ids",
    response: [record]
  },
  "search.equal": {
    call: ({ search }) => search.equal("Bisphenol A"),
    params: { word: "Bisphenol%20A" },
    response: [{ dtxsid: sid, rank: 9 }],
    value: { hits: [{ dtxsid: sid, rank: 9 }] }
  },
  "search.equalBatch": {
    call: ({ search }) => search.equalBatch(["bisphenol a"]),
    body: ["bisphenol a"],
    response: [{ dtxsid: sid, searchValue: "Bisphenol A" }],
    value: [{ _tag: "Found", word: "bisphenol a", hits: [{ dtxsid: sid, searchValue: "Bisphenol A" }] }]
  },
  "search.startWith": {
    call: ({ search }) => search.startWith("Bisph"),
    params: { word: "Bisph" },
    response: [{ dtxsid: sid, rank: 9 }],
    value: { hits: [{ dtxsid: sid, rank: 9 }] }
  },
  "search.contain": {
    call: ({ search }) => search.contain("phenol"),
    params: { word: "phenol" },
    response: [{ dtxsid: sid, rank: 9 }],
    value: { hits: [{ dtxsid: sid, rank: 9 }] }
  },
  "search.byExactFormula": {
    call: ({ search }) => search.byExactFormula("H16C15O2"),
    params: { formula: "C15H16O2" },
    response: [sid]
  },
  "search.byMsreadyFormula": {
    call: ({ search }) => search.byMsreadyFormula("C15H16O2"),
    params: { formula: "C15H16O2" },
    response: [sid]
  },
  "search.countByExactFormula": {
    call: ({ search }) => search.countByExactFormula("C15H16O2"),
    params: { formula: "C15H16O2" },
    accept: "application/hal+json",
    response: 12
  },
  "search.countByMsreadyFormula": {
    call: ({ search }) => search.countByMsreadyFormula("C15H16O2"),
    params: { formula: "C15H16O2" },
    accept: "application/hal+json",
    response: 0
  },
  "msready.byDtxcid": {
    call: ({ msready }) => msready.byDtxcid(cid),
    params: { dtxcid: cid },
    response: [sid]
  },
  "msready.byDtxcidBatch": {
    call: ({ msready }) => msready.byDtxcidBatch([cid]),
    body: [cid],
    response: { [cid]: [sid] },
    value: new Map([[cid, [sid]]])
  },
  "msready.byFormula": {
    call: ({ msready }) => msready.byFormula("CH4"),
    params: { formula: "CH4" },
    response: [sid]
  },
  "msready.byMass": {
    call: ({ msready }) => msready.byMass(228.1, 228.2),
    params: { start: "228.1", end: "228.2" },
    response: [sid]
  },
  "msready.byMassBatch": {
    call: ({ msready }) => msready.byMassBatch([228]),
    body: { masses: [228] },
    response: { "228.0": [sid] },
    value: new Map([[228, [sid]]])
  },
  "synonyms.byDtxsid": {
    call: ({ synonyms }) => synonyms.byDtxsid(sid, { projection: "ccd-synonyms" }),
    params: { dtxsid: sid },
    query: "projection=ccd-synonyms",
    response: [{ synonym: "BPA", quality: "Good" }]
  },
  "synonyms.byDtxsidBatch": {
    call: ({ synonyms }) => synonyms.byDtxsidBatch([sid]),
    body: [sid],
    response: [{ dtxsid: sid, valid: null }]
  },
  "bioactivity.summaryByTissue": {
    call: ({ bioactivity }) => bioactivity.summaryByTissue(sid, "liver"),
    query: `dtxsid=${sid}&tissue=liver`,
    response: { dtxsid: sid, tissue: "liver" },
    value: [{ dtxsid: sid, tissue: "liver" }]
  },
  "bioactivity.summaryByDtxsid": {
    call: ({ bioactivity }) => bioactivity.summaryByDtxsid(sid),
    params: { dtxsid: sid },
    response: { dtxsid: sid, activeMc: 1 }
  },
  "bioactivity.summaryByAeid": {
    call: ({ bioactivity }) => bioactivity.summaryByAeid(704),
    params: { aeid: "704" },
    response: { aeid: 704, activeMc: 1 }
  },
  "bioactivity.bySpid": {
    call: ({ bioactivity }) => bioactivity.bySpid("EPAPLT0167A11"),
    params: { spid: "EPAPLT0167A11" },
    response: [{ m4id: 1 }]
  },
  "bioactivity.bySpidBatch": {
    call: ({ bioactivity }) => bioactivity.bySpidBatch(["a b"]),
    body: ["a b"],
    response: [{ spid: "a b" }]
  },
  "bioactivity.byM4id": {
    call: ({ bioactivity }) => bioactivity.byM4id(1135145),
    params: { m4id: "1135145" },
    response: { m4id: 1135145 }
  },
  "bioactivity.byM4idBatch": {
    call: ({ bioactivity }) => bioactivity.byM4idBatch([1, 2]),
    body: [1, 2],
    response: [{ m4id: 1 }]
  },
  "bioactivity.byDtxsid": {
    call: ({ bioactivity }) => bioactivity.byDtxsid(sid, { projection: "assay-summary-plot" }),
    params: { dtxsid: sid },
    query: "projection=assay-summary-plot",
    response: [{ m4id: 1, ac50: 2.5 }]
  },
  "bioactivity.byDtxsidBatch": {
    call: ({ bioactivity }) => bioactivity.byDtxsidBatch([sid]),
    body: [sid],
    response: [{ dtxsid: sid }]
  },
  "bioactivity.byAeid": {
    call: ({ bioactivity }) => bioactivity.byAeid(704),
    params: { aeid: "704" },
    response: [{ m4id: 1 }]
  },
  "bioactivity.byAeidBatch": {
    call: ({ bioactivity }) => bioactivity.byAeidBatch([704]),
    body: [704],
    response: [{ aeid: 704 }]
  },
  "bioactivity.aedByDtxsid": {
    call: ({ bioactivity }) => bioactivity.aedByDtxsid(sid),
    params: { dtxsid: sid },
    response: [{ dtxsid: sid, aedVal: [1.5] }]
  },
  "bioactivity.aedByDtxsidBatch": {
    call: ({ bioactivity }) => bioactivity.aedByDtxsidBatch([sid]),
    body: [sid],
    response: [{ dtxsid: sid }]
  }
}

/** The endpoints of the contract with method and path. */
const contract = () => {
  const endpoints: Array<{ readonly name: string; readonly method: string; readonly path: string }> = []
  HttpApi.reflect(ChemicalApi.ChemicalApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) =>
      endpoints.push({
        name: `${group.identifier}.${endpoint.identifier}`,
        method: endpoint.method,
        path: endpoint.path
      })
  })
  return endpoints
}

describe("the methods", () => {
  it("are one for each of the 33 endpoints of the contract", () => {
    expect(contract().map(({ name }) => name)).toEqual(Object.keys(cases))
    expect(contract()).toHaveLength(33)
  })

  it.each(contract())(
    "include $name, which sends $method $path and reads the response",
    ({ method, name, path }) => {
      const {
        accept = "application/json",
        response,
        body,
        call,
        params = {},
        query,
        value
      } = cases[name] as Case
      return withService([Scripted.reply(200, JSON.stringify(response))], (service) =>
        Effect.gen(function* () {
          expect(yield* withClient(settings(service.url), call)).toEqual(value ?? response)
          const target = path.replace(/:(\w+)/g, (_, key: string) => params[key] ?? "?")
          expect(service.requests).toMatchObject([
            {
              method,
              url: query === undefined ? target : `${target}?${query}`,
              body: body === undefined ? "" : JSON.stringify(body),
              headers: { accept }
            }
          ])
        })
      )
    }
  )
})

type Call = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, { readonly message: string }>

/** A request of a row that the public service alone has, with a response of one record, and the arguments of its call. */
const caseOf = (operation: Operation.Operation) => {
  const { batch, key, row } = operation
  const fields: Readonly<Record<string, unknown>> = key?.toFields(key.example) ?? {}
  const parameters = Object.keys(row.query ?? {}).map((name) => [name, `a ${name}`])
  const isInPath = operation.path.includes("{") || batch !== undefined
  const isInBody = row.get.method === "POST"
  const query = new URLSearchParams([
    ...(isInPath || isInBody ? [] : Object.entries(fields).map(([name, value]) => [name, String(value)])),
    ...parameters,
    ...(row.page === undefined ? [] : [[row.page, "1"]]),
    ...Object.entries(Operation.difference(operation, "ctx").forms?.[0].query ?? {})
  ])
  const target = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(fields[name]))
  )
  return {
    url: query.size === 0 ? target : `${target}?${query}`,
    body: batch === undefined && !isInBody ? "" : JSON.stringify(Object.values(fields).flat()),
    args:
      batch === undefined
        ? [...Object.values(fields), ...parameters.map(([, value]) => value)]
        : [Object.values(fields)],
    method: `${Operation.methodOf(operation.name)}${row.page === undefined ? "" : "Page"}`,
    ...responseOf(operation, Object.values(fields))
  }
}

const responseOf = ({ batch, row }: Operation.Operation, [value]: ReadonlyArray<unknown>) => {
  const isText = (row.record() as Schema.Top).ast._tag === "String"
  const record =
    row.scalar === undefined
      ? { [row.recordKey ?? row.key?.name ?? "of"]: value ?? null }
      : isText
        ? "text"
        : 12
  if (row.get.body === "bytes") return { response: "<svg />", value: { mediaType: "image/svg+xml" } }
  if (row.get.body === "text")
    return { response: "ketcher", value: { mediaType: "text/plain", text: "ketcher" } }
  if (row.page !== undefined) {
    const page = { pageNumber: 1, totalPages: 1, data: [record] }
    return { response: JSON.stringify(page), value: { page: 1, records: [record] } }
  }
  const all = batch !== undefined || Row.isList(row) ? [record] : record
  return { response: JSON.stringify(all), value: all }
}

describe("the methods of rows that the public service alone has", () => {
  const operations = Rows.operations.filter(({ row }) => row.dialect !== undefined)

  it.each(operations)("include $name, which sends $method $path and reads the response", (operation) => {
    const { args, body, method, response, url, value } = caseOf(operation)
    return withService([Scripted.reply(200, response)], (service) =>
      Effect.gen(function* () {
        const result = yield* withClient(settings(service.url), (client) => {
          const group = client[Operation.groupOf(operation.name) as "hazard"] as unknown as Record<
            string,
            Call
          >
          return (group[method] as Call)(...args)
        })
        if (typeof value === "object") expect(result).toMatchObject(value)
        else expect(result).toBe(value)
        expect(service.requests).toMatchObject([
          { method: operation.method, url, body, headers: { accept: operation.accept } }
        ])
      })
    )
  })

  it.each(operations.filter(({ batch }) => batch !== undefined))(
    "take at most the batch of $name, and send no request for a larger or an empty one",
    ({ batch, key, name }) =>
      withService([Scripted.reply(500, "")], (service) =>
        Effect.gen(function* () {
          const limit = batch?.limit ?? 0
          const call = (size: number) =>
            withClient(settings(service.url), (client) => {
              const group = client[Operation.groupOf(name) as "hazard"] as unknown as Record<string, Call>
              return (group[Operation.methodOf(name)] as Call)(Array(size).fill(key?.example))
            })
          expect(yield* call(0)).toEqual([])
          expect(yield* Effect.flip(call(limit + 1))).toMatchObject({
            _tag: "BatchTooLarge",
            endpoint: name,
            batchSize: limit + 1,
            limit
          })
          expect(service.requests).toHaveLength(0)
        })
      )
  )
})

describe("a batch", () => {
  const batches = contract().filter(({ name }) => name.endsWith("Batch"))

  const batchCalls: Readonly<
    Record<string, (client: Client, size: number) => Effect.Effect<unknown, unknown>>
  > = {
    "details.byDtxsidBatch": ({ details }, size) => details.byDtxsidBatch(Array(size).fill(sid)),
    "details.byDtxcidBatch": ({ details }, size) => details.byDtxcidBatch(Array(size).fill(cid)),
    "search.equalBatch": ({ search }, size) =>
      search.equalBatch(
        Array.from({ length: size }, (_, i) => `word ${i}`),
        { largest: 1000 }
      ),
    "msready.byDtxcidBatch": ({ msready }, size) => msready.byDtxcidBatch(Array(size).fill(cid)),
    "msready.byMassBatch": ({ msready }, size) => msready.byMassBatch(Array(size).fill(1)),
    "synonyms.byDtxsidBatch": ({ synonyms }, size) => synonyms.byDtxsidBatch(Array(size).fill(sid)),
    "bioactivity.bySpidBatch": ({ bioactivity }, size) => bioactivity.bySpidBatch(Array(size).fill("a")),
    "bioactivity.byM4idBatch": ({ bioactivity }, size) => bioactivity.byM4idBatch(Array(size).fill(1)),
    "bioactivity.byDtxsidBatch": ({ bioactivity }, size) => bioactivity.byDtxsidBatch(Array(size).fill(sid)),
    "bioactivity.byAeidBatch": ({ bioactivity }, size) => bioactivity.byAeidBatch(Array(size).fill(1)),
    "bioactivity.aedByDtxsidBatch": ({ bioactivity }, size) =>
      bioactivity.aedByDtxsidBatch(Array(size).fill(sid))
  }

  it.each(batches)("of $name sends no request if it is empty or above the limit", ({ name }) =>
    withService([Scripted.reply(500, "")], (service) =>
      Effect.gen(function* () {
        const call = batchCalls[name]
        if (call === undefined) return expect.fail(`no call of ${name}`)
        const limit = name === "search.equalBatch" ? 200 : 1000
        const empty = yield* withClient(settings(service.url), (client) => call(client, 0))
        expect([...(empty as Iterable<unknown>)]).toEqual([])
        const error = yield* Effect.flip(
          withClient(settings(service.url), (client) => call(client, limit + 1))
        )
        expect(error).toMatchObject({
          _tag: "BatchTooLarge",
          endpoint: name,
          batchSize: limit + 1,
          attempts: 0
        })
        expect(service.requests).toHaveLength(0)
      })
    )
  )
})

describe("a malformed value", () => {
  it.each<[string, Case["call"]]>([
    ["a DTXCID for a DTXSID", ({ details }) => details.byDtxsid(cid)],
    ["a DTXSID for a DTXCID", ({ details }) => details.byDtxcid(sid)],
    ["one in a batch of DTXCIDs", ({ details }) => details.byDtxcidBatch([cid, "x"])],
    ["page 0", ({ details }) => details.page(0)],
    ["half a page", ({ details }) => details.page(1.5)],
    ["neither kind of identifier", ({ details }) => details.get("80-05-7")],
    ["a blank word", ({ search }) => search.equal("  ")],
    ["half a character", ({ search }) => search.contain("a\ud800")],
    ["dots as the beginning of a word", ({ search }) => search.startWith("..")],
    ["a blank word in a batch", ({ search }) => search.equalBatch(["a", ""])],
    ["a text that is not a formula", ({ search }) => search.byExactFormula("Bisphenol")],
    ["an MS-ready formula with an unknown element", ({ msready }) => msready.byFormula("Xx2")],
    ["a reversed mass range", ({ msready }) => msready.byMass(2, 1)],
    ["a mass that is NaN", ({ msready }) => msready.byMassBatch([1, Number.NaN])],
    ["a negative tolerance", ({ msready }) => msready.byMassBatch([1], { error: -1e-9 })],
    ["a tolerance of more than a dalton", ({ msready }) => msready.byMassBatch([1], { error: 1.000001 })],
    ["a tolerance that is NaN", ({ msready }) => msready.byMassBatch([1], { error: Number.NaN })],
    ["a malformed DTXSID of synonyms", ({ synonyms }) => synonyms.byDtxsid("x")],
    ["a blank tissue", ({ bioactivity }) => bioactivity.summaryByTissue(sid, " ")],
    ["an aeid of zero", ({ bioactivity }) => bioactivity.byAeid(0)],
    ["half an m4id", ({ bioactivity }) => bioactivity.byM4id(1.5)],
    ["a blank sample", ({ bioactivity }) => bioactivity.bySpid("")],
    ["a sample that no path can carry", ({ bioactivity }) => bioactivity.bySpid("..")],
    [
      "an unchecked identifier",
      ({ raw }) => raw("details.byDtxsid", { params: { dtxsid: "x" }, query: {} }, () => Result.succeed(0))
    ],
    [
      "an unchecked batch",
      ({ raw }) => raw("bioactivity.byAeidBatch", { payload: [1, 0] }, () => Result.succeed(0))
    ]
  ])("(%s) is an invalid identifier, and sends no request", (_, call) =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(withClient(settings(service.url), call))
        expect(error).toMatchObject({ _tag: "InvalidIdentifier", reason: "malformed" })
        expect(service.requests).toHaveLength(0)
      })
    )
  )
})

describe("a value of a program without types", () => {
  const circular: Record<string, unknown> = {}
  circular["self"] = circular
  it.each<[unknown, string, string]>([
    [undefined, "undefined", "the value is undefined: give a substance, e.g. DTXSID7020182"],
    [null, "null", "the value is null: give a substance, e.g. DTXSID7020182"],
    [
      [sid, [cid]],
      `${sid},${cid}`,
      "the value is a list, but this call takes one value: give a substance, e.g."
    ],
    [5, "5", '"5" is not a DTXSID'],
    [{ a: 1 }, '{"a":1}', "is not a DTXSID"],
    [{ toJSON: () => undefined }, "", "the value is empty: a DTXSID is expected"],
    [circular, "object", '"object" is not a DTXSID'],
    [Symbol("a"), "Symbol(a)", '"Symbol(a)" is not a DTXSID']
  ])("is named in the error: %o", (value, shown, message) =>
    withService([Scripted.reply(200, "{}")], (service) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          withClient(settings(service.url), ({ details }) => details.byDtxsid(value as string))
        )
        expect(error).toMatchObject({ _tag: "InvalidIdentifier", value: shown })
        expect(error.message).toContain(message)
        expect(service.requests).toEqual([])
      })
    )
  )

  it("is an option of another kind, also if it cannot be a text", () =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(
          withClient(settings(service.url), ({ bioactivity }) =>
            bioactivity.summaryByTissue(sid, Symbol("liver") as never)
          )
        )
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
          _tag: "InvalidOption",
          option: "tissue"
        })
        expect(service.requests).toEqual([])
      })
    ))

  it("is no option of a call without options, unless it is an object", () =>
    withService([Scripted.reply(200, "[]")], (service) =>
      withClient(settings(service.url), ({ bioactivity }) =>
        Effect.gen(function* () {
          const byAeid: (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown> =
            bioactivity.byAeid as never
          expect(yield* byAeid(704, 0)).toEqual([])
          const exit = yield* Effect.exit(byAeid(704, { projection: "x" }))
          expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
            _tag: "InvalidOption",
            option: "projection"
          })
          expect(service.requests.map(({ url }) => url)).toEqual(["/bioactivity/data/search/by-aeid/704"])
        })
      )
    ))

  it.each<[unknown, string]>([
    [5, "5"],
    [undefined, "undefined"],
    [["a", "b"], "a,b"],
    [{ toJSON: () => undefined }, ""]
  ])("is no search word: %o", (word, value) =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          withClient(settings(service.url), ({ search }) => search.equal(word as string))
        )
        expect(error).toMatchObject({ _tag: "InvalidIdentifier", identifier: "search word", value })
        expect(error.message).toContain(value === "" ? "the value is empty" : "it is not a text")
        expect(service.requests).toEqual([])
      })
    )
  )

  it.each<[string, (client: Client) => Effect.Effect<unknown, unknown>]>([
    ["details.byDtxsidBatch", ({ details }) => details.byDtxsidBatch(sid as never)],
    ["search.equalBatch", ({ search }) => search.equalBatch("a" as never)],
    ["msready.byMassBatch", ({ msready }) => msready.byMassBatch(228 as never)]
  ])("is no list of a batch: %s", (name, call) =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(withClient(settings(service.url), call))
        expect(error).toMatchObject({
          _tag: "InvalidIdentifier",
          message: expect.stringContaining(`${name} takes an array of values`)
        })
        expect(service.requests).toEqual([])
      })
    )
  )
})

describe("a response without a record", () => {
  it.each<[string, Case["call"], string]>([
    ["[]", ({ bioactivity }) => bioactivity.summaryByTissue(sid, " liver "), `${sid} in liver`],
    ["[]", ({ bioactivity }) => bioactivity.byM4id(7), "m4id 7"],
    ["null", ({ bioactivity }) => bioactivity.summaryByAeid(5), "aeid 5"],
    ["", ({ files }) => files.image(sid), sid],
    ["null", ({ assays }) => assays.byEndpointName("NVS"), "NVS"]
  ])("(%s) names what was requested (%#)", (body, call, what) =>
    withService([Scripted.reply(200, body)], ({ url }) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(withClient(settings(url), call))).toMatchObject({
          _tag: "NotFound",
          status: 200,
          attempts: 1,
          suggestions: [],
          message: `not found: the service has no data of ${what}`
        })
      })
    )
  )
})

describe("the tolerance of a batch of masses", () => {
  it.each([
    [undefined, []],
    [0, [Dialect.controlMass]],
    [0.005, [Dialect.controlMass]],
    [1, [Dialect.controlMass]]
  ])("is sent as it is given, with a control mass: %s", (error, control) =>
    withService([Scripted.reply(200, "{}")], (service) =>
      Effect.gen(function* () {
        yield* withClient(settings(service.url), ({ msready }) =>
          msready.byMassBatch([228, 7], error === undefined ? {} : { error })
        )
        expect(service.requests.map(({ body }) => JSON.parse(body))).toEqual([
          { masses: [228, 7, ...control], error }
        ])
      })
    )
  )
})

describe("an endpoint called by its name", () => {
  it("accepts requests of the contract, and returns the type of its reader", () =>
    withService([Scripted.reply(200, "[7]")], (service) =>
      Effect.gen(function* () {
        const read = (body: Uint8Array) => Result.succeed(body.length)
        const length: number = yield* withClient(settings(service.url), ({ raw }) =>
          raw("msready.byMassBatch", { payload: { masses: [228] } }, read)
        )
        expect(length).toBe(3)
        const empty = yield* withClient(settings(service.url), ({ raw }) =>
          raw("msready.byMassBatch", { payload: { masses: [] } }, (body) =>
            Result.succeed(new TextDecoder().decode(body))
          )
        )
        expect(empty).toBe("{}")
        expect(service.requests).toHaveLength(1)
        const wrong = { params: { dtxsid: sid }, query: { projection: "x" } }
        yield* withClient(settings(service.url), ({ raw }) =>
          Effect.all([
            // @ts-expect-error: not an endpoint of the contract
            Effect.exit(raw("details.byName", { params: { name: "a" } }, read)),
            // @ts-expect-error: a parameter of another endpoint
            Effect.exit(raw("synonyms.byDtxsidBatch", { params: { dtxcid: cid } }, read)),
            // @ts-expect-error: not a projection of the contract
            Effect.exit(raw("details.byDtxsid", wrong, read))
          ])
        )
        expect(service.requests).toHaveLength(1)
      })
    ))
})

describe("a response in another shape", () => {
  const callWithResponse = (response: unknown, call: Case["call"]) =>
    withService([Scripted.reply(200, JSON.stringify(response))], ({ url }) =>
      Effect.result(withClient(settings(url), call))
    )

  it.each<[string, unknown, Case["call"], unknown]>([
    [
      "a tissue summary as a list",
      [{ dtxsid: sid }, { dtxsid: sid, tissue: "liver" }],
      ({ bioactivity }) => bioactivity.summaryByTissue(sid, "liver"),
      [{ dtxsid: sid }, { dtxsid: sid, tissue: "liver" }]
    ],
    ["identifiers with null", [sid, null], ({ msready }) => msready.byFormula("CH4"), [sid]],
    [
      "a data record as an array of one",
      [{ m4id: 1 }],
      ({ bioactivity }) => bioactivity.byM4id(1),
      { m4id: 1 }
    ],
    [
      "compounds as a list of records",
      [
        { dtxcid: "DTXCID101", dtxsids: ["a", "b"] },
        { dtxcid: cid, dtxsid: sid }
      ],
      ({ msready }) => msready.byDtxcidBatch([cid, "DTXCID101", "DTXCID102"]),
      new Map([
        [cid, [sid]],
        ["DTXCID101", ["a", "b"]],
        ["DTXCID102", []]
      ])
    ],
    [
      "a single compound as a list of substances",
      [sid],
      ({ msready }) => msready.byDtxcidBatch([cid]),
      new Map([[cid, [sid]]])
    ],
    [
      "compounds in another spelling",
      { dtxcid30182: [sid] },
      ({ msready }) => msready.byDtxcidBatch([cid]),
      new Map([[cid, [sid]]])
    ],
    [
      "masses in another notation, without one of them",
      { "228.0": ["x"], "2.265E2": ["y"] },
      ({ msready }) => msready.byMassBatch([226.5, 228, 7]),
      new Map([
        [226.5, ["y"]],
        [228, ["x"]],
        [7, []]
      ])
    ]
  ])("(%s) is read", async (_, response, call, value) => {
    expect(await callWithResponse(response, call)).toEqual(Result.succeed(value))
  })

  it.each<[string, unknown, Case["call"], object]>([
    [
      "an empty array instead of one record",
      [],
      ({ bioactivity }) => bioactivity.byM4id(7),
      { _tag: "NotFound", endpoint: "bioactivity.byM4id", attempts: 1, message: expect.stringContaining("7") }
    ],
    [
      "two records instead of one",
      [{ m4id: 1 }, { m4id: 2 }],
      ({ bioactivity }) => bioactivity.byM4id(1),
      { _tag: "MalformedResponse" }
    ],
    [
      "substances of several compounds in one list",
      [sid],
      ({ msready }) => msready.byDtxcidBatch([cid, "DTXCID101"]),
      { _tag: "MalformedResponse", path: "[0]" }
    ],
    [
      "compounds that were not requested",
      { DTXCID999: [sid] },
      ({ msready }) => msready.byDtxcidBatch([cid]),
      { _tag: "MalformedResponse" }
    ],
    [
      "masses that were not requested",
      { "229.0": [sid] },
      ({ msready }) => msready.byMassBatch([228]),
      { _tag: "MalformedResponse" }
    ],
    [
      "null in a list of records",
      [{ m4id: 1 }, null],
      ({ bioactivity }) => bioactivity.byAeid(1),
      { _tag: "MalformedResponse", path: "[1]" }
    ],
    [
      "a record instead of a list",
      { dtxsid: sid },
      ({ bioactivity }) => bioactivity.byAeid(1),
      { _tag: "MalformedResponse" }
    ]
  ])("(%s) is refused", async (_, response, call, error) => {
    expect(await callWithResponse(response, call)).toMatchObject({ _tag: "Failure", failure: error })
  })
})
