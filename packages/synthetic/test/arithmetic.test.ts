import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hill, makeFitter } from "../src/internal/assays/hillFit.ts"
import { exp, exp10, ln, log10, normalCdf } from "../src/internal/numbers/exactMath.ts"
import { scatter } from "../src/internal/numbers/scatteredDigits.ts"
import * as Random from "../src/internal/numbers/seededRandom.ts"

const relative = (value: number, wanted: number): number => Math.abs(value - wanted) / Math.abs(wanted)

describe("arithmetic without Math.exp", () => {
  it("agrees with the functions of Math to the last digits", () => {
    fc.assert(
      fc.property(fc.double({ min: -300, max: 300, noNaN: true }), (x) => {
        expect(relative(exp(x), Math.exp(x))).toBeLessThan(1e-12)
      })
    )
    fc.assert(
      fc.property(fc.double({ min: -100, max: 100, noNaN: true }), (x) => {
        expect(relative(exp10(x), 10 ** x)).toBeLessThan(1e-12)
        expect(Math.abs(log10(10 ** x) - x)).toBeLessThan(1e-12)
        expect(Math.abs(ln(Math.exp(x)) - x)).toBeLessThan(1e-12)
      })
    )
  })

  it("matches the quantiles of the normal distribution", () => {
    for (const [x, share] of [
      [0, 0.5],
      [1.959964, 0.975],
      [-1.644854, 0.05],
      [5, 0.9999997]
    ] as const) {
      expect(normalCdf(x)).toBeCloseTo(share, 6)
    }
  })
})

describe("scattered digits", () => {
  it("differ for different numbers, each digit below its radix", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        (radices, seed) => {
          const count = radices.reduce((product, radix) => product * radix, 1)
          const all = Array.from({ length: count }, (_, number) => scatter(number, radices, seed))
          expect(new Set(all.map(String)).size).toBe(count)
          for (const digits of all) {
            expect(digits.every((digit, i) => digit >= 0 && digit < (radices[i] ?? 0))).toBe(true)
          }
        }
      ),
      { numRuns: 30 }
    )
  })
})

describe("random numbers", () => {
  it("depend on seed and index", () => {
    const first = (seed: number, index: number) => Random.make(seed, index).bits()
    expect(first(1, 5)).toBe(first(1, 5))
    expect(new Set([first(1, 5), first(1, 6), first(2, 5), first(1, 2 ** 32 + 5)]).size).toBe(4)
  })

  it("are uniform and normal", () => {
    const random = Random.make(3, 0)
    const mean = (values: ReadonlyArray<number>) =>
      values.reduce((sum, value) => sum + value, 0) / values.length
    const normal = Array.from({ length: 20_000 }, () => random.normal())
    expect(mean(Array.from({ length: 20_000 }, () => random.unit()))).toBeCloseTo(0.5, 1)
    expect(mean(normal)).toBeCloseTo(0, 1)
    expect(mean(normal.map((value) => value * value))).toBeCloseTo(1, 1)
  })
})

describe("a fitted Hill curve", () => {
  const logc = [-1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2]
  const fit = makeFitter(logc)
  const random = Random.make(9, 0)

  it("matches the curve of the points", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.5, max: 1.2, noNaN: true }),
        fc.double({ min: 30, max: 120, noNaN: true }),
        fc.boolean(),
        (logAc50, size, falls) => {
          const top = falls ? -size : size
          const found = fit(
            logc.map((at) => hill(at, top, logAc50, 1.3) + 0.1 * random.normal()),
            10
          )
          expect(Math.abs(log10(found.ac50) - logAc50)).toBeLessThan(0.15)
          expect(relative(found.top, top)).toBeLessThan(0.15)
          expect(found.hitCall).toBeGreaterThan(0.9)
        }
      )
    )
  })

  it("calls noise inactive", () => {
    for (let n = 0; n < 200; n++) {
      const { hitCall } = fit(
        logc.map(() => 3 * random.normal()),
        20
      )
      expect(hitCall).toBeLessThan(0.1)
    }
  })

  it("has a lower hit call the nearer its top is to the cutoff", () => {
    const responses = logc.map((at, n) => hill(at, 40, 0.5, 1) + (n % 2 === 0 ? 4 : -4))
    const calls = [10, 30, 38, 45, 60].map((cutoff) => fit(responses, cutoff).hitCall)
    expect(calls).toEqual(calls.toSorted((a, b) => b - a))
    expect(calls[0]).toBeGreaterThan(0.9)
    expect(calls.at(-1)).toBeLessThan(0.1)
  })
})
