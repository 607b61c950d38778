import { Pdf, Plot, Structure } from "@chemstream/figures"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const run = Effect.runPromise

describe("Pdf", () => {
  it("has a page for each SVG, in its physical size", async () => {
    const svgs = [
      await run(Plot.hitCalls([{ hitc: 1, ac50: 2 }], { width: 96 * 4, height: 96 * 3 })),
      await run(Structure.toSvg("CCO", { width: 96, height: 48 }))
    ]
    const text = Buffer.from(await run(Pdf.fromSvgs("Two pictures", svgs))).toString("latin1")
    expect(text.slice(0, 5)).toBe("%PDF-")
    const boxes = [...text.matchAll(/\/MediaBox \[([^\]]*)\]/g)].map(([, box]) => box?.split(" ").map(Number))
    expect(boxes.map((box) => box?.map(Math.round))).toEqual([
      [0, 0, 288, 216],
      [0, 0, 72, 36]
    ])
    expect(text).toContain("Two pictures")
    // Texts are paths, so no font is missing anywhere.
    expect(text).not.toContain("/FontFile")
  })

  it("refuses a text that is not an SVG", async () => {
    expect(await run(Effect.flip(Pdf.fromSvgs("It", ["no SVG"])))).toMatchObject({ _tag: "UnreadableSvg" })
  })
})
