import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ChemError } from "@chemstream/client"
import { describe, expect, it } from "vitest"
import { exitCodes } from "../src/CommandFailure.ts"
import * as Catalogue from "../src/help/errors/errorCatalogue.ts"
import { folder, run } from "./process.ts"
import { scripted } from "./scripted.ts"

const packages = join(import.meta.dirname, "..", "..")

/** The tags of the error classes of all packages, except those of the command itself. */
const tags = (): ReadonlyArray<string> => {
  const found = globSync("*/src/**/*.ts", { cwd: packages, exclude: ["cli/**"] })
    .flatMap((file) => [
      ...readFileSync(join(packages, file), "utf8").matchAll(
        /^export class \w+ extends (?:(?:Data|Schema)\.TaggedError(?:<\w+>\(\))?|CallError\.extend<\w+>)\(\s*"(\w+)"/gm
      )
    ])
    .map(([, tag = ""]) => tag)
  return [...new Set(found)].sort()
}

const explained = Catalogue.errors.flatMap(({ entries }) => Object.keys(entries))

describe("the catalogue of errors", () => {
  it("has an entry for each error class of the packages, and no other entry", () => {
    expect(tags()).toContain("RateLimited")
    expect([...explained].sort()).toEqual(tags())
  })

  it("has each error of a call that the client exports", () => {
    const exported = Object.keys(ChemError).filter((name) => /^[A-Z]/.test(name) && name !== "CallError")
    const [calls] = Catalogue.errors
    expect(Object.keys(calls?.entries ?? {}).sort()).toEqual(exported.sort())
  })

  it("gives the meaning and the action of each error in sentences", () => {
    for (const [name, { action, meaning }] of [...Catalogue.entries, ...Object.entries(Catalogue.exits)]) {
      for (const text of [action, meaning]) expect(text, name).toMatch(/^[A-Za-z].*[.)]$/)
    }
  })

  it("advises the user of the command, never with an option of a library", () => {
    for (const [name, { action, actions = {}, meaning }] of Catalogue.entries) {
      // Programs with their own lookups register them with `Fetch.layerLookups`.
      for (const text of [action, meaning, ...Object.values(actions)])
        expect(text.replace("Fetch.layerLookups", ""), name).not.toMatch(
          /\b[a-z]+[A-Z]\w*\b|\bset \w+ to (true|false)\b/
        )
    }
  })

  it("has the advice for every reason of an error that reads the input", async () => {
    const at = folder()
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    const failing: ReadonlyArray<readonly [string, string, string, ReadonlyArray<string>]> = [
      ["CsvError", "stray-quote", 'dtxsid,name\nDTXSID7020182,5"-x\n', ["convert", "in.csv", "out.ndjson"]],
      [
        "CsvError",
        "unterminated-quote",
        'dtxsid,name\nDTXSID7020182,"x\n',
        ["details", "--key", "dtxsid", "--input", "in.csv"]
      ],
      [
        "CsvError",
        "cell-count",
        "dtxsid,name,note\nDTXSID7020182\n",
        ["details", "--key", "dtxsid", "--input", "in.csv"]
      ]
    ]
    for (const [tag, reason, text, args] of failing) {
      writeFileSync(join(at, "in.csv"), text)
      const ended = await run(args, { env, cwd: at })
      expect(ended, reason).toMatchObject({ code: 2, stdout: "" })
      expect(ended.stderr, reason).toContain(`. ${Catalogue.entries.get(tag)?.actions?.[reason]}\n`)
      expect(ended.stderr, reason).toMatch(/^chemstream: .*in line 2/m)
      expect(ended.stderr).not.toMatch(/\b(quotes to false|maxRowLength|maxLineBytes)\b/)
    }
    expect(requests).toEqual([])
  })

  it("names only existing options and commands", async () => {
    const texts = [...Catalogue.entries.values(), ...Object.values(Catalogue.exits)]
      .map(({ action, meaning }) => `${action} ${meaning}`)
      .join("\n")
    const manual = readFileSync(join(packages, "cli", "man", "chemstream.1"), "utf8").replaceAll("\\-", "-")
    for (const [option] of texts.matchAll(/--[a-z][a-z-]+/g)) expect(manual).toContain(`\\fB${option}\\fP`)
    const { stdout } = await run(["--help"])
    for (const [, name] of texts.matchAll(/chemstream ([a-z]+)(?=[ ;,.)]| [a-z])/g)) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, "m"))
    }
  })
})

describe("chemstream help", { concurrent: true }, () => {
  it("explains every outcome, error and exit code, in lines of the width of a terminal", async () => {
    const { code, stderr, stdout } = await run(["help", "errors"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const lines = stdout.split("\n")
    for (const name of [...Catalogue.entries.keys(), ...Object.values(exitCodes).map(String)]) {
      expect(lines).toContain(name)
    }
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it("explains single errors by name, ignoring case, and an exit code by its number", async () => {
    const { stdout } = await run(["help", "errors", "ratelimited", "4"])
    expect(stdout).toMatch(
      /^RateLimited\n {2}Too many requests[\s\S]*\n {2}To do: [\s\S]*\n4\n {2}The service/
    )
  })

  it("shows the help of a command, and of the whole program", async () => {
    const [asked, option] = await Promise.all([
      run(["help", "search", "equal"]),
      run(["search", "equal", "--help"])
    ])
    expect(asked).toEqual(option)
    expect((await run(["help"])).stdout).toBe((await run(["--help"])).stdout)
  })

  it("has the same table of exit codes on all pages of the documentation", () => {
    const tables = ["cli/README.md", "../docs/guides/pipes-and-shells.md"].map(
      (file) => /^\| exit code .*\n(?:\|.*\n)+/m.exec(readFileSync(join(packages, file), "utf8"))?.[0]
    )
    expect(tables[0]).toBe(tables[1])
    const codes = [...(tables[0] ?? "").matchAll(/^\| (\d+) /gm)].map(([, code]) => Number(code))
    expect(codes).toEqual(Object.values(exitCodes))
  })

  it("prints the path of the man page", async () => {
    const { code, stdout } = await run(["help", "manual"], { cwd: folder() })
    expect(code).toBe(0)
    expect(readFileSync(stdout.trimEnd(), "utf8")).toMatch(/^\.TH CHEMSTREAM 1 /m)
  })

  it("lists the topics in one line", async () => {
    const error = await run(["help", "errors", "Nonsense"])
    expect(error).toMatchObject({ code: 2, stdout: "" })
    expect(error.stderr).toMatch(
      /^chemstream: unknown error "Nonsense"; the errors are [^\n]*RateLimited[^\n]*\n$/
    )
    const topic = await run(["help", "nonsense"])
    expect(topic).toMatchObject({ code: 2, stdout: "" })
    expect(topic.stderr).toMatch(
      /^chemstream: no help on nonsense; the topics are errors, fields, manual, details[^\n]*\n$/
    )
  })
  it.each([
    [["errors", "RateLimitd"], 'unknown error "RateLimitd" (did you mean RateLimited?); the errors are '],
    [["Unauthorised"], "no help on Unauthorised (did you mean errors Unauthorized?); "],
    [["ratelimited"], "no help on ratelimited (did you mean errors RateLimited?); "],
    [["detials"], "no help on detials (did you mean details?); "]
  ])("suggests a topic for %j", async (topic, says) => {
    const { code, stderr } = await run(["help", ...topic])
    expect(stderr).toContain(says)
    expect(code).toBe(2)
  })
})
