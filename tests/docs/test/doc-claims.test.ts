import { describe, expect, it } from "vitest"
import * as DocClaims from "../src/DocClaims.ts"

/** The claims of a block as `LINE KIND TEXT`. */
const claims = (code: string) =>
  DocClaims.plan(code).claims.map(({ line, kind, text }) => `${line} ${kind} ${text}`)

describe("plan", () => {
  it.each([
    ["at the end of an expression", "f() // => 1", "1 value 1"],
    ["on the line below", "f(\n  2\n)\n// => [1]", "4 value [1]"],
    ["on several lines below", "f()\n// => {\n//   a: 1\n// }", "2 value {\n  a: 1\n}"],
    ["at the end of a const", "const a = f() // => 1", "1 value 1"],
    ["inside a function", "const f = () => {\n  g() // => 1\n}", "2 value 1"],
    ["that is not an expression", "f() // => two things", "1 prose two things"]
  ])("finds a value %s", (_, code, claim) => {
    expect(claims(code)).toEqual([claim])
  })

  it.each([
    ["at the end of a console.log", "console.log(1, 2) // 1 2", "1 print 1 2"],
    ["below one", "console.log(1)\n// 1\n\n// done", "2 print 1"],
    ["below a loop", "for (const a of [1, 2]) console.log(a)\n// 1\n// 2", "2 print 1\n2"],
    ["inside a generator", "function* f() {\n  yield* Console.log(1) // 1\n}", "2 print 1"],
    ["below a call of code that prints", "const f = () => console.log(1)\nawait f()\n// 1", "3 print 1"],
    ["without a comment", "console.log(1)\n\n// done", "1 prose prints a text without a comment"]
  ])("finds output %s", (_, code, claim) => {
    expect(claims(code)).toEqual([claim])
  })

  it.each(["// first\nf()", "f() // for a reason", "await f()\n// then\ng()", 'f("// => 1")'])(
    "leaves other comments alone: %j",
    (code) => {
      expect(DocClaims.plan(code)).toEqual({ module: code, claims: [] })
    }
  )

  it("keeps the lines of a block, and statements without semicolons apart", () => {
    const { module } = DocClaims.plan("const a = f()\nconsole.log(a) // 1\na.b // => 2")
    expect(module).toBe(
      "const a = f()\ndocs__.printer(0, console.log)(a) // 1\ndocs__.equal(1, (a.b), () => (2)) // => 2"
    )
  })

  it("refuses a value comment without an expression, and a block that does not parse", () => {
    expect(DocClaims.plan("f(\n  1, // => 1\n  2\n)").problem).toContain("line 2")
    expect(DocClaims.plan("const = 1").problem).toContain("does not parse")
  })
})
