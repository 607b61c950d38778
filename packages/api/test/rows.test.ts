/**
 * The form of a row, tried with endpoints of the public service that the contract does not have yet: each is awkward in
 * its own way.
 */
import * as api from "@chemstream/api"
import { type BioactivityData, ChemicalApi, Key, Operation, Row, Rows } from "@chemstream/api"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { describe, expect, expectTypeOf, it } from "vitest"

const Property = Schema.Struct({
  propName: Schema.String.annotate({ description: "Name of the property" }),
  predictedMedian: Schema.NullOr(Schema.Finite)
}).annotate({ title: "Summary of a property" })

const summary = Row.make({
  name: "properties.summaryByDtxsid",
  section: "3.6",
  what: "summaries of properties",
  note: "An element does not name its substance.",
  key: Key.dtxsid,
  recordKey: null,
  multiplicity: "many",
  miss: "empty",
  record: () => Property,
  get: { path: "/chemical/property/summary/search/by-dtxsid/{dtxsid}", answer: "list" }
})

const studies = Row.make({
  name: "toxref.dataByStudyType",
  section: "3.7",
  what: "toxicity records",
  key: Key.text("studyType", { one: "a study type", many: "study types", example: "CHR" }),
  multiplicity: "many",
  miss: "empty",
  record: () => Schema.Struct({ studyType: Schema.String, studyId: Schema.Int }),
  page: "pageNumber",
  get: { path: "/hazard/toxref/data/search/by-study-type/{studyType}", answer: "page" }
})

const structure = Row.make({
  name: "details.bySmiles",
  section: "3.1",
  what: "chemicals",
  key: Key.text("smiles", { one: "a SMILES", many: "SMILES", example: "CCO" }),
  recordKey: null,
  multiplicity: "many",
  miss: "nothing",
  record: () => Schema.Struct({ dtxsid: Schema.String }),
  get: { path: "/chemical/detail/search/by-smiles/", answer: "list" }
})

const list = Row.make({
  name: "lists.membersByName",
  section: "3.8",
  what: "members of a list",
  key: Key.text("listName", { one: "a list", many: "lists", example: "PFASSTRUCTV5" }),
  recordKey: null,
  multiplicity: "many",
  miss: "suggestions",
  scalar: "dtxsid",
  // One text with commas until March 2026, a list since.
  members: "dtxsids",
  record: () => Schema.String.annotate({ description: "Substance identifier (DTXSID…)" }),
  get: { path: "/chemical/list/search/by-name/{listName}", answer: "one" }
})

const names = Row.make({
  name: "properties.predictedNames",
  section: "3.6",
  what: "names of predicted properties",
  multiplicity: "many",
  miss: "empty",
  record: () => Schema.Struct({ propertyName: Schema.String }),
  get: { path: "/chemical/property/predicted/name", answer: "list" }
})

const document = OpenApi.fromApi(ChemicalApi.make([summary, studies, structure, list, names]))

const get = (path: string) => {
  const operation = document.paths[path as "/"]?.get
  const parameters = operation?.parameters.map(({ in: place, name, required }) => ({ place, name, required }))
  return { summary: operation?.summary, parameters, statuses: Object.keys(operation?.responses ?? {}) }
}

describe("the rows of all endpoints", () => {
  it("are those that the modules of the families declare", () => {
    const declared = Object.values(api)
      .flatMap((module): ReadonlyArray<unknown> => Object.values(module))
      .filter((one) => typeof one === "object" && one !== null && "get" in one && "multiplicity" in one)
    expect(new Set(Rows.all)).toEqual(new Set(declared))
    expect(Rows.all.length).toBe(declared.length)
  })
})

describe("a row", () => {
  it("describes a response that does not name its key", () => {
    expect(get("/chemical/property/summary/search/by-dtxsid/{dtxsid}")).toEqual({
      summary: "Summaries of properties of a substance",
      parameters: [{ place: "path", name: "dtxsid", required: true }],
      statuses: ["200", "400", "401", "429"]
    })
    expectTypeOf<Row.Response<typeof summary>>().toEqualTypeOf<ReadonlyArray<typeof Property.Type>>()
  })

  it("describes a page with a key", () => {
    expect(get("/hazard/toxref/data/search/by-study-type/{studyType}").parameters).toEqual([
      { place: "path", name: "studyType", required: true },
      { place: "query", name: "pageNumber", required: false }
    ])
    expectTypeOf<Row.GetRequest<typeof studies>>().toEqualTypeOf<{
      readonly params: { readonly studyType: string }
      readonly query: { readonly pageNumber?: number }
    }>()
  })

  it("puts its key into the query if its path has no braces", () => {
    expect(get("/chemical/detail/search/by-smiles/").parameters).toEqual([
      { place: "query", name: "smiles", required: true }
    ])
  })

  it("describes values in a field of an object, as a list or as one text", () => {
    const response = JSON.stringify(
      document.paths["/chemical/list/search/by-name/{listName}"]?.get?.responses[200]
    )
    expect(response).toMatch(/"dtxsids":\{"anyOf":\[\{"type":"string"/)
    expectTypeOf<Row.Response<typeof list>>().toEqualTypeOf<{
      readonly dtxsids: string | ReadonlyArray<string>
    }>()
  })

  it("describes a catalogue, which has no key", () => {
    expect(get("/chemical/property/predicted/name")).toEqual({
      summary: "Names of predicted properties",
      parameters: [],
      statuses: ["200", "400", "401", "429"]
    })
    expectTypeOf<keyof Row.GetRequest<typeof names>>().toBeNever()
  })

  it("makes the schemas of its records when they are first read", () => {
    let made = 0
    const row = Row.make({
      ...summary,
      record: () => {
        made++
        return Property
      }
    })
    const [operation] = Operation.ofRows([row])
    expect([operation?.name, made]).toEqual(["properties.summaryByDtxsid", 0])
    ChemicalApi.make([row])
    expect(made).toBe(1)
  })
})

describe("the rows of the contract", () => {
  it("have unique names and paths", () => {
    const operations = Rows.operations.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(operations).size).toBe(operations.length)
    expect(new Set(Rows.all.map(({ name }) => name)).size).toBe(Rows.all.length)
  })

  it("parse the examples of their keys", () => {
    for (const { key } of Rows.operations) {
      if (key !== undefined) expect(key.parse(key.example)).toMatchObject({ _tag: "Success" })
    }
  })

  it("give the types of a request and its response", () => {
    expectTypeOf<Rows.RequestOf<"bioactivity.byAeidBatch">["payload"][number]>().toExtend<number>()
    expectTypeOf<Row.BatchResponse<Rows.ByName["bioactivity.bySpid"]>>().toEqualTypeOf<
      ReadonlyArray<BioactivityData.BioactivityData>
    >()
  })
})
