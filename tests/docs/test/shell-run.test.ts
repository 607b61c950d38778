import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as DocRun from "../src/DocRun.ts"
import * as Fence from "../src/Fence.ts"
import * as ShellRun from "../src/ShellRun.ts"

describe("fits", () => {
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
    expect(ShellRun.fits(output, expected)).toBe(result)
  })
})

/** A page, what the problems of its blocks say, and `""` for a block that does what its page says. */
const cases: ReadonlyArray<{
  readonly title: string
  readonly page: ReadonlyArray<readonly [opening: string, code: string]>
  readonly says: ReadonlyArray<string>
}> = [
  {
    title: "passes an output that is right",
    page: [
      ["sh", "echo a >&2; echo b"],
      ["text", "a\nb"]
    ],
    says: [""]
  },
  {
    title: "fails another output",
    page: [
      ["sh", "echo a"],
      ["text", "b"]
    ],
    says: ["it writes\na"]
  },
  {
    title: "fails a command that fails before the last",
    page: [["sh", "echo a\nfalse\ntrue"]],
    says: ["line 3 ends with 1"]
  },
  { title: "passes the exit code that the page says", page: [["sh exit=3", "(exit 3)\ntrue"]], says: [""] },
  { title: "fails another exit code", page: [["sh exit=3", "(exit 4)"]], says: ["line 2 ends with 4"] },
  {
    title: "fails where nothing ends with the exit code",
    page: [["sh exit=3", "true"]],
    says: ["nothing ends with 3"]
  },
  {
    title: "keeps files and variables for the next block",
    page: [
      ["sh", "a=1; echo 2 > b"],
      ["sh", 'echo "$a"; cat b'],
      ["text", "1\n2"]
    ],
    says: ["", ""]
  },
  {
    title: "exports what a block in the background says, and ends it with the page",
    page: [
      ["sh background", "echo export A=5; sleep 600"],
      ["text", "export A=…"],
      ["sh", 'echo "$A"'],
      ["text", "5"]
    ],
    says: ["", ""]
  },
  { title: "leaves npm alone", page: [["sh", "npm install nothing"]], says: [] },
  {
    title: "fails a block that ends the shell, and those after it",
    page: [
      ["sh", "exit 0"],
      ["sh", "true"]
    ],
    says: ["it ends the shell", "it was not executed"]
  },
  {
    title: "fails a block that never ends",
    page: [["sh", "sleep 600"]],
    says: ["it has not ended after"]
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

  it.each(cases.map((one, index) => ({ ...one, index })))("$title", ({ index, says }) => {
    const found = results.get(index) ?? []
    expect(found).toHaveLength(says.length)
    says.forEach((words, place) => {
      if (words === "") expect(found[place]).toBe("")
      else expect(found[place]).toContain(words)
    })
  })
})
