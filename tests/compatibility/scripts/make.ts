// Made the fixtures of the release that this checkout is. It is kept to show how they were made: fixtures of a release
// are never made again, and a release that changes a format gets a folder of its own.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { hostname, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { Effect } from "effect"
import * as Server from "../../../packages/workflow/test/postgres.ts"
import * as Cache from "../src/Cache.ts"
import * as Command from "../src/Command.ts"
import { root } from "../src/Fixtures.ts"
import * as Gateway from "../src/Gateway.ts"
import * as Harvests from "../src/Harvests.ts"
import * as Postgres from "../src/Postgres.ts"
import * as Responses from "../src/Responses.ts"
import * as Runs from "../src/Runs.ts"
import { dump } from "./dump.ts"

if (existsSync(root)) throw new Error(`${root} exists, and fixtures are never made again`)
const work = mkdtempSync(join(tmpdir(), "chemstream-make-"))

const command = async (
  cwd: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
) => {
  const ended = await Command.run(args, { cwd, env })
  console.log(`${args.join(" ")}: ${ended.code} ${ended.stderr.trim().slice(0, 200)}`)
  return ended
}

/** The texts of this machine, each with the text that the fixtures have instead. */
const neutral: ReadonlyArray<readonly [string, string]> = [
  [`${hostname()}-`, "maker.test-"],
  [`${hostname()}:`, "maker.test:"]
]

/** Replaces a text in every column of a SQLite file. */
const replaceIn = (database: DatabaseSync, [from, to]: readonly [string, string]): void => {
  const tables = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  )
  for (const { name } of tables.all())
    for (const { name: column } of database
      .prepare("SELECT name FROM pragma_table_info(?)")
      .all(String(name)))
      database
        .prepare(
          `UPDATE "${name}" SET "${column}" = replace("${column}", ?, ?) WHERE instr("${column}", ?) > 0 AND typeof("${column}") = 'text'`
        )
        .run(from, to, from)
}

/** Stores a file. Databases are one file without a log, and compressed. */
const store = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  if (!/\.(?:sqlite|duckdb|db|cache)$/.test(from)) {
    cpSync(from, to)
    return
  }
  if (!from.endsWith(".duckdb")) {
    const database = new DatabaseSync(from)
    if (from.endsWith(".db")) {
      for (const one of [...neutral, [dirname(from), Harvests.folder] as const]) replaceIn(database, one)
      database.exec(`UPDATE chemstream_runners SET host = 'maker.test', socket = '/made/worker.sock'; VACUUM`)
    }
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
  }
  writeFileSync(`${to}.gz`, gzipSync(readFileSync(from), { level: 9 }))
}

/** Stores all files of a folder except the inputs and empty logs. */
const storeFolder = (from: string, to: string): void => {
  const files = readdirSync(from, { recursive: true, encoding: "utf8" })
  const isInput = (name: string) => existsSync(join(root, "inputs", name))
  for (const name of [...files].sort((one, other) => other.length - one.length)) {
    const file = join(from, name)
    if (/-(?:wal|shm)$/.test(name) || isInput(name) || statSync(file).isDirectory()) continue
    store(file, join(to, name))
  }
}

const until = async (isTrue: () => boolean | Promise<boolean>) => {
  while (!(await isTrue())) await setTimeout(20)
}

const inputs = join(root, "inputs")

/** Makes the records, the inputs and the database of the service. */
const makeService = async () => {
  await command(work, [..."generate -n 36 --seed 37 --assays 0.12 --no-fingerprints -o records".split(" ")])
  const database = join(work, "service.sqlite")
  for (const kind of ["details", "synonyms", "bioactivity", "aed"])
    await command(work, ["import", `records/${kind}.ndjson`, "--kind", kind, "-d", database, "-q"])
  store(database, join(root, "service", "service.sqlite"))
  mkdirSync(inputs, { recursive: true })
  const records = readFileSync(join(work, "records/details.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  const ids: Array<string> = records.map(({ dtxsid }) => dtxsid)
  const text = (lines: ReadonlyArray<unknown>) => `${lines.join("\n")}\n`
  // Some are unknown, one is a duplicate, one has a wrong check digit and one is no identifier.
  ids.splice(3, 0, "DTXSID7020182", "no identifier")
  ids.splice(20, 0, "DTXSID3039242", ids[1] as string, "DTXSID7020183")
  writeFileSync(join(inputs, "ids.txt"), text(ids))
  const values = records.map(({ dtxsid, preferredName }, at) => (at % 2 === 0 ? dtxsid : preferredName))
  values.splice(4, 0, "no such substance", values[0])
  const rows = values.map((value, at) => `S${at},"${value}",note ${at}`)
  writeFileSync(join(inputs, "table.csv"), text(["sample,substance,remark", ...rows]))
  writeFileSync(
    join(inputs, "rows.ndjson"),
    text(values.map((value, at) => JSON.stringify({ sample: `S${at}`, value })))
  )
  const masses = records.map(({ monoisotopicMass }) => monoisotopicMass).slice(0, 12)
  writeFileSync(join(inputs, "masses.txt"), text([...masses, 1]))
  const features = masses.map((mass, at) => ({ feature: `F${at}`, mz: (mass + 1.007276).toFixed(4) }))
  writeFileSync(
    join(inputs, "features.ndjson"),
    text([...features, { feature: "F99", mz: "x" }].map((one) => JSON.stringify(one)))
  )
  return { database, records, ids: ids.filter((id) => /^DTXSID\d+$/.test(id)) }
}

/** A new folder with the inputs. */
const folder = (name: string): string => {
  const at = join(work, name)
  cpSync(inputs, at, { recursive: true })
  return at
}

const makeRun = async (gateway: Gateway.Gateway, run: Runs.StoppedRun, address = "") => {
  const cwd = folder(run.name)
  const rule = Runs.ruleOf(run)
  const args = Runs.commandOf(run, address)
  gateway.reset(async (request, number) => {
    // The output cannot get its name while a folder has it.
    if (run.stop === "unnamed" && number === Runs.responsesOf(run)) mkdirSync(join(cwd, run.output))
    return rule(request, number)
  })
  if (run.stop === "interrupted") {
    // The first lines of an open input are settled, and then the run is interrupted.
    const input = readFileSync(join(inputs, run.input as string), "utf8")
      .split("\n")
      .slice(0, run.lines)
      .map((line) => `${line}\n`)
      .join("")
    const { child, ended } = Command.start(args, { cwd, env: gateway.env, input, isOpen: true })
    const part = join(cwd, `${run.output}.part`)
    await until(() => existsSync(part) && statSync(part).size > 0)
    child.kill("SIGINT")
    console.log(run.name, await ended)
  } else if (run.stop === "killed") {
    const { child, ended } = Command.start(args, { cwd, env: gateway.env })
    await until(() => gateway.requests.length > Runs.responsesOf(run))
    const file = join(cwd, run.output.split("#")[0] as string)
    await until(() => existsSync(run.output.includes("#") ? file : `${file}.checkpoint`))
    await setTimeout(500)
    child.kill("SIGKILL")
    await ended
  } else await command(cwd, args, gateway.env)
  if (run.stop === "unnamed") rmSync(join(cwd, run.output), { recursive: true })
  storeFolder(cwd, join(root, "runs", run.name))
  return cwd
}

const makeHarvest = async (gateway: Gateway.Gateway, harvest: Runs.StoppedHarvest, url?: string) => {
  const cwd = folder(harvest.name)
  gateway.reset(async (_, number) => {
    if (number > harvest.chunks * (harvest.args.includes("details,synonyms") ? 2 : 1))
      await new Promise<never>(() => {})
    return undefined
  })
  const { child, ended } = Command.start(Runs.harvestCommandOf(harvest, url), { cwd, env: gateway.env })
  await until(async () => {
    const { stdout } = await command(cwd, [
      "harvest",
      "status",
      harvest.name,
      "--json",
      "--database",
      url ?? "harvests.db"
    ])
    return stdout !== "" && JSON.parse(stdout).chunksDone >= harvest.chunks
  })
  child.kill("SIGKILL")
  await ended
  const to = join(root, "harvests", harvest.name)
  storeFolder(cwd, to)
  if (url === undefined) return
  mkdirSync(to, { recursive: true })
  await Postgres.query(url, "UPDATE chemstream_runners SET host = 'maker.test', socket = '/made/worker.sock'")
  const replacements = [
    ...neutral,
    [cwd, Harvests.folder],
    [Postgres.storedAddress(url), Harvests.address]
  ] as const
  const text = replacements.reduce((sql, [from, other]) => sql.replaceAll(from, other), await dump(url))
  writeFileSync(join(to, "harvests.sql"), text)
}

const { database, ids, records } = await makeService()
const gateway = await Gateway.start(database, work)
const postgres = await Server.start()
try {
  for (const run of Runs.runs) await makeRun(gateway, run)
  const { url } = await postgres.withDatabase("run")
  await makeRun(gateway, Runs.postgresRun, url)
  mkdirSync(join(root, "runs/postgres"), { recursive: true })
  writeFileSync(join(root, "runs/postgres/tables.sql"), await dump(url))
  for (const harvest of Runs.harvests) await makeHarvest(gateway, harvest)
  for (const harvest of Runs.postgresHarvests)
    await makeHarvest(gateway, harvest, (await postgres.withDatabase(harvest.name)).url)

  // The errors of a run whose service became unavailable.
  const failed = folder("failed")
  gateway.reset(async (_, number) => (number > 3 ? { status: 503, body: "" } : undefined))
  await command(
    failed,
    [
      ..."details -i ids.txt --batch-size 5 --concurrency 1 --retries 0 --wait 0 -q --errors errors.ndjson".split(
        " "
      )
    ],
    gateway.env
  )
  store(join(failed, "errors.ndjson"), join(root, "errors", "errors.ndjson"))

  // The settings.
  const home = folder("home")
  await Command.run(["config", "set", "base-url", Gateway.baseUrl], { cwd: home })
  await Command.run(["config", "set", "dialect", "specification"], { cwd: home })
  await Command.run(["config", "set", "api-key"], { cwd: home, input: Gateway.key })
  store(join(home, "chemstream/settings.json"), join(root, "settings/chemstream/settings.json"))

  // The cache of responses.
  gateway.reset()
  const cache = join(work, "responses.cache")
  console.log(await Effect.runPromise(Cache.ask(cache, gateway.proxyEnv["HTTP_PROXY"] as string)))
  store(cache, join(root, "cache", "responses.cache"))

  // The responses of the service.
  const [first, second] = records
  const assay =
    records.length > 0
      ? JSON.parse(readFileSync(join(work, "records/bioactivity.ndjson"), "utf8").split("\n")[0] as string)
      : {}
  const post = (path: string, values: ReadonlyArray<unknown>) => ({ path, body: JSON.stringify(values) })
  const get = (path: string) => ({ path })
  const formula = encodeURIComponent(first.molFormula)
  const mass = first.monoisotopicMass
  const all: ReadonlyArray<Responses.Request> = [
    get("/chemical/all"),
    get("/chemical/all?projection=all-ids"),
    ...["", "?projection=compact", "?projection=ntatoolkit"].map((query) =>
      get(`/chemical/detail/search/by-dtxsid/${first.dtxsid}${query}`)
    ),
    post("/chemical/detail/search/by-dtxsid/", ids),
    get(`/chemical/detail/search/by-dtxcid/${first.dtxcid}`),
    post("/chemical/detail/search/by-dtxcid/", [first.dtxcid, second.dtxcid]),
    get(`/chemical/search/equal/${first.preferredName}`),
    get(`/chemical/search/start-with/${first.preferredName.slice(0, 4)}`),
    get(`/chemical/search/contain/${first.preferredName.slice(3, 6)}`),
    get(`/chemical/search/by-exact-formula/${formula}`),
    get(`/chemical/search/by-msready-formula/${formula}`),
    get(`/chemical/count/by-exact-formula/${formula}`),
    get(`/chemical/count/by-msready-formula/${formula}`),
    get(`/chemical/msready/search/by-dtxcid/${first.dtxcid}`),
    post("/chemical/msready/search/by-dtxcid/", [first.dtxcid, second.dtxcid]),
    get(`/chemical/msready/search/by-formula/${formula}`),
    get(`/chemical/msready/search/by-mass/${mass - 0.01}/${mass + 0.01}`),
    get(`/chemical/synonym/search/by-dtxsid/${first.dtxsid}`),
    get(`/chemical/synonym/search/by-dtxsid/${first.dtxsid}?projection=ccd-synonyms`),
    post("/chemical/synonym/search/by-dtxsid/", ids),
    get(`/bioactivity/data/summary/search/by-dtxsid/${assay.dtxsid}`),
    get(`/bioactivity/data/summary/search/by-aeid/${assay.aeid}`),
    get(`/bioactivity/data/search/by-spid/${assay.spid}`),
    get(`/bioactivity/data/search/by-m4id/${assay.m4id}`),
    get(`/bioactivity/data/search/by-dtxsid/${assay.dtxsid}`),
    get(`/bioactivity/data/search/by-aeid/${assay.aeid}`),
    get(`/bioactivity/data/aed/search/by-dtxsid/${assay.dtxsid}`),
    post("/bioactivity/data/search/by-dtxsid/", ids),
    post("/bioactivity/data/aed/search/by-dtxsid", ids)
  ]
  const responses = await Responses.ask(gateway.upstream, all)
  for (const { request, status } of responses) console.log(status, request.path)
  writeFileSync(
    join(root, "service/responses.json.gz"),
    gzipSync(JSON.stringify(responses, null, 1), { level: 9 })
  )
} finally {
  await gateway.stop()
  await postgres.stop()
  rmSync(work, { recursive: true })
}
