import { MsReady } from "@chemstream/api"
import type { Service } from "@chemstream/service"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { run, send, serviceOf, sharedService } from "./testService.ts"

const benzoicAcid = {
  dtxsid: "DTXSID6020143",
  dtxcid: "DTXCID20143",
  smiles: "OC(=O)c1ccccc1",
  msReadySmiles: "OC(=O)c1ccccc1",
  molFormula: "C7H6O2",
  monoisotopicMass: 122.036779
}
// A salt of the same acid, and a labelled form of the acid.
const sodiumBenzoate = {
  dtxsid: "DTXSID1020140",
  dtxcid: "DTXCID70140",
  smiles: "[Na+].[O-]C(=O)c1ccccc1",
  msReadySmiles: "OC(=O)c1ccccc1",
  molFormula: "C7H5NaO2",
  monoisotopicMass: 144.018724
}
const deuterated = {
  dtxsid: "DTXSID00400001",
  dtxcid: "DTXCID50400001",
  smiles: "[2H]C",
  msReadySmiles: "C[2H]",
  molFormula: "CH4",
  monoisotopicMass: 17.037475
}
// Without a structure, and with a malformed one.
const polymer = { dtxsid: "DTXSID00100170", dtxcid: null, msReadySmiles: null, molFormula: null }
const unreadable = {
  dtxsid: "DTXSID80100003",
  smiles: "C",
  msReadySmiles: "not a SMILES",
  molFormula: "CH4.HCl"
}
const records = [sodiumBenzoate, benzoicAcid, deuterated, polymer, unreadable]

const linesOf = (input: ReadonlyArray<object>) => input.map((record) => JSON.stringify(record))

const shared = sharedService({ details: linesOf(records) })

const get = (service: Service.Service["Service"], path: string) =>
  Effect.map(send(service, path), ({ status, text }) => (status === 200 ? JSON.parse(text) : status))

const post = (service: Service.Service["Service"], path: string, body: unknown) =>
  Effect.map(
    send(service, path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" }
    }),
    ({ status, text }) => (status === 200 ? JSON.parse(text) : status)
  )

describe("a search by exact formula", () => {
  it.each(["C7H6O2", "O2H6C7", "C7O2H6", "C3H6O2C4"])(
    "finds the substances with %s, in any order of the elements",
    (formula) =>
      run(
        Effect.gen(function* () {
          const service = yield* shared
          expect(yield* get(service, `/chemical/search/by-exact-formula/${formula}`)).toEqual([
            benzoicAcid.dtxsid
          ])
          expect(yield* get(service, `/chemical/count/by-exact-formula/${formula}`)).toBe(1)
        })
      )
  )

  it("finds records whose formula is not in Hill order", () =>
    run(
      Effect.gen(function* () {
        const service = yield* serviceOf(linesOf([{ ...benzoicAcid, molFormula: "O2C7H6" }]))
        expect(yield* get(service, "/chemical/search/by-exact-formula/C7H6O2")).toEqual([benzoicAcid.dtxsid])
      })
    ))

  it("returns an empty list and 0 for an unknown formula, and 400 for a malformed one", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        for (const kind of ["by-exact-formula", "by-msready-formula"]) {
          expect(yield* get(service, `/chemical/search/${kind}/C99H99`)).toEqual([])
          expect(yield* get(service, `/chemical/count/${kind}/C99H99`)).toBe(0)
          for (const malformed of ["Xx2", "c6h6", "C7H6O2%00", "C6%20H6", "C0"]) {
            expect(yield* get(service, `/chemical/search/${kind}/${malformed}`)).toBe(400)
            expect(yield* get(service, `/chemical/count/${kind}/${malformed}`)).toBe(400)
          }
        }
      })
    ))

  it("returns counts as application/hal+json", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        for (const kind of ["by-exact-formula", "by-msready-formula"]) {
          const response = yield* send(service, `/chemical/count/${kind}/C7H6O2`, {
            headers: { accept: "application/hal+json" }
          })
          expect(response.headers.get("content-type")).toBe("application/hal+json")
        }
      })
    ))
})

describe("a search by MS-ready formula", () => {
  it("finds the substances whose MS-ready form has the formula: salts as their acid, isotopes as their element", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        for (const [formula, expected] of [
          ["O2H6C7", [sodiumBenzoate.dtxsid, benzoicAcid.dtxsid]],
          ["C7H5NaO2", []],
          ["CH4", [deuterated.dtxsid]]
        ] as const) {
          expect(yield* get(service, `/chemical/search/by-msready-formula/${formula}`)).toEqual(expected)
          expect(yield* get(service, `/chemical/msready/search/by-formula/${formula}`)).toEqual(expected)
          expect(yield* get(service, `/chemical/count/by-msready-formula/${formula}`)).toBe(expected.length)
        }
      })
    ))
})

describe("a search by MS-ready mass", () => {
  // In order of mass. The record of the acid has six decimals; the computed mass of the salt has more.
  const both = [benzoicAcid.dtxsid, sodiumBenzoate.dtxsid]

  it("includes both bounds, and uses the computed mass of an MS-ready form that differs from the structure", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const mass = (start: string, end: string) =>
          get(service, `/chemical/msready/search/by-mass/${start}/${end}`)
        expect(yield* mass("122.0367", "122.0368")).toEqual(both)
        expect(yield* mass("122.036779", "122.036779")).toContain(benzoicAcid.dtxsid)
        expect(yield* mass("122.0367791", "122.1")).not.toContain(benzoicAcid.dtxsid)
        expect(yield* mass("17.03", "17.04")).toEqual([deuterated.dtxsid])
        expect(yield* mass("144", "145")).toEqual([])
        expect(yield* mass("0", "1000000")).toEqual([deuterated.dtxsid, ...both])
      })
    ))

  it.each([
    ["123", "122"],
    ["-1", "1"],
    ["a", "1"],
    ["1", "Infinity"],
    ["NaN", "1"],
    ["1", "1e9"]
  ])("refuses %s to %s with 400", (start, end) =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        expect(yield* get(service, `/chemical/msready/search/by-mass/${start}/${end}`)).toBe(400)
      })
    )
  )

  it("of a batch has the masses as keys, whole ones with a decimal, with a default tolerance of 0.005", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const path = MsReady.byMass.batch.path
        expect(yield* post(service, path, { masses: [122.04, 122, 122.04, 228] })).toEqual({
          "122.04": both,
          "122.0": [],
          "228.0": []
        })
        expect(yield* post(service, path, { masses: [122.0423], error: 0.005 })).toEqual({ "122.0423": [] })
        expect(yield* post(service, path, { masses: [122], error: 0.5 })).toEqual({ "122.0": both })
        for (const body of [
          { masses: [] },
          { masses: [1], error: -0.1 },
          { masses: ["1"] },
          { masses: [-1] },
          [],
          null
        ]) {
          expect(yield* post(service, path, body)).toBe(400)
        }
        expect(yield* post(service, path, { masses: Array(1001).fill(1) })).toBe(413)
      })
    ))
})

describe("a search by compound", () => {
  const path = MsReady.byDtxcid.batch.path

  it("finds the substances with the same MS-ready form, and the compound's own", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const both = [sodiumBenzoate.dtxsid, benzoicAcid.dtxsid]
        for (const { dtxcid } of [sodiumBenzoate, benzoicAcid]) {
          expect(yield* get(service, `${path}${dtxcid}`)).toEqual(both)
        }
        expect(yield* get(service, `${path}DTXCID101`)).toEqual([])
        expect(yield* get(service, `${path}DTXSID7020182`)).toBe(400)
        expect(yield* post(service, path, [benzoicAcid.dtxcid, "DTXCID101", benzoicAcid.dtxcid])).toEqual({
          [benzoicAcid.dtxcid]: both,
          DTXCID101: []
        })
        expect(yield* post(service, path, Array(1001).fill("DTXCID101"))).toBe(413)
      })
    ))
})

describe("a list over the limit of a response", () => {
  const limited = serviceOf(linesOf(records), { maxIdentifiers: 1 })

  it.each([
    ["an exact formula", "/chemical/search/by-exact-formula/C7H6O2", [benzoicAcid.dtxsid]],
    ["an MS-ready formula", "/chemical/search/by-msready-formula/C7H6O2", 400],
    ["the MS-ready substances of a formula", "/chemical/msready/search/by-formula/C7H6O2", 400],
    ["a mass range", "/chemical/msready/search/by-mass/0/1000000", 400],
    ["a mass range of one", "/chemical/msready/search/by-mass/17/18", [deuterated.dtxsid]],
    ["a compound", `/chemical/msready/search/by-dtxcid/${benzoicAcid.dtxcid}`, 400],
    ["the count of an MS-ready formula", "/chemical/count/by-msready-formula/C7H6O2", 2]
  ])("is 400 instead of an incomplete list: %s", (_, target, expected) =>
    run(
      Effect.gen(function* () {
        expect(yield* get(yield* limited, target)).toEqual(expected)
      })
    )
  )

  it("is 413 in a batch whose lists are too long together", () =>
    run(
      Effect.gen(function* () {
        const service = yield* limited
        const byMass = MsReady.byMass.batch.path
        expect(yield* post(service, byMass, { masses: [17.0375, 1] })).toEqual({
          "17.0375": [deuterated.dtxsid],
          "1.0": []
        })
        expect(yield* post(service, byMass, { masses: [17.0375, 17.0374] })).toBe(413)
        expect(yield* post(service, byMass, { masses: [122.04] })).toBe(413)
        expect(yield* post(service, MsReady.byDtxcid.batch.path, [benzoicAcid.dtxcid])).toBe(413)
        const { text } = yield* send(service, "/chemical/msready/search/by-mass/0/1000")
        expect(JSON.parse(text).detail).toContain("narrower range")
      })
    ))

  it("cannot result from a tolerance over 1 Da, which is refused", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const byMass = MsReady.byMass.batch.path
        expect(yield* post(service, byMass, { masses: [122], error: 1 })).toEqual({
          "122.0": [benzoicAcid.dtxsid, sodiumBenzoate.dtxsid]
        })
        expect(yield* post(service, byMass, { masses: [122], error: 1.001 })).toBe(400)
      })
    ))
})

describe("a record that is replaced", () => {
  it("is not found by its old formula, mass and MS-ready form", () =>
    run(
      Effect.gen(function* () {
        const { dtxsid, dtxcid } = benzoicAcid
        const methane = {
          dtxsid,
          dtxcid,
          smiles: "C",
          msReadySmiles: "C",
          molFormula: "CH4",
          monoisotopicMass: 16.0313
        }
        const service = yield* serviceOf(linesOf([benzoicAcid, methane]))
        expect(yield* get(service, "/chemical/search/by-exact-formula/C7H6O2")).toEqual([])
        expect(yield* get(service, "/chemical/search/by-msready-formula/C7H6O2")).toEqual([])
        expect(yield* get(service, "/chemical/msready/search/by-mass/122/123")).toEqual([])
        expect(yield* get(service, "/chemical/msready/search/by-mass/16/16.1")).toEqual([dtxsid])
      })
    ))
})
