import { readdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { DetailProjection, DetailRecord, Dtxsid } from "@chemstream/api"
import { Bundled, Service } from "@chemstream/service"
import { Effect, Redacted, Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { key, path, run, send, sendBatch } from "./testService.ts"

const identifiers = readFileSync(Bundled.identifiers, "utf8").trimEnd().split("\n")
const wellFormed = identifiers.filter((id) => Result.isSuccess(Dtxsid.verify(Dtxsid.Dtxsid.make(id))))

describe("the bundled data set", () => {
  it("serves every known identifier of the list once", () =>
    run(
      Effect.gen(function* () {
        const service = yield* Service.make({ database: Bundled.database, keys: [Redacted.make(key)] })
        const response = yield* sendBatch(
          service,
          JSON.stringify(wellFormed),
          "?projection=ccdchemicaldetails"
        )
        expect(response.status).toBe(200)
        const records = JSON.parse(response.text) as ReadonlyArray<{ readonly dtxsid: string }>
        const found = new Set(records.map(({ dtxsid }) => dtxsid))
        expect(found.size).toBe(records.length)
        expect(found.size).toBeGreaterThan(200)
        const missing = new Set(wellFormed.filter((id) => !found.has(id)))
        expect(missing.size).toBe(4)
        const first = yield* send(service, `${path}${[...missing][0]}`)
        expect(first.status).toBe(404)
      })
    ))

  it("fits the contract in every projection", () =>
    run(
      Effect.gen(function* () {
        const service = yield* Service.make({ database: Bundled.database, keys: [Redacted.make(key)] })
        for (const name of DetailProjection.names) {
          const response = yield* sendBatch(service, JSON.stringify(wellFormed), `?projection=${name}`)
          const decode = Schema.decodeUnknownResult(Schema.Array(DetailRecord.schemas[name]))
          expect(Result.isSuccess(decode(JSON.parse(response.text)))).toBe(true)
        }
      })
    ))

  it("is two self-contained files, in a journal mode that works in a read-only folder", () => {
    expect(readdirSync(dirname(Bundled.database)).sort()).toEqual(["chemicals.sqlite", "identifiers.txt"])
    expect([...readFileSync(Bundled.database).subarray(18, 20)]).toEqual([1, 1])
  })
})
