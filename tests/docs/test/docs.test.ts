import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readManifest, root } from "../src/checkout.ts"
import * as DocClaims from "../src/DocClaims.ts"
import * as DocFiles from "../src/DocFiles.ts"
import * as DocRun from "../src/DocRun.ts"
import * as DocTypes from "../src/DocTypes.ts"
import * as Fence from "../src/Fence.ts"
import * as ShellCommand from "../src/ShellCommand.ts"

/** The time limit of all blocks in milliseconds. A block that never finishes takes `DocRun.blockLimit`. */
const limit = 600_000

/** The maximum number of claims that are prose. Write a new claim as a value. */
const proseLimit = 0

const blocks = DocFiles.blocks()
const code = blocks.filter(({ language }) => language === "ts")
const executed = code.filter(({ marks }) => !marks.includes("no-run"))
const claims = executed.flatMap((block) =>
  DocClaims.plan(block.code).claims.map(({ kind, line, text }) => ({
    kind,
    title: `${block.file}:${block.line + line} ${text}`
  }))
)
const checked = claims.filter(({ kind }) => kind !== "prose")
const prose = claims.filter(({ kind }) => kind === "prose")

describe("code in the documentation", () => {
  let folder: string
  let run: DocRun.Errors = []
  let types: DocTypes.Report = { errors: [], otherErrors: [] }

  beforeAll(async () => {
    folder = DocRun.makeFolder()
    const [ran, checkedTypes] = await Promise.all([
      DocRun.execute(folder, executed),
      DocTypes.check(folder, code)
    ])
    run = ran
    types = checkedTypes
  }, limit)

  afterAll(() => DocRun.removeFolder(folder))

  it.each(code.map((block) => ({ title: Fence.title(block), block })))("$title", ({ block }) => {
    const problems = [
      ...(types.errors[code.indexOf(block)] ?? []),
      ...(executed.includes(block) ? (run[executed.indexOf(block)] ?? ["it was not executed"]) : [])
    ]
    expect(problems.join("\n"), `${Fence.title(block)} fails`).toBe("")
  })

  it("compiles under the options of the packages", () => {
    expect(types.otherErrors).toEqual([])
  })

  it(`has ${checked.length} claims about values and output that are compared`, () => {
    expect(checked.length).toBeGreaterThan(0)
  })

  it(`has ${prose.length} claims in prose, which are not compared`, () => {
    const titles = prose.map(({ title }) => title).join("\n")
    expect(prose.length, titles).toBeLessThanOrEqual(proseLimit)
  })

  it(`leaves ${code.length - executed.length} blocks unexecuted`, () => {
    expect(code.filter((block) => !executed.includes(block)).map(Fence.title)).toEqual([])
  })

  it("is fenced as ts, sh or bash, so that the tests find it", () => {
    const other = ["typescript", "tsx", "js", "javascript", "mjs", "shell", "console", "zsh"]
    expect(blocks.filter(({ language }) => other.includes(language)).map(Fence.title)).toEqual([])
  })
})

describe.concurrent("shell commands in the documentation", () => {
  const chemstream = join(root, "packages", "cli", "bin", "chemstream.js")
  const helps = new Map<string, Promise<string>>()
  const help = (...args: ReadonlyArray<string>): Promise<string> => {
    const key = args.join(" ")
    const page =
      helps.get(key) ??
      promisify(execFile)(process.execPath, [chemstream, ...args, "--help"]).then(({ stdout }) => stdout)
    helps.set(key, page)
    return page
  }

  const commands = blocks
    .filter(({ language }) => language === "sh" || language === "bash")
    .flatMap((block) =>
      ShellCommand.parse(block.code).map((command) => ({
        title: `${block.file}:${block.line + command.line} ${command.words.join(" ")}`,
        command
      }))
    )
  const ofChemstream = commands.flatMap(({ title, command }) => {
    const args = ShellCommand.argumentsOf(command, "chemstream")
    return args === undefined ? [] : [{ title, args }]
  })
  const ofNpm = commands.flatMap(({ title, command }) => {
    const script = ShellCommand.scriptOf(command)
    return script === undefined ? [] : [{ title, script }]
  })

  // With an empty list, `it.each` below would have no test, which vitest refuses.
  it(`are ${ofChemstream.length} of chemstream and ${ofNpm.length} of npm scripts`, async () => {
    expect(ShellCommand.subcommandsIn(await help())).toContain("details")
    expect(ShellCommand.flagsIn(await help("details")).get("--projection")?.choices).toContain("compact")
  })

  it.each(ofChemstream)("$title", async ({ args }) => {
    const path: Array<string> = []
    let rest = args
    // Descends to a command without subcommands, or to a command that is called with flags.
    for (;;) {
      const subcommands = ShellCommand.subcommandsIn(await help(...path))
      const [subcommand = "", ...more] = rest
      if (subcommands.length === 0 || subcommand.startsWith("-")) break
      expect(subcommands).toContain(subcommand)
      path.push(subcommand)
      rest = more
    }
    expect(ShellCommand.problems(rest, ShellCommand.flagsIn(await help(...path)))).toEqual([])
  })

  it.each(ofNpm)("$title", ({ script }) => {
    expect(Object.keys(readManifest(root).scripts ?? {})).toContain(script)
  })
})
