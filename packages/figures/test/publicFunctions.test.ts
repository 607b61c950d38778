/** Every function that the package exports, called with wrong arguments: its errors have a `_tag`. */
import { Layer } from "effect"
import { expect, it } from "vitest"
import { walk } from "../../stream/test/wrongArguments.ts"

it("the functions of figures", async () => {
  const { count, untagged } = await walk("figures", (entry) => import(entry), Layer.empty)
  expect(count).toBeGreaterThan(20)
  expect(untagged).toEqual([])
})
