/**
 * Runs the real client and stream against a service with other faults for each seed, and checks the laws.
 *
 * The same campaign as `npm run faults`, in a size that depends on the tier.
 */
import { expect, it } from "vitest"
import { campaign } from "../src/scenarioCampaign.ts"

const count = process.env["CHEMSTREAM_TIER"] === "thorough" ? 500 : 50

it(`loses, invents and alters no record in ${count} scenarios, finishes each, and leaks nothing`, {
  timeout: 600_000
}, async () => {
  const { failing, leaked, rejections, scenarios, faulted } = await campaign({ count, seed: 1 })
  // One text, because a list would be shortened to its length in the report.
  expect(failing.map(({ breaches, seed }) => `seed ${seed}: ${breaches.join("; ")}`).join("\n")).toBe("")
  expect(rejections).toEqual([])
  expect(leaked).toBe(0)
  expect(scenarios).toBe(count)
  // Without faults the campaign would test nothing.
  expect(faulted).toBeGreaterThan(scenarios)
})
