import { execFileSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import * as HelpPages from "../scripts/helpPages.ts"
import * as FlagText from "../src/help/flagText.ts"
import { run } from "./process.ts"
import { has } from "./programs.ts"

const root = join(import.meta.dirname, "..")
const manual = readFileSync(join(root, "man", "chemstream.1"), "utf8")

/** The words of the man page, without roff markup. */
const text = manual.replaceAll("\\-", "-").replaceAll(/\\f[BIP]/g, "")

describe("the man page", () => {
  let pages: ReadonlyArray<HelpPages.Page> = []

  beforeAll(async () => {
    pages = await HelpPages.read()
  })

  it("names every command that --help lists, with its options, values and examples", async () => {
    const { stdout } = await run(["--help"])
    const [commands = ""] = stdout.split("GLOBAL FLAGS")
    const listed = [...commands.matchAll(/^ {2}([a-z]+) {2}/gm)]
    expect(listed.map(([, name]) => name)).toEqual(
      pages.filter(({ path }) => path.length === 2).map(({ path }) => path[1])
    )
    for (const { help, path } of pages.filter(({ help }) => help.subcommands === undefined)) {
      const section = text.split(`\n.SS "${path.join(" ")}`)[1]?.split(/\n\.S[SH] /)[0] ?? ""
      expect(section, path.join(" ")).toContain(help.description.slice(0, 20))
      for (const flag of help.flags) {
        const [name = ""] = FlagText.of(flag).names.slice(-1)
        expect(section, path.join(" ")).toContain(name)
        expect(text).toMatch(new RegExp(`^\\.TP\\n(-\\w, |--[a-z-]+, )?${name}\\b`, "m"))
      }
      for (const { name } of help.args ?? []) expect(section).toContain(`.TP\n${name}\n`)
    }
  })

  it("has an example for every command, which calls that command", () => {
    for (const { help, path } of pages) {
      expect(help.examples?.length ?? 0, path.join(" ")).toBeGreaterThan(0)
      expect(help.examples?.map(({ command }) => command).join("\n")).toContain(path[0])
    }
  })

  it("names every environment variable that the command reads", () => {
    const read = globSync("src/**/*.ts", { cwd: root }).flatMap((file) => [
      ...readFileSync(join(root, file), "utf8").matchAll(/process\.env\["(\w+)"\]|Variable = "(\w+)"/g)
    ])
    expect(read.length).toBeGreaterThan(3)
    for (const [, direct, named] of read) expect(text).toContain(`.TP\n${direct ?? named}\n`)
  })

  it("is in the package, and registered as a man page", () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    expect(manifest).toMatchObject({ man: "./man/chemstream.1", files: expect.arrayContaining(["man"]) })
  })

  it.skipIf(!has("groff"))("passes groff without a warning", () => {
    const set = execFileSync("sh", [
      "-c",
      'groff -man -Tutf8 -ww "$0" 2>&1 >/dev/null',
      join(root, "man", "chemstream.1")
    ])
    expect(set.toString()).toBe("")
  })

  it.skipIf(!has("mandoc"))("passes mandoc, except for the date, which it lacks", () => {
    const lint = execFileSync("sh", [
      "-c",
      'mandoc -T lint -W warning "$0" || true',
      join(root, "man", "chemstream.1")
    ])
    expect(
      lint
        .toString()
        .split("\n")
        .filter((line) => line !== "" && !line.includes("missing date"))
    ).toEqual([])
  })
})
