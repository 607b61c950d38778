import { describe, expect, it } from "vitest"
import { bodies, bodiesOfDeclarations, linesByPackage, linesOf, total } from "../src/lines.ts"

/** The budget of the shipped sources. It only goes down: a change that needs more lines removes others. */
const budget = 65_977

describe("linesOf", () => {
  it("omits blank lines and comments of their own", () => {
    const text = `/** One. */
/**
 * Two.
 */
const a = 1 // a reason

  // another
const b = "/* no comment */"
/* three */ const c = 3
`
    expect(linesOf(text)).toEqual([
      "const a = 1 // a reason",
      'const b = "/* no comment */"',
      "/* three */ const c = 3"
    ])
  })
})

describe("bodies", () => {
  it.each([
    "export const a = (b: number): number => {",
    "  list.map(({ c }) => { return c })",
    "function d(e: string) {",
    "  get f() {",
    "  g(h: string): void {"
  ])("finds %s", (line) => {
    expect(bodies(line)).toEqual([line])
  })

  it.each([
    "export const a = () => ({",
    "  single: (mass) => around(Number(mass)),",
    "/** A function { of one line. */",
    'const reportedfunction = text("Function of the substance")'
  ])("accepts %s", (line) => {
    expect(bodies(line)).toEqual([])
  })
})

describe("the shipped sources", () => {
  it("have no function with a body among the rows and record schemas", () => {
    expect(bodiesOfDeclarations()).toEqual([])
  })

  it("have at most the lines of the budget", () => {
    expect(total(linesByPackage())).toBeLessThanOrEqual(budget)
  })
})
