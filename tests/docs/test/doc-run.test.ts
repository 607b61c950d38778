import { afterAll, beforeAll, expect, it } from "vitest"
import * as DocRun from "../src/DocRun.ts"
import * as DocTypes from "../src/DocTypes.ts"
import type { Fence } from "../src/Fence.ts"

/** The time limit of a block in milliseconds. A busy machine needs some to start a process. */
const limit = 5_000

/** Blocks, each with a part of its expected problem. A block without one passes. */
const cases: ReadonlyArray<{ readonly title: string; readonly code: string; readonly problem?: string }> = [
  { title: "passes a correct value", code: "[1].map((a) => a + 1) // => [2]" },
  { title: "fails a wrong value", code: "\n1 + 1 // => 3", problem: "line 12: the value is\n2" },
  { title: "awaits a value", code: "await Promise.resolve(1) // => 2", problem: "the value is\n1" },
  { title: "fails other output", code: "console.log(1, 'a') // 1 b", problem: "it prints\n1 a" },
  {
    title: "fails other output of called code",
    code: "const f = async () => console.log(1)\nawait f()\n// 2",
    problem: "it prints\n1"
  },
  {
    title: "fails a value that is never reached",
    code: "const f = () => {\n  1 // => 1\n}",
    problem: "reached"
  },
  { title: "names the line of an error", code: "\nthrow new Error('no')", problem: "made-up.md:12" },
  {
    title: "fails a rejected promise without a handler",
    code: "Promise.reject(new Error('late'))",
    problem: "late"
  },
  {
    title: "fails an error in a timer",
    code: "setTimeout(() => { throw new Error('late') }, 20)",
    problem: "late"
  },
  {
    title: "fails a block that waits forever",
    code: "await new Promise(() => {})",
    problem: "waits forever"
  },
  { title: "fails a block that ends the process", code: "process.exit(0)", problem: "ends the process (0)" },
  { title: "fails an exit code", code: "process.exitCode = 3", problem: "exit code 3" },
  {
    title: "fails a block that never ends",
    code: "setInterval(() => {}, 1000)",
    problem: "has not finished after"
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

it.each(cases.map((one, index) => ({ ...one, index })))("$title", ({ index, problem }) => {
  const found = errors[index]?.join("\n")
  if (problem === undefined) expect(found).toBe("")
  else expect(found).toContain(problem)
})

it("reports a wrong type with its block and line", () => {
  expect(types.errors).toEqual([[], [expect.stringMatching(/^line 12: error TS2322/)]])
  expect(types.otherErrors).toEqual([])
})
