/**
 * Lookups by name, and lookups of rows that the contract does not have.
 */
import { Key, Row, Rows } from "@chemstream/api"
import { Bioactivity, Details, Lookup, MsReady, Search, Synonyms } from "@chemstream/stream"
import { Schema } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import { ok, outcomesOf, short } from "./lookupService.ts"

const id = "DTXSID7020182"

const text = (name: string) => Key.text(name, { one: `a ${name}`, many: `${name}s`, example: "x" })

describe("Lookup.of", () => {
  it("makes the lookup of each row by its name, and those with a name of their own", () => {
    const paged = Rows.all.filter((row: Row.Row) => row.page !== undefined).map(({ name }) => name)
    expect([...paged, ...Lookup.names].sort()).toEqual(
      [
        ...Rows.all.map(({ name }) => name),
        "search.equalBatch",
        "msready.byMassRange",
        "bioactivity.aed"
      ].sort()
    )
    const options: Readonly<Record<string, object>> = { "bioactivity.summaryByTissue": { tissue: "liver" } }
    for (const name of Lookup.names) {
      const { endpoint, size } = Lookup.of(name, options[name] as never)
      expect([name, endpoint.replace(/Batch$/, ""), size > 0]).toEqual([
        name,
        expect.stringMatching(/^(details|search|msready|synonyms|bioactivity)\.[a-z]/),
        true
      ])
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
    ]
  ])("refuses %s", (_, make, message) => {
    expect(make).toThrow(message)
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
    ["one text with commas", `"${id}, DTXSID3039242"`]
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
})
