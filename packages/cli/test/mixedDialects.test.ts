/**
 * Runs the command in the wrong dialect, against `serve` in the other one, and against a gateway in front of both.
 * Existing records are found, or the run fails and names the setting to change. No existing identifier counts as
 * missing.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { folder, run } from "./process.ts"
import { lines } from "./scripted.ts"
import { type Dialect, dialects, gateway, serving } from "./servedDialects.ts"

const otherThan = (dialect: Dialect): Dialect => (dialect === "ctx" ? "specification" : "ctx")

const data = join(folder(), "db")
const count = 12
beforeAll(async () => {
  const generate = [
    "generate",
    "--count",
    `${count}`,
    "--seed",
    "7",
    "--assays",
    "0.3",
    "--database",
    data,
    "-q"
  ]
  expect(await run(generate)).toMatchObject({ code: 0 })
}, 300_000)

/** The lookups, each with the field of `all` that has its values. */
const lookups: ReadonlyArray<readonly [args: ReadonlyArray<string>, field: string | undefined]> = [
  [["details", "--fields", "dtxsid"], "dtxsid"],
  [["synonyms", "--fields", "dtxsid"], "dtxsid"],
  [["search", "equal", "--fields", "dtxsid,rank"], "casrn"],
  [["search", "equal", "--batch", "--fields", "dtxsid,rank"], "casrn"],
  [["msready", "dtxcid"], "dtxcid"],
  [["msready", "mass", "--tolerance", "0.02"], "monoisotopicMass"],
  // Services of both dialects accept some of these requests.
  [["msready", "mass", "--tolerance", "0.02", "--batch-size", "2"], "monoisotopicMass"],
  [["bioactivity", "data", "--fields", "m4id"], "dtxsid"],
  [["bioactivity", "data", "-p", "assay-summary-plot", "--fields", "aeid,hitc"], "dtxsid"],
  [["bioactivity", "summary", "--fields", "dtxsid,activeMc"], "dtxsid"],
  [["bioactivity", "aed", "--fields", "dtxsid,aeid"], "dtxsid"],
  [["all", "-p", "all-ids", "--fields", "dtxsid"], undefined]
]

/** The files with the values of the lookups. */
const inputsOf = async (env: Record<string, string>): Promise<(field: string) => string> => {
  const at = folder()
  const all = lines((await run(["all", "-q"], { env })).stdout)
  const compounds = lines((await run(["all", "-p", "all-ids", "-q"], { env })).stdout)
  return (field) => {
    const file = join(at, field)
    const values = (field === "dtxcid" ? compounds : all).map((record) => record[field])
    writeFileSync(file, values.filter((value) => value !== null).join("\n"))
    return file
  }
}

const sorted = (output: string): ReadonlyArray<string> => output.trimEnd().split("\n").sort()

/** The outcomes that a run reports for its values. */
const ledgerOf = (stderr: string): string | undefined => /^read .*$/m.exec(stderr)?.[0]

type Ask = (
  args: ReadonlyArray<string>
) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>

/** Runs every lookup, and compares it with the same one in the right dialect. Returns the refused lookups. */
const refusedOf = async (direct: Ask, tested: Ask, input: (field: string) => string, dialect: Dialect) => {
  const refused: Array<string> = []
  for (const [args, field] of lookups) {
    const name = args.join(" ").replace(/ --fields.*/, "")
    const all = [...args, ...(field === undefined ? [] : ["--input", input(field)])]
    const [right, ended] = [await direct(all), await tested(all)]
    expect(right.code, `${name}: ${right.stderr}`).toBe(0)
    const expected = sorted(right.stdout)
    if (ended.code === 0) {
      expect(sorted(ended.stdout), name).toEqual(expected)
      expect(ledgerOf(ended.stderr), name).toBe(ledgerOf(right.stderr))
    } else {
      refused.push(name)
      // The whole run is refused, or the values that no service accepts fail.
      expect(ended.stderr, name).toMatch(
        new RegExp(`set the dialect to ${otherThan(dialect)}|services of both dialects|\\+ [1-9]\\d* failed`)
      )
      const written = ended.stdout === "" ? [] : sorted(ended.stdout)
      expect(
        written.filter((line) => !expected.includes(line)),
        name
      ).toEqual([])
      // A value that is missing here is missing there.
      const [missing = 0, known = 0] = [ended, right].map(({ stderr }) =>
        Number(/\+ (\d+) missing/.exec(stderr)?.[1] ?? 0)
      )
      expect(missing, name).toBeLessThanOrEqual(known)
    }
  }
  return refused
}

describe("a run in the wrong dialect", () => {
  const told: { readonly [D in Dialect]: ReadonlyArray<string> } = {
    specification: [
      "search equal --batch",
      "msready dtxcid",
      "msready mass --tolerance 0.02",
      "msready mass --tolerance 0.02 --batch-size 2",
      "bioactivity data -p assay-summary-plot"
    ],
    ctx: ["search equal --batch", "bioactivity data -p assay-summary-plot", "all -p all-ids"]
  }

  it.each(dialects)(
    "finds the records, or stops with the setting to change: %s",
    async (dialect) => {
      const service = await serving(otherThan(dialect), "--database", data)
      const input = await inputsOf({ ...service.env, CHEMSTREAM_DIALECT: otherThan(dialect) })
      const refused = await refusedOf(service.ask, (args) => service.ask(args, dialect), input, dialect)
      expect(refused).toEqual(told[dialect])
    },
    300_000
  )

  it("stops at its first response", async () => {
    for (const [dialect, ...args] of [
      ["specification", "search", "equal", "--batch", "benzene", "80-05-7"],
      ["specification", "msready", "mass", "228.115", "100"],
      ["specification", "msready", "dtxcid", "DTXCID30182", "DTXCID505"],
      ["ctx", "search", "equal", "--batch", "benzene", "80-05-7"],
      ["ctx", "all"]
    ] as const) {
      const service = await serving(otherThan(dialect))
      const { code, requests, stderr } = await service.ask(args, dialect)
      expect(code, args.join(" ")).toBe(1)
      expect(stderr).toContain(`--dialect ${otherThan(dialect)} or CHEMSTREAM_DIALECT`)
      expect(requests, args.join(" ")).toHaveLength(1)
    }
  }, 300_000)
})

describe("a gateway in front of services of both dialects", () => {
  it.each(dialects)(
    "never loses an identifier of a run in %s without a message",
    async (dialect) => {
      const both = [
        await serving("specification", "--database", data, "--page-size", "5"),
        await serving("ctx", "--database", data, "--page-size", "5")
      ] as const
      const right = both[dialect === "ctx" ? 1 : 0]
      const url = await gateway(1, [both[0].url, both[1].url])
      const env = { ...right.env, CHEMSTREAM_BASE_URL: url, CHEMSTREAM_DIALECT: dialect }
      const input = await inputsOf({ ...right.env, CHEMSTREAM_DIALECT: dialect })
      const refused = await refusedOf(right.ask, (args) => run(args, { env }), input, dialect)
      // Lookups that both services accept in the same form are never refused.
      expect(
        refused.filter((name) => /^(details|synonyms|search equal$|bioactivity (summary|data$))/.test(name))
      ).toEqual([])
    },
    300_000
  )
})
