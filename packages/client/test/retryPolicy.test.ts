import { ChemError, RetryPolicy } from "@chemstream/client"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseRetryAfter } from "../src/internal/retryAfter.ts"

const failure = (retryAfter?: number): ChemError.ServiceFailure =>
  new ChemError.ServiceFailure({
    endpoint: "details.byDtxsid",
    attempts: 1,
    status: 503,
    message: "",
    ...(retryAfter === undefined ? {} : { retryAfter })
  })

const refused = new ChemError.InvalidRequest({
  endpoint: "details.byDtxsid",
  attempts: 1,
  status: 400,
  message: ""
})

describe("RetryPolicy.nextDelay", () => {
  it("stays between zero and the doubled, capped ceiling", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const policy = RetryPolicy.make({ attempts: 100 })
          const delay =
            RetryPolicy.nextDelay(policy, failure(), { attempt, elapsed: 0, random }) ?? Number.NaN
          expect(delay).toBeGreaterThanOrEqual(0)
          expect(delay).toBeLessThan(Math.min(policy.maxDelay, policy.baseDelay * 2 ** (attempt - 1)))
        }
      )
    )
  })

  it("gives no delay at the last attempt, and for an error that trying again cannot help", () => {
    const state = { elapsed: 0, random: 0.5 }
    expect(
      RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, failure(), { ...state, attempt: 5 })
    ).toBeUndefined()
    expect(
      RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, failure(), { ...state, attempt: 4 })
    ).toBeDefined()
    expect(
      RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, refused, { ...state, attempt: 1 })
    ).toBeUndefined()
    expect(RetryPolicy.nextDelay(RetryPolicy.never, failure(), { ...state, attempt: 1 })).toBeUndefined()
  })

  it("waits at least as long as the service asks, and its own delay where that is longer", () => {
    const state = { attempt: 1, elapsed: 0, random: 0.5 }
    expect(RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, failure(7000), state)).toBe(7000)
    expect(RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, failure(0), state)).toBe(250)
  })

  it("gives up rather than start an attempt after the time allowed, so a wait of a year ends the call", () => {
    const state = { attempt: 1, random: 0 }
    expect(
      RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, failure(31_536_000_000), { ...state, elapsed: 0 })
    ).toBeUndefined()
    expect(
      RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, failure(), { ...state, elapsed: 600_000 })
    ).toBeDefined()
    expect(
      RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, failure(), { ...state, elapsed: 600_001 })
    ).toBeUndefined()
  })
})

describe("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z")

  it.each<[string | undefined, number | undefined]>([
    ["7", 7000],
    ["1.5", 1500],
    ["0", 0],
    ["-5", 0],
    ["31536000", 31_536_000_000],
    ["Thu, 01 Jan 2026 00:00:10 GMT", 10_000],
    ["Thu, 01 Jan 2015 00:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined]
  ])("%j is a wait of %j milliseconds", (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected)
  })
})
