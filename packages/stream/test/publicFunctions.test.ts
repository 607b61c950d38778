/** Every function that the packages export, called with wrong arguments: its errors have a `_tag`. */
import { ChemClient } from "@chemstream/client"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Layer } from "effect"
import { expect, it } from "vitest"
import { walk } from "./wrongArguments.ts"

const services = Layer.mergeAll(ChemClient.layerTest({}, { retry: 1 }), NodeFileSystem.layer, NodePath.layer)

it.each(["api", "batch", "client", "faults", "ndjson", "stream"])("the functions of %s", async (name) => {
  const { count, untagged } = await walk(name, (entry) => import(entry), services)
  expect(count).toBeGreaterThan(20)
  expect(untagged).toEqual([])
})
