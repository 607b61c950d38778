/** Every function that the package exports, called with wrong arguments: its errors have a `_tag`. */
import { Layer } from "effect"
import { expect, it } from "vitest"
import { walk } from "../../stream/test/wrongArguments.ts"

/** Functions on values: a chemical of the program, a fitted curve, the endpoints of records. */
const onValues = new Set(["Chemical", "Curve", "Potency", "curve", "factsOf", "nameOf", "smilesOf"])

it("the functions of figures", async () => {
  const { count, untagged } = await walk("figures", (entry) => import(entry), Layer.empty, onValues)
  expect(count).toBeGreaterThan(20)
  expect(untagged).toEqual([])
})
