/**
 * Sends the service requests of many clients at once, some of them hostile: `npm run faults -- load` in a smaller size.
 */
import { expect, it } from "vitest"
import { load } from "../src/serviceLoad.ts"

const minutes = process.env["CHEMSTREAM_TIER"] === "thorough" ? 1 : 0.05

it("sends no 500 to 64 clients, although a tenth of their requests are hostile", {
  timeout: 240_000
}, async () => {
  const { breaches, hostile, requests } = await load(minutes)
  expect(breaches).toEqual([])
  expect(hostile).toBeGreaterThan(0)
  expect(requests).toBeGreaterThan(hostile)
})
