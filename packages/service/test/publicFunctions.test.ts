/** Every function that the package exports, called with wrong arguments: its errors have a `_tag`. */
import { Layer } from "effect"
import { expect, it } from "vitest"
import { walk } from "../../stream/test/wrongArguments.ts"

/** Functions for servers of their own: requests, keys that are loaded, rows of the contract, an opened database. */
const onValues = new Set([
  ...[
    "AccessLog.format",
    "ApiKeys.identify",
    "ApiKeys.matcher",
    "Handlers",
    "Import.isOfRow",
    "Import.rowEntries"
  ],
  ...["InvalidOption", "SqliteStore", "Variants.parse"]
])

it("the functions of service", async () => {
  const { count, untagged } = await walk("service", (entry) => import(entry), Layer.empty, onValues)
  expect(count).toBeGreaterThan(25)
  expect(untagged).toEqual([])
})
