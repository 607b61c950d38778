/**
 * The short form of `npm run faults -- load`.
 */
import { expect, it } from "vitest"
import { load } from "../src/load.ts"

it("answers 64 clients, a tenth of whose requests are hostile, and never with a 500", {
  timeout: 120_000
}, async () => {
  const { breaches, hostile, requests } = await load(0.1)
  expect(breaches).toEqual([])
  expect(hostile).toBeGreaterThan(0)
  expect(requests).toBeGreaterThan(hostile)
})
