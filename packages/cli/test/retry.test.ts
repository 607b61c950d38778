import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const known = "DTXSID7020182"
const poisonous = "DTXSID3039242"
const unknown = "DTXSID0020232"

/** A service that fails for one identifier until it is repaired, and does not know another. */
const failing = async () => {
  let isWell = false
  const service = await scripted(({ ids }) =>
    !isWell && ids.includes(poisonous)
      ? { status: 500, body: "{}" }
      : { body: JSON.stringify(ids.filter((id) => id !== unknown).map((dtxsid) => ({ dtxsid }))) }
  )
  return {
    ...service,
    mend: () => {
      isWell = true
      service.requests.splice(0)
    }
  }
}

describe("chemstream retry", { concurrent: true }, () => {
  it("requests the failed identifiers of a run and no others, until none fails", async () => {
    const { env, mend, requests } = await failing()
    const at = folder()
    const errors = join(at, "errors.ndjson")
    const options = ["--retries", "0", "--errors", errors, "-q"]
    const first = await run(["details", known, poisonous, unknown, "nonsense", ...options], { env })
    expect(first).toMatchObject({ code: 1, stdout: `{"dtxsid":"${known}"}\n` })
    expect(
      lines(readFileSync(errors, "utf8"))
        .map(({ outcome }) => outcome)
        .sort()
    ).toEqual(["failed", "invalid", "missing"])
    requests.splice(0)
    const second = await run(["retry", errors, "--", "details", ...options], { env })
    expect(second).toMatchObject({ code: 1, stdout: "" })
    expect(requests.map(({ ids }) => ids)).toEqual([[poisonous]])
    mend()
    const third = await run(["retry", errors, "--", "details", ...options], { env })
    expect(third).toMatchObject({ code: 0, stdout: `{"dtxsid":"${poisonous}"}\n`, stderr: "" })
    expect(readFileSync(errors, "utf8")).toBe("")
    mend()
    expect(await run(["retry", errors, "--", "details", ...options], { env })).toMatchObject({ code: 0 })
    expect(requests).toEqual([])
  })

  it("requests missing and invalid identifiers with --also", async () => {
    const { env, mend, requests } = await failing()
    mend()
    const errors = join(folder(), "errors.ndjson")
    const line = (id: string, outcome: string) => `${JSON.stringify({ id, outcome, error: {}, line: 1 })}\n`
    writeFileSync(errors, line(known, "failed") + line(unknown, "missing") + line(poisonous, "invalid"))
    const retry = (...also: ReadonlyArray<string>) =>
      run(["retry", errors, ...also, "--", "details", "-q"], { env })
    await retry()
    await retry("--also", "missing")
    await retry("--also", "missing", "--also", "invalid")
    expect(requests.map(({ ids }) => ids)).toEqual([[known], [known, unknown], [known, unknown, poisonous]])
  })

  it("is the same as reading the errors file as input, which selects the failed identifiers of any command", async () => {
    const { env, mend, requests } = await failing()
    mend()
    const input = `{"id":"${known}","outcome":"failed"}\n{"id":"${unknown}","outcome":"missing"}\n`
    expect(await run(["details", "-q"], { env, input })).toMatchObject({ code: 0 })
    expect(await run(["retry", "-", "--", "details", "-q"], { env, input })).toMatchObject({ code: 0 })
    expect(requests.map(({ ids }) => ids)).toEqual([[known], [known]])
  })

  it("requests the failed rows of a table again, with their lines and columns", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "t.csv"), "n,casrn,name\n1,80-05-7,\n2,,Benzol\n3,,nothing known\n")
    const refusing = await scripted(() => ({ status: 500, body: "{}" }))
    const options = ["--key", "casrn,name", "--retries", "0", "--errors", "errors.ndjson", "-q"]
    const first = await run(["resolve", "-i", "t.csv", ...options], { env: refusing.env, cwd: at })
    expect(first.code).toBe(1)
    const failed = lines(readFileSync(join(at, "errors.ndjson"), "utf8"))
    expect(failed.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, "failed"],
      [3, "failed"],
      [4, "failed"]
    ])
    const again = ["retry", "errors.ndjson", "--", "resolve", ...options, "--output", "more.csv"]
    expect(await run(again, { env, cwd: at })).toMatchObject({ code: 0, stderr: "" })
    const rows = readFileSync(join(at, "more.csv"), "utf8").split("\r\n")
    expect(rows[0]?.startsWith("n,casrn,name,kind,status,")).toBe(true)
    expect(rows.slice(1, 4).map((row) => row.split(",").slice(0, 5).join())).toEqual([
      "1,80-05-7,,casrn,found",
      "2,,Benzol,name,found",
      "3,,nothing known,name,missing"
    ])
    const [missing] = lines(readFileSync(join(at, "errors.ndjson"), "utf8"))
    expect(missing).toMatchObject({ line: 4, outcome: "missing", carried: { n: "3" } })
    expect(JSON.stringify(missing?.["error"])).toContain("does not know nothing known")
  })

  it("requests failed features again, each as its own ion", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "f.tsv"), "mz\tion\n195.0877\t[M+H]+\n")
    const refusing = await scripted(() => ({ status: 500, body: "{}" }))
    const columns = ["--mz", "mz", "--adduct", "ion", "--retries", "0", "-q"]
    const first = ["suspects", "-i", "f.tsv", ...columns, "--errors", "errors.ndjson"]
    expect(await run(first, { env: refusing.env, cwd: at })).toMatchObject({ code: 1 })
    const ended = await run(["retry", "errors.ndjson", "--", "suspects", ...columns], { env, cwd: at })
    expect(ended.stderr).toBe("")
    expect(lines(ended.stdout)[0]).toMatchObject({ mz: "195.0877", ion: "[M+H]+", ion_found: "[M+H]+" })
  })

  it("has the exit code and the help of the command that it runs", async () => {
    const errors = join(folder(), "errors.ndjson")
    writeFileSync(errors, `{"id":"${known}","outcome":"failed"}\n`)
    const env = { CHEMSTREAM_BASE_URL: "http://127.0.0.1:1", CHEMSTREAM_API_KEY: "k" }
    const unreachable = await run(["retry", errors, "--", "details", "--retries", "0"], { env })
    expect(unreachable).toMatchObject({ code: 4, stdout: "" })
    const help = await run(["retry", errors, "--", "details", "--help"])
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("chemstream details [flags]") })
  })

  it.each<[string, ReadonlyArray<string>, RegExp]>([
    ["no command", [], /give the command to run again after --/],
    ["a command that takes no values", ["--", "all"], /one of details, search/],
    ["another input", ["--", "details", "--input=x"], /--input=x cannot be used with retry/],
    ["values", ["--", "details", known], /not both/],
    ["an option that is none", ["--", "details", "--colour"], /unknown option --colour/],
    ["a list of identifiers", ["--", "details"], /line 1 is not a line of an errors file/]
  ])("refuses %s in one line, and sends no request", async (_, args, line) => {
    const { env, requests } = await failing()
    const file = join(folder(), "ids.txt")
    writeFileSync(file, `${known}\n`)
    const ended = await run(["retry", file, ...args], { env })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(/^chemstream: [^\n]+\n$/)
    expect(ended.stderr).toMatch(line)
    expect(requests).toEqual([])
  })
})
