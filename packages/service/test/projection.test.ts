import { DetailProjection, Dtxsid } from "@chemstream/api"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { path, run, send, sendBatch, serviceOf, sharedService } from "./testService.ts"

const id = "DTXSID7020182"

// In another order than the contract's, with unknown fields, and with numbers that a double cannot represent.
const odd = `{"ours":{"a" : [1.10,{}]},"totalAssays":3850.0,"dtxsid":"${id}","averageMass":228.290,"monoisotopicMass":1e400,"extdbCid":12345678901234567890123,"preferredName":"α\\u00e9 \\"x\\", {y}","stereo":null,"percentAssays":-0.0,"expocat":"Y","zz":1.10,"density":1.2E+3}`

const shared = sharedService({ details: [odd] })

describe("the default projection", () => {
  it("is the record as imported, without the fields that only other projections have", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const expected = `{"ours":{"a" : [1.10,{}]},"totalAssays":3850.0,"dtxsid":"${id}","monoisotopicMass":1e400,"extdbCid":12345678901234567890123,"preferredName":"α\\u00e9 \\"x\\", {y}","percentAssays":-0.0,"zz":1.10}`
        for (const query of ["", "?projection=chemicaldetailall"]) {
          expect((yield* send(service, `${path}${id}${query}`)).text).toBe(expected)
          expect((yield* sendBatch(service, `["${id}"]`, query)).text).toBe(`[${expected}]`)
        }
      })
    ))
})

describe("every other projection", () => {
  it.each(DetailProjection.names.filter((name) => name !== DetailProjection.defaultProjection))(
    "%s has exactly its fields, with the imported texts; missing ones are null",
    (name) =>
      run(
        Effect.gen(function* () {
          const service = yield* shared
          const { text } = yield* send(service, `${path}${id}?projection=${name}`)
          const fields = DetailProjection.fieldNames(name)
          expect(Object.keys(JSON.parse(text))).toEqual(fields)
          const texts: Record<string, string> = {
            totalAssays: "3850.0",
            dtxsid: `"${id}"`,
            averageMass: "228.290",
            monoisotopicMass: "1e400",
            extdbCid: "12345678901234567890123",
            preferredName: '"α\\u00e9 \\"x\\", {y}"',
            percentAssays: "-0.0",
            expocat: '"Y"',
            density: "1.2E+3"
          }
          expect(text).toBe(`{${fields.map((field) => `"${field}":${texts[field] ?? "null"}`).join(",")}}`)
          expect((yield* sendBatch(service, `["${id}"]`, `?projection=${name}`)).text).toBe(`[${text}]`)
        })
      )
  )
})

describe("any record", () => {
  it("is returned byte for byte in the default projection if it has no fields of other projections", () =>
    run(
      Effect.gen(function* () {
        const named = new Set(Object.keys(DetailProjection.everyField))
        const records = fc.sample(
          fc.dictionary(
            fc.string({ unit: "binary" }).filter((field) => !named.has(field)),
            fc.jsonValue({ stringUnit: "binary" }),
            { maxKeys: 8 }
          ),
          { numRuns: 200, seed: 7 }
        )
        const lines = records.map((record, i) => {
          const rest = JSON.stringify(record).slice(1)
          return `{"dtxsid":"${Dtxsid.fromNumber(i + 1)}"${rest === "}" ? "" : ","}${rest}`
        })
        const service = yield* serviceOf(lines)
        const texts = yield* Effect.forEach(lines, (_, i) =>
          Effect.map(send(service, `${path}${Dtxsid.fromNumber(i + 1)}`), ({ text }) => text)
        )
        expect(texts).toEqual(lines)
      })
    ))
})
