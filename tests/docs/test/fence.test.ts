import { describe, expect, it } from "vitest"
import * as Fence from "../src/Fence.ts"

describe("inMarkdown", () => {
  it("gives each block its language, marks, code and the line of its fence", () => {
    const text = "# A\n\n```ts no-run\nconst a = 1\n```\n\n- item\n  ```sh\n  npm test\n  ```\n"
    expect(Fence.inMarkdown("A.md", text)).toEqual([
      { file: "A.md", line: 3, language: "ts", marks: ["no-run"], code: "const a = 1" },
      { file: "A.md", line: 8, language: "sh", marks: [], code: "npm test" }
    ])
  })

  it("refuses an unclosed block and names its line", () => {
    expect(() => Fence.inMarkdown("A.md", "one\n```ts\nlet a")).toThrow("A.md:2")
  })
})

describe("inDocstrings", () => {
  it("finds blocks in docstrings only, without their asterisks", () => {
    const text =
      "const s = `\n```ts\nno\n```\n`\n/** One line. */\n  /**\n   * ```ts\n   * if (a) {\n   *   b()\n   * }\n   * ```\n   */\n"
    expect(Fence.inDocstrings("a.ts", text)).toEqual([
      { file: "a.ts", line: 8, language: "ts", marks: [], code: "if (a) {\n  b()\n}" }
    ])
  })
})
