import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Reference from "../src/Reference.ts"

/** Reading all declarations takes seconds, more on a busy machine. */
const limit = 120_000

/** What a package exports when it is imported: its names, and those of its namespaces. */
const exportsOf = async (declarations: string): Promise<ReadonlyArray<string>> => {
  const module = await import(pathToFileURL(declarations.replace(/\.d\.ts$/, ".js")).href)
  return Object.entries(module).flatMap(([name, value]) =>
    Object.prototype.toString.call(value) === "[object Module]"
      ? [name, ...Object.keys(value as object).map((inner) => `${name}.${inner}`)]
      : [name]
  )
}

describe("the API reference", () => {
  let reference: Reference.Reference

  beforeAll(async () => {
    reference = await Reference.read()
  }, limit)

  it.each(Reference.entries())(
    "has everything that $specifier exports",
    async ({ declarations, specifier }) => {
      const exported = await exportsOf(declarations)
      expect(exported.length).toBeGreaterThan(0)
      const named = new Set(Reference.namesOf(reference.project, specifier))
      expect(exported.filter((name) => !named.has(name))).toEqual([])
    }
  )

  it("has a docstring for every export", () => {
    expect(Reference.undocumented(reference.project)).toEqual([])
  })

  it("is made without a warning, so that no link leads nowhere", () => {
    expect(reference.problems).toEqual([])
  })

  describe("written to a folder", () => {
    const folder = mkdtempSync(join(tmpdir(), "chemstream-reference-"))
    beforeAll(() => Reference.write(reference.application, reference.project, folder), limit)
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    it("links only to pages that it has", () => {
      const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
        file.endsWith(".html")
      )
      expect(pages).toContain("index.html")
      const broken = pages.flatMap((page) => {
        const text = readFileSync(join(folder, page), "utf8")
        return [...text.matchAll(/href="(?!\w+:)([^"#]+)[^"]*"/g)].flatMap(([, target = ""]) =>
          existsSync(join(folder, dirname(page), decodeURIComponent(target))) ? [] : [`${page} -> ${target}`]
        )
      })
      expect(broken).toEqual([])
    })
  })
})
