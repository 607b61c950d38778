import { execFile } from "node:child_process"
import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Rows } from "@chemstream/api"
import { afterAll, describe, expect, it } from "vitest"
import * as HelpPages from "../scripts/helpPages.ts"
import { command, environment, folder, run, sharedService } from "./process.ts"
import { lines } from "./scripted.ts"

const id = "DTXSID7020182"

/** There is no service: a command that passes the check of files has another exit code than 2. */
const nowhere = { CHEMSTREAM_BASE_URL: "http://127.0.0.1:1", CHEMSTREAM_API_KEY: "k" }

/** The files below a folder, with their content. */
const contents = (at: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(at, { recursive: true, encoding: "utf8" })
      .sort()
      .map((name) => [
        name,
        statSync(join(at, name)).isDirectory() ? "folder" : readFileSync(join(at, name), "latin1")
      ])
  )

/** A folder with a file of identifiers under several names, a key, a database and a file of errors. */
const setUp = (): string => {
  const at = folder()
  writeFileSync(join(at, "ids"), `${id}\n`)
  symlinkSync("ids", join(at, "link"))
  linkSync(join(at, "ids"), join(at, "hard"))
  for (const ending of ["html", "svg", "ndjson", "sqlite"]) symlinkSync("ids", join(at, `ids.${ending}`))
  for (const ending of ["html", "svg", "ndjson"]) symlinkSync("key", join(at, `key.${ending}`))
  writeFileSync(join(at, "key"), "k\n")
  writeFileSync(join(at, "errors"), `${JSON.stringify({ id, outcome: "failed", error: {}, line: 1 })}\n`)
  mkdirSync(join(at, "made", "parts"), { recursive: true })
  for (const name of [
    "made/parts/ids",
    "made/manifest.json",
    "made/chunks.json",
    "made/harvest.json",
    "made/problems.ndjson",
    "made/records.ndjson",
    "made/.writing-1",
    "db-wal",
    "out.part",
    "out.partial",
    "out.lock",
    "out.checkpoint",
    "out.checkpoint.new",
    "out.checkpoint.lock",
    "out.part-0123-1-0123456789ab",
    "saved.new",
    "saved.lock",
    "details.ndjson"
  ]) {
    writeFileSync(join(at, name), `${id}\n`)
  }
  return at
}

const tried: Array<Promise<unknown>> = []

/** Runs a shell command in a folder of `setUp`. `chemstream` is the command in it. */
const shell = async (script: string): Promise<{ readonly code: number; readonly stderr: string }> => {
  const at = setUp()
  const before = contents(at)
  // Without --norc, bash would read the settings of the user: its standard input is a socket, as in a remote shell.
  const functionOf = 'chemstream() { timeout 120 "$NODE" "$COMMAND" "$@"; }'
  const ended = promisify(execFile)("bash", ["--norc", "-c", `${functionOf}; ${script}`], {
    cwd: at,
    env: environment({ ...nowhere, NODE: process.execPath, COMMAND: command })
  }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { readonly code: number; readonly stderr: string }) => ({ code, stderr })
  )
  tried.push(ended)
  const { code, stderr } = await ended
  expect(contents(at), `${script}\n${stderr}`).toEqual(before)
  return { code, stderr }
}

afterAll(() => Promise.all(tried))

/** Commands that write one of their inputs, with the two options and the file of the refusal. */
const same: ReadonlyArray<readonly [string, string, string, string]> = [
  // The options of a lookup.
  ["details --input ids --output ids", "--input", "--output", "ids"],
  ["details --input ids --errors ids", "--input", "--errors", "ids"],
  ["details --input ids --json-summary ids", "--input", "--json-summary", "ids"],
  ["details --input ids --output out --checkpoint ids", "--input", "--checkpoint", "ids"],
  [`details ${id} --api-key-file key --output key -f csv`, "--api-key-file", "--output", "key"],
  [`details ${id} --api-key-file key --errors key`, "--api-key-file", "--errors", "key"],
  // The same file by other paths.
  ["details --input ids --errors ./ids", "--input", "--errors", "./ids"],
  ["details --input ids --errors made/../ids", "--input", "--errors", "made/../ids"],
  ["details --input ids --errors link", "--input", "--errors", "link"],
  ["details --input link --errors ids", "--input", "--errors", "ids"],
  ["details --input ids --errors hard", "--input", "--errors", "hard"],
  ["details --input hard --checkpoint link --output out", "--input", "--checkpoint", "link"],
  ["details --input ids --errors /dev/fd/3 3<> ids", "--input", "--errors", "/dev/fd/3"],
  ["details --input /dev/fd/3 --errors ids 3< ids", "--input", "--errors", "ids"],
  ["details --errors ids < ids", "standard input", "--errors", "ids"],
  ["details --input - --output hard < ids", "standard input", "--output", "hard"],
  ["details --input ids >> ids", "--input", "standard output", "ids"],
  ["details --input ids 2>&1 >/dev/null 2>> ids", "--input", "standard error", "ids"],
  ["details < ids 1<> ids", "standard input", "standard output", ""],
  // Two outputs.
  [`details ${id} --output out --errors ./out`, "--output", "--errors", "./out"],
  [`details ${id} --output new/../out --errors made/../out`, "--output", "--errors", "made/../out"],
  [`details ${id} --errors key --json-summary key.ndjson`, "--errors", "--json-summary", "key.ndjson"],
  [`details ${id} --errors key >> key`, "--errors", "standard output", "key"],
  [`details ${id} --json-summary key 2>> key`, "--json-summary", "standard error", "key"],
  // The other lookup commands have the same options.
  ["search equal --input ids --errors ids", "--input", "--errors", "ids"],
  ["formula exact --input ids --errors ids", "--input", "--errors", "ids"],
  ["msready formula --input ids --errors ids", "--input", "--errors", "ids"],
  ["synonyms --input ids --errors ids", "--input", "--errors", "ids"],
  ["bioactivity summary --input ids --errors ids", "--input", "--errors", "ids"],
  ["resolve --input ids --errors ids", "--input", "--errors", "ids"],
  ["suspects --input ids --output ids", "--input", "--output", "ids"],
  // Others.
  ["all --api-key-file key --output key.ndjson", "--api-key-file", "--output", "key.ndjson"],
  ["all --api-key-file key --json-summary key", "--api-key-file", "--json-summary", "key"],
  ["all --output out --checkpoint ./out", "--output", "--checkpoint", "./out"],
  ["validate --lookup --api-key-file key --output key 80-05-8", "--api-key-file", "--output", "key"],
  ["validate --input ids --output hard", "--input", "--output", "hard"],
  ["validate --output ids < ids", "standard input", "--output", "ids"],
  ["show --input ids --output ids.html", "--input", "--output", "ids.html"],
  [`show ${id} --api-key-file key --output key.html`, "--api-key-file", "--output", "key.html"],
  ["report --input ids --output ids.html", "--input", "--output", "ids.html"],
  ["report --output ids.html < ids", "standard input", "--output", "ids.html"],
  ["plot bioactivity --input ids --output ids.svg", "--input", "--output", "ids.svg"],
  ["plot curve --input ids --output ids.svg", "--input", "--output", "ids.svg"],
  ["report --api-key-file key --output key.html ID", "--api-key-file", "--output", "key.html"],
  ["plot bioactivity --api-key-file key --output key.svg ID", "--api-key-file", "--output", "key.svg"],
  ["plot curve --api-key-file key --output key.svg 1", "--api-key-file", "--output", "key.svg"],
  ["show --input ids --grid ids.html", "--input", "--grid", "ids.html"],
  ...["ranking", "heat-map"].flatMap((plot) => [
    [`plot ${plot} --input ids --output ids.svg`, "--input", "--output", "ids.svg"] as const,
    [`plot ${plot} --api-key-file key --output key.svg ID`, "--api-key-file", "--output", "key.svg"] as const
  ]),
  ["convert --join ids --on dtxsid key.ndjson ids.ndjson", "--join", "the output", "ids.ndjson"],
  ["retry errors -- details --output errors -f csv", "ERRORS", "--output", "errors"],
  ["retry errors -- details --json-summary errors", "ERRORS", "--json-summary", "errors"],
  ["retry - -- details --json-summary errors < errors", "ERRORS", "--json-summary", "errors"],
  ["retry errors -- details --errors /dev/fd/3 3<> errors", "ERRORS", "--errors", "/dev/fd/3"],
  ["import ids --kind details --database hard", "FILE", "--database", "hard"],
  ["import key ids --kind details --database ids", "FILE", "--database", "ids"],
  ["generate --count 1 --database key 2>> key", "--database", "standard error", "key"],
  ["doctor --api-key-file key >> key", "--api-key-file", "standard output", "key"],
  ["api GET /chemical/all --api-key-file key >> key", "--api-key-file", "standard output", "key"],
  ["api POST /chemical/all --data @ids >> ids", "--data", "standard output", "ids"],
  ["serve --port 0 --api-keys-file key 2>> key", "--api-keys-file", "standard error", "key"],
  ["serve --port 0 --database key 2>> key", "--database", "standard error", "key"],
  ["serve --port 0 --database key --harvests key", "--database", "--harvests", "key"],
  ["mcp --api-key-file key --harvests key", "--api-key-file", "--harvests", "key"],
  ["harvest start a --input ids --output ids.sqlite#t", "--input", "--output", "ids.sqlite"],
  ["harvest start a --output ids.sqlite#t < ids", "standard input", "--output", "ids.sqlite"],
  ["harvest start a --input ids --output made --database ids", "--input", "--database", "ids"],
  ["harvest start a --input ids --mirror m --report ids", "--input", "--report", "ids"],
  [`harvest start a ${id} --output x.db#t --database x.db`, "--output", "--database", "x.db"],
  [`harvest start a ${id} --mirror m --report x --database x`, "--report", "--database", "x"],
  [
    `harvest start a ${id} --output x --api-key-file key --database key`,
    "--api-key-file",
    "--database",
    "key"
  ],
  ["harvest worker --api-key-file key --database key", "--api-key-file", "--database", "key"],
  [
    "CHEMSTREAM_HARVESTS=ids; export CHEMSTREAM_HARVESTS; chemstream harvest start a --input ids --output made",
    "--input",
    "CHEMSTREAM_HARVESTS",
    "ids"
  ],
  [
    "harvest start a --input made/records.ndjson --output made/records.ndjson",
    "--input",
    "--output",
    "made/records.ndjson"
  ],
  // The metrics of a command that sends requests.
  ...[
    `details ${id}`,
    "all",
    "validate --lookup 80-05-8",
    "show ID",
    "report --output new.html ID",
    ...["bioactivity", "ranking", "heat-map"].map((plot) => `plot ${plot} --output new.svg ID`),
    "plot curve --output new.svg 1",
    "api GET /chemical/all",
    "mcp",
    `harvest start a ${id} --output made`,
    "harvest worker"
  ].map(
    (words) =>
      [`${words} --api-key-file key --metrics-file key`, "--api-key-file", "--metrics-file", "key"] as const
  ),
  ...["status a", "pause a", "resume a", "cancel a", "delete a", "retry a", "verify a", "list"].map(
    (words) => [`harvest ${words} --database key >> key`, "--database", "standard output", "key"] as const
  )
]

/** Commands with an input that is a temporary file of an output, or in a folder of its files. */
const besides: ReadonlyArray<readonly [string, string, string, string]> = [
  ["details --input saved.new --output out --checkpoint saved", "--input", "--checkpoint", "saved.new"],
  ["details --input saved.lock --output out --checkpoint saved", "--input", "--checkpoint", "saved.lock"],
  ["details --input out.part --output out --checkpoint saved", "--input", "--output", "out.part"],
  ["details --input out.part --output x --errors out --checkpoint saved", "--input", "--errors", "out.part"],
  [
    "details --input out.part-0123-1-0123456789ab --output out",
    "--input",
    "--output",
    "out.part-0123-1-0123456789ab"
  ],
  ...["part", "partial", "lock", "checkpoint", "checkpoint.new", "checkpoint.lock"].map(
    (ending) =>
      [`details --input out.${ending} --output out`, "--input", "--output", `out.${ending}`] as const
  ),
  ["details --input out.part --output x --errors out", "--input", "--errors", "out.part"],
  ["details --input out.partial --output x.csv --errors out", "--input", "--errors", "out.partial"],
  ["details --output out < out.part", "standard input", "--output", ""],
  ["all --api-key-file out.checkpoint --output out", "--api-key-file", "--output", "out.checkpoint"],
  [
    `details ${id} --output out --json-summary out.checkpoint`,
    "--json-summary",
    "--output",
    "out.checkpoint"
  ],
  [`details ${id} --output out --errors out.part`, "--errors", "--output", "out.part"],
  [`details ${id} --output out --errors out.part --checkpoint saved`, "--errors", "--output", "out.part"],
  ["details --output out < out.part-0123-1-0123456789ab", "standard input", "--output", ""],
  ["harvest start a --output made < made/parts/ids", "standard input", "--output", ""],
  ["import db-wal --kind details --database db", "FILE", "--database", "db-wal"],
  ...[
    "made/parts/ids",
    "made/manifest.json",
    "made/chunks.json",
    "made/harvest.json",
    "made/problems.ndjson",
    "made/.writing-1"
  ].map((file) => [`harvest start a --input ${file} --output made`, "--input", "--output", file] as const),
  [
    "harvest start a --input ids --mirror m --report made/x --database made/.writing-x-12",
    "--database",
    "--report",
    "made/.writing-x-12"
  ],
  ["demo --out-dir made 2>> made/problems.ndjson", "standard error", "--out-dir", "made/problems.ndjson"],
  ["generate --count 1 --output . 2>> details.ndjson", "standard error", "--output", "details.ndjson"]
]

const lineOf = (line: string): string => (line.startsWith("CHEMSTREAM") ? line : `chemstream ${line}`)

describe("an output on the file of an input or another output", { concurrent: true }, () => {
  it.each(same)("is refused before anything is written: %s", async (line, one, other, file) => {
    const isSaid = `chemstream: ${one} and ${other} name the same file${file === "" ? "" : `: ${file}`}. Give each a file of its own.\n`
    // If the file is standard error, any message would change it.
    const isSilent = other === "standard error"
    expect(await shell(lineOf(line))).toEqual({ code: 2, stderr: isSilent ? "" : isSaid })
  })

  it.each(besides)("is refused for its temporary files, too: %s", async (line, one, other, file) => {
    const isSilent = one === "standard error"
    expect(await shell(lineOf(line))).toEqual({
      code: 2,
      stderr: isSilent
        ? ""
        : `chemstream: ${one} names a file that ${other} also writes${file === "" ? "" : `: ${file}`}. Give each a file of its own.\n`
    })
  })

  it("is refused for the settings, which every command reads", async () => {
    const at = setUp()
    const env = { ...nowhere, XDG_CONFIG_HOME: at }
    mkdirSync(join(at, "chemstream"))
    const settings = join(at, "chemstream", "settings.json")
    writeFileSync(settings, '{"baseUrl":"http://127.0.0.1:1"}\n')
    const ended = await run(["details", id, "--errors", settings], { cwd: at, env })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toBe(
      `chemstream: the settings and --errors name the same file: ${settings}. Give each a file of its own.\n`
    )
    const set = await promisify(execFile)(
      "bash",
      [
        "--norc",
        "-c",
        '"$0" "$1" config set api-key < "$2" 2>&1; echo $?',
        process.execPath,
        command,
        settings
      ],
      { env: environment(env) }
    )
    expect(set.stdout).toBe(
      `chemstream: standard input and the settings name the same file: ${settings}. Give each a file of its own.\n2\n`
    )
    expect(readFileSync(settings, "utf8")).toBe('{"baseUrl":"http://127.0.0.1:1"}\n')
  })

  it("is tested for every option with a file and for every command", async () => {
    const cases = [...same, ...besides].map(([line]) => line)
    const isOfFile = (type: string): boolean => /^(FILE|DIR|FOLDER|PATH|FILE\|URL|FILE\|FOLDER\/)$/.test(type)
    const lookups = [...Rows.families.map(({ word }) => word), "resolve", "suspects"]
    const seen: Array<string> = []
    for (const { help, path } of await HelpPages.read()) {
      if (help.subcommands !== undefined) continue
      const words = path.slice(1).join(" ")
      // The files of `mcp --output-dir` are new, with random names. Those of `files --out-dir` are named by identifiers.
      const isFolder = (name: string): boolean =>
        name === "output-dir" || (name === "out-dir" && path[1] === "files")
      const options = help.flags
        .filter(({ name, type }) => isOfFile(type) && !isFolder(name))
        .map(({ name }) => `--${name}`)
      // These share their options, so `details` stands for all of them.
      const name = lookups.includes(path[1] ?? "") ? "details" : words
      for (const option of options) {
        seen.push(option)
        const isCovered = cases.some((line) => line.includes(`${name} `) && line.includes(`${option} `))
        if (!isCovered) expect.soft(`${words} ${option}`).toBe("covered")
      }
    }
    expect(new Set(seen)).toEqual(
      new Set([
        "--input",
        "--output",
        "--errors",
        "--json-summary",
        "--metrics-file",
        "--join",
        "--grid",
        "--checkpoint",
        "--api-key-file",
        "--api-keys-file",
        "--database",
        "--harvests",
        "--report",
        "--out-dir"
      ])
    )
  })
})

describe("an output beside its input", { concurrent: true }, () => {
  it("is accepted: a device, the same standard stream twice, one log for both streams, and files of other names", async () => {
    const { env } = await sharedService()
    const at = setUp()
    const read = async (script: string): Promise<string> => {
      const { stdout } = await promisify(execFile)(
        "bash",
        ["--norc", "-c", script, process.execPath, command],
        {
          cwd: at,
          env: environment(env)
        }
      )
      return stdout
    }
    const details = `"$0" "$1" details -q --fields dtxsid`
    const record = `{"dtxsid":"${id}"}\n`
    expect(await read(`${details} -i ids --errors /dev/null --json-summary /dev/null`)).toBe(record)
    expect(await read(`${details} -i ids -o /dev/stdout --errors /dev/fd/1`)).toBe(record)
    expect(await read(`${details} -i ids --errors /dev/stderr > log 2>&1; cat log`)).toBe(record)
    expect(await read(`${details} < ids --errors ids2 -o ids3; cat ids3`)).toBe(record)
    expect(await read(`${details} /dev/null < /dev/null 2>&1 || true`)).not.toContain("same file")
    expect(readFileSync(join(at, "ids"), "utf8")).toBe(`${id}\n`)
  })

  it("may be the errors file only for retry, which reads it whole before it replaces it", async () => {
    const { env } = await sharedService()
    const at = setUp()
    const args = ["--fields", "dtxsid", "--errors", "errors", "-q"]
    const ended = await run(["retry", "errors", "--", "details", ...args], { cwd: at, env })
    expect(ended).toEqual({ code: 0, stdout: `{"dtxsid":"${id}"}\n`, stderr: "" })
    expect(lines(readFileSync(join(at, "errors"), "utf8"))).toEqual([])
  })

  it("is refused if the command reads its errors file without retry", async () => {
    expect(await shell("chemstream details --input errors --errors errors")).toMatchObject({ code: 2 })
  })
})
