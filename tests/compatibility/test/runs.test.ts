import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, zstdDecompressSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as TestPostgres from "../../../packages/workflow/test/testPostgres.ts"
import * as Command from "../src/Command.ts"
import * as Fixtures from "../src/Fixtures.ts"
import * as Gateway from "../src/Gateway.ts"
import * as Postgres from "../src/Postgres.ts"
import * as Runs from "../src/Runs.ts"
import * as Tables from "../src/Tables.ts"

const folders: Array<string> = []
const copy = (...names: ReadonlyArray<string>): string => {
  const folder = Fixtures.copy(...names)
  folders.push(folder)
  return folder
}

let gateway: Gateway.Gateway

beforeAll(async () => {
  const folder = copy("service")
  gateway = await Gateway.start(join(folder, "service.sqlite"), folder)
})

afterAll(async () => {
  await gateway.stop()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** Runs the command of a run in a folder. Returns the length of all its requests. */
const perform = async (run: Runs.StoppedRun, cwd: string, address = "") => {
  gateway.reset()
  const input = run.input === undefined ? undefined : Fixtures.read("inputs", run.input)
  const ended = await Command.run(Runs.commandOf(run, address), { cwd, env: gateway.env, input })
  return { ...ended, requests: gateway.requests.map(({ body, path }) => path + body).join("").length }
}

/** The content of a file of lines, decompressed. */
const textOf = (file: string): string => {
  const bytes = readFileSync(file)
  if (file.endsWith(".gz")) return gunzipSync(bytes).toString()
  return (file.endsWith(".zst") ? zstdDecompressSync(bytes) : bytes).toString()
}

/** What a run has written. */
const resultOf = async ({ errors, isUnordered, output }: Runs.StoppedRun, cwd: string, address = "") => {
  const problems = errors === undefined ? "" : textOf(join(cwd, errors))
  const query = Tables.ofOutput(cwd, `${address}${output}`)
  if (query !== undefined) {
    const table = output.split("#")[1] ?? ""
    return { problems, ...(await Tables.rows(query, [table, `${table}_outcomes`])) }
  }
  const lines = textOf(join(cwd, output)).split("\n")
  return { problems, records: isUnordered ? lines.sort() : lines }
}

/** Gives a stored state another version of the command, because each version refuses the runs of others. */
const setVersion = async (run: Runs.StoppedRun, cwd: string, version: string, address = "") => {
  const change = (text: string) => text.replace(`"version":"${Fixtures.release}"`, `"version":"${version}"`)
  const query = Tables.ofOutput(cwd, `${address}${run.output}`)
  if (query === undefined) {
    const file = join(cwd, run.args.includes("saved") ? "saved" : `${run.output}.checkpoint`)
    writeFileSync(file, change(readFileSync(file, "utf8")))
    return
  }
  const table = `${run.output.split("#")[1]}_run`
  const [row] = await query(`SELECT state FROM ${table}`)
  await query(`UPDATE ${table} SET state = '${change(String(row?.["state"])).replaceAll("'", "''")}'`)
}

const current: string = JSON.parse(
  readFileSync(new URL(import.meta.resolve("chemstream/package.json")), "utf8")
).version

/** Continues a stored run, and compares it with an undisturbed one. */
const expectContinued = async (run: Runs.StoppedRun, cwd: string, addresses = { stored: "", fresh: "" }) => {
  await setVersion(run, cwd, current, addresses.stored)
  const continued = await perform(run, cwd, addresses.stored)
  const whole = copy("inputs")
  const undisturbed = await perform(run, whole, addresses.fresh)
  expect(continued).toMatchObject({ code: undisturbed.code, stdout: "" })
  expect(continued.requests).toBeLessThan(undisturbed.requests)
  if (run.stop === "unnamed") expect(continued.requests).toBe(0)
  expect(await resultOf(run, cwd, addresses.stored)).toEqual(await resultOf(run, whole, addresses.fresh))
  if (addresses.stored === "")
    expect(
      existsSync(join(cwd, `${run.output}.part`)) || existsSync(join(cwd, `${run.output}.checkpoint`))
    ).toBe(false)
}

describe("a stopped run of an earlier release", () => {
  it.each(Runs.runs.filter(({ refusal }) => refusal === undefined))(
    "is continued to the output of an undisturbed run: $name",
    async (run) => {
      await expectContinued(run, copy("inputs", `runs/${run.name}`))
    }
  )

  it("is continued in a Postgres to the tables of an undisturbed run", async (test) => {
    const { url: stored } = await TestPostgres.forTest(test)
    const { url: fresh } = await TestPostgres.forTest(test)
    const cwd = copy("inputs", "runs/postgres")
    await Postgres.restore(stored, readFileSync(join(cwd, "tables.sql"), "utf8"))
    await expectContinued(Runs.postgresRun, cwd, { stored, fresh })
  })

  it.each(Runs.runs.filter(({ refusal }) => refusal !== undefined))(
    "is refused with a way on if its rows have another format: $name",
    async (run) => {
      const cwd = copy("inputs", `runs/${run.name}`)
      await setVersion(run, cwd, current)
      const { code, requests, stderr } = await perform(run, cwd)
      expect({ code, requests }).toEqual({ code: 2, requests: 0 })
      expect(stderr).toContain(run.refusal)
      expect(stderr).toContain("add --no-resume to start over")
      const again = await perform({ ...run, args: [...run.args, "--no-resume"] }, cwd)
      expect(again).toMatchObject({ code: 0 })
    }
  )

  it.each(Runs.runs.filter(({ name }) => name === "ndjson" || name === "sqlite"))(
    "is refused with a way on if the version differs: $name",
    async (run) => {
      const cwd = copy("inputs", `runs/${run.name}`)
      await setVersion(run, cwd, "0.0.9")
      const { code, requests, stderr } = await perform(run, cwd)
      expect({ code, requests }).toEqual({ code: 2, requests: 0 })
      expect(stderr).toContain(`the version of chemstream is "${current}" now, and was "0.0.9"`)
      expect(stderr).toContain("add --no-resume to start over")
      const again = await Command.run([...Runs.commandOf(run), "--no-resume"], { cwd, env: gateway.env })
      expect(again).toMatchObject({ code: 0 })
    }
  )

  it("leaves an errors file that retry reads: it requests the failed values, and no others", async () => {
    const cwd = copy("errors")
    gateway.reset()
    const args = ["retry", "errors.ndjson", "--", "details", "--quiet"]
    const { code, stdout } = await Command.run(args, { cwd, env: gateway.env })
    expect(code).toBe(0)
    const failed = Fixtures.read("errors", "errors.ndjson")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ outcome }) => outcome === "failed")
      .map(({ id }) => id)
    expect(failed.length).toBeGreaterThan(20)
    expect(gateway.requests.flatMap(({ body }) => JSON.parse(body))).toEqual(failed)
    expect(
      stdout
        .trim()
        .split("\n")
        .every((line) => failed.includes(JSON.parse(line).dtxsid))
    ).toBe(true)
  })
})
