/** Every function that the package exports, called with wrong arguments: its errors have a `_tag`. */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChemClient } from "@chemstream/client"
import { Database } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Layer } from "effect"
import { expect, it } from "vitest"
import { walk } from "../../stream/test/wrongArguments.ts"

it("the functions of workflow", async () => {
  // A wrong argument may be the name of a file.
  process.chdir(await mkdtemp(join(tmpdir(), "chemstream-walk-")))
  const database = Database.layerSqlite(":memory:")
  const services = Layer.mergeAll(ChemClient.layerTest({}, { retry: 1 }), NodeServices.layer, database)
  const { count, untagged } = await walk("workflow", (entry) => import(entry), services)
  expect(count).toBeGreaterThan(40)
  expect(untagged).toEqual([])
})
