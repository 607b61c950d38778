import { Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import * as HelpPages from "../scripts/helpPages.ts"
import * as FlagGroups from "../src/help/flagGroups.ts"
import * as FlagText from "../src/help/flagText.ts"
import * as HelpText from "../src/help/helpText.ts"
import { run } from "./process.ts"
import { hasTerminal, onTerminal } from "./terminal.ts"

const text = ({ help, path }: HelpPages.Page, columns = 80): string =>
  HelpText.toText({ ...help, commandPath: path }, { columns, styled: false })

/** The headings of a help text. */
const headings = (help: string): ReadonlyArray<string> =>
  [...help.matchAll(/^[A-Z][A-Z ]+$/gm)].map(([heading]) => heading)

describe("help", () => {
  let pages: ReadonlyArray<HelpPages.Page> = []

  beforeAll(async () => {
    pages = await HelpPages.read()
  })

  it("has no line over 80 columns, and uses a wider terminal", () => {
    for (const page of pages) {
      const path = page.path.join(" ")
      for (const columns of [80, 120]) {
        const widths = text(page, columns)
          .split("\n")
          .map(({ length }) => length)
        expect(Math.max(...widths), path).toBeLessThanOrEqual(columns)
      }
    }
    const [details] = pages.filter(({ path }) => path.join(" ") === "chemstream details")
    expect(text(details as HelpPages.Page, 120).split("\n").length).toBeLessThan(
      text(details as HelpPages.Page).split("\n").length
    )
  })

  it("lists every option of a command once, with its default in brackets and its choices once", () => {
    for (const page of pages) {
      const lines = text(page).split("\n")
      for (const flag of page.help.flags) {
        const { names } = FlagText.of(flag)
        const rows = lines.filter((line) =>
          new RegExp(`^ {2}(?:-\\w, | {4})(?:--[a-z-]+, )?${names.at(-1)}(?: |$)`).test(line)
        )
        expect(rows, `${page.path.join(" ")} --${flag.name}`).toHaveLength(1)
        const words = Option.getOrElse(flag.description, () => "")
        expect(words).not.toMatch(/when not given|the default\b|by default/)
        const [, choices = ""] = /\(choices: (.*)\)$/.exec(words) ?? []
        expect(words.split(choices || "\0").length, words).toBe(choices === "" ? 1 : 2)
      }
    }
  })

  it("groups the options of a command with many, and each group names existing options", () => {
    const [details] = pages.filter(({ path }) => path.join(" ") === "chemstream details")
    expect(headings(text(details as HelpPages.Page))).toEqual([
      ...["USAGE", "ARGUMENTS", "FLAGS", "INPUT", "OUTPUT", "REQUESTS", "METRICS", "RESUMING", "CHECKING"],
      ...["GLOBAL FLAGS", "ENVIRONMENT", "EXAMPLES"]
    ])
    const all = new Set(pages.flatMap(({ help }) => help.flags.map(({ name }) => name)))
    for (const name of Object.values(FlagGroups.groups).flat()) expect(all).toContain(name)
  })

  it("lists exactly the variables that a command reads", async () => {
    const environmentOf = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
      const { stdout } = await run([...args, "--help"])
      const [, section = ""] = /^ENVIRONMENT\n((?: {2}.*\n)+)/m.exec(stdout) ?? []
      return [...section.matchAll(/^ {2}([A-Z_]+)/gm)].map(([, name = ""]) => name)
    }
    expect(await environmentOf("serve")).toEqual(["CHEMSTREAM_API_KEYS"])
    expect(await environmentOf("import")).toEqual([])
    expect(await environmentOf("harvest", "list")).toEqual(["CHEMSTREAM_HARVESTS"])
    expect(await environmentOf("doctor")).toEqual([
      ...["CHEMSTREAM_BASE_URL", "CHEMSTREAM_API_KEY", "CHEMSTREAM_DIALECT", "HTTPS_PROXY", "NO_PROXY"]
    ])
    expect(await environmentOf()).toContain("XDG_CACHE_HOME")
  })

  it("groups the commands", async () => {
    const { stdout } = await run(["--help"])
    expect(headings(stdout).slice(0, 6)).toEqual([
      ...["USAGE", "LOOK UP", "TABLES AND LONG RUNS", "PICTURES", "SERVICE", "SETTINGS AND HELP"]
    ])
  })

  it.skipIf(!hasTerminal)("is as wide as a wider terminal", async () => {
    const widest = async (columns: number): Promise<number> => {
      const screen = await onTerminal(`stty cols ${columns}; "$NODE" "$COMMAND" serve --help`, {
        NO_COLOR: "1"
      })
      return Math.max(...screen.split("\n").map(({ length }) => length))
    }
    expect(await widest(60)).toBeLessThanOrEqual(80)
    const wide = await widest(130)
    expect(wide).toBeGreaterThan(80)
    expect(wide).toBeLessThanOrEqual(130)
  })

  it("breaks an example between words, so that it can be copied", async () => {
    const { stdout } = await run(["details", "--help"])
    expect(stdout).toContain(
      "  chemstream details --input ids.txt --output out.ndjson.gz \\\n    --errors problems.ndjson\n"
    )
  })
})

describe("wrong usage", { concurrent: true }, () => {
  it.each<[string, string]>([
    [
      "details --fromat csv",
      "unknown option --fromat (did you mean --format?); see chemstream details --help"
    ],
    ["details --xyzzy", "unknown option --xyzzy; see chemstream details --help"],
    ["serch equal x", 'unknown command "serch" (did you mean search?); see chemstream --help'],
    ["serch --help", 'unknown command "serch" (did you mean search?); see chemstream --help'],
    ["search eqal -h", 'unknown command "eqal" (did you mean equal?); see chemstream search --help'],
    ["help search eqal", 'unknown command "eqal" (did you mean equal?); see chemstream search --help'],
    [
      "--dialect ctx details DTXSID7020182",
      "--dialect is not an option of chemstream itself: put it after the command, as in chemstream details --dialect …"
    ],
    [
      "search --fields dtxsid equal x",
      "--fields is not an option of chemstream search itself: put it after the command, as in chemstream search equal --fields …"
    ],
    ["import x", "--kind is missing; see chemstream import --help"]
  ])("of %s prints one line with a suggestion", async (line, says) => {
    const ended = await run(line.split(" "))
    expect(ended).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(`chemstream: ${says}`)
    })
    expect(ended.stderr.trimEnd()).not.toContain("\n")
  })
})
