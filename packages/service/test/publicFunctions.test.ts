/** Every function that the package exports, called with wrong arguments: its errors have a `_tag`. */
import { Layer } from "effect"
import { expect, it } from "vitest"
import { walk } from "../../stream/test/wrongArguments.ts"

it("the functions of service", async () => {
  const { count, untagged } = await walk(
    "service",
    (entry) => import(entry),
    Layer.empty,
    new Set(["InvalidOption"])
  )
  expect(count).toBeGreaterThan(25)
  expect(untagged).toEqual([])
})
