import { Sheet } from "@chemstream/figures"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { hostileName, readXml } from "./records.ts"

const run = Effect.runPromise

const cells = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    structure: "CCO",
    title: `Title ${at}`,
    caption: [`Name ${at}`, `ppm ${at}`]
  }))

const places = (svg: string) =>
  [...svg.matchAll(/<svg x="([\d.]+)" y="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)] as const)

describe("toSvgs", () => {
  it("draws structures from left to right, each with its caption", async () => {
    const [svg = "", other] = await run(Sheet.toSvgs(cells(5), { columns: 2 }))
    expect(other).toBeUndefined()
    const { names, text } = readXml(svg)
    expect(names.filter((name) => name === "svg")).toHaveLength(6)
    for (const words of ["Name 0", "ppm 4", "Title 3"]) expect(text).toContain(words)
    const [first, second, third] = places(svg)
    expect(second?.[0]).toBeGreaterThan(first?.[0] ?? 0)
    expect(second?.[1]).toBe(first?.[1])
    expect(third?.[0]).toBe(first?.[0])
    expect(third?.[1]).toBeGreaterThan(first?.[1] ?? 0)
  })

  it("begins another sheet when a page is full", async () => {
    const sheets = await run(Sheet.toSvgs(cells(30), { columns: 3, pageHeight: 600 }))
    expect(sheets.length).toBeGreaterThan(1)
    expect(sheets.map((svg) => places(svg).length).reduce((sum, count) => sum + count)).toBe(30)
    for (const svg of sheets) {
      const [, height] = /viewBox="0 0 718 ([\d.]+)"/.exec(svg) ?? []
      expect(Number(height)).toBeLessThanOrEqual(600)
    }
  })

  it("says why a structure is not drawn, and escapes hostile captions", async () => {
    const [svg = ""] = await run(
      Sheet.toSvgs([
        { structure: "", title: hostileName, caption: [hostileName] },
        { structure: "xyz", title: "It", caption: [] }
      ])
    )
    const { names, text } = readXml(svg)
    expect(names).not.toContain("script")
    expect(text).toContain("no structure")
    expect(text).toContain("no drawing")
  })

  it("is transparent on request", async () => {
    const [[white = ""], [clear = ""]] = await run(
      Effect.all([Sheet.toSvgs(cells(1)), Sheet.toSvgs(cells(1), { transparent: true })])
    )
    expect(white).toContain('fill="#ffffff"/>')
    expect(clear).not.toContain('fill="#ffffff"/>')
  })

  it("is empty without cells", async () => {
    expect(await run(Sheet.toSvgs([]))).toHaveLength(1)
  })
})
