/**
 * A fictitious endpoint: one row, and a file of records. Everything else derives from the row.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { ChemicalApi, JsonSchema, Key, Row } from "@chemstream/api"
import { ChemClient, type Dialect, PromiseClient } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Import, Service } from "@chemstream/service"
import { Identifiers, Lookup } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Effect, Layer, Redacted, Schema, type Scope, Stream } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import * as RecordKinds from "../src/fields/recordKinds.ts"
import { script } from "../src/help/completions.ts"
import { load } from "../src/index.ts"
import { ids, lines, toxval } from "./fictitiousRow.ts"
import { environment, folder } from "./process.ts"

const unknown = "DTXSID7020637"

const of = (id: string): ReadonlyArray<string> =>
  lines.filter((line) => line.includes(id)).sort((a, b) => order(a) - order(b))

const order = (line: string): number => Number(/"toxvalId":(\d+)/.exec(line)?.[1])

/** The public service sends white space between tokens. */
const textOf = (record: RawRecord.RawRecord): string => RawRecord.toText(record).replace(/\s+/g, "")

const studies = Row.make({
  name: "hazard.studiesByType",
  section: "-",
  what: "studies",
  key: Key.text("studyType", { one: "a study type", many: "study types", example: "chronic" }),
  order: "studyId",
  multiplicity: "many",
  miss: "empty",
  record: () => Schema.Struct({ studyType: Schema.String, studyId: Schema.Int }),
  page: "pageNumber",
  get: { path: "/hazard/toxref/data/search/by-study-type/{studyType}", answer: "page" }
})

const kinds = Row.make({
  name: "hazard.studyTypes",
  section: "-",
  what: "types of studies",
  multiplicity: "many",
  miss: "empty",
  record: () => Schema.Struct({ name: Schema.String }),
  get: { path: "/hazard/toxref/types", answer: "list" }
})

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
    const study = (n: number) => `{"studyType":"chronic","studyId":${n}}\n`
    writeFileSync(join(folder, "studies.ndjson"), [5, 2, 1, 4, 3].map(study).join(""))
    writeFileSync(join(folder, "types.ndjson"), '{"name":"chronic"}\n{"name":"acute"}\n')
    yield* Import.rowRecords(studies, { database, files: [join(folder, "studies.ndjson")] })
    yield* Import.rowRecords(kinds, { database, files: [join(folder, "types.ndjson")] })
    const rows = [toxval, studies, kinds]
    const { url } = yield* Service.make({ database, keys: [apiKey], rows, dialect, pageSize: 2 })
    return yield* use(url)
  }).pipe(Effect.scoped, Effect.runPromise)

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
        const path = "/hazard/toxval/search/by-dtxsid/"
        expect(await (await send(`${path}${ids[0]}`)).json()).toHaveLength(4)
        const missing = await send(`${path}${unknown}`)
        expect(missing.status).toBe(dialect === "ctx" ? 200 : 404)
        expect((await send(path, [...ids, unknown])).status).toBe(dialect === "ctx" ? 400 : 413)
        expect((await fetch(`${url}${path}${ids[0]}`)).status).toBe(401)
        const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: object }
        expect(Object.keys(paths)).toContain("/hazard/toxval/search/by-dtxsid/{dtxsid}")
      })
    ))
})

describe("one row", () => {
  it("is in the OpenAPI document, with its record and its limit", () => {
    const { paths } = OpenApi.fromApi(ChemicalApi.make([toxval]))
    expect(Object.keys(paths)).toEqual([
      "/hazard/toxval/search/by-dtxsid/{dtxsid}",
      "/hazard/toxval/search/by-dtxsid/"
    ])
    const batch = JSON.stringify(paths["/hazard/toxval/search/by-dtxsid/"]?.post)
    expect(batch).toContain("Toxicity values of a batch of substances")
    expect(batch).toContain("toxvalNumeric")
  })
})

/** Runs the command that has the row. */
const rowScript = fileURLToPath(new URL("rowCommand.ts", import.meta.url))

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
const helpOf = (words: ReadonlyArray<string>): Promise<HelpDoc.HelpDoc | undefined> =>
  Effect.gen(function* () {
    const command = yield* Effect.promise(() => load(words, [toxval]))
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

/** Lists and calls the tool of the row. */
const checkTool = async (env: Readonly<Record<string, string>>): Promise<void> => {
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
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === "hazard")).toMatchObject({
      title: "Hazard",
      description: expect.stringMatching(/^Gives toxicity values\./)
    })
    const identifiers = [ids[0], unknown]
    const { structuredContent } = await client.callTool({ name: "hazard", arguments: { identifiers } })
    expect(structuredContent).toMatchObject({
      records: of(ids[0]).map((line) => JSON.parse(line)),
      ledger: { found: [{ identifier: ids[0], records: 4 }], missing: [{ identifier: unknown }] }
    })
  } finally {
    await client.close()
  }
}

describe("the command of one row", { concurrent: true }, () => {
  it("has words, help, an example and completions", async () => {
    const whole = await helpOf([])
    expect(whole?.subcommands?.[0]?.commands).toContainEqual(
      expect.objectContaining({ name: "hazard", description: "Toxicity values of substances" })
    )
    expect((await helpOf(["hazard"]))?.subcommands?.[0]?.commands.map(({ name }) => name)).toEqual(["toxval"])
    expect(await helpOf(["hazard", "toxval"])).toMatchObject({
      description: "Toxicity values of substances, one NDJSON line each",
      args: [{ name: "ID" }],
      examples: [
        {
          command: "chemstream hazard toxval DTXSID7020182",
          description: "The toxicity values of a substance"
        }
      ]
    })
    const bash = script("bash", await load(undefined, [toxval]))
    expect(bash).toContain("hazard")
    expect(bash).toContain("toxval")
  })

  it("has a schema and fields, by its words and by the name of its row", async () => {
    const schema = JSON.parse(await run(["schema", "hazard.toxvalByDtxsid"]))
    expect(schema).toEqual(JsonSchema.of(toxval.record()))
    const kinds = RecordKinds.of([toxval])
    expect(kinds["hazard-toxval"]).toBe(RecordKinds.find(kinds, toxval.name))
    expect(await run(["help", "fields", "hazard", "toxval"])).toMatch(/toxvalId\s+integer/)
  })

  it("imports its records, looks them up, harvests them and has a tool for assistants", async () => {
    const at = folder()
    const database = join(at, "chemicals.sqlite")
    writeFileSync(join(at, "toxval.ndjson"), lines.map((line) => `${line}\n`).join(""))
    await run(["import", "toxval.ndjson", "--kind", "hazard.toxvalByDtxsid", "--database", database], {}, at)
    await Effect.gen(function* () {
      const { url } = yield* Service.make({ database, keys: [apiKey], rows: [toxval] })
      const env = { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: "a-key" }
      const start = ["harvest", "start", "one", "--fetch", "hazard-toxval", "--output", "out/records.ndjson"]
      const looked = yield* Effect.promise(() =>
        run(["hazard", "toxval", ...ids, "--fields", "toxvalId,toxvalNumeric", "-q"], env)
      )
      yield* Effect.promise(() => run([...start, "--quiet", ...ids], env, at))
      const expected = ids.flatMap((id) => of(id))
      expect(looked.trim().split("\n")).toEqual(expected.map((line) => line.replace(/"dtxsid":"\w+",/, "")))
      const harvested = readFileSync(join(at, "out", "records.ndjson"), "utf8")
        .trim()
        .split("\n")
      expect(harvested.toSorted()).toEqual(expected.toSorted())
      yield* Effect.promise(() => checkTool(env))
    }).pipe(Effect.scoped, Effect.runPromise)
  })
})
