/**
 * The short form of `npm run faults -- soak`.
 */
import { Ledger } from "@chemstream/stream"
import { expect, it } from "vitest"
import { soak } from "../src/soak.ts"

it("works on while the service fails in ever other ways, hands out only its records, and leaves nothing open", {
  timeout: 120_000
}, async () => {
  const summary = await soak({ minutes: 0.1, requestsPerSecond: 200 })
  expect(summary.breaches).toEqual([])
  expect(summary.rejections).toEqual([])
  expect(summary.leaked).toBe(0)
  expect(summary.spoilt).toBeGreaterThan(0)
  expect(summary.counts.found).toBeGreaterThan(0)
  expect(Ledger.accounted(summary.counts)).toBe(summary.counts.read)
})
