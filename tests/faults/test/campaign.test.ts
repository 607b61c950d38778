/**
 * The short form of `npm run faults`: the law holds in five hundred scenarios, each the same in every run.
 */
import { expect, it } from "vitest"
import { campaign } from "../src/campaign.ts"

it("loses, invents and alters nothing in 500 scenarios, ends each in time, and leaves nothing behind", {
  timeout: 600_000
}, async () => {
  const { failing, leaked, rejections, scenarios, spoilt } = await campaign({ count: 500, seed: 1 })
  expect(failing.map(({ breaches, seed }) => `seed ${seed}: ${breaches.join("; ")}`)).toEqual([])
  expect(rejections).toEqual([])
  expect(leaked).toBe(0)
  expect(scenarios).toBe(500)
  // Where nothing was spoilt nothing was tested.
  expect(spoilt).toBeGreaterThan(scenarios)
})
