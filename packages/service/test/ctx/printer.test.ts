import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Printer } from "../../src/internal/ctxDialect/jsonPrinter.ts"

const printed = (text: string, size = Number.POSITIVE_INFINITY): string => {
  const bytes = Buffer.from(text)
  const printer = new Printer()
  const parts: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length; at += size)
    parts.push(printer.write(bytes.subarray(at, at + size)).slice())
  return Buffer.concat(parts).toString()
}

// Recorded bodies of the public service. They are in a folder beside the checkout, if present.
const recorded = join(import.meta.dirname, "../../../../../shared/real")

describe("the layout of the public service", () => {
  it("has a line for each field, no line for an element, and spaces in empty brackets", () => {
    expect(printed(`{"a":[1,[],{}, {"b":"x, {y}: \\"z","c":[{"d":null}]}],"e":1.0E-4}`)).toBe(
      `{
  "a" : [ 1, [ ], { }, {
    "b" : "x, {y}: \\"z",
    "c" : [ {
      "d" : null
    } ]
  } ],
  "e" : 1.0E-4
}`
    )
    expect(printed("[]")).toBe("[ ]")
    expect(printed("19")).toBe("19")
  })

  it("does not depend on the chunks of the text, and keeps its value", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(undefined, 3),
        (value, size, space) => {
          const text = JSON.stringify(value, undefined, space)
          const whole = printed(text)
          expect(printed(text, size)).toBe(whole)
          expect(JSON.parse(whole)).toEqual(JSON.parse(text))
          expect(printed(whole)).toBe(whole)
        }
      )
    )
  })

  it
    .skipIf(!existsSync(recorded))
    .each([
      "detail-DTXSID7020182-2026.json",
      "details-batch-compact-2026.json",
      "exact-formula-C6H6-2026.json",
      "search-batch-equal-text-2026.json",
      "synonyms-DTXSID7020182-2026.json",
      "bioactivity-summary-dtxsid-2026.json",
      "detail-miss-dtxsid-2026.problem.json"
    ])("is that of the recorded body %s (skipped without ../shared/real)", (name) => {
    const body = readFileSync(join(recorded, name), "utf8").trimEnd()
    expect(printed(body)).toBe(body)
  })
})
