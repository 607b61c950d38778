/**
 * Lookups by name, and lookups of rows that the contract does not have.
 */
import {
  Assays as AssayRows,
  Details as DetailRows,
  JsonSchema,
  Key,
  MsReady as MsReadyRows,
  Row,
  Rows,
  Search as SearchRows
} from "@chemstream/api"
import type { ChemClient } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import {
  Assays,
  Bioactivity,
  Details,
  Identifiers,
  Listing,
  Lookup,
  MsReady,
  Plan,
  Search,
  Synonyms
} from "@chemstream/stream"
import { Effect, Schema, Stream } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import { clientOf, ok, outcomesOf, type Respond, short } from "./lookupService.ts"

const id = "DTXSID7020182"

const shorts = (outcomes: ReadonlyArray<Parameters<typeof short>[0]>): ReadonlyArray<unknown> =>
  outcomes.map(short)

const text = (name: string) => Key.text(name, { one: `a ${name}`, many: `${name}s`, example: "x" })

describe("Lookup.of", () => {
  it("makes the lookup of each row by its name, and those with a name of their own", () => {
    const lists = Rows.all.filter((row: Row.Row) => row.key === undefined).map(({ name }) => name)
    expect([...lists, ...Lookup.names].sort()).toEqual(
      [
        ...Rows.all.map(({ name }) => name),
        "search.equalBatch",
        "msready.byMassRange",
        "bioactivity.aed"
      ].sort()
    )
    const optional = ["projection", "ppm", "tolerance"]
    const groups = Rows.all.map(({ name }) => name.replace(/\..*/, ""))
    for (const name of Lookup.names) {
      const parameters = Object.keys(Lookup.optionFields(name)).filter((one) => !optional.includes(one))
      const options = Object.fromEntries(parameters.map((one) => [one, "liver"]))
      const { endpoint, size } = Lookup.of(name, options as never)
      expect([name, size > 0]).toEqual([name, true])
      expect(groups).toContain(endpoint.replace(/\..*/, ""))
    }
  })

  it.each([
    ["details.byDtxsid", Details.byDtxsid()],
    ["synonyms.byDtxsid", Synonyms.byDtxsid()],
    ["search.equalBatch", Search.equalBatch()],
    ["msready.byMass", MsReady.byMass()],
    ["bioactivity.aed", Bioactivity.aedByDtxsid()],
    ["bioactivity.byM4id", Bioactivity.byM4id()]
  ] as const)("makes for %s the lookup of its function", (name, { endpoint, multiplicity, size }) => {
    expect(Lookup.of(name)).toMatchObject({ endpoint, multiplicity, size })
  })

  it("has the records of the projection", () => {
    const lookup = Lookup.of("details.byDtxsid", { projection: "compact" })
    expectTypeOf(lookup).toEqualTypeOf<ReturnType<typeof Details.byDtxsid<"compact">>>()
    expect(lookup.parameters).toEqual({ projection: "compact" })
  })

  it.each([
    ["an unknown name", () => Lookup.of("details.byName" as never), /endpoint .*details\.byName/],
    ["an unknown option", () => Lookup.of("search.equal", { tolerance: 1 } as never), /tolerance/],
    [
      "an unknown projection",
      () => Lookup.of("synonyms.byDtxsid", { projection: "compact" as never }),
      /projection .*compact/
    ],
    [
      "a row without a key",
      () => Lookup.of(DetailRows.all),
      /row is "details.all"\. Give a row with a key, or use Listing\.of/
    ]
  ])("refuses %s", (_, make, message) => {
    expect(make).toThrow(message)
  })
})

describe("Lookup.of a special row", () => {
  it.each([
    [SearchRows.equal, {}, Search.equal()],
    [SearchRows.startWith, {}, Search.startWith()],
    [SearchRows.contain, {}, Search.contain()],
    [MsReadyRows.byDtxcid, {}, MsReady.byDtxcid()],
    [MsReadyRows.byMass, { tolerance: 0.01 }, MsReady.byMass({ tolerance: 0.01 })],
    [MsReadyRows.byMass, { ppm: 5 }, MsReady.byMass({ ppm: 5 })]
  ] as ReadonlyArray<readonly [Row.Row, object, Lookup.Lookup<unknown, unknown>]>)(
    "makes the special lookup of %o with %j",
    (row, options, { endpoint, multiplicity, parameters, size }) => {
      expect(Lookup.of(row, options)).toMatchObject({ endpoint, multiplicity, size })
      expect(Lookup.of(row, options).parameters).toEqual(parameters)
    }
  )

  it("requests as the special lookup does, and a copy of the row as its data say", async () => {
    const urls: Array<string> = []
    const respond: Respond = ({ url }) => {
      urls.push(url)
      return { status: 400, body: '{"status":400,"title":"Bad Request","suggestions":["Benzene"]}' }
    }
    const special = await outcomesOf(respond, Lookup.of(SearchRows.equal), ["Benzine"])
    expect(special.map(short)).toEqual(["Missing Benzine"])
    // The special lookup requests one word at a time, and the data say that there is a batch.
    await outcomesOf(respond, Lookup.of({ ...SearchRows.equal } as Row.Row), ["Benzine"])
    expect(urls).toEqual(["/chemical/search/equal/Benzine", "/chemical/search/equal/"])
  })
})

describe("a lookup of a row", () => {
  it("adds the identifier to records that lack it", async () => {
    const row = Row.make({
      name: "properties.summaryByDtxsid",
      section: "-",
      what: "summaries of properties",
      key: Key.dtxsid,
      recordKey: null,
      multiplicity: "many",
      miss: "empty",
      record: () => Schema.Struct({ propName: Schema.String }),
      get: { path: "/chemical/property/summary/search/by-dtxsid/{dtxsid}", answer: "list" }
    })
    const outcomes = await outcomesOf(() => ok('[{"propName":"LogP"},{"propName":"BP"}]'), Lookup.of(row), [
      id.toLowerCase()
    ])
    expect(outcomes.map(short)).toEqual([
      [id, `{"dtxsid":"${id}","propName":"LogP"}`, `{"dtxsid":"${id}","propName":"BP"}`]
    ])
  })

  it("reads a body of 0 bytes as missing", async () => {
    const row = Row.make({
      name: "details.bySmiles",
      section: "-",
      what: "chemicals",
      key: text("smiles"),
      recordKey: null,
      multiplicity: "many",
      miss: "nothing",
      record: () => Schema.Struct({ dtxsid: Schema.String }),
      get: { path: "/chemical/detail/search/by-smiles/", answer: "list" }
    })
    const outcomes = await outcomesOf(
      ({ url }) => ok(url.endsWith("?smiles=CCO") ? `[{"dtxsid":"${id}"}]` : ""),
      Lookup.of(row),
      ["CCO", "C1CC1"]
    )
    expect(outcomes.map(short)).toEqual([["CCO", `{"smiles":"CCO","dtxsid":"${id}"}`], "Missing C1CC1"])
  })

  it.each([
    ["a list", `["${id}","DTXSID3039242"]`],
    ["one text with commas", `"${id}, DTXSID3039242"`],
    ["a list of texts with commas", `["${id},DTXSID3039242"]`]
  ])("makes a record of each value of %s in a field", async (_, dtxsids) => {
    const row = Row.make({
      name: "lists.membersByName",
      section: "-",
      what: "members of a list",
      key: text("listName"),
      recordKey: null,
      multiplicity: "many",
      miss: "suggestions",
      scalar: "dtxsid",
      members: "dtxsids",
      record: () => Schema.String,
      get: { path: "/chemical/list/search/by-name/{listName}", answer: "one" }
    })
    const outcomes = await outcomesOf(() => ok(`{"listName":"CCL4","dtxsids":${dtxsids}}`), Lookup.of(row), [
      "CCL4"
    ])
    expect(outcomes.map(short)).toEqual([
      ["CCL4", `{"query":"CCL4","dtxsid":"${id}"}`, '{"query":"CCL4","dtxsid":"DTXSID3039242"}']
    ])
  })

  it("has the objects of a form, where its own records are made of scalar values", async () => {
    const lookup = Assays.chemicals({ projection: "ccdassaydetails" })
    expectTypeOf<Lookup.RecordOf<typeof lookup>>().toExtend<
      RawRecord.RawRecord<{ readonly aeid: string | number }>
    >()
    expect(
      await outcomesOf(() => ok(`[{"dtxsid":"${id}","ac50":"1.50"}]`), lookup, ["3032"]).then(shorts)
    ).toEqual([["3032", `{"aeid":"3032","dtxsid":"${id}","ac50":"1.50"}`]])
    expect(await outcomesOf(() => ok(`["${id}"]`), Assays.chemicals(), ["3032"]).then(shorts)).toEqual([
      ["3032", `{"query":"3032","dtxsid":"${id}"}`]
    ])
  })

  it.each(["", "null"])("reads the body %j of an unknown number as missing", async (body) => {
    const respond: Respond = ({ url }) => ok(url.endsWith("=known") ? "704" : body)
    const outcomes = await outcomesOf(respond, Assays.byEndpointName(), ["known", "unknown"])
    expect(outcomes.map(short)).toEqual([["known", '{"query":"known","aeid":704}'], "Missing unknown"])
  })

  it("requests a batch with numbers, and matches its records by their key", async () => {
    const study = Key.integer("studyId", { one: "a study", many: "studies", example: "12" })
    const row = Row.make({
      name: "toxref.dataByStudyId",
      section: "-",
      what: "toxicity records",
      key: study,
      multiplicity: "many",
      miss: "empty",
      record: () => Schema.Struct({ studyId: Schema.Int }),
      get: { path: "/hazard/toxref/data/search/by-study-id/{studyId}", answer: "list" },
      batch: { path: "/hazard/toxref/data/search/by-study-id/", limit: 2, documented: false }
    })
    const bodies: Array<unknown> = []
    const outcomes = await outcomesOf(
      ({ body }) => {
        bodies.push(body)
        const known = (body as Array<number>).filter((studyId) => studyId !== 3)
        return ok(JSON.stringify(known.map((studyId) => ({ studyId }))))
      },
      Lookup.of(row),
      ["1", "2", "3"]
    )
    expect(outcomes.map(short)).toEqual([["1", '{"studyId":1}'], ["2", '{"studyId":2}'], "Missing 3"])
    expect(bodies).toEqual([[1, 2], [3]])
  })

  it("requests the pages of a value until the last one, and makes one outcome of them", async () => {
    const urls: Array<string> = []
    const respond: Respond = ({ url }) => {
      urls.push(url)
      return ok(pageObject(url))
    }
    const outcomes = await outcomesOf(respond, Lookup.of(effects), ["chronic", "acute", "none"])
    expect(outcomes.map(short)).toEqual([
      ["chronic", ...[1, 2, 3, 4].map((id) => `{"studyType":"chronic","studyId":${id}}`)],
      ["acute", '{"studyType":"acute","studyId":5}'],
      "Missing none"
    ])
    // An exact multiple of the size has an empty last page. An unknown value has one empty page.
    expect(urls.toSorted()).toEqual(
      ["acute?pageNumber=1", ...[1, 2, 3].map((n) => `chronic?pageNumber=${n}`), "none?pageNumber=1"].map(
        (rest) => `/hazard/toxref/effects/search/by-study-type/${rest}`
      )
    )
  })

  it("adds the value to the records of pages that lack it, in arrays without a number of pages", async () => {
    const row = Row.make({
      ...effects,
      recordKey: null,
      record: () => Schema.Struct({ studyId: Schema.Int })
    })
    const outcomes = await outcomesOf(
      ({ url }) =>
        ok(
          url.endsWith("=1") ? '[{"studyId":1},{"studyId":2}]' : url.endsWith("=2") ? '[{"studyId":3}]' : "[]"
        ),
      Lookup.of(row),
      ["chronic"]
    )
    expect(outcomes.map(short)).toEqual([
      ["chronic", ...[1, 2, 3].map((id) => `{"studyType":"chronic","studyId":${id}}`)]
    ])
  })

  it.each([
    ["a page fails", { status: 400, body: "no" }, /400/],
    [
      "a later page is not found",
      { status: 404, body: "" },
      /page 2 was not found, and page 1 is not the last/
    ],
    [
      "a page repeats the one before it",
      ok(pageObject("chronic?pageNumber=1")),
      /page 2 begins with the same record/
    ]
  ])("fails a value if %s, without the records of its other pages", async (_, second, message) => {
    const outcomes = await outcomesOf(
      ({ url }) => (url.endsWith("=2") ? second : ok(pageObject(url))),
      Lookup.of(effects),
      ["acute", "chronic"]
    )
    expect(outcomes.map(short)).toEqual([["acute", '{"studyType":"acute","studyId":5}'], "Failed chronic"])
    expect(outcomes[1]).toMatchObject({ error: { message: expect.stringMatching(message) } })
  })

  it("counts at least one request for a value with pages", async () => {
    const plan = await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(
          clientOf(() => ok("[]")),
          (layer) =>
            Effect.provide(Plan.of(Identifiers.fromIterable(["chronic", "acute"]), Lookup.of(effects)), layer)
        )
      )
    )
    expect(plan).toMatchObject({ kinds: { "study types": 2 }, least: 2, most: undefined })
  })
})

const effects = Row.make({
  name: "hazard.toxrefEffectsByStudyType",
  section: "-",
  what: "effects",
  key: Key.text("studyType", { one: "a study type", many: "study types", example: "chronic" }),
  multiplicity: "many",
  miss: "empty",
  page: "pageNumber",
  record: () => Schema.Struct({ studyType: Schema.String, studyId: Schema.Int }),
  get: { path: "/hazard/toxref/effects/search/by-study-type/{studyType}", answer: "page" }
})

/** The page of a request, of two records, as the public service sends it. */
function pageObject(url: string): string {
  const [, studyType = "", number] = /(\w+)\?pageNumber=(\d+)$/.exec(url) ?? []
  const pageNumber = Number(number)
  const ids = { chronic: [1, 2, 3, 4], acute: [5] }[studyType] ?? []
  const data = ids.slice((pageNumber - 1) * 2, pageNumber * 2).map((studyId) => ({ studyType, studyId }))
  const totalPages = Math.floor(ids.length / 2) + 1
  return JSON.stringify({ studyType, recordsOnPage: data.length, pageNumber, totalPages, data })
}

describe("Listing.of", () => {
  const types = Row.make({
    name: "lists.types",
    section: "-",
    what: "types of lists",
    multiplicity: "many",
    miss: "empty",
    scalar: "type",
    record: () => Schema.String,
    get: { path: "/chemical/list/type", answer: "list" }
  })

  const all = Row.make({
    name: "assays.all",
    section: "-",
    what: "assays",
    multiplicity: "many",
    miss: "empty",
    record: () => Schema.Struct({ aeid: Schema.Int }),
    form: "assay-all",
    forms: { "ccd-assay-list": { record: () => Schema.Struct({ name: Schema.String }) } },
    query: { since: Schema.optionalKey(Schema.Int) },
    get: { path: "/bioactivity/assay/", answer: "list" }
  })

  const textsOf = <E>(
    respond: Respond,
    list: Stream.Stream<RawRecord.RawRecord, E, ChemClient.ChemClient>
  ): Promise<ReadonlyArray<string>> =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(clientOf(respond), (layer) => Effect.provide(Stream.runCollect(list), layer))
      )
    ).then((records) => records.map(RawRecord.toText))

  it("reads the texts of a catalogue as records, in one request", async () => {
    const urls: Array<string> = []
    const texts = await textsOf(({ url }) => {
      urls.push(url)
      return ok('["federal", "international"]')
    }, Listing.of(types).all())
    expect(texts).toEqual(['{"type":"federal"}', '{"type":"international"}'])
    expect(urls).toEqual(["/chemical/list/type"])
    expect(JsonSchema.of(Listing.schemaOf(types))).toMatchObject({ properties: { type: { type: "string" } } })
  })

  it("reads the objects of a catalogue in a projection, and an empty catalogue as no records", async () => {
    const respond: Respond = ({ url }) =>
      ok(url === "/bioactivity/assay/?projection=ccd-assay-list" ? '[{"name":"A"}]' : "[]")
    expect(await textsOf(respond, Listing.of(all).all({ projection: "ccd-assay-list" }))).toEqual([
      '{"name":"A"}'
    ])
    expect(await textsOf(respond, Listing.of(all).all())).toEqual([])
  })

  it("reads a response that is one scalar value as a record", async () => {
    expect(await textsOf(() => ok("1499"), Listing.of(AssayRows.count).all())).toEqual(['{"count":1499}'])
    await expect(textsOf(() => ok("{"), Listing.of(AssayRows.count).all())).rejects.toThrow(/malformed/)
  })

  it("reads a single object as a record, and refuses other JSON", async () => {
    expect(await textsOf(() => ok('{"aeid":1}'), Listing.of(all).all())).toEqual(['{"aeid":1}'])
    await expect(textsOf(() => ok('"text"'), Listing.of(all).all())).rejects.toThrow(
      /the body is a bare value/
    )
  })
})
