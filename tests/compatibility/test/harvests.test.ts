import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as TestPostgres from "../../../packages/workflow/test/testPostgres.ts"
import * as Command from "../src/Command.ts"
import * as Fixtures from "../src/Fixtures.ts"
import * as Gateway from "../src/Gateway.ts"
import * as Harvests from "../src/Harvests.ts"
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

/** The valid identifiers of the input, each once. */
const ids = [...new Set(Fixtures.read("inputs", "ids.txt").trim().split("\n"))].filter((id) =>
  /^DTXSID\d+$/.test(id)
)

/** Starts or continues a harvest, and waits for its end. Returns the requested identifiers. */
const perform = async (harvest: Runs.StoppedHarvest, cwd: string, database?: string) => {
  gateway.reset()
  const ended = await Command.run(Runs.harvestCommandOf(harvest, database), { cwd, env: gateway.env })
  expect(ended).toEqual({ code: 0, stdout: "", stderr: "" })
  return gateway.requests.flatMap(({ body }): ReadonlyArray<string> => JSON.parse(body))
}

/** The files below a folder with records and problems. */
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ndjson$|tally\.json$/.test(name))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "utf8")])

/** What a harvest has written. */
const resultOf = async ({ args }: Runs.StoppedHarvest, cwd: string, database = "harvests.db") => {
  const output = args[args.indexOf("-o") + 1] ?? ""
  const query = Tables.ofOutput(
    cwd,
    args.includes("--mirror") || output.startsWith("#") ? `${database}#` : output
  )
  if (query === undefined) return filesOf(join(cwd, "out"))
  if (!args.includes("--mirror"))
    return Tables.rows(query, ["chemicals", "chemicals_outcomes", "chemicals_surplus"])
  const report = readFileSync(join(cwd, "changes.ndjson"), "utf8").split("\n").sort()
  return { report, ...(await Tables.rows(query, ["chemstream_mirror"], "mirror, id, outcome, records")) }
}

/** Continues a stored harvest, and compares it with an undisturbed one. */
const expectContinued = async (
  harvest: Runs.StoppedHarvest,
  cwd: string,
  stored?: string,
  fresh?: string
) => {
  const requested = await perform(harvest, cwd, stored)
  const undisturbed = copy("inputs")
  const all = await perform(harvest, undisturbed, fresh)
  expect([...new Set(all)].sort()).toEqual([...ids].sort())
  // Each lookup requests the identifiers of the missing chunks once.
  const lookups = all.length / ids.length
  const settled = Fixtures.read("inputs", "ids.txt")
    .split("\n")
    .slice(0, harvest.chunks * 5)
  const missing = ids.filter((id) => !settled.includes(id))
  expect(requested.sort()).toEqual(
    Array.from({ length: lookups }, () => missing)
      .flat()
      .sort()
  )
  expect(await resultOf(harvest, cwd, stored)).toEqual(await resultOf(harvest, undisturbed, fresh))
  const args = ["harvest", "status", harvest.name, "--json", "--database", stored ?? "harvests.db"]
  const { stdout } = await Command.run(args, { cwd, env: gateway.env })
  expect(JSON.parse(stdout)).toMatchObject({ state: "finished", tally: { read: 41, failed: 0 } })
}

describe("a harvest of an earlier release", () => {
  it.each(Runs.harvests)("finishes with every identifier exactly once: $name", async (harvest) => {
    const cwd = copy("inputs", `harvests/${harvest.name}`)
    Harvests.move(cwd)
    await expectContinued(harvest, cwd)
  })

  it.for(Runs.postgresHarvests)(
    "in a Postgres finishes with every identifier exactly once: $name",
    async (harvest, test) => {
      const { url: stored } = await TestPostgres.forTest(test)
      const { url: fresh } = await TestPostgres.forTest(test)
      const cwd = copy("inputs", `harvests/${harvest.name}`)
      await Harvests.restore(cwd, stored)
      await expectContinued(harvest, cwd, stored, fresh)
    }
  )

  it("leaves a mirror whose records are compared with those of the service", async () => {
    const cwd = copy("inputs", "harvests/mirror")
    Harvests.move(cwd)
    const [harvest] = Runs.harvests.filter(({ name }) => name === "mirror")
    if (harvest === undefined) throw new Error("there is no mirror")
    await perform(harvest, cwd)
    const added = readFileSync(join(cwd, "changes.ndjson"), "utf8").trim().split("\n")
    expect(added.every((line) => JSON.parse(line).change === "added")).toBe(true)
    expect(added).toHaveLength(36)
    await perform({ ...harvest, name: "again" }, cwd)
    expect(readFileSync(join(cwd, "changes.ndjson"), "utf8")).toBe("")
  })
})
