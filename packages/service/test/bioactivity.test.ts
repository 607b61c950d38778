import { Bioactivity, BioactivityData, BioactivitySummary, Dtxsid } from "@chemstream/api"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { post, serviceOfKinds } from "./recordKindsService.ts"
import { stubService } from "./stubService.ts"
import { run, send, sharedService } from "./testService.ts"

const data = "/bioactivity/data/search"
const summary = "/bioactivity/data/summary/search"
const aed = "/bioactivity/data/aed/search/by-dtxsid"
const a = "DTXSID7020182"
const b = "DTXSID9020112"
const unknown = Dtxsid.fromNumber(999_999)

/** Makes the text of a data record. Values are inserted as text, so that a number can be written 3850.0. */
const record = (m4id: number | string, fields: Record<string, unknown> = {}): string =>
  `{"m4id":${m4id},${JSON.stringify({ aeid: 704, spid: "S1", dtxsid: a, nconc: 8, hitc: 0.5, ...fields }).slice(1)}`

const texts = (response: { readonly text: string }, lines: ReadonlyArray<string>) => {
  expect(response.text).toBe(`[${lines.join(",")}]`)
}

describe("data records", () => {
  const r1 = record("30.0", { chnm: "x", unknown: { n: 1 } })
  const r2 = record(20, { aeid: 705, spid: "S/2 %", hitc: null })
  const r3 = record(10, { dtxsid: b })
  const control = record(5, { dtxsid: null, spid: "DMSO" })
  const shared = sharedService({ bioactivity: [r1, r2, r3, control] })

  it("of a substance, endpoint or sample are returned byte for byte, by m4id", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        texts(yield* send(service, `${data}/by-dtxsid/${a}`), [r2, r1])
        texts(yield* send(service, `${data}/by-aeid/704`), [control, r3, r1])
        texts(yield* send(service, `${data}/by-spid/${encodeURIComponent("S/2 %")}`), [r2])
        texts(yield* send(service, `${data}/by-spid/DMSO`), [control])
      })
    ))

  it("by m4id is a single object, also for a number with a decimal", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        expect((yield* send(service, `${data}/by-m4id/30`)).text).toBe(r1)
      })
    ))

  it.each([
    `${data}/by-dtxsid/${unknown}`,
    `${data}/by-dtxsid/${unknown}?projection=assay-summary-plot`,
    `${data}/by-aeid/9`,
    `${data}/by-spid/s1`,
    `${data}/by-m4id/9`,
    `${summary}/by-dtxsid/${unknown}`,
    `${summary}/by-aeid/9`,
    `${summary}/by-tissue/?dtxsid=${a}&tissue=liver`,
    `${aed}/${a}`
  ])("of an unknown value are 404: %s", (target) =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* shared, target)
        expect(response.status).toBe(404)
        expect(response.headers.get("content-type")).toContain("application/problem+json")
        expect(JSON.parse(response.text).detail).toMatch(/^No /)
      })
    )
  )

  it.each([
    `${data}/by-aeid/0`,
    `${data}/by-aeid/-1`,
    `${data}/by-aeid/1.5`,
    `${data}/by-aeid/99999999999`,
    `${data}/by-aeid/abc`,
    `${data}/by-m4id/1e400`,
    `${data}/by-dtxsid/${a}?projection=plot`,
    `${summary}/by-aeid/x`
  ])("of a malformed value are 400: %s", (target) =>
    run(
      Effect.gen(function* () {
        expect((yield* send(yield* shared, target)).status).toBe(400)
      })
    )
  )

  it("of a batch keep the order of its values, each value once, sorted by m4id within a value", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        texts(yield* post(service, `${data}/by-dtxsid/`, [b, unknown, a, b]), [r3, r2, r1])
        texts(yield* post(service, `${data}/by-aeid/`, [705, 9, 704, 705]), [r2, control, r3, r1])
        texts(yield* post(service, `${data}/by-spid/`, ["S1", "S1", "DMSO"]), [r3, r1, control])
        texts(yield* post(service, `${data}/by-m4id/`, [30, "30", "10", 9, 20]), [r1, r3, r2])
        texts(yield* post(service, `${data}/by-m4id/`, [9]), [])
      })
    ))

  const batches: ReadonlyArray<readonly [string, { readonly limit: number }, (i: number) => unknown]> = [
    [`${data}/by-dtxsid/`, Bioactivity.byDtxsid.batch, (i) => Dtxsid.fromNumber(100_000 + i)],
    [`${data}/by-aeid/`, Bioactivity.byAeid.batch, (i) => i + 1000],
    [`${data}/by-spid/`, Bioactivity.bySpid.batch, (i) => `X${i}`],
    [`${data}/by-m4id/`, Bioactivity.byM4id.batch, (i) => i + 1000],
    [aed, Bioactivity.aedByDtxsid.batch, (i) => Dtxsid.fromNumber(100_000 + i)]
  ]
  it.each(batches)(
    "%s takes a full batch, refuses a larger one with 413, and an empty one with 400",
    (path, { limit }, value) =>
      run(
        Effect.gen(function* () {
          const service = yield* shared
          const batch = Array.from({ length: limit + 1 }, (_, i) => value(i))
          expect(yield* post(service, path, batch.slice(1))).toMatchObject({ status: 200, text: "[]" })
          expect((yield* post(service, path, batch)).status).toBe(413)
          expect((yield* post(service, path, [])).status).toBe(400)
        })
      )
  )

  it("of a long response are complete, in any number of pages", () =>
    run(
      Effect.gen(function* () {
        const long = "x".repeat(100_000)
        const many = Array.from({ length: 45 }, (_, i) =>
          record(i + 1, { aeid: 1 + (i % 3), long: `${i}${long}` })
        )
        const service = yield* serviceOfKinds({ bioactivity: many })
        const ofEndpoint = (aeid: number) => many.filter((_, i) => 1 + (i % 3) === aeid)
        texts(yield* send(service, `${data}/by-aeid/2`), ofEndpoint(2))
        texts(yield* send(service, `${data}/by-dtxsid/${a}`), many)
        texts(yield* post(service, `${data}/by-aeid/`, [3, 1, 3, 2]), [3, 1, 2].flatMap(ofEndpoint))
        texts(
          yield* post(
            service,
            `${data}/by-m4id/`,
            many.map((_, i) => 45 - i)
          ),
          many.toReversed()
        )
      })
    ))

  it("replace the record with their m4id, also in the counts", () =>
    run(
      Effect.gen(function* () {
        const newer = record(30, { aeid: 800, hitc: 1 })
        const service = yield* serviceOfKinds({ bioactivity: [r1, newer] })
        expect((yield* send(service, `${data}/by-aeid/704`)).status).toBe(404)
        texts(yield* send(service, `${data}/by-aeid/800`), [newer])
        expect(JSON.parse((yield* send(service, `${summary}/by-dtxsid/${a}`)).text)).toMatchObject({
          totalMc: 1,
          activeMc: 1
        })
      })
    ))
})

describe("the points of the summary plot", () => {
  it("have exactly the fields of the contract; missing ones are null; top and ac50 are those of the winning model", () =>
    run(
      Effect.gen(function* () {
        const full = `{"m4id":2,"aeid":704,"spid":"S1","dtxsid":"${a}","modl":"hill","hitc":0.90,"coff":22.5,"logcMin":-2.0,"logcMax":1.7,"mc5Param":{"top":30.10,"ac50":1.50,"acc":3},"mc4Param":{"top":9},"chnm":"x"}`
        const bare = record(3, { hitc: null, mc5Param: null, coff: null })
        const service = yield* serviceOfKinds({ bioactivity: [bare, full] })
        const { text } = yield* send(service, `${data}/by-dtxsid/${a}?projection=assay-summary-plot`)
        expect(text).toBe(
          `[{"dtxsid":"${a}","aeid":704,"m4id":2,"spid":"S1","modl":"hill","hitc":0.90,"coff":22.5,"top":30.10,"ac50":1.50,"logcMin":-2.0,"logcMax":1.7},` +
            `{"dtxsid":"${a}","aeid":704,"m4id":3,"spid":"S1","modl":null,"hitc":null,"coff":null,"top":null,"ac50":null,"logcMin":null,"logcMax":null}]`
        )
        expect(Object.keys(JSON.parse(text)[0])).toEqual(Object.keys(BioactivityData.plotFields))
      })
    ))
})

describe("the summary of an assay endpoint (docs/service.md, section 5.6)", () => {
  const counts = (lines: ReadonlyArray<string>, aeid = 704) =>
    Effect.flatMap(serviceOfKinds({ bioactivity: lines }), (service) =>
      Effect.map(send(service, `${summary}/by-aeid/${aeid}`), ({ text }) => JSON.parse(text))
    )

  it("counts a continuous hit call of 0.9 as active, and a lower or missing one only as tested (rule 1)", () =>
    run(
      Effect.gen(function* () {
        const hits = ["0.9", "0.90", "1", "0.8999999999999999", "0", "-0.99", "null"]
        const lines = hits.map((hitc, i) => record(i + 1).replace('"hitc":0.5', `"hitc":${hitc}`))
        expect(yield* counts(lines)).toEqual({ aeid: 704, activeMc: 3, totalMc: 7, activeSc: 0, totalSc: 0 })
      })
    ))

  it("counts only a hit call of 1 as active in single-concentration data (rule 2)", () =>
    run(
      Effect.gen(function* () {
        const lines = [1, 0, null, 0.95].map((hitc, i) => record(i + 1, { nconc: 1, hitc }))
        expect(yield* counts([...lines, record(9, { nconc: 8, hitc: 1 })])).toEqual({
          aeid: 704,
          activeMc: 1,
          totalMc: 1,
          activeSc: 1,
          totalSc: 4
        })
      })
    ))

  it("counts every sample of a chemical (rule 3), and no other endpoint's", () =>
    run(
      Effect.gen(function* () {
        const lines = ["S1", "S2", "S3"].map((spid, i) => record(i + 1, { spid, hitc: i === 0 ? 0.1 : 0.95 }))
        expect(yield* counts([...lines, record(9, { aeid: 705, hitc: 1 })])).toMatchObject({
          activeMc: 2,
          totalMc: 3
        })
      })
    ))
})

describe("the summary of a chemical", () => {
  const cyto = (m4id: number, aeid: number, hitc: number | null, ac50: number, fields = {}) =>
    record(m4id, { aeid, hitc, intendedTargetFamily: "cell cycle", mc5Param: { ac50 }, ...fields })

  it("counts its samples, and has the cytotoxicity statistics with the global MAD of all chemicals", () =>
    run(
      Effect.gen(function* () {
        const service = yield* serviceOfKinds({
          bioactivity: [
            cyto(1, 1, 0.95, 10),
            cyto(2, 2, 0.99, 1000),
            cyto(3, 3, 0.2, 1),
            cyto(4, 4, 1, 1, { nconc: 1 }),
            cyto(5, 5, 1, 1, { burstAssay: 0 }),
            record(6, { aeid: 6 }),
            // Another chemical, whose MAD is 0.
            cyto(7, 1, 1, 100, { dtxsid: b }),
            cyto(8, 2, 1, 100, { dtxsid: b }),
            cyto(9, 2, 1, 100, { dtxsid: null })
          ]
        })
        const response = JSON.parse((yield* send(service, `${summary}/by-dtxsid/${a}`)).text)
        expect(Object.keys(response)).toEqual(Object.keys(BioactivitySummary.chemicalFields))
        const point = 2
        const mad = 1.4826
        const globalMad = mad / 2
        expect(response).toEqual({
          dtxsid: a,
          activeMc: 3,
          totalMc: 5,
          activeSc: 1,
          totalSc: 1,
          cytotoxMedianRaw: point,
          cytotoxMad: mad,
          globalMad,
          cytotoxMedianLog: point,
          cytotoxMedianUm: 100,
          cytotoxLowerUm: 10 ** (point - 3 * globalMad),
          cytotoxLowerLog: point - 3 * globalMad,
          ntested: 3,
          nhit: 2
        })
      })
    ))

  it("has null statistics without cytotoxicity endpoints", () =>
    run(
      Effect.gen(function* () {
        const service = yield* serviceOfKinds({ bioactivity: [record(1)] })
        expect(JSON.parse((yield* send(service, `${summary}/by-dtxsid/${a}`)).text)).toEqual({
          dtxsid: a,
          activeMc: 0,
          totalMc: 1,
          activeSc: 0,
          totalSc: 0,
          cytotoxMedianRaw: null,
          cytotoxMad: null,
          globalMad: null,
          cytotoxMedianLog: null,
          cytotoxMedianUm: null,
          cytotoxLowerUm: null,
          cytotoxLowerLog: null,
          ntested: 0,
          nhit: 0
        })
      })
    ))
})

describe("the summary of a chemical in a tissue", () => {
  const liver = (m4id: number, hitc: number | null, ac50: number | null, fields = {}) =>
    record(m4id, {
      hitc,
      tissue: "liver",
      intendedTargetFamily: "nuclear receptor",
      maxMedConc: 1.5,
      chnm: "Bisphenol A",
      coff: 20,
      mc5Param: { ac50, acc: 3 },
      ...fields
    })
  const inTissue = (lines: ReadonlyArray<string>, tissue = "liver", dtxsid = a) =>
    Effect.flatMap(serviceOfKinds({ bioactivity: lines }), (service) =>
      send(service, `${summary}/by-tissue/?dtxsid=${dtxsid}&tissue=${encodeURIComponent(tissue)}`)
    )

  it("shows the record with the highest hit call, then the lowest AC50, with every field in the order of the contract", () =>
    run(
      Effect.gen(function* () {
        const { text } = yield* inTissue([
          liver(1, 0.95, 1),
          liver(2, 0.99, 1000),
          liver(3, 0.99, 100),
          liver(4, 0.99, null),
          liver(5, null, 0.1),
          liver(6, 1, 1, { nconc: 1 }),
          liver(7, 1, 1, { tissue: "lung" }),
          liver(8, 1, 1, { dtxsid: b })
        ])
        expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(BioactivitySummary.tissueFields))
        expect(JSON.parse(text)).toEqual({
          intendedTargetFamily: "nuclear receptor",
          dtxsid: a,
          tissue: "liver",
          maxMedConc: 1.5,
          continuousHitCall: 0.99,
          chemicalName: "Bisphenol A",
          hitCall: "Active",
          cutOff: 20,
          logAC50: 2,
          ac50: 100,
          acc: 3
        })
      })
    ))

  it("is Inactive just below 0.9, and null without a hit call", () =>
    run(
      Effect.gen(function* () {
        const below = yield* inTissue([liver(1, 0.8999999999999999, 1)])
        expect(JSON.parse(below.text)).toMatchObject({ hitCall: "Inactive" })
        const none = yield* inTissue([liver(1, null, null)])
        expect(JSON.parse(none.text)).toMatchObject({
          hitCall: null,
          continuousHitCall: null,
          ac50: null,
          logAC50: null
        })
      })
    ))

  it("ignores the case of the tissue, and returns the tissue as imported", () =>
    run(
      Effect.gen(function* () {
        const response = yield* inTissue([liver(1, 1, 1, { tissue: "Adrenal Gland" })], "ADRENAL gland")
        expect(JSON.parse(response.text)).toMatchObject({ tissue: "Adrenal Gland" })
      })
    ))

  const tested = sharedService({ bioactivity: [liver(1, 1, 1)] })
  it.each([
    "",
    `?dtxsid=${a}`,
    "?tissue=liver",
    `?dtxsid=${a}&tissue=`,
    "?dtxsid=&tissue=liver",
    "?dtxsid=x&tissue=liver"
  ])("is 400 if a parameter is missing, empty or malformed: %s", (query) =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* tested, `${summary}/by-tissue/${query}`)
        expect(response.status).toBe(400)
        expect(response.headers.get("content-type")).toContain("application/problem+json")
      })
    )
  )
})

describe("AED data", () => {
  const dose = (dtxsid: string, aeid: number, rest = "") =>
    `{"dtxsid":"${dtxsid}","aeid":${aeid},"aenm":"A","aedVal":[0.10,null]${rest}}`
  const shared = sharedService({ aed: [dose(a, 9), dose(a, 4), dose(b, 4), dose(a, 9, ',"newer":true')] })

  it("of a chemical are its records byte for byte, sorted by aeid; the last record of an endpoint replaces earlier ones", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        texts(yield* send(service, `${aed}/${a}`), [dose(a, 4), dose(a, 9, ',"newer":true')])
        expect((yield* send(service, `${aed}/${unknown}`)).status).toBe(404)
      })
    ))

  it("of a batch keep the order of its values, at the path without a slash at its end", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        texts(yield* post(service, aed, [b, unknown, a]), [
          dose(b, 4),
          dose(a, 4),
          dose(a, 9, ',"newer":true')
        ])
        expect((yield* post(service, `${aed}/`, [a])).status).not.toBe(200)
      })
    ))
})

describe("a whole number in a path", () => {
  it.each(["1e1", "03", "3.0", "+3", "0x3", " 3"])("is refused if it is written %j", (text) =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService({})
        for (const name of ["aeid", "m4id"]) {
          const response = yield* send(
            service,
            `/bioactivity/data/search/by-${name}/${encodeURIComponent(text)}`
          )
          expect([response.status, JSON.parse(response.text).detail]).toEqual([
            400,
            expect.stringContaining(`Path value ${name}: expected a whole number`)
          ])
        }
        const page = yield* send(service, `/chemical/all?next=${encodeURIComponent(text)}`)
        expect(page.status).toBe(400)
      })
    )
  )
})
