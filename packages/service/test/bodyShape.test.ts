import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { deepest, shapeOf } from "../src/internal/bodyShape.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const within = (value: unknown): ReadonlyArray<unknown> =>
  typeof value === "object" && value !== null ? Object.values(value) : []

const longestOf = (value: unknown): number =>
  Math.max(within(value).length, ...within(value).map((one) => longestOf(one)))

const nested = (levels: number, innermost = ""): string => "[".repeat(levels) + innermost + "]".repeat(levels)

describe("the shape of a JSON text", () => {
  it("has the length of the longest list of the value, whatever its strings hold", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }), (value) => {
        expect(shapeOf(bytes(JSON.stringify(value)))).toEqual({ tooDeep: false, longest: longestOf(value) })
      })
    )
  })

  it("counts no bracket or comma within a string, after an escaped quote or a backslash", () => {
    const text = String.raw`["[,[,[\",[,[[","\\",[1]]`
    expect(shapeOf(bytes(text)).longest).toBe(3)
    const many = JSON.stringify("[".repeat(deepest + 1))
    expect(shapeOf(bytes(`[${many}]`)).tooDeep).toBe(false)
  })

  it("is too deep one level beyond the deepest, in arrays and in objects", () => {
    expect(shapeOf(bytes(nested(deepest))).tooDeep).toBe(false)
    expect(shapeOf(bytes(nested(deepest + 1))).tooDeep).toBe(true)
    expect(shapeOf(bytes(nested(deepest, "{}"))).tooDeep).toBe(true)
    expect(shapeOf(bytes("[".repeat(deepest + 1))).tooDeep).toBe(true)
  })

  it("is told of a text that is no JSON", () => {
    for (const text of ["", "[", '["', '["\\', "]]]}[", ",", "nothing"]) {
      expect(shapeOf(bytes(text)).tooDeep).toBe(false)
    }
  })
})
