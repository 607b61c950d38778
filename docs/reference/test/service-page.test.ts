import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ChemicalApi, DetailProjection } from "@chemstream/api"
import { HttpApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import * as ServicePage from "../src/servicePage.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const page = readFileSync(join(root, "docs", "service.md"), "utf8")

/** Returns the lines between the markers of a part. */
const part = (name: string): ReadonlyArray<string> => {
  const [, text = ""] = page.split(`<!-- generated: ${name} -->\n`)
  return text.split("<!-- end -->")[0]?.trim().split("\n") ?? []
}

/** Returns the first cell of each table row in some lines, without its code marks. */
const firstCells = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap((line) => /^\| `([^`]+)`/.exec(line)?.[1] ?? [])

describe("docs/service.md", () => {
  it("has a row for each endpoint of the contract, in its order", () => {
    const requests: Array<string> = []
    const groups: Array<string> = []
    HttpApi.reflect(ChemicalApi.ChemicalApi, {
      onGroup: ({ group }) => groups.push(group.identifier),
      onEndpoint: ({ endpoint }) =>
        requests.push(`${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, "{$1}")}`)
    })
    expect(groups.flatMap((group) => firstCells(part(`endpoints ${group}`)))).toEqual(requests)
  })

  it("has a row with a meaning for each field of the detail record", () => {
    const lines = part("fields detail record")
    expect(firstCells(lines)).toEqual(Object.keys(DetailProjection.everyField))
    expect(lines.filter((line) => /\|\s+\|/.test(line))).toEqual([])
  })

  it("numbers its sections without a gap", () => {
    const numbers = Array.from(page.matchAll(/^## (\d+)\. /gm), ([, number]) => Number(number))
    expect(numbers).toEqual(numbers.map((_, i) => i + 1))
    expect(numbers.length).toBeGreaterThan(0)
  })

  it("has every section that a docstring names", () => {
    const sections = new Set(Array.from(page.matchAll(/^##+ (\d+(?:\.\d+)?)/gm), ([, number]) => number))
    const cited = globSync("packages/*/{src,bundled}/**/*.ts", { cwd: root }).flatMap((file) =>
      Array.from(
        readFileSync(join(root, file), "utf8").matchAll(
          /docs\/service\.md,?[\s*]+(?:section[\s*]+)?(\d+(?:\.\d+)?)/g
        ),
        ([, number]) => ({ file, number })
      )
    )
    expect(cited.length).toBeGreaterThan(0)
    expect(cited.filter(({ number }) => !sections.has(number))).toEqual([])
  })
})

describe("filling a page", () => {
  it("replaces the text of a part, and keeps the prose around it", () => {
    const stale = page.replace("`GET /chemical/all`", "`GET /chemical/none`")
    expect(stale).not.toBe(page)
    expect(ServicePage.fill(stale)).toBe(ServicePage.fill(page))
    expect(ServicePage.fill(page.replace("# The service", "# A service"))).toMatch(/^# A service\n/)
  })

  it("fails if the page names an unknown part", () => {
    const wrong = page.replace("<!-- generated: ranks -->", "<!-- generated: ranges -->")
    expect(() => ServicePage.fill(wrong)).toThrow('docs/service.md has an unknown part, "ranges"')
  })

  it("fails if the page lacks a part", () => {
    const lacking = page.replace("<!-- generated: ranks -->", "")
    expect(() => ServicePage.fill(lacking)).toThrow('docs/service.md lacks the part "ranks"')
  })
})
