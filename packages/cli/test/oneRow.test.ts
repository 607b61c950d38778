/**
 * A fictitious endpoint: one row, and a file of records. Everything else derives from the row.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { ChemicalApi, JsonSchema, type Row } from "@chemstream/api"
import { ChemClient, type Dialect, PromiseClient } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Import, Service } from "@chemstream/service"
import { Identifiers, Lookup } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Effect, Layer, Redacted, type Scope, Stream } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { OpenApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as RecordKinds from "../src/endpoints/recordKinds.ts"
import { script } from "../src/help/completions.ts"
import { load } from "../src/index.ts"
import { ids, kinds, lines, rows, studies, toxval } from "./fictitiousRow.ts"
import { environment, folder } from "./process.ts"
import { scripted } from "./scripted.ts"

const unknown = "DTXSID7020637"

const of = (id: string): ReadonlyArray<string> =>
  lines.filter((line) => line.includes(id)).sort((a, b) => order(a) - order(b))

const order = (line: string): number => Number(/"toxvalId":(\d+)/.exec(line)?.[1])

/** The public service sends white space between tokens. */
const textOf = (record: RawRecord.RawRecord): string => RawRecord.toText(record).replace(/\s+/g, "")

const apiKey = Redacted.make("a-key")

/** Runs a program against a service of this dialect that has the row and its records. */
const serving = <A, E>(
  dialect: Dialect.Name,
  use: (url: string) => Effect.Effect<A, E, Scope.Scope>
): Promise<A> =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "chemstream-"))),
      (name) => Effect.sync(() => rmSync(name, { recursive: true, force: true }))
    )
    const file = join(folder, "toxval.ndjson")
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""))
    const database = join(folder, "chemicals.sqlite")
    const files = [file]
    expect(yield* Import.rowRecords(toxval, { database, files })).toMatchObject({ records: 12, replaced: 0 })
    expect(yield* Import.rowRecords(toxval, { database, files })).toMatchObject({ records: 12, replaced: 12 })
    yield* importStudies(folder, database)
    const served = [toxval, studies, kinds]
    const { url } = yield* Service.make({ database, keys: [apiKey], rows: served, dialect, pageSize: 2 })
    return yield* use(url)
  }).pipe(Effect.scoped, Effect.runPromise)

/** The study of a number. */
const study = (n: number): string => `{"studyType":"chronic","studyId":${n}}`

/** Imports five studies and two types of them. */
const importStudies = (folder: string, database: string) => {
  writeFileSync(join(folder, "studies.ndjson"), [5, 2, 1, 4, 3].map((n) => `${study(n)}\n`).join(""))
  writeFileSync(join(folder, "types.ndjson"), '{"name":"acute"}\n{"name":"chronic"}\n')
  return Effect.andThen(
    Import.rowRecords(studies, { database, files: [join(folder, "studies.ndjson")] }),
    Import.rowRecords(kinds, { database, files: [join(folder, "types.ndjson")] })
  )
}

const clientOf = (baseUrl: string, dialect: Dialect.Name) =>
  ChemClient.layer({ baseUrl, apiKey, dialect }).pipe(Layer.provide(FetchHttpClient.layer))

describe.each(["specification", "ctx"] as const)("one row, in the dialect %s,", (dialect) => {
  it("has calls for one value and a batch, as effects and as promises", () =>
    serving(dialect, (url) =>
      Effect.gen(function* () {
        const client = yield* ChemClient.ChemClient
        const { batch, get } = client.endpoint(toxval)
        expect(yield* get(ids[0])).toEqual(of(ids[0]).map((line) => JSON.parse(line)))
        expect(yield* batch([ids[2], unknown])).toEqual(of(ids[2]).map((line) => JSON.parse(line)))
        expect(yield* Effect.flip(batch([...ids, unknown]))).toMatchObject({ _tag: "BatchTooLarge" })
        const promises = yield* Effect.promise(() => PromiseClient.fromLayer(clientOf(url, dialect)))
        expect(yield* Effect.promise(() => promises.endpoint(toxval).get(ids[1]))).toHaveLength(4)
        yield* Effect.promise(() => promises.close())
      }).pipe(Effect.provide(clientOf(url, dialect)))
    ))

  it("has a lookup that sends batches and keeps the text of records", () =>
    serving(dialect, (url) =>
      Effect.gen(function* () {
        const outcomes = yield* Identifiers.fromIterable([...ids, unknown, "no identifier"]).pipe(
          Lookup.outcomes(Lookup.of(toxval)),
          Stream.runCollect
        )
        expect(
          outcomes.map((one) => [one._tag, one._tag === "Found" ? one.records.map(textOf) : one.id])
        ).toEqual([...ids.map((id) => ["Found", of(id)]), ["Missing", unknown], ["Invalid", "no identifier"]])
      }).pipe(Effect.provide(clientOf(url, dialect)))
    ))

  it("has pages, if it is paged, and no key, if it is a catalogue", () =>
    serving(dialect, (url) =>
      Effect.gen(function* () {
        const client = yield* ChemClient.ChemClient
        const pages = yield* Stream.runCollect(client.endpoint(studies).pages("chronic"))
        expect(pages.map(({ page, records }) => [page, records.map(({ studyId }) => studyId)])).toEqual([
          [1, [1, 2]],
          [2, [3, 4]],
          [3, [5]]
        ])
        expect(yield* Stream.runCollect(client.endpoint(studies).pages("acute"))).toEqual([])
        const types = yield* client.endpoint(kinds).get(undefined)
        expect(types.map(({ name }) => name).sort()).toEqual(["acute", "chronic"])
      }).pipe(Effect.provide(clientOf(url, dialect)))
    ))

  it("has routes of the service, which refuse what the row refuses", () =>
    serving(dialect, (url) =>
      Effect.promise(async () => {
        const send = (path: string, body?: unknown) =>
          fetch(`${url}${path}`, {
            headers: { "x-api-key": "a-key", "content-type": "application/json" },
            ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
          })
        const path = "/fiction/toxval/search/by-dtxsid/"
        expect(await (await send(`${path}${ids[0]}`)).json()).toHaveLength(4)
        const missing = await send(`${path}${unknown}`)
        expect(missing.status).toBe(dialect === "ctx" ? 200 : 404)
        expect((await send(path, [...ids, unknown])).status).toBe(dialect === "ctx" ? 400 : 413)
        expect((await fetch(`${url}${path}${ids[0]}`)).status).toBe(401)
        const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: object }
        expect(Object.keys(paths)).toContain("/fiction/toxval/search/by-dtxsid/{dtxsid}")
      })
    ))
})

describe("one row", () => {
  it("is in the OpenAPI document, with its record and its limit", () => {
    const { paths } = OpenApi.fromApi(ChemicalApi.make([toxval]))
    expect(Object.keys(paths)).toEqual([
      "/fiction/toxval/search/by-dtxsid/{dtxsid}",
      "/fiction/toxval/search/by-dtxsid/"
    ])
    const batch = JSON.stringify(paths["/fiction/toxval/search/by-dtxsid/"]?.post)
    expect(batch).toContain("Toxicity values of a batch of substances")
    expect(batch).toContain("toxvalNumeric")
  })
})

/** The bundle of the command that has the rows. It starts faster than its modules. */
const bundle = `rows-${process.pid}`
const bundleFolder = fileURLToPath(new URL(`../dist/${bundle}`, import.meta.url))
const rowScript = join(bundleFolder, "start.js")

beforeAll(async () => {
  const [entry, script] = ["fictitiousCommand.ts", "../scripts/bundle.ts"].map((file) =>
    fileURLToPath(new URL(file, import.meta.url))
  )
  await promisify(execFile)(process.execPath, [String(script), String(entry), bundle])
}, 120_000)

afterAll(() => rmSync(bundleFolder, { recursive: true, force: true }))

/** Runs the command that has the row, without standard input. Fails if it does. */
const run = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  cwd?: string
): Promise<string> => {
  const running = promisify(execFile)(process.execPath, [rowScript, ...args], { cwd, env: environment(env) })
  running.child.stdin?.end()
  return (await running).stdout
}

/** Returns the help of some words. */
const helpOf = (
  words: ReadonlyArray<string>,
  known: ReadonlyArray<Row.Row> = [toxval]
): Promise<HelpDoc.HelpDoc | undefined> =>
  Effect.gen(function* () {
    const command = yield* Effect.promise(() => load(words, known))
    let help: HelpDoc.HelpDoc | undefined
    const presenter: CliOutput.Presenter = {
      present: (event) =>
        Effect.sync(() => {
          if (event._tag === "Help") help = event.helpDoc
        })
    }
    const layer = Layer.mergeAll(NodeServices.layer, CliOutput.layerPresenter(presenter))
    yield* Effect.provide(Command.runWith(command, { version: "" })([...words, "--help"]), layer)
    return help
  }).pipe(Effect.runPromise)

/** Uses the assistants' server of the command. */
const withTools = async (
  env: Readonly<Record<string, string>>,
  use: (client: Client) => Promise<void>
): Promise<void> => {
  const client = new Client({ name: "test", version: "1" })
  const variables = Object.entries(environment(env)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  )
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [rowScript, "mcp"],
      env: Object.fromEntries(variables),
      stderr: "inherit"
    })
  )
  try {
    await use(client)
  } finally {
    await client.close()
  }
}

/** Lists and calls the tool of the row. */
const checkTool = async (client: Client): Promise<void> => {
  const { tools } = await client.listTools()
  expect(tools.find(({ name }) => name === "fiction")).toMatchObject({
    title: "Fiction",
    description: expect.stringMatching(/^Gives toxicity values, studies, types of studies\./)
  })
  const identifiers = [ids[0], unknown]
  const { structuredContent } = await client.callTool({ name: "fiction", arguments: { identifiers } })
  expect(structuredContent).toMatchObject({
    records: of(ids[0]).map((line) => JSON.parse(line)),
    ledger: { found: [{ identifier: ids[0], records: 4 }], missing: [{ identifier: unknown }] }
  })
}

describe("the command of one row", { concurrent: true }, () => {
  it("has words, help, an example and completions", async () => {
    const whole = await helpOf([])
    expect(whole?.subcommands?.[0]?.commands).toContainEqual(
      expect.objectContaining({ name: "fiction", description: "Toxicity values of substances" })
    )
    expect((await helpOf(["fiction"]))?.subcommands?.[0]?.commands.map(({ name }) => name)).toEqual([
      "toxval"
    ])
    expect(await helpOf(["fiction", "toxval"])).toMatchObject({
      description: "Toxicity values of substances, one NDJSON line each",
      args: [{ name: "ID" }],
      examples: [
        {
          command: "chemstream fiction toxval DTXSID7020182",
          description: "The toxicity values of a substance"
        }
      ]
    })
    const bash = script("bash", await load(undefined, [toxval]))
    expect(bash).toContain("fiction")
    expect(bash).toContain("toxval")
  })

  it("has a schema and fields, by its words and by the name of its row", async () => {
    const schema = JSON.parse(await run(["schema", "fiction.toxvalByDtxsid"]))
    expect(schema).toEqual(JsonSchema.of(toxval.record()))
    const kinds = RecordKinds.of([toxval])
    expect(kinds["fiction-toxval"]).toBe(RecordKinds.find(kinds, toxval.name))
    expect(await run(["help", "fields", "fiction", "toxval"])).toMatch(/toxvalId\s+integer/)
  })

  it("imports its records, looks them up, harvests them and has a tool for assistants", async () => {
    const at = folder()
    const database = join(at, "chemicals.sqlite")
    writeFileSync(join(at, "toxval.ndjson"), lines.map((line) => `${line}\n`).join(""))
    await run(["import", "toxval.ndjson", "--kind", "fiction.toxvalByDtxsid", "--database", database], {}, at)
    await Effect.gen(function* () {
      const { url } = yield* Service.make({ database, keys: [apiKey], rows: [toxval] })
      const env = { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: "a-key" }
      const start = ["harvest", "start", "one", "--fetch", "fiction-toxval", "--output", "out/records.ndjson"]
      const looked = yield* Effect.promise(() =>
        run(["fiction", "toxval", ...ids, "--fields", "toxvalId,toxvalNumeric", "-q"], env)
      )
      yield* Effect.promise(() => run([...start, "--quiet", ...ids], env, at))
      const expected = ids.flatMap((id) => of(id))
      expect(looked.trim().split("\n")).toEqual(expected.map((line) => line.replace(/"dtxsid":"\w+",/, "")))
      const harvested = readFileSync(join(at, "out", "records.ndjson"), "utf8")
        .trim()
        .split("\n")
      expect(harvested.toSorted()).toEqual(expected.toSorted())
      yield* Effect.promise(() => withTools(env, checkTool))
    }).pipe(Effect.scoped, Effect.runPromise)
  })
})

/** The code and outputs of a command that has the rows. */
const outcomeOf = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  cwd?: string
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve) => {
    const running = execFile(
      process.execPath,
      [rowScript, ...args],
      { cwd, env: environment(env) },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    )
    running.stdin?.end()
  })

/** Runs a program against a service that has the studies, two a page. */
const withStudies = (
  use: (env: Readonly<Record<string, string>>, at: string) => Promise<void>
): Promise<void> =>
  Effect.gen(function* () {
    const at = folder()
    const database = join(at, "chemicals.sqlite")
    yield* importStudies(at, database)
    const served = [studies, kinds]
    const { url } = yield* Service.make({
      database,
      keys: [apiKey],
      rows: served,
      dialect: "ctx",
      pageSize: 2
    })
    yield* Effect.promise(() => use({ CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: "a-key" }, at))
  }).pipe(Effect.scoped, Effect.runPromise)

const types = [{ name: "acute" }, { name: "chronic" }]

describe("the commands of a catalogue and of a paged row", { concurrent: true }, () => {
  it("have help, completions, schemas and fields, and a catalogue takes no values", async () => {
    const group = await helpOf(["fiction"], rows)
    expect(group?.subcommands?.[0]?.commands.map(({ name }) => name)).toEqual([
      "toxval",
      "studies",
      "study-types"
    ])
    expect(await helpOf(["fiction", "study-types"], rows)).toMatchObject({
      description: "Types of studies, one NDJSON line each",
      examples: [{ command: "chemstream fiction study-types", description: "All types of studies" }]
    })
    expect((await helpOf(["fiction", "study-types"], rows))?.args ?? []).toEqual([])
    expect((await helpOf(["fiction", "studies"], rows))?.args).toMatchObject([{ name: "STUDY-TYPE" }])
    const bash = script("bash", await load(undefined, rows))
    expect(bash).toContain("study-types")
    const found = RecordKinds.of(rows)
    for (const row of [studies, kinds]) expect(RecordKinds.find(found, row.name)?.rows).toEqual([row])
    const schema = JSON.parse(await run(["schema", "novel-media"]))
    expect(schema).toMatchObject({ properties: { medium: { type: "string" } }, required: ["medium"] })
    expect(await run(["help", "fields", "fiction", "study-types"])).toMatch(/ name +text/)
    const refused = await outcomeOf(["fiction", "study-types", "chronic"], {})
    expect(refused).toMatchObject({ code: 2, stdout: "" })
  })

  it("write a catalogue in one request, into any format, and its plan", () =>
    withStudies(async (env, at) => {
      const ndjson = await outcomeOf(["fiction", "study-types", "--json-summary", "s.json"], env, at)
      expect(ndjson).toMatchObject({
        code: 0,
        stdout: types.map((one) => `${JSON.stringify(one)}\n`).join("")
      })
      expect(ndjson.stderr).toMatch(/2 records in 1 batch, 1 request/)
      expect(JSON.parse(readFileSync(join(at, "s.json"), "utf8"))).toMatchObject({ records: 2, requests: 1 })
      await run(["fiction", "study-types", "--fields", "name", "-o", "types.csv", "-q"], env, at)
      expect(readFileSync(join(at, "types.csv"), "utf8")).toBe("name\r\nacute\r\nchronic\r\n")
      const plan = await outcomeOf(["fiction", "study-types", "--dry-run"], env)
      expect(plan.stdout).toMatch(/^requests: 1$/m)
      const wrongField = await outcomeOf(["fiction", "study-types", "--fields", "nme"], env)
      expect(wrongField).toMatchObject({ code: 2, stderr: expect.stringContaining("name") })
      const wrongKey = await outcomeOf(["fiction", "study-types"], { ...env, CHEMSTREAM_API_KEY: "b" })
      expect(wrongKey.code).toBe(3)
    }))

  it("write the texts of a catalogue as records, and fail if the service does not have it", async () => {
    const { env, requests } = await scripted(({ path }, number) =>
      number === 1
        ? { status: 503, body: "" }
        : path === "/novel/mmdb/mediums"
          ? { body: '["air","surface water"]' }
          : { status: 404, body: '{"title":"Not Found","status":404}' }
    )
    const found = await outcomeOf(["novel", "media"], env)
    expect(found).toMatchObject({ code: 0, stdout: '{"medium":"air"}\n{"medium":"surface water"}\n' })
    // The first one, a probe of the service, and the first one again.
    expect(found.stderr).toContain(" 3 requests ")
    expect(requests).toHaveLength(3)
    const missing = await outcomeOf(["fiction", "study-types"], env)
    expect(missing).toEqual({
      code: 4,
      stdout: "",
      stderr:
        "chemstream: the service does not have types of studies (404 for /fiction/toxref/types). Check its address: chemstream doctor\n"
    })
  })

  it("look up all pages of each value, with one outcome for each, and harvest them", () =>
    withStudies(async (env, at) => {
      const args = [
        "fiction",
        "studies",
        "chronic",
        "acute",
        "--errors",
        "e.ndjson",
        "--json-summary",
        "s.json"
      ]
      const looked = await outcomeOf(args, env, at)
      const expected = [1, 2, 3, 4, 5].map((n) => `${study(n)}\n`).join("")
      expect(looked).toMatchObject({ code: 0, stdout: expected })
      expect(JSON.parse(readFileSync(join(at, "e.ndjson"), "utf8"))).toMatchObject({
        id: "acute",
        outcome: "missing"
      })
      expect(JSON.parse(readFileSync(join(at, "s.json"), "utf8"))).toMatchObject({
        read: 2,
        found: 1,
        missing: 1,
        records: 5,
        requests: 4
      })
      const fetched = ["--fetch", "fiction-studies", "--output", "out/records.ndjson", "--quiet", "chronic"]
      await run(["harvest", "start", "one", ...fetched], env, at)
      const harvested = readFileSync(join(at, "out", "records.ndjson"), "utf8")
      expect(harvested).toBe(expected)
      const plan = await outcomeOf(["fiction", "studies", "chronic", "acute", "--dry-run"], env)
      expect(plan.stdout).toMatch(/^requests: at least 2; the responses decide how many more$/m)
      const refused = await outcomeOf(["harvest", "start", "two", "--fetch", "fiction-study-types"], env, at)
      expect(refused.code).toBe(2)
    }))

  it("repeat at most one value of a stopped run", async () => {
    const at = folder()
    let isBroken = true
    const page = (path: string): string => {
      const [, type = "", number] = /(\w+)\?pageNumber=(\d+)$/.exec(path) ?? []
      const data = [{ studyType: type, studyId: Number(number) }]
      return JSON.stringify({ pageNumber: Number(number), totalPages: 2, data })
    }
    const { env, requests } = await scripted(({ path }) =>
      isBroken && path.includes("acute?pageNumber=2") ? { status: 401, body: "" } : { body: page(path) }
    )
    writeFileSync(join(at, "types.txt"), "chronic\nacute\n")
    const args = ["fiction", "studies", "-i", "types.txt", "-o", "out.ndjson", "--concurrency", "1", "-q"]
    expect((await outcomeOf(args, env, at)).code).toBe(3)
    const before = requests.length
    isBroken = false
    expect(await outcomeOf(args, env, at)).toMatchObject({ code: 0, stderr: "" })
    expect(requests.slice(before).map(({ path }) => path.replace(/.*\//, ""))).toEqual([
      "acute?pageNumber=1",
      "acute?pageNumber=2"
    ])
    expect(readFileSync(join(at, "out.ndjson"), "utf8").split("\n").filter(Boolean)).toHaveLength(4)
  })

  it("are views of the tool of their group, and a catalogue takes no identifiers", () =>
    withStudies((env) =>
      withTools(env, async (client) => {
        const { tools } = await client.listTools()
        const parametersOf = (tool: string): ReadonlyArray<string> =>
          Object.keys(tools.find(({ name }) => name === tool)?.inputSchema.properties ?? {})
        expect(parametersOf("fiction")).toEqual(["identifiers", "by", "view", "limit", "cursor"])
        expect(parametersOf("novel")).toEqual(["limit", "cursor"])
        const call = (given: object) => client.callTool({ name: "fiction", arguments: { ...given } })
        const { structuredContent: list } = await call({ view: "study-types" })
        expect(list).toMatchObject({ records: types, total: 2, ledger: { read: 0, found: [] } })
        const { structuredContent: looked } = await call({
          view: "studies",
          by: "type",
          identifiers: ["chronic", "acute"]
        })
        expect(looked).toMatchObject({
          total: 5,
          ledger: { found: [{ identifier: "chronic", records: 5 }], missing: [{ identifier: "acute" }] }
        })
        const needless = await call({ view: "study-types", identifiers: ["chronic"] })
        expect(needless).toMatchObject({ isError: true })
        expect(JSON.stringify(needless.content)).toContain("view=study-types takes no identifiers")
        const without = await call({ view: "studies" })
        expect(JSON.stringify(without.content)).toContain("fiction needs identifiers")
      })
    ))
})
