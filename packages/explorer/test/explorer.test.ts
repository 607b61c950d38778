import { gzipSync } from "node:zlib"
import { Explorer } from "@chemstream/explorer"
import { describe, expect, it } from "vitest"

const files = Explorer.files()
const text = (path: string): string => {
  const file = files.find((one) => one.path === path)
  if (file === undefined) throw new Error(`${path} is not a file of the page`)
  return new TextDecoder().decode(file.body)
}

const importStatement = /(?:from|import)"\.\/([^"]+)"/g

/** The files that a script imports before it runs, and their own imports. With `anyImport`, those that it may import later too. */
const importsOf = (
  path: string,
  pattern = importStatement,
  known = new Set<string>()
): ReadonlySet<string> => {
  if (known.has(path)) return known
  known.add(path)
  for (const [, name] of text(path).matchAll(pattern)) importsOf(`/explorer/${name}`, pattern, known)
  return known
}

const anyImport = /(?:from|import\(?)["`]\.\/([^"`]+)["`]/g

describe("the page", () => {
  const page = text("/")
  const [, script = ""] = /<script type="module"[^>]* src="\.(\/explorer\/[^"]+)"/.exec(page) ?? []
  const [, style = ""] = /<link rel="stylesheet"[^>]* href="\.(\/explorer\/[^"]+)"/.exec(page) ?? []

  it("loads at most 200 kB, compressed, before the first plot is drawn", () => {
    const loaded = ["/", style, ...importsOf(script)]
    const sizes = loaded.map((path) => gzipSync(text(path)).length)
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(loaded.length).toBeGreaterThan(2)
    expect(total).toBeGreaterThan(50_000)
    expect(total).toBeLessThanOrEqual(200_000)
  })

  it("loads the code for plots later", () => {
    const legend = "active (hit call of"
    const before = importsOf(script)
    const later = files.filter(({ path }) => path.endsWith(".js") && !before.has(path))
    expect([...before].some((path) => text(path).includes(legend))).toBe(false)
    expect(later.some(({ path }) => text(path).includes(legend))).toBe(true)
  })

  it("has no inline script or style, and no address of another host", () => {
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=/)
    expect(page).not.toMatch(/https?:\/\//)
    expect(text(style)).not.toMatch(/@import|url\(/)
  })

  it("compiles no code and inserts no HTML", () => {
    const scripts = files.map(({ path }) => path).filter((path) => path.endsWith(".js"))
    expect(scripts.filter((path) => /\beval\(/.test(text(path)))).toEqual([])
    // The worker has a library for documents of its own.
    const ofPage = importsOf(script, anyImport)
    expect(ofPage.size).toBeGreaterThan(importsOf(script).size)
    const risky = /document\.write\(|insertAdjacentHTML/
    expect([...ofPage].filter((path) => risky.test(text(path)))).toEqual([])
  })

  it("has the licences of the packages that it bundles, also of those that draw plots", () => {
    const licences = text("/explorer/LICENSES.md")
    for (const name of ["effect", "preact", "@observablehq/plot", "linkedom"])
      expect(licences).toContain(`## ${name} `)
  })

  it("has a policy that allows only its own scripts and styles", () => {
    const policy = Explorer.headers["content-security-policy"]
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("style-src 'self';")
    expect(policy).not.toContain("unsafe")
  })

  it("has a content type for each file", () => {
    expect(files.map(({ contentType }) => contentType)).not.toContain("application/octet-stream")
  })
})
