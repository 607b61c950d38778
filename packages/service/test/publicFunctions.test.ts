/** Every function that the package exports, called with wrong arguments: its errors have a `_tag`. */
import { Layer } from "effect"
import { expect, it } from "vitest"
import { walk } from "../../stream/test/wrongArguments.ts"

/** An empty object is right for its options, and the layer then needs a store. */
const needsStore = new Set(["Handlers.layer"])

it("the functions of service", async () => {
  const { count, untagged } = await walk("service", (entry) => import(entry), Layer.empty, needsStore)
  expect(count).toBeGreaterThan(25)
  expect(untagged).toEqual([])
})
