/**
 * Runs one long harvest while the service misbehaves in changing ways: `npm run faults -- soak` in a smaller size.
 */
import { Ledger } from "@chemstream/stream"
import { expect, it } from "vitest"
import { soak } from "../src/endlessHarvest.ts"

const minutes = process.env["CHEMSTREAM_TIER"] === "thorough" ? 1 : 0.05

it("continues while the service fails in changing ways, emits only its records, and leaks nothing", {
  timeout: 240_000
}, async () => {
  const summary = await soak({ minutes, requestsPerSecond: 200 })
  expect(summary.breaches).toEqual([])
  expect(summary.rejections).toEqual([])
  expect(summary.leaked).toBe(0)
  expect(summary.faulted).toBeGreaterThan(0)
  expect(summary.counts.found).toBeGreaterThan(0)
  expect(Ledger.sum(summary.counts)).toBe(summary.counts.read)
})
