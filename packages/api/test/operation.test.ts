/** The requests of a row: their names, titles and parts, and the form of the response. */
import { Key, Operation, Row, Rows } from "@chemstream/api"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

const row = Row.make({
  name: "fate.byDtxsid",
  what: "`fate` records",
  key: Key.dtxsid,
  multiplicity: "many",
  miss: "empty",
  record: () => Schema.Struct({ dtxsid: Schema.String }),
  get: { path: "/chemical/fate/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { path: "/chemical/fate/search/by-dtxsid/", limit: 10, documented: false }
})
const { batch: _batch, key: _key, ...withoutKey } = row

const [single, batch] = Operation.ofRows([row]) as [Operation.Operation, Operation.Operation]

const titleOf = (one: Row.Row): string => Operation.single(one).title

const isValid = (schema: Schema.Constraint | undefined, value: unknown): boolean =>
  Schema.is(schema as Schema.Codec<unknown>)(value)

describe("the requests of a row", () => {
  it("are one for a value and one for a batch, if it has a batch", () => {
    expect([single, batch].map(({ accept, method, name, path }) => [name, method, path, accept])).toEqual([
      ["fate.byDtxsid", "GET", "/chemical/fate/search/by-dtxsid/{dtxsid}", "application/json"],
      ["fate.byDtxsidBatch", "POST", "/chemical/fate/search/by-dtxsid/", "application/json"]
    ])
    expect([single.batch, batch.batch]).toEqual([undefined, row.batch])
    expect(Operation.ofRows([withoutKey])).toHaveLength(1)
  })

  it("have a title of the row, with a capital and without marks of code, or that of the request", () => {
    expect([single, batch].map(({ title }) => title)).toEqual([
      "Fate records of a substance",
      "Fate records of a batch of substances"
    ])
    expect(titleOf({ ...row, one: "fate record" })).toBe("Fate record of a substance")
    expect(titleOf(withoutKey)).toBe("Fate records")
    expect(titleOf({ ...row, get: { ...row.get, title: "Fate" } })).toBe("Fate")
    expect(Operation.batch({ ...row, batch: { ...row.batch, title: "Fates" } })?.title).toBe("Fates")
  })

  it("have the key of the row, or that of the batch", () => {
    expect([single.key, batch.key]).toEqual([Key.dtxsid, Key.dtxsid])
    const other = Operation.batch({ ...row, batch: { ...row.batch, key: Key.dtxcid } })
    expect([other?.key, other?.title]).toEqual([Key.dtxcid, "Fate records of a batch of compounds"])
  })

  it("have a group and a name in it", () => {
    expect([Operation.groupOf(batch.name), Operation.methodOf(batch.name)]).toEqual(["fate", "byDtxsidBatch"])
  })

  it("differ from the contract as the row says for one value, and as its batch says for a batch", () => {
    const [one, many] = Operation.ofRows([
      {
        ...row,
        get: { ...row.get, differences: { ctx: { lines: true } } },
        batch: { ...row.batch, differences: { ctx: { largest: 5 } } }
      }
    ]) as [Operation.Operation, Operation.Operation]
    expect(Operation.difference(one, "ctx")).toEqual({ lines: true })
    expect(Operation.difference(many, "ctx")).toEqual({ largest: 5 })
    expect(Operation.difference(one, "specification")).toEqual({})
    expect(Operation.difference(single, "ctx")).toEqual({})
  })

  it("differ from the contract in every dialect, if only one dialect has the row", () => {
    const get = { ...row.get, differences: { ctx: { lines: true } } } as const
    const one = Operation.single({ ...row, dialect: "ctx", get })
    expect(Operation.difference(one, "specification")).toEqual({ lines: true })
  })
})

describe("the parts of a request for one value", () => {
  const fields = { dtxsid: "DTXSID7020182" }
  const path = "/chemical/fate/"

  it.each([
    ["path", row, { params: fields, query: { page: 2 } }],
    ["query", { ...row, get: { ...row.get, path } }, { query: { ...fields, page: 2 } }],
    [
      "body",
      { ...row, get: { ...row.get, path, method: "POST" } },
      { payload: "DTXSID7020182", query: { page: 2 } }
    ]
  ] as ReadonlyArray<[string, Row.Row, Operation.Values]>)(
    "have the key in its %s",
    (place, own, expected) => {
      expect(Operation.partsOf(own, fields, { page: 2 })).toEqual(expected)
      const { params, payload, query } = Operation.single(own).parts()
      expect(params === undefined ? undefined : Object.keys(params)).toEqual(
        place === "path" ? ["dtxsid"] : undefined
      )
      expect(query === undefined ? undefined : Object.keys(query)).toEqual(
        place === "query" ? ["dtxsid"] : undefined
      )
      expect(payload).toBe(place === "body" ? Key.dtxsid.fields.dtxsid : undefined)
    }
  )

  it("are made once", () => {
    expect(single.parts()).toBe(single.parts())
  })

  it("have no path parameters without a key", () => {
    expect(Operation.single(withoutKey).parts()).toEqual({ params: {} })
    expect(Operation.single({ ...withoutKey, get: { ...row.get, path } }).parts()).toEqual({})
  })

  it("have the further parameters of the row, its page from 1 to 2147483647, and its projections", () => {
    const query = { tissue: Schema.String }
    const forms = { plot: { record: row.record } }
    const parts = Operation.single({
      ...row,
      query,
      page: "next",
      forms,
      form: "whole",
      formsNote: "Fields"
    }).parts()
    expect(Object.keys(parts.query ?? {})).toEqual(["tissue", "next", "projection"])
    const { next, projection } = parts.query ?? {}
    expect([0, 1, 2 ** 31 - 1, 2 ** 31, 1.5].map((page) => isValid(next, page))).toEqual([
      false,
      true,
      true,
      false,
      false
    ])
    expect(["plot", "whole", ""].map((one) => isValid(projection, one))).toEqual([true, false, false])
  })

  it("have any of the projections of the row", () => {
    const forms = { plot: { record: row.record }, short: { record: row.record } }
    const { projection } = Operation.single({ ...row, forms }).parts().query ?? {}
    expect(["plot", "short", "other"].map((one) => isValid(projection, one))).toEqual([true, true, false])
  })
})

describe("the parts of a request for a batch", () => {
  const payloadOf = (own: Partial<Row.Batch>, key: Key.Key | undefined = Key.dtxsid): Schema.Constraint => {
    const operation = Operation.batch({ ...row, key, batch: { ...row.batch, ...own } } as Row.Row)
    return operation?.parts().payload as Schema.Constraint
  }

  it("have a body with at least one value of the key", () => {
    const payload = payloadOf({})
    const bodies = [["DTXSID7020182"], ["DTXSID7020182", "DTXSID3039242"], [], ["80-05-7"], "DTXSID7020182"]
    expect(bodies.map((body) => isValid(payload, body))).toEqual([true, true, false, false, false])
    expect(isValid(payloadOf({ key: Key.dtxcid }), ["DTXCID30182"])).toBe(true)
  })

  it("have the element or the body of the batch, if it has its own", () => {
    expect(isValid(payloadOf({ element: () => Schema.Int }), [1])).toBe(true)
    const payload = Schema.Struct({ masses: Schema.Array(Schema.Finite) })
    expect(payloadOf({ payload: () => payload })).toBe(payload)
  })

  it("have the projections of the row, if the batch has them", () => {
    const forms = { plot: { record: row.record } }
    const queryOf = (own: Partial<Row.Batch>) =>
      Operation.batch({ ...row, forms, batch: { ...row.batch, ...own } } as Row.Row)?.parts().query
    expect(queryOf({})).toBeUndefined()
    expect(Object.keys(queryOf({ hasForms: true }) ?? {})).toEqual(["projection"])
  })
})

describe("the options of a row", () => {
  it("are its further parameters, and its projection with the name of its own form", () => {
    const query = { tissue: Schema.String }
    expect(Operation.optionFields({ ...row, query })).toEqual(query)
    const { projection } = Operation.optionFields(Rows.byName["details.all"])
    expect(["all-ids", "standard-2", "x", undefined].map((one) => isValid(projection, one))).toEqual([
      true,
      true,
      false,
      true
    ])
  })
})

describe("the response to one value", () => {
  const isList = (own: Partial<Row.Row>, form?: string): boolean =>
    Row.isList({ ...row, ...own } as Row.Row, form)
  const withAnswer = (answer: Row.Answer) => ({ get: { ...row.get, answer } })

  it("is a list if it is declared as one, or may be one for a value with many records", () => {
    expect(isList(withAnswer("list"))).toBe(true)
    expect(isList(withAnswer("either"))).toBe(true)
    expect(isList({ ...withAnswer("either"), multiplicity: "one" })).toBe(false)
    for (const answer of ["one", "page"] as const) expect(isList(withAnswer(answer))).toBe(false)
  })

  it("is a list if its values are a member of an object, or a part of a record", () => {
    expect(isList({ ...withAnswer("one"), members: "dtxsids" })).toBe(true)
    const part = { field: "data", record: row.record }
    expect(isList({ get: { ...row.get, answer: "one", part } })).toBe(true)
  })

  it("is as its form says, and that of the row otherwise", () => {
    const forms = {
      whole: { record: row.record, answer: "one" },
      each: { record: row.record, answer: "either", multiplicity: "many" },
      plain: { record: row.record }
    } as const
    const own = { ...withAnswer("either"), multiplicity: "one", forms } as const
    expect(["whole", "each", "plain", "absent"].map((form) => isList(own, form))).toEqual([
      false,
      true,
      false,
      false
    ])
    expect(isList({ ...own, form: "each" })).toBe(true)
  })

  it("has scalar values, unless the records of its form are objects", () => {
    const own = Rows.byName["assays.chemicals"]
    expect([Row.scalarOf(own), Row.scalarOf(own, "dtxsidsonly")]).toEqual(["dtxsid", "dtxsid"])
    expect(Row.scalarOf(own, "ccdassaydetails")).toBeUndefined()
    expect(Row.scalarOf(row)).toBeUndefined()
  })
})

describe("the rows by name", () => {
  it("are all rows, in the order of the contract and then of the names in each family", () => {
    expect(Object.keys(Rows.byName)).toEqual(Rows.all.map(({ name }) => name))
    const others = Rows.all.slice(Rows.contract.length).map(({ name }) => name)
    const families = Map.groupBy(others, Operation.groupOf)
    expect(others).toEqual([...families.values()].flatMap((names) => names.toSorted()))
    expect(Rows.operations).toHaveLength(Rows.all.length + Rows.all.filter((one) => "batch" in one).length)
  })
})
