import { Adduct } from "@chemstream/api"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const adduct = (text: string): Adduct.Adduct => Result.getOrThrow(Adduct.parse(text))
const reasonOf = (text: string): string => {
  const result = Adduct.parse(text)
  return Result.isFailure(result) ? result.failure.message : "no error"
}

/** The shift of each adduct in the published table, to five decimals, with the electron. */
const published: ReadonlyArray<readonly [name: string, shift: number]> = [
  ["[M+3H]3+", 1.007276],
  ["[M+2H+Na]3+", 8.33459],
  ["[M+3Na]3+", 22.989218],
  ["[M+2H]2+", 1.007276],
  ["[M+H+NH4]2+", 9.52055],
  ["[M+H+Na]2+", 11.998247],
  ["[M+H+K]2+", 19.985217],
  ["[M+ACN+2H]2+", 21.52055],
  ["[M+2Na]2+", 22.989218],
  ["[M+2ACN+2H]2+", 42.033823],
  ["[M+3ACN+2H]2+", 62.547097],
  ["[M+H]+", 1.007276],
  ["[M+NH4]+", 18.033823],
  ["[M+Na]+", 22.989218],
  ["[M+CH3OH+H]+", 33.033489],
  ["[M+K]+", 38.963158],
  ["[M+ACN+H]+", 42.033823],
  ["[M+2Na-H]+", 44.97116],
  ["[M+ACN+Na]+", 64.015765],
  ["[M+2K-H]+", 76.91904],
  ["[M+DMSO+H]+", 79.02122],
  ["[M+2ACN+H]+", 83.06037],
  ["[2M+H]+", 1.007276],
  ["[2M+NH4]+", 18.033823],
  ["[2M+3H2O+2H]2+", 28.02312],
  ["[2M+ACN+Na]+", 64.015765],
  ["[M-3H]3-", -1.007276],
  ["[M-2H]2-", -1.007276],
  ["[M-H]-", -1.007276],
  ["[M+Na-2H]-", 20.974666],
  ["[M+Cl]-", 34.969402],
  ["[M+K-2H]-", 36.948606],
  ["[M+FA-H]-", 44.998201],
  ["[M+HAc-H]-", 59.013851],
  ["[M+Br]-", 78.918885],
  ["[M+TFA-H]-", 112.985586],
  ["[3M-H]-", -1.007276]
]

describe("Adduct", () => {
  it.each(published)("has the m/z of the published table for %s", (name, shift) => {
    const found = Adduct.table.find((one) => one.name === name)
    expect(found).toBeDefined()
    const { charge, shift: own } = found as Adduct.Known
    expect(Math.abs(own / Math.abs(charge) - shift)).toBeLessThan(2e-5)
  })

  it.each([
    ["[M+IsoProp+H]+", 61.06534, 1],
    ["[M-H2O-H]-", -19.01839, -1]
  ])("includes the electron of %s, which the published table omits", (name, shift, charge) => {
    expect(Math.abs(adduct(name).shift + charge * 5.48579909065e-4 - shift)).toBeLessThan(2e-5)
  })

  // Of glucose, 180.0633881 Da. Isotopes and hydrogen from NIST, "Atomic Weights and Isotopic Compositions" (SRD 144).
  it.each([
    ["[M+Mg-H]+", 203.0400562],
    ["[M+Ca-H]+", 219.0176054],
    ["[M+Sr-H]+", 266.960627],
    ["[M+Ba-H]+", 316.9602615],
    ["[M+Zn-H]+", 242.9841565],
    ["[M+Fe-H]+", 234.9899508],
    ["[M+Cu]+", 242.9924372],
    ["[M+Cu-H]+", 241.9846122],
    ["[M+Ca]2+", 110.0124409],
    ["[M+Fe]2+", 117.9986136]
  ])("has the mass of the metal of %s", (name, expected) => {
    expect(Math.abs(Adduct.mz(adduct(name), 180.0633881) - expected)).toBeLessThan(2e-6)
  })

  it.each([
    ["M+H+", "[M+H]+"],
    ["(M+H)+", "[M+H]+"],
    ["[M+H]1+", "[M+H]+"],
    ["[M+H] +", "[M+H]+"],
    ["M+H 1+", "[M+H]+"],
    ["M-H-", "[M-H]-"],
    ["M+NH4+", "[M+NH4]+"],
    ["M+2H2+", "[M+2H]2+"],
    ["M+H-H2O+", "[M+H-H2O]+"],
    ["M+HCOO-", "[M+HCOO]-"],
    ["M+Ca-H", "[M+Ca-H]+"],
    ["[M+H]⁺", "[M+H]+"],
    ["[M+H]+ 228.115", "[M+H]+"],
    ["[M+H]+ 228.115 [M+Na]+ 206.13", "[M+H]+ [M+Na]+"],
    ["[M+H]+;[M+Na]+", "[M+H]+ [M+Na]+"],
    ["M+H, M+Na", "[M+H]+ [M+Na]+"],
    ["[M+H]+;M+H", "[M+H]+"],
    ["+H, +Na", "[M+H]+ [M+Na]+"],
    ["-H", "[M-H]-"],
    ["+HCOO", "[M+HCOO]-"],
    ["-e", "[M]+"],
    ["[M+Hac-H]-", "[M+HAc-H]-"],
    ["", ""],
    ["NA", ""],
    ["?", ""],
    ["[M+?]+", ""]
  ])("reads %j, as a program writes it, as %j", (text, names) => {
    const found = Result.getOrThrow(Adduct.parseAll(text))
    expect(found.map(({ name }) => name).join(" ")).toBe(names)
    expect(found).toEqual(names.split(" ").flatMap((name) => (name === "" ? [] : [adduct(name)])))
  })

  it.each([
    ["[M+1.5H]+", "it has a fraction"],
    ["[M+1,5H]+", "it has a fraction"],
    ["M+Fe", "the charge of Fe varies"],
    ["M+Cu-H", "the charge of Cu varies"],
    ["M+U", "U is neither a formula"],
    ["[M+H]+;[M+Xy]+", "Xy is neither a formula"]
  ])("refuses %j, because %s", (text, reason) => {
    const found = Adduct.parseAll(text)
    expect(Result.isFailure(found) && found.failure.message).toContain(reason)
  })

  it("has each adduct of its table once, under its canonical name", () => {
    const names = Adduct.table.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { source: _, ...own } of Adduct.table) expect(adduct(own.name)).toEqual(own)
    for (const polarity of ["positive", "negative"] as const) {
      expect(Adduct.usual[polarity].map(Adduct.polarity)).toEqual(Adduct.usual[polarity].map(() => polarity))
    }
  })

  it("subtracts the electron from a cation and adds it to an anion", () => {
    expect(adduct("[M]+").shift).toBe(-5.48579909065e-4)
    expect(adduct("[M]-").shift).toBe(5.48579909065e-4)
    // The atom's binding energy, 13.6 eV, is 1.5e-8 u.
    expect(Adduct.mz(adduct("[M+H]+"), 0)).toBeCloseTo(1.007276466588, 7)
  })

  it.each([
    ["M+H", "[M+H]+"],
    ["[M+H]", "[M+H]+"],
    ["M-H", "[M-H]-"],
    ["[M + H]⁺", "[M+H]+"],
    ["[M+2H]²⁺", "[M+2H]2+"],
    ["[M+2H]++", "[M+2H]2+"],
    ["[M+2H]+2", "[M+2H]2+"],
    ["[M−H]−", "[M-H]-"],
    ["M+2H", "[M+2H]2+"],
    ["[M]+•", "[M]+"],
    ["[M]-.", "[M]-"],
    ["M+", "[M]+"],
    ["2M+acn+Na", "[2M+ACN+Na]+"],
    ["[M+CH3COO]-", "[M+CH3COO]-"],
    ["[9M+H]+", "[9M+H]+"],
    ["[1M+H]+", "[M+H]+"],
    ["[M+20H]20+", "[M+20H]20+"],
    ["[M-2H]--", "[M-2H]2-"],
    ["[M-2H]-2", "[M-2H]2-"],
    ["[[M+H]]+", "[M+H]+"],
    ["M-", "[M]-"],
    ["+e", "[M]-"],
    ["2M+H+", "[2M+H]+"],
    ["M+MeCN+H", "[M+ACN+H]+"],
    ["M+Form-H-", "[M+FA-H]-"],
    ["M+AcOH-H", "[M+HAc-H]-"],
    ["M+OAc", "[M+OAc]-"],
    ["M+Mg", "[M+Mg]2+"],
    ["M+Cl", "[M+Cl]-"],
    ["M+Na+H", "[M+Na+H]2+"]
  ])("reads %s as %s", (text, name) => {
    expect(adduct(text).name).toBe(name)
  })

  it.each([
    ["", "the value is empty"],
    ["[H]+", "it has no M"],
    ["[M+ACN]", "its charge is missing"],
    ["[M+H]2+2", 'its charge "2+2" cannot be read'],
    ["[M+H]0+", "cannot be read"],
    ["[M+Xy]+", "Xy is neither a formula"],
    ["[M+Og]+", "Og is neither a formula of elements with a known mass"],
    ["[0M+H]+", "0M is out of range: use 1M to 9M"],
    ["[10M+H]+", "10M is out of range: use 1M to 9M"],
    ["[M+21H]21+", "its charge is above 20"],
    ["[M+H]+-", 'its charge "+-" cannot be read'],
    ["[M+H]2++", 'its charge "2++" cannot be read'],
    ["[M+H]x", 'its charge "x" cannot be read'],
    ["M+H-H", "its charge is missing"],
    ["M+H2+", "cannot be read"],
    [`[M+${"H".repeat(96)}]+`, "longer than 100"],
    ["[M+H", "it has no M"],
    ["[M+(H]+", "cannot be read"],
    ["x".repeat(200), "longer than 100"]
  ])("refuses %j and names the fault", (text, reason) => {
    expect(reasonOf(text)).toContain(reason)
  })

  const anyAdduct = fc.constantFrom(...Adduct.table)
  const anyMass = fc.double({ min: 20, max: 5000, noNaN: true })

  it("converts the m/z of every adduct back to the mass", () => {
    fc.assert(
      fc.property(anyAdduct, anyMass, (one, mass) => {
        const measured = Adduct.mz(one, mass)
        expect(Math.abs(Adduct.neutralMass(one, measured) - mass)).toBeLessThan(1e-9)
        expect(Math.abs(Adduct.massError(one, measured, mass).da)).toBeLessThan(1e-9)
      })
    )
  })

  it("has a mass in its range exactly when the m/z is within the tolerance", () => {
    const tolerance = fc.oneof(
      fc.record({ ppm: fc.double({ min: 0.1, max: 50, noNaN: true }) }),
      fc.record({ da: fc.double({ min: 0.0001, max: 0.1, noNaN: true }) })
    )
    // A share of the tolerance, away from its end by more than rounding errors.
    const share = fc
      .double({ min: -2, max: 2, noNaN: true })
      .filter((part) => Math.abs(Math.abs(part) - 1) > 1e-4)
    fc.assert(
      fc.property(
        anyAdduct,
        fc.double({ min: 100, max: 5000, noNaN: true }),
        tolerance,
        share,
        (one, mass, within, part) => {
          const expected = Adduct.mz(one, mass)
          const width = "da" in within ? within.da : (expected * within.ppm) / 1e6
          const range = Adduct.massRange(one, expected + part * width, within)
          expect(range).toBeDefined()
          const { end, start } = range as { start: number; end: number }
          expect(mass >= start && mass <= end).toBe(Math.abs(part) < 1)
        }
      )
    )
  })

  // Of deuterium and of elements without an entry in the published table, from NIST (SRD 144).
  it.each([
    ["[M+D]+", 2.0141017781],
    ["[M+Li]+", 7.0160034366],
    ["[M+B]+", 11.00930536],
    ["[M+F]-", 18.9984031627],
    ["[M+I]-", 126.9044719],
    ["[M+Rb]+", 84.9117897379],
    ["[M+Cs]+", 132.905451961],
    ["[M+Ag]+", 106.9050916],
    ["[M+PO3]-", 78.9585057],
    ["[M+HSO4]-", 96.9595547],
    ["[M+AsO3]-", 122.9063387],
    ["[M+SeO3]-", 127.9012658],
    ["[M+SiH3]+", 31.0004016],
    ["[M+Al]3+", 26.98153853],
    ["[M+Mn]2+", 54.93804391],
    ["[M+Co]2+", 58.93319429],
    ["[M+Ni]2+", 57.93534241]
  ])("has the mass of the elements that %s adds", (name, mass) => {
    const { charge, shift } = adduct(name)
    expect(Math.abs(shift + charge * Adduct.electronMass - mass)).toBeLessThan(2e-6)
  })

  it("has the polarity of its charge", () => {
    expect(["[M+H]+", "[M-H]-"].map((name) => Adduct.polarity(adduct(name)))).toEqual([
      "positive",
      "negative"
    ])
  })

  it("refuses what is no text", () => {
    for (const parse of [Adduct.parse, Adduct.parseAll]) {
      const result: Result.Result<unknown, { readonly message: string }> = parse(1 as never)
      expect(Result.isFailure(result) && result.failure.message).toBe(
        "the value is of type number: an adduct is expected as a text"
      )
    }
  })

  it("uses the mass as m/z without a charge", () => {
    expect(Adduct.neutralMass(Adduct.neutral, 228.115)).toBe(228.115)
    expect(Adduct.massTolerance(Adduct.neutral, 228.115, { da: 0.01 })).toBe(0.01)
  })

  it("fits any neutral form, unless its charge is permanent, and a charged form only as that form itself", () => {
    const permanent = { ...adduct("[M]+"), isPermanent: true } as const
    const fitting = (one: Adduct.Adduct) => [-1, 0, 1, 2].filter((charge) => Adduct.fits(one, charge))
    expect(fitting(Adduct.neutral)).toEqual([-1, 0, 1, 2])
    expect(fitting(permanent)).toEqual([1])
    expect(fitting(adduct("[M]+"))).toEqual([0, 1])
    expect(fitting(adduct("[M]2+"))).toEqual([0, 2])
    expect(fitting(adduct("[M]-"))).toEqual([-1, 0])
    expect(fitting(adduct("[M+H]+"))).toEqual([0])
    expect(Adduct.usual.positive.filter((one) => Adduct.fits(one, 1)).map(({ name }) => name)).toEqual([
      "[M]+"
    ])
    expect(Adduct.usual.negative.filter((one) => Adduct.fits(one, -1)).map(({ name }) => name)).toEqual([
      "[M]-"
    ])
  })

  it("has no range for an m/z below the mass that the adduct adds", () => {
    expect(Adduct.massRange(adduct("[M+Na]+"), 20, { ppm: 5 })).toBeUndefined()
  })

  it("reports the error of a measured m/z, relative to the m/z of the mass", () => {
    const one = adduct("[M+2H]2+")
    const error = Adduct.massError(one, Adduct.mz(one, 400) * (1 + 3e-6), 400)
    expect(error.ppm).toBeCloseTo(3, 6)
    expect(error.da).toBeCloseTo(Adduct.mz(one, 400) * 3e-6, 9)
  })
})
