import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import {
  AedRecord,
  AllRecord,
  BioactivityData,
  BioactivitySummary,
  DetailProjection,
  DetailRecord,
  JsonSchema,
  RecordSchema,
  SearchHit,
  SynonymRecord
} from "@chemstream/api"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

// A strict validator: unknown keywords and loose schemas are errors.
const compile = (schema: Schema.Constraint) => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { int64: true } })
  for (const keyword of ["x-unit", "x-source", "x-primary-key"]) ajv.addKeyword({ keyword })
  return ajv.compile(JsonSchema.of(schema))
}

const records: Readonly<Record<string, Schema.Constraint>> = {
  ...DetailRecord.schemas,
  hit: SearchHit.SearchHit,
  synonyms: SynonymRecord.SynonymRecord,
  synonym: SynonymRecord.FlatSynonym,
  data: BioactivityData.BioactivityData,
  plotPoint: BioactivityData.PlotPoint,
  endpoint: BioactivitySummary.EndpointSummary,
  chemical: BioactivitySummary.ChemicalSummary,
  tissue: BioactivitySummary.TissueSummary,
  aed: AedRecord.AedRecord,
  all: AllRecord.StandardRecord,
  ids: AllRecord.IdRecord
}

describe("the JSON Schema of a record", () => {
  it.each(Object.keys(records))("of %s is strict draft 2020-12, with a title and a source", (name) => {
    const schema = records[name] as Schema.Constraint
    compile(schema)
    const { $schema, title, "x-source": source } = JsonSchema.of(schema)
    expect($schema).toBe("https://json-schema.org/draft/2020-12/schema")
    expect(title).toEqual(expect.any(String))
    expect(source).toMatch(/^docs\/service\.md, section \d/)
  })

  it("describes every field, and gives the unit and model of a predicted property", () => {
    const { properties } = JsonSchema.of(DetailRecord.schemas.ccdchemicaldetails)
    const fields = properties as Readonly<Record<string, JsonSchema.JsonSchema>>
    expect(Object.keys(fields)).toEqual(DetailProjection.fieldNames("ccdchemicaldetails"))
    for (const field of Object.values(fields)) expect(field["description"]).toEqual(expect.any(String))
    expect(fields["flashPointDegcTestPred"]).toEqual({
      type: ["number", "null"],
      description: "Flash point, °C, T.E.S.T. prediction",
      "x-unit": "°C",
      "x-source": "T.E.S.T. prediction"
    })
  })

  it("refuses invalid records, and accepts null and unknown fields", () => {
    const isValid = compile(DetailRecord.schemas.compact)
    expect(isValid({ dtxsid: "DTXSID7020182", monoisotopicMass: null, ours: [1] })).toBe(true)
    expect(isValid({ dtxsid: "DTXSID7020182", monoisotopicMass: "228.1" })).toBe(false)
    expect(isValid({ monoisotopicMass: 228.1 })).toBe(false)
    expect(isValid(null)).toBe(false)
    const isSynonyms = compile(SynonymRecord.SynonymRecord)
    for (const pcCode of ["1", ["1", null], null])
      expect(isSynonyms({ dtxsid: "DTXSID7020182", pcCode })).toBe(true)
    expect(isSynonyms({ dtxsid: "DTXSID7020182", pcCode: 1 })).toBe(false)
  })

  it("has the fields of the dialect and the annotations of the record", () => {
    const own = JsonSchema.of(DetailRecord.schemas.chemicaldetailall)
    const ctx = JsonSchema.of(RecordSchema.inDialect(DetailRecord.schemas.chemicaldetailall, "ctx"))
    expect(ctx["properties"]).toHaveProperty("pubchemCount")
    expect(own["properties"]).not.toHaveProperty("pubchemCount")
    for (const keyword of ["title", "x-source", "x-primary-key"]) expect(ctx[keyword]).toEqual(own[keyword])
  })

  it("names the fields that identify a record, if there are any", () => {
    expect(JsonSchema.of(DetailRecord.schemas.compact)["x-primary-key"]).toEqual(["dtxsid"])
    expect(JsonSchema.of(SearchHit.SearchHit)).not.toHaveProperty("x-primary-key")
  })

  it("has the identifier and title of the options, and definitions for recursive schemas", () => {
    interface Tree {
      readonly parts: ReadonlyArray<Tree>
    }
    const Tree = Schema.Struct({
      parts: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree))
    }).annotate({ identifier: "Tree" })
    const document = JsonSchema.of(Tree, { id: "https://example.org/tree", title: "Tree of parts" })
    expect(document).toMatchObject({ $id: "https://example.org/tree", title: "Tree of parts" })
    const isTree = new Ajv2020().compile(document)
    expect(isTree({ parts: [{ parts: [] }] })).toBe(true)
    expect(isTree({ parts: [{}] })).toBe(false)
  })
})

const recorded = join(import.meta.dirname, "../../../../shared/real")

describe.skipIf(!existsSync(recorded))("a recorded record (skipped without ../shared/real)", () => {
  it.each([
    ["details-163.json", DetailRecord.schemas.chemicaldetailstandard],
    ["detail-chemicalidentifier.json", DetailRecord.schemas.ntatoolkit],
    ["detail-DTXSID7020182-2026.json", DetailRecord.schemas.chemicaldetailall],
    ["details-batch-compact-2026.json", DetailRecord.schemas.compact],
    ["search-contain-bisphenol-a.json", SearchHit.SearchHit],
    ["search-batch-equal-miss.json", SearchHit.SearchHit],
    ["search-batch-equal-text-2026.json", SearchHit.SearchHit],
    ["search-batch-equal-json-array-2026.json", SearchHit.SearchHit],
    ["synonyms-DTXSID7020182.json", SynonymRecord.SynonymRecord],
    ["synonyms-DTXSID7020182-2026.json", SynonymRecord.SynonymRecord],
    ["bioactivity-data-aeid-704.json", BioactivityData.BioactivityData],
    ["bioactivity-data-by-m4id-11847245-2025.json", BioactivityData.BioactivityData],
    ["bioactivity-summary-aeid-700.json", BioactivitySummary.EndpointSummary],
    ["bioactivity-summary-dtxsid-2026.json", BioactivitySummary.ChemicalSummary],
    ["aed-batch-2026-first-4.json", AedRecord.AedRecord]
  ] as const)("of %s is valid in the dialect of the public service", (file, schema) => {
    const isValid = compile(RecordSchema.inDialect(schema, "ctx"))
    const body: unknown = JSON.parse(readFileSync(join(recorded, file), "utf8"))
    const found = Array.isArray(body) ? body : [body]
    expect(found).not.toEqual([])
    for (const record of found) {
      isValid(record)
      expect(isValid.errors).toBeNull()
    }
  })
})
