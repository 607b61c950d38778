import { isBuiltin } from "node:module"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Arrows from "../src/Arrows.ts"
import * as Package from "../src/Package.ts"
import * as SourceModule from "../src/SourceModule.ts"

const packages = Package.readAll()
const folderByName = new Map(packages.map(({ folder, manifest }) => [manifest.name, folder]))

const entries = new Set(
  packages.flatMap(({ manifest }) => Package.entriesOf(manifest).map(({ specifier }) => specifier))
)

/** Every import of a package as `module imports specifier`, with the parts. */
const importsOf = ({ modules }: Package.Package) =>
  modules.flatMap((module) => module.imports.map((specifier) => ({ module, specifier })))

describe.each(packages)("package $folder", (one) => {
  const allowed = Arrows.allowed(one.folder)

  it("has a place among the arrows", () => {
    expect(allowed, `add "${one.folder}" to tests/rules/src/Arrows.ts`).toBeDefined()
  })

  it("imports only the siblings its arrows lead to", () => {
    const wrong = importsOf(one).filter(({ specifier }) => {
      const sibling = folderByName.get(Package.nameIn(specifier) ?? "")
      return sibling !== undefined && !allowed?.has(sibling)
    })
    expect(wrong.map(({ module, specifier }) => `${module.path} imports ${specifier}`)).toEqual([])
  })

  it("depends in package.json only on the siblings its arrows lead to", () => {
    const { dependencies, peerDependencies } = one.manifest
    const wrong = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => {
      const sibling = folderByName.get(name)
      return sibling !== undefined && !allowed?.has(sibling)
    })
    expect(wrong).toEqual([])
  })

  it("declares every package it imports", () => {
    const { dependencies, peerDependencies } = one.manifest
    const declared = new Set(Object.keys({ ...dependencies, ...peerDependencies }))
    const wrong = importsOf(one).filter(({ specifier }) => {
      const name = Package.nameIn(specifier)
      return name !== undefined && !isBuiltin(specifier) && !declared.has(name)
    })
    expect(wrong.map(({ module, specifier }) => `${module.path} imports ${specifier}`)).toEqual([])
  })

  it("imports siblings through their public entries", () => {
    const wrong = importsOf(one).filter(
      ({ specifier }) => folderByName.has(Package.nameIn(specifier) ?? "") && !entries.has(specifier)
    )
    expect(wrong.map(({ module, specifier }) => `${module.path} imports ${specifier}`)).toEqual([])
  })

  it("imports relative paths only of its own modules", () => {
    const own = new Set(one.modules.map(({ path }) => path))
    const wrong = importsOf(one).filter(({ module, specifier }) => {
      const path = SourceModule.resolve(module, specifier)
      return path !== undefined && !own.has(path)
    })
    expect(wrong.map(({ module, specifier }) => `${module.path} imports ${specifier}`)).toEqual([])
  })

  it("has no import cycle between its modules", () => {
    expect(SourceModule.findCycle(one.modules)?.join(" imports ")).toBeUndefined()
  })
})

describe.each(packages.filter(({ folder }) => Arrows.portable.includes(folder)))(
  "portable package $folder",
  (one) => {
    it("reaches no builtin module of Node and no platform package from its entry", () => {
      const reached = SourceModule.reachable(one.modules, "index.ts")
      const wrong = reached.flatMap(({ path, imports }) =>
        imports
          .filter((specifier) => isBuiltin(specifier) || specifier.startsWith("@effect/platform-"))
          .map((specifier) => `${join(one.folder, path)} imports ${specifier}`)
      )
      expect(wrong).toEqual([])
    })
  }
)
