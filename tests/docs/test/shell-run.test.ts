import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as DocRun from "../src/DocRun.ts"
import * as Fence from "../src/Fence.ts"
import * as ShellRun from "../src/ShellRun.ts"

describe("matches", () => {
  it.each([
    ["a\n", "a", true],
    ["a\nb\n", "a", false],
    ["a b c\n", "a … c", true],
    ["a b\n", "a … c", false],
    ["a\nb\nc\nd\n", "a\n…\nd", true],
    ["a\nb\n", "…\nc", false],
    ["in 0.12 s, 3,365/s at 127.0.0.1:80\n", "in 4 s, 1/s at 127.0.0.1:8765", true],
    ["12 records in 0.12 s\n", "13 records in 0.12 s", false],
    ["a\r\n", "a", true]
  ])("compares %j with %j: %j", (output, expected, result) => {
    expect(ShellRun.matches(output, expected)).toBe(result)
  })
})

/** Pages, each with a part of the expected problem of each block. `""`: the block passes. */
const cases: ReadonlyArray<{
  readonly title: string
  readonly page: ReadonlyArray<readonly [opening: string, code: string]>
  readonly problems: ReadonlyArray<string>
}> = [
  {
    title: "passes the expected output",
    page: [
      ["sh", "echo a >&2; echo b"],
      ["text", "a\nb"]
    ],
    problems: [""]
  },
  {
    title: "fails another output",
    page: [
      ["sh", "echo a"],
      ["text", "b"]
    ],
    problems: ["it writes\na"]
  },
  {
    title: "fails a failed command before the last one",
    page: [["sh", "echo a\nfalse\ntrue"]],
    problems: ["line 3 exits with 1"]
  },
  { title: "passes the expected exit code", page: [["sh exit=3", "(exit 3)\ntrue"]], problems: [""] },
  { title: "fails another exit code", page: [["sh exit=3", "(exit 4)"]], problems: ["line 2 exits with 4"] },
  {
    title: "fails if no command exits with the expected code",
    page: [["sh exit=3", "true"]],
    problems: ["no command exits with 3"]
  },
  {
    title: "keeps files and variables for the next block",
    page: [
      ["sh", "a=1; echo 2 > b"],
      ["sh", 'echo "$a"; cat b'],
      ["text", "1\n2"]
    ],
    problems: ["", ""]
  },
  {
    title: "executes the exports of a background block, and stops the block with the page",
    page: [
      ["sh background", "echo export A=5; sleep 600"],
      ["text", "export A=…"],
      ["sh", 'echo "$A"'],
      ["text", "5"]
    ],
    problems: ["", ""]
  },
  { title: "skips blocks with npm alone", page: [["sh", "npm install nothing"]], problems: [] },
  {
    title: "fails a block that ends the shell, and the blocks after it",
    page: [
      ["sh", "exit 0"],
      ["sh", "true"]
    ],
    problems: ["it ends the shell", "it was not executed"]
  },
  {
    title: "fails a block that never ends",
    page: [["sh", "sleep 600"]],
    problems: ["it has not finished after"]
  }
]

describe("execute", () => {
  const results = new Map<number, ReadonlyArray<string>>()
  let folder: string

  beforeAll(async () => {
    folder = DocRun.makeFolder()
    for (const [index, { page }] of cases.entries()) {
      const text = page.map(([opening, code]) => `\`\`\`${opening}\n${code}\n\`\`\`\n`).join("")
      const blocks = ShellRun.blocksOf(Fence.inMarkdown("made-up.md", text))
      const service = { url: "http://127.0.0.1:9", stop: () => {} }
      const problems = await ShellRun.execute(join(folder, `${index}`), blocks, service, 3_000)
      results.set(
        index,
        blocks.map(({ fence }) => problems.get(fence)?.join("\n") ?? "")
      )
    }
  }, 60_000)

  afterAll(() => DocRun.removeFolder(folder))

  it.each(cases.map((one, index) => ({ ...one, index })))("$title", ({ index: page, problems }) => {
    const found = results.get(page) ?? []
    expect(found).toHaveLength(problems.length)
    problems.forEach((part, index) => {
      if (part === "") expect(found[index]).toBe("")
      else expect(found[index]).toContain(part)
    })
  })
})
