/**
 * Calls of rows that the contract does not have: each is awkward in its own way.
 */
import { Assays, Fate, Key, Row } from "@chemstream/api"
import { ChemClient, PromiseClient } from "@chemstream/client"
import { Cause, Effect, Layer, Result, Schema, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { settings, withClient, withService } from "./testClient.ts"

const text = (name: string) => Key.text(name, { one: `a ${name}`, many: `${name}s`, example: "x" })

const summary = Row.make({
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

const studies = Row.make({
  name: "toxref.dataByStudyType",
  section: "-",
  what: "toxicity records",
  key: text("studyType"),
  multiplicity: "many",
  miss: "empty",
  record: () => Schema.Struct({ studyId: Schema.Int }),
  page: "pageNumber",
  get: { path: "/hazard/toxref/data/search/by-study-type/{studyType}", answer: "page" }
})

const structure = Row.make({
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

const members = Row.make({
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

const names = Row.make({
  name: "properties.predictedNames",
  section: "-",
  what: "names of predicted properties",
  multiplicity: "many",
  miss: "empty",
  record: () => Schema.Struct({ propertyName: Schema.String }),
  get: { path: "/chemical/property/predicted/name", answer: "list" }
})

const json = (value: unknown) => Scripted.reply(200, JSON.stringify(value))

/** Runs a call against a service with these responses. Returns its result and the requested URLs. */
const ask = <A, E>(
  replies: ReadonlyArray<ReturnType<typeof Scripted.reply>>,
  call: (client: ChemClient.ChemClient["Service"]) => Effect.Effect<A, E>
) =>
  withService(replies as never, (service) =>
    Effect.gen(function* () {
      const result = yield* Effect.result(withClient(settings(service.url), call))
      return { result, urls: service.requests.map(({ url }) => url) }
    })
  )

describe("a call of a row", () => {
  it("reads records that do not name their key", async () => {
    const { result, urls } = await ask([json([{ propName: "LogP" }])], (client) =>
      client.endpoint(summary).get("dtxsid7020182")
    )
    expect(result).toMatchObject({ success: [{ propName: "LogP" }] })
    expect(urls).toEqual(["/chemical/property/summary/search/by-dtxsid/DTXSID7020182"])
  })

  it("checks the records of its default form, if no form is asked for", async () => {
    const forms = Row.make({
      name: "properties.forms",
      section: "-",
      what: "properties",
      multiplicity: "many",
      miss: "empty",
      record: () => Schema.Struct({ propName: Schema.String }),
      form: "numbers",
      forms: { numbers: { record: () => Schema.Struct({ number: Schema.Int }) } },
      get: { path: "/chemical/property/forms", answer: "list" }
    })
    const get = (record: object) => ask([json([record])], (client) => client.endpoint(forms).get(undefined))
    expect((await get({ number: 1 })).result).toMatchObject({ success: [{ number: 1 }] })
    expect((await get({ propName: "LogP" })).result).toMatchObject({
      failure: { _tag: "MalformedResponse" }
    })
  })

  it("stops at the page that says that it is the last", async () => {
    const page = (pageNumber: number) => json({ pageNumber, totalPages: 2, data: [{ studyId: pageNumber }] })
    const { result, urls } = await ask([page(1), page(2), page(3)], (client) =>
      Stream.runCollect(client.endpoint(studies).pages("chronic"))
    )
    expect(result).toMatchObject({
      success: [
        { page: 1, next: 2, records: [{ studyId: 1 }] },
        { page: 2, records: [{ studyId: 2 }] }
      ]
    })
    expect(urls).toEqual(
      [1, 2].map((n) => `/hazard/toxref/data/search/by-study-type/chronic?pageNumber=${n}`)
    )
  })

  it("fails with NotFound for a body of 0 bytes, and sends its key in the query", async () => {
    const { result, urls } = await ask([Scripted.reply(200, "")], (client) =>
      client.endpoint(structure).get("CC(=O)O")
    )
    expect(result).toMatchObject({ failure: { _tag: "NotFound", status: 200 } })
    expect(urls).toEqual(["/chemical/detail/search/by-smiles/?smiles=CC%28%3DO%29O"])
  })

  it.each([
    ["a list", ["DTXSID7020182", "DTXSID3039242"]],
    ["one text with commas", "DTXSID7020182, DTXSID3039242,"],
    ["a list of texts with commas", ["DTXSID7020182,DTXSID3039242"]]
  ])("reads values from %s in a field", async (_, dtxsids) => {
    const { result } = await ask([json({ listName: "CCL4", dtxsids })], (client) =>
      client.endpoint(members).get("CCL4")
    )
    expect(result).toMatchObject({ success: ["DTXSID7020182", "DTXSID3039242"] })
  })

  it.each([
    ["a list", [{ dtxsid: "DTXSID7020182", ac50: "1.5" }], [{ dtxsid: "DTXSID7020182", ac50: "1.5" }]],
    ["an empty list", [], []]
  ])("reads the objects of a form of a row of scalar values from %s", async (_, response, expected) => {
    const options = { projection: "ccdassaydetails" } as const
    const { result, urls } = await ask([json(response)], (client) =>
      Effect.all([
        client.assays.chemicals(3032, options),
        client.endpoint(Assays.chemicals).get(3032, options)
      ])
    )
    expect(result).toMatchObject({ success: [expected, expected] })
    expect(urls[0]).toBe("/bioactivity/assay/chemicals/search/by-aeid/3032?projection=ccdassaydetails")
  })

  it.each([
    ["a list", [{ geneId: 1 }, { geneId: 2 }], [{ geneId: 1 }, { geneId: 2 }]],
    ["one object", { geneId: 1 }, [{ geneId: 1 }]],
    ["an empty list", [], []]
  ])("reads many records in a form of a row of one record from %s", async (_, response, expected) => {
    const { result } = await ask([json(response)], ({ assays }) =>
      assays.annotation(3032, { projection: "ccd-assay-gene" })
    )
    expect(result).toMatchObject({ success: expected })
  })

  it("returns the part of a record that is the response to one value", async () => {
    const properties = [{ propName: "Bioconcentration Factor", predictedFateData: [] }]
    const { result } = await ask([json(properties)], (client) =>
      Effect.all([client.fate.byDtxsid("DTXSID7020182"), client.endpoint(Fate.byDtxsid).get("DTXSID7020182")])
    )
    expect(result).toMatchObject({ success: [properties, properties] })
  })

  it("returns one number, and fails with NotFound for a body of 0 bytes and for null", async () => {
    const replies = [json(704), Scripted.reply(200, ""), json(null)]
    const { result } = await ask(replies, ({ assays }) =>
      Effect.all([
        assays.byEndpointName("NVS_LGIC"),
        Effect.flip(assays.byEndpointName("a")),
        Effect.flip(assays.byEndpointName("b"))
      ])
    )
    expect(result).toMatchObject({ success: [704, { _tag: "NotFound" }, { _tag: "NotFound" }] })
  })

  it.each(["ctx", "specification"] as const)(
    "has the differences of its own dialect in the dialect %s, and names no other dialect",
    (dialect) =>
      withService([json([]), Scripted.problem(400, "no")], (service) =>
        Effect.gen(function* () {
          const error = yield* withClient(settings(service.url, { dialect }), ({ assays }) =>
            Effect.andThen(assays.searchContain("ERa"), Effect.flip(assays.models("DTXSID7020182")))
          )
          expect(service.requests[0]?.url).toBe("/bioactivity/search/contain/ERa?top=0")
          expect(error.message).not.toContain("dialect")
        })
      )
  )

  it("requests a catalogue without a key", async () => {
    const { result, urls } = await ask([json([{ propertyName: "LogP" }])], (client) =>
      client.endpoint(names).get(undefined)
    )
    expect(result).toMatchObject({ success: [{ propertyName: "LogP" }] })
    expect(urls).toEqual(["/chemical/property/predicted/name"])
  })

  it("fails without a request for a malformed key, and for a batch that the row does not have", async () => {
    const { result, urls } = await ask([json([])], (client) =>
      Effect.all(
        [client.endpoint(summary).get("BPA"), client.endpoint(summary).batch(["DTXSID7020182"])].map(
          Effect.flip<unknown, { readonly _tag: string }, never>
        )
      )
    )
    expect(result).toMatchObject({ success: [{ _tag: "InvalidIdentifier" }, { _tag: "InvalidIdentifier" }] })
    expect(urls).toEqual([])
  })

  const values = Row.make({
    name: "hazard.valuesByKind",
    section: "-",
    what: "values",
    key: Key.dtxsid,
    recordKey: null,
    multiplicity: "many",
    miss: "empty",
    record: () => Schema.Struct({ value: Schema.Int }),
    query: {
      kind: Schema.NonEmptyString,
      unit: Schema.NonEmptyString,
      largest: Schema.optional(Schema.Int),
      group: Schema.optionalKey(Schema.Literals(["a", "b"]))
    },
    get: { path: "/hazard/values/search/by-dtxsid/{dtxsid}", answer: "list" }
  })

  it.each<[object, string]>([
    [{ kind: " NOAEL ", unit: "mg" }, "kind=NOAEL&unit=mg"],
    [{ kind: "NOAEL", unit: "mg", largest: 5, group: "b" }, "kind=NOAEL&unit=mg&largest=5&group=b"],
    [{ kind: "NOAEL", unit: "mg", largest: undefined }, "kind=NOAEL&unit=mg"]
  ])("sends its parameters %j in the query", async (options, query) => {
    const { result, urls } = await ask([json([{ value: 1 }])], (client) =>
      client.endpoint(values).get("DTXSID7020182", options as never)
    )
    expect(result).toMatchObject({ success: [{ value: 1 }] })
    expect(urls.map((url) => new URLSearchParams(url.split("?")[1]).toString())).toEqual([query])
  })

  it.each<[object | undefined, string]>([
    [undefined, "The option kind is missing."],
    [{ kind: "NOAEL" }, "The option unit is missing. Give a text that is not empty."],
    [{ kind: "NOAEL", unit: "" }, 'The option unit is "". Give a text that is not empty.'],
    [{ kind: "NOAEL", unit: "mg", largest: "5" }, 'The option largest is "5". Give a number.'],
    [{ kind: "NOAEL", unit: "mg", group: "c" }, 'The option group is "c".'],
    [{ kind: "NOAEL", unit: "mg", units: "mg" }, "The option units is unknown. Give unit."]
  ])("refuses the parameters %j without a request", async (options, message) => {
    const { result, urls } = await ask([json([])], (client) =>
      Effect.sandbox(client.endpoint(values).get("DTXSID7020182", options as never))
    )
    expect(Result.isFailure(result) && Cause.squash(result.failure as Cause.Cause<unknown>)).toMatchObject({
      _tag: "InvalidOption",
      message: expect.stringContaining(message)
    })
    expect(urls).toEqual([])
  })

  it("is a promise in a client without Effect", () =>
    withService([json([{ propName: "LogP" }])], (service) =>
      Effect.promise(async () => {
        const layer = ChemClient.layer(settings(service.url)).pipe(Layer.provide(FetchHttpClient.layer))
        const client = await PromiseClient.fromLayer(layer)
        expect(await client.endpoint(summary).get("DTXSID7020182")).toEqual([{ propName: "LogP" }])
        await client.close()
      })
    ))
})
