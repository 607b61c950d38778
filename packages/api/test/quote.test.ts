import { Casrn, Dtxsid, Quote } from "@chemstream/api"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const invisible = [
  "\u0000",
  "\u0007",
  "\u001b",
  "\u007f",
  "\u0085",
  "\u00a0",
  "\u00ad",
  "\u061c",
  "\u180e",
  "\u200b",
  "\u200d",
  "\u200f",
  "\u2009",
  "\u2028",
  "\u202e",
  "\u2060",
  "\u2066",
  "\u3000",
  "\u3164",
  "\ufe0f",
  "\ufeff",
  "\u{e0041}"
]

describe("a quoted value", () => {
  it("shows every character that nobody can see", () => {
    for (const character of invisible) {
      const quoted = Quote.value(`80-05-7${character}x`)
      expect(quoted).toMatch(/^"80-05-7(\\u[0-9a-f]{4}|\\[nrtbf])+x"$/)
      expect(JSON.parse(quoted)).toBe(`80-05-7${character}x`)
    }
  })

  it("has the value of the text, unless it is cut after 60 characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
        expect(JSON.parse(Quote.value(text))).toBe(shown)
        expect(Quote.value(text)).toMatch(/^[ \P{C}]*$/u)
      })
    )
  })

  it("stays as it is if all of it can be seen", () => {
    expect(Quote.value("naïve β-Carotin 5,6-\u00b5 𝒳")).toBe('"naïve β-Carotin 5,6-\u00b5 𝒳"')
    expect([Quote.value(12), Quote.value(null), Quote.value(undefined)]).toEqual(["12", "null", "undefined"])
  })

  it("is the JSON of a value that is no text, cut after 60 characters", () => {
    expect([Quote.value({ a: [1, true] }), Quote.value("x".repeat(60))]).toEqual([
      '{"a":[1,true]}',
      `"${"x".repeat(60)}"`
    ])
    expect(Quote.value(Array.from({ length: 60 }, () => 1))).toBe(`[${"1,".repeat(29)}1…`)
    expect(Quote.value("x".repeat(61))).toBe(`"${"x".repeat(60)}…"`)
  })

  it("is in the message of each refused identifier", () => {
    for (const parse of [Casrn.parse, Dtxsid.parse]) {
      const result: Result.Result<unknown, { readonly message: string }> = parse("80\u200b-05-7\u202ex")
      expect(Result.isFailure(result) && result.failure.message).toContain('"80\\u200b-05-7\\u202ex"')
    }
  })
})
