import { describe, expect, it } from "vitest"
import * as ShellCommand from "../src/ShellCommand.ts"

const words = (code: string) => ShellCommand.parse(code).map((command) => command.words.join("|"))

describe("parse", () => {
  it.each([
    [
      "cut -f1 a.tsv | chemstream details --quiet > out.ndjson",
      ["cut|-f1|a.tsv", "chemstream|details|--quiet"]
    ],
    ["KEY=x chemstream serve --port 0 & # for now", ["chemstream|serve|--port|0"]],
    ["npm ci && npm test", ["npm|ci", "npm|test"]],
    ["$ jq -c 'select(.a>50)' < in 2>&1", ["jq|-c|select(.a>50)"]],
    ["chemstream details \\\n  --input ids.txt", ["chemstream|details|--input|ids.txt"]],
    ["cat > ids.txt <<'EOF'\nchemstream no\nEOF\nnpm start", ["cat", "npm|start"]],
    ["# only a comment", []]
  ])("splits %j", (code, expected) => {
    expect(words(code)).toEqual(expected)
  })
})

describe("argumentsOf", () => {
  it.each([
    "chemstream demo",
    "npx chemstream demo",
    "npx --yes chemstream@1.0.0 demo",
    "node_modules/.bin/chemstream demo"
  ])("finds the program in %j", (code) => {
    const [command = { line: 1, words: [] }] = ShellCommand.parse(code)
    expect(ShellCommand.argumentsOf(command, "chemstream")).toEqual(["demo"])
  })
})

describe("problems", () => {
  const help = [
    "USAGE",
    "  chemstream COMMAND [flags]",
    "",
    "LOOK UP",
    "  details  Detail records",
    "",
    "SERVICE",
    "  serve    A server, with a text",
    "           on two lines",
    "",
    "FLAGS",
    "  -p, --projection NAME  Fields [choices: compact,",
    "                         all]",
    "      --by sid|cid       What the values are",
    "      --dialect first|second",
    "                         A term with a line of its own",
    "      --port N           Port",
    "      --no-ordered       Do not keep the order",
    "",
    "GLOBAL FLAGS",
    "  -h, --help  Help"
  ].join("\n")

  it("reads the subcommands of a help page", () => {
    expect(ShellCommand.subcommandsIn(help)).toEqual(["details", "serve"])
  })

  it.each([
    ["A1 -p compact --no-ordered --port=0 -h", []],
    ["--projection wide", ["wide is not a choice of --projection"]],
    ["--projection all --by cid --dialect second --ordered", []],
    ["--by name --dialect third", ["name is not a choice of --by", "third is not a choice of --dialect"]],
    ["--ports 1", ["there is no flag --ports"]],
    ["--ordered=yes --port", ["--ordered takes no value", "--port needs a value"]],
    ["-- --anything", []]
  ])("checks %j", (args, expected) => {
    expect(ShellCommand.problems(args.split(" "), ShellCommand.flagsIn(help))).toEqual(expected)
  })
})
