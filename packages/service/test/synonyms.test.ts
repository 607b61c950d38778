import { Dtxsid, Synonyms } from "@chemstream/api"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { post } from "./recordKindsService.ts"
import { run, send, sharedService } from "./testService.ts"

const path = "/chemical/synonym/search/by-dtxsid/"
const a = "DTXSID7020182"
const b = "DTXSID9020112"
const unknown = Dtxsid.fromNumber(999_999)
const record = `{"dtxsid":"${a}","valid":["Bisphenol A","80-05-7"],"good":["β,β'-Bis(p-hydroxyphenyl)propane"],"other":["x","x"],"beilstein":["1107700"],"alternateCasrn":["1-1-1"],"deletedCasrn":["2-2-2"],"pcCode":"999","more":{"n":1.10}}`
const sparse = `{"dtxsid":"${b}","valid":null,"good":["Atrazine",null],"beilstein":null}`
const shared = sharedService({ synonyms: [record, sparse] })

describe("the synonyms of a substance", () => {
  it("are the record as imported, with unknown fields and the text of numbers", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const response = yield* send(service, `${path}${a}`)
        expect([response.status, response.text]).toEqual([200, record])
        expect(response.headers.get("content-type")).toContain("application/json")
        const all = yield* send(service, `${path}${a}?projection=chemical-synonym-all`)
        expect(all.text).toBe(record)
      })
    ))

  it("are a flat list with qualities for ccd-synonyms, best first", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const response = yield* send(service, `${path}${a}?projection=ccd-synonyms`)
        expect(JSON.parse(response.text)).toEqual([
          { synonym: "Bisphenol A", quality: "Valid" },
          { synonym: "80-05-7", quality: "Valid" },
          { synonym: "β,β'-Bis(p-hydroxyphenyl)propane", quality: "Good" },
          { synonym: "x", quality: "Other" },
          { synonym: "x", quality: "Other" },
          { synonym: "1-1-1", quality: "Alternate CAS-RN" },
          { synonym: "2-2-2", quality: "Deleted CAS-RN" },
          { synonym: "1107700", quality: "Beilstein" },
          { synonym: "999", quality: "PC-Code" }
        ])
        const few = yield* send(service, `${path}${b}?projection=ccd-synonyms`)
        expect(JSON.parse(few.text)).toEqual([{ synonym: "Atrazine", quality: "Good" }])
      })
    ))

  it("are 404 for an unknown substance, 400 for a malformed one or an unknown projection", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const absent = yield* send(service, `${path}${unknown}`)
        expect(absent.status).toBe(404)
        expect(absent.headers.get("content-type")).toContain("application/problem+json")
        expect(JSON.parse(absent.text).detail).toContain(unknown)
        expect((yield* send(service, `${path}BPA`)).status).toBe(400)
        expect((yield* send(service, `${path}${a}?projection=flat`)).status).toBe(400)
      })
    ))
})

describe("the synonyms of a batch", () => {
  it("have each record once, without unknown substances", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const response = yield* post(service, path, [b, unknown, a, b])
        expect(response.status).toBe(200)
        expect(new Set(JSON.parse(response.text))).toEqual(new Set([JSON.parse(record), JSON.parse(sparse)]))
        expect(JSON.parse(response.text)).toHaveLength(2)
        expect((yield* post(service, path, [unknown])).text).toBe("[]")
      })
    ))

  it("are 413 for a list over the limit, and 400 for an empty one", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const limit = Synonyms.byDtxsid.batch.limit
        const batch = Array.from({ length: limit + 1 }, (_, i) => Dtxsid.fromNumber(100_000 + i))
        expect((yield* post(service, path, batch.slice(1))).status).toBe(200)
        expect((yield* post(service, path, batch)).status).toBe(413)
        expect((yield* post(service, path, [])).status).toBe(400)
      })
    ))
})
