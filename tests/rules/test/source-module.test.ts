import { describe, expect, it } from "vitest"
import * as SourceModule from "../src/SourceModule.ts"

const module = (path: string, ...imports: ReadonlyArray<string>): SourceModule.SourceModule => ({
  path,
  imports
})

describe("importsOf", () => {
  it("sees imports, type imports, re-exports and dynamic imports, and none in a comment or a string", () => {
    const text = `
      /** @example import { A } from "in-a-comment" */
      import type { T } from "./Type.ts"
      import "effect"
      export * as Batch from "./Batch.ts"
      const later = () => import("node:fs")
      const code = 'import "in-a-string"'
    `
    expect([...SourceModule.importsOf("a.ts", text)].sort()).toEqual([
      "./Batch.ts",
      "./Type.ts",
      "effect",
      "node:fs"
    ])
  })

  it("refuses a dynamic import without a fixed name", () => {
    expect(() => SourceModule.importsOf("a.ts", "const f = (n: string) => import(n)")).toThrow(
      /no fixed name/
    )
  })
})

describe("findCycle", () => {
  it("names the modules of a cycle, from its start back to it", () => {
    const modules = [module("a.ts", "./b/c.ts"), module("b/c.ts", "../d.ts"), module("d.ts", "./b/c.ts")]
    expect(SourceModule.findCycle(modules)).toEqual(["b/c.ts", "d.ts", "b/c.ts"])
  })

  it("finds none where two modules import the same third", () => {
    const modules = [
      module("a.ts", "./b.ts", "./c.ts"),
      module("b.ts", "./d.ts"),
      module("c.ts", "./d.ts"),
      module("d.ts")
    ]
    expect(SourceModule.findCycle(modules)).toBeUndefined()
  })
})

describe("reachable", () => {
  it("follows relative imports from the entry and leaves other modules out", () => {
    const modules = [module("index.ts", "./a.ts"), module("a.ts", "effect"), module("node.ts", "node:fs")]
    expect(SourceModule.reachable(modules, "index.ts").map(({ path }) => path)).toEqual(["index.ts", "a.ts"])
  })
})
