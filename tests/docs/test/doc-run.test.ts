import { afterAll, beforeAll, expect, it } from "vitest"
import * as DocRun from "../src/DocRun.ts"
import * as DocTypes from "../src/DocTypes.ts"
import type { Fence } from "../src/Fence.ts"

/** Long enough to start a process on a busy machine. */
const limit = 5_000

/** A block and the text of its failure. A block without a text passes. */
const cases: ReadonlyArray<{ readonly title: string; readonly code: string; readonly says?: string }> = [
  { title: "passes a correct value", code: "[1].map((a) => a + 1) // => [2]" },
  { title: "fails a wrong value", code: "\n1 + 1 // => 3", says: "line 12: the value is\n2" },
  { title: "awaits a value", code: "await Promise.resolve(1) // => 2", says: "the value is\n1" },
  { title: "fails other output", code: "console.log(1, 'a') // 1 b", says: "it prints\n1 a" },
  {
    title: "fails other output of what a statement runs",
    code: "const f = async () => console.log(1)\nawait f()\n// 2",
    says: "it prints\n1"
  },
  {
    title: "fails a value that is never reached",
    code: "const f = () => {\n  1 // => 1\n}",
    says: "reached"
  },
  { title: "fails an error by its place", code: "\nthrow new Error('no')", says: "made-up.md:12" },
  { title: "fails a promise nobody waits for", code: "Promise.reject(new Error('late'))", says: "late" },
  {
    title: "fails an error in a timer",
    code: "setTimeout(() => { throw new Error('late') }, 20)",
    says: "late"
  },
  { title: "fails a wait for nothing", code: "await new Promise(() => {})", says: "never comes" },
  { title: "fails a block that ends the process", code: "process.exit(0)", says: "ends the process (0)" },
  { title: "fails an exit code", code: "process.exitCode = 3", says: "exit code 3" },
  {
    title: "fails a block that never ends",
    code: "setInterval(() => {}, 1000)",
    says: "has not ended after"
  },
  {
    title: "passes a block after all of these",
    code: "import { Effect } from 'effect'\nEffect.runSync(Effect.succeed(1)) // => 1"
  }
]
const fences = cases.map(
  ({ code }): Fence => ({ file: "made-up.md", line: 10, language: "ts", marks: [], code })
)

let folder: string
let errors: DocRun.Errors = []
let types: DocTypes.Report

beforeAll(async () => {
  folder = DocRun.makeFolder()
  errors = await DocRun.execute(folder, fences, limit)
  const wrong: Fence = {
    file: "made-up.md",
    line: 10,
    language: "ts",
    marks: [],
    code: "\nconst a: string = 1"
  }
  types = await DocTypes.check(folder, [{ ...wrong, code: "const unused = 1" }, wrong])
})

afterAll(() => DocRun.removeFolder(folder))

it.each(cases.map((one, index) => ({ ...one, index })))("$title", ({ index, says }) => {
  const said = errors[index]?.join("\n")
  if (says === undefined) expect(said).toBe("")
  else expect(said).toContain(says)
})

it("reports a wrong type with its block and line", () => {
  expect(types.errors).toEqual([[], [expect.stringMatching(/^line 12: error TS2322/)]])
  expect(types.besides).toEqual([])
})
