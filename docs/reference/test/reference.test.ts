import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Reference from "../src/Reference.ts"

/** The time limit in milliseconds. Reading all declarations takes seconds, more on a busy machine. */
const limit = 120_000

/** Returns the names that an imported package exports, and the names in its namespaces. */
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

  it("is made without a warning about broken links", () => {
    expect(reference.problems).toEqual([])
  })

  describe("written to a folder", () => {
    const folder = mkdtempSync(join(tmpdir(), "chemstream-reference-"))
    beforeAll(() => Reference.write(reference.application, reference.project, folder), limit)
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    it("links only to existing pages", () => {
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
