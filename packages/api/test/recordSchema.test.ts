/**
 * Compares the fields of records in each dialect with recorded responses of the public service, if available.
 */
import { existsSync, readFileSync } from "node:fs"
import { BioactivityData, DetailRecord, RecordSchema, SynonymRecord } from "@chemstream/api"
import { Schema, SchemaAST } from "effect"
import { describe, expect, it } from "vitest"

const recorded = new URL("../../../../shared/real/", import.meta.url)
const records = (name: string): ReadonlyArray<Record<string, unknown>> =>
  [JSON.parse(readFileSync(new URL(name, recorded), "utf8"))].flat()

const fieldsOf = (schema: Schema.Constraint): ReadonlyArray<string> => {
  const { ast } = schema
  return SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

const { schemas } = DetailRecord

describe("a record in the dialect specification", () => {
  it("has the schema of the contract", () => {
    for (const { schema } of RecordSchema.differences) {
      expect(RecordSchema.inDialect(schema, "specification")).toBe(schema)
    }
  })
})

describe("a record in the dialect ctx", () => {
  it.each([
    ["chemicaldetailall", 73],
    ["chemicaldetailstandard", 37],
    ["ccdchemicaldetails", 38],
    ["compact", 3]
  ] as const)("in the projection %s has %d fields", (projection, count) => {
    const fields = fieldsOf(RecordSchema.inDialect(schemas[projection], "ctx"))
    expect(fields).toHaveLength(count)
    expect(fields.includes("averageMass")).toBe(count === 73 || count === 38)
  })

  it("describes every field and keeps unknown fields", () => {
    for (const { record, schema } of RecordSchema.differences) {
      const own = RecordSchema.inDialect(schema, "ctx")
      expect(fieldsOf(own).length, record).toBeGreaterThan(0)
      const value = { dtxsid: "DTXSID7020182", later: 1 }
      expect(Schema.decodeUnknownSync(own as Schema.Codec<unknown>)(value)).toEqual(value)
    }
  })
})

describe.skipIf(!existsSync(recorded))(
  "a recorded record of the public service (skipped without ../shared/real)",
  () => {
    it.each<[string, Schema.Constraint]>([
      ["detail-DTXSID7020182-2026.json", schemas.chemicaldetailall],
      ["details-163.json", schemas.chemicaldetailstandard],
      ["details-batch-compact-2026.json", schemas.compact],
      ["synonyms-DTXSID7020182-2026.json", SynonymRecord.SynonymRecord],
      ["bioactivity-data-by-m4id-11847245-2025.json", BioactivityData.BioactivityData]
    ])("%s has exactly the fields of its schema, with their types", (name, schema) => {
      const own = RecordSchema.inDialect(schema, "ctx")
      for (const record of records(name)) {
        expect(Object.keys(record).sort()).toEqual([...fieldsOf(own)].sort())
        expect(Schema.decodeUnknownSync(own as Schema.Codec<unknown>)(record)).toEqual(record)
      }
    })
  }
)
