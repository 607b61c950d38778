/**
 * The differences between the contract and the public service. Compares them with recorded responses, if available.
 */
import { existsSync, readFileSync } from "node:fs"
import { DetailProjection, Dialect, Operation, Rows } from "@chemstream/api"
import { describe, expect, it } from "vitest"

const recorded = new URL("../../../../shared/real/", import.meta.url)

const record = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(name, recorded), "utf8"))

describe("the name of a dialect", () => {
  it("is one of two", () => {
    expect(["specification", "ctx", "epa", undefined].filter(Dialect.isName)).toEqual([
      "specification",
      "ctx"
    ])
  })
})

describe("the default dialect of a service", () => {
  it.each([
    ["https://comptox.epa.gov/ctx-api", "ctx"],
    ["https://EPA.GOV", "ctx"],
    ["https://api.epa.gov.:8443/x", "ctx"],
    ["https://notepa.gov", "specification"],
    ["https://epa.gov.example.org", "specification"],
    ["https://example.org/epa.gov", "specification"],
    ["http://127.0.0.1:8080", "specification"],
    ["epa.gov", "specification"],
    ["", "specification"]
  ])("at %j is %s", (baseUrl, name) => {
    expect(Dialect.ofHost(baseUrl)).toBe(name)
  })
})

describe("the default pace", () => {
  it.each(["http://localhost:1", "http://127.0.0.1", "http://127.1.2.3:8080/x", "http://[::1]:8080"])(
    "to %s is unlimited: it is this machine",
    (baseUrl) => {
      expect(Dialect.names.map((name) => Dialect.pace(name, baseUrl))).toEqual([undefined, undefined])
    }
  )

  it.each([
    "https://comptox.epa.gov",
    "http://localhost.example.org",
    "http://128.0.0.1",
    "http://[::2]",
    ""
  ])("to %j is that of the dialect: one request per second to the public service", (baseUrl) => {
    expect(Dialect.pace("ctx", baseUrl)).toBe(1)
    expect(Dialect.pace("specification", baseUrl)).toBeUndefined()
  })
})

describe("a projection of the detail record", () => {
  it("is in the contract without exception", () => {
    for (const projection of DetailProjection.names) {
      expect(Dialect.withoutProjection("specification", projection)).toBeUndefined()
      expect(Dialect.specification.detailFields[projection]).toEqual(DetailProjection.fieldNames(projection))
    }
  })

  it("is in the public service, unless it refuses it", () => {
    const missing = DetailProjection.names.filter(
      (name) => Dialect.withoutProjection("ctx", name) !== undefined
    )
    expect(missing).toEqual(["ccdassaydetails"])
    expect(Dialect.withoutProjection("ctx", "ccdassaydetails")).toBe(
      "the dialect ctx has no projection ccdassaydetails; use chemicaldetailall or chemicaldetailstandard or " +
        "ccdchemicaldetails or chemicalidentifier or chemicalstructure or ntatoolkit or compact"
    )
  })

  it("cannot be matched by a field that its records lack", () => {
    expect(Dialect.withoutProjection("ctx", "compact", "dtxsid")).toBeUndefined()
    expect(Dialect.withoutProjection("ctx", "compact", "dtxcid")).toBe(
      "the records of the projection compact have no dtxcid in the dialect ctx, so they cannot be matched; use " +
        "chemicaldetailall or chemicaldetailstandard or ccdchemicaldetails or chemicalidentifier or chemicalstructure " +
        "or ntatoolkit"
    )
  })

  it("has the public service's names of its fields, and the fields of its groups", () => {
    const { ccdchemicaldetails, chemicaldetailall, chemicaldetailstandard } = Dialect.ctxDetailFields
    const [own, renamed] = [Object.keys(Dialect.detailFieldNames), Object.values(Dialect.detailFieldNames)]
    expect(chemicaldetailstandard).toEqual(expect.arrayContaining(renamed))
    expect(chemicaldetailstandard.filter((field) => own.includes(field))).toEqual([])
    expect(chemicaldetailall).toEqual(expect.arrayContaining([...chemicaldetailstandard]))
    expect(chemicaldetailstandard).toContain("descriptorStringTsv")
    expect(ccdchemicaldetails).not.toContain("descriptorStringTsv")
    expect(chemicaldetailstandard.filter((field) => !ccdchemicaldetails.includes(field))).toEqual([
      "descriptorStringTsv"
    ])
  })
})

describe("the public service (docs/service.md, section 10)", () => {
  const difference = (name: Rows.OperationName) =>
    Operation.difference(Rows.operations.find((one) => one.name === name) as Operation.Operation, "ctx")

  it.each([
    ["search.equalBatch", 100],
    ["bioactivity.bySpidBatch", 200],
    ["bioactivity.byM4idBatch", 200],
    ["bioactivity.byDtxsidBatch", 200],
    ["bioactivity.byAeidBatch", 200],
    ["bioactivity.aedByDtxsidBatch", 200]
  ] as const)("accepts fewer values in %s than the contract: %d", (name, largest) => {
    expect(difference(name).largest).toBe(largest)
  })

  it("cuts off a search at 500 hits, and has pages from 0", () => {
    expect(difference("search.startWith").forms).toContainEqual({ cutAt: 500 })
    expect(difference("details.all").forms).toEqual([{ firstPage: 0, isObject: true }])
  })
})

describe.skipIf(!existsSync(recorded))(
  "the detail record of the public service (skipped without ../shared/real)",
  () => {
    it("has the fields of a recorded response", () => {
      expect(Object.keys(record("detail-DTXSID7020182-2026.json")).sort()).toEqual(
        [...Dialect.ctxDetailFields.chemicaldetailall].sort()
      )
      // This recording has another projection than its file name says.
      expect(Object.keys(record("detail-chemicalidentifier.json")).sort()).toEqual(
        [...Dialect.ctxDetailFields.ntatoolkit].sort()
      )
    })
  }
)
