import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { API } from "typescript/unstable/sync"
import { describe, expect, it } from "vitest"
import { equivalents } from "../src/equivalents.ts"
import { mutationsOf } from "../src/mutations.ts"
import { root } from "../src/Package.ts"

/** Returns the text after each of its mutations. */
const mutantsOf = (text: string): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "mutations-"))
  const api = new API({})
  try {
    writeFileSync(join(folder, "a.ts"), text)
    writeFileSync(join(folder, "tsconfig.json"), '{ "files": ["a.ts"] }')
    const [project] = api.updateSnapshot({ openProjects: [join(folder, "tsconfig.json")] }).getProjects()
    const source = project?.program.getSourceFile(join(folder, "a.ts"))
    if (source === undefined) throw new Error("no source")
    return mutationsOf(source).map(({ start, end, text: to }) => text.slice(0, start) + to + text.slice(end))
  } finally {
    api.close()
    rmSync(folder, { recursive: true })
  }
}

describe("mutationsOf", () => {
  it.each([
    ["a < b", ["a <= b"]],
    ["a >= b", ["a > b"]],
    ["a === b", ["a !== b"]],
    ["a && b", ["a || b"]],
    ["a - b", ["a + b"]],
    ["a ?? b", ["(a)"]],
    ["!a", ["(a)"]],
    ["a ? b : c", ["!(a) ? b : c"]],
    ["true", ["false"]],
    ["7", ["(7 + 1)"]],
    ["f(a, b.c)", ["f(b.c, a)"]],
    ["list.some(f)", ["list.every(f)"]],
    ["Math.max(a, b)", ["Math.min(a, b)"]]
  ])("changes %s", (text, changed) => {
    expect(mutantsOf(`const x = ${text}\n`)).toEqual(changed.map((to) => `const x = ${to}\n`))
  })

  it("negates the condition of a statement, and removes a statement", () => {
    expect(mutantsOf("if (a) f()\n")).toEqual(["if (!(a)) f()\n", "if (a) ;\n"])
  })

  it.each(["type A = 1 | true", 'import { a } from "b"', 'const x = "a" + b', "const x = f(a)"])(
    "leaves %s as it is",
    (text) => {
      expect(mutantsOf(`${text}\n`)).toEqual([])
    }
  )
})

describe("the list of mutations that change no behaviour", () => {
  it.each(equivalents)("has lines that are still there: $file: $from", ({ file, from }) => {
    expect(readFileSync(join(root, file), "utf8").replaceAll(/\s+/g, " ")).toContain(from)
  })
})
