import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../src/checkout.ts"

const pages = globSync(
  ["*.md", "docs/**/*.md", "packages/*/README.md", "examples/README.md", "benchmarks/*.md"],
  {
    cwd: root
  }
).sort()

/** Removes blocks and inline code, where brackets are not links. */
const prose = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "code")

/** Returns the anchors of the headings of a page. */
const anchors = (text: string): ReadonlyArray<string> =>
  [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-")
  )

describe("a link of the documentation", () => {
  const links = pages.flatMap((page) =>
    [...prose(readFileSync(join(root, page), "utf8")).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(
      ([, target = ""]) => ({ title: `${page} -> ${target}`, page, target })
    )
  )

  it.each(links)("$title has a target", ({ page, target }) => {
    const [path = "", anchor] = target.split("#")
    const file = path === "" ? join(root, page) : join(root, dirname(page), path)
    expect(existsSync(file)).toBe(true)
    if (anchor !== undefined) expect(anchors(readFileSync(file, "utf8"))).toContain(anchor)
  })

  it.each(["README.md", "ARCHITECTURE.md"])("%s has at most 150 lines", (page) => {
    expect(readFileSync(join(root, page), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(150)
  })

  it("exists in the map for every guide", () => {
    const map = readFileSync(join(root, "docs", "README.md"), "utf8")
    const guides = pages.filter((page) => page.startsWith("docs/guides/"))
    expect(guides.length).toBeGreaterThan(0)
    expect(guides.filter((guide) => !map.includes(`(${guide.replace("docs/", "")})`))).toEqual([])
  })
})
