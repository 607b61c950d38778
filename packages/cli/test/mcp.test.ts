// Tests `chemstream mcp` as an assistant uses it: with the client of another project, over both transports.
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Ajv2020 } from "ajv/dist/2020.js"
import { beforeAll, describe, expect, it } from "vitest"
import { memoryOf } from "./attacks.ts"
import { cleanUp, command, environment, folder, run, serve, sharedService, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

type Arguments = Readonly<Record<string, unknown>>

interface Ledger {
  readonly read: number
  readonly found: ReadonlyArray<{ readonly identifier: string; readonly records: number }>
  readonly missing: ReadonlyArray<{ readonly identifier: string; readonly reason: string }>
  readonly failed: ReadonlyArray<{ readonly identifier: string; readonly reason: string }>
  readonly invalid: ReadonlyArray<{ readonly identifier: string; readonly reason: string }>
  readonly duplicates: number
}

interface Answer {
  readonly records: ReadonlyArray<Record<string, unknown>>
  readonly total: number
  readonly ledger: Ledger
  readonly cursor?: string
  readonly file?: string
}

const bisphenolA = "DTXSID7020182"
const benzene = "DTXSID3039242"
const unknown = "DTXSID2099900001"

/** The sum of a ledger, over all identifiers of the list. */
const sum = ({ duplicates, failed, found, invalid, missing }: Ledger): number =>
  found.length + missing.length + failed.length + invalid.length + duplicates

const newClient = () => new Client({ name: "a-test", version: "1.0.0" })

/** A client that starts the command, and talks to it over standard input and output. */
const overStdio = async (env: Record<string, string>, ...args: ReadonlyArray<string>) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, "mcp", ...args],
    env: environment(env) as Record<string, string>,
    stderr: "pipe"
  })
  const client = newClient()
  await client.connect(transport)
  cleanUp(() => client.close())
  return { client, transport }
}

/** A client of a command that serves over HTTP. */
const overHttp = async (env: Record<string, string>, ...args: ReadonlyArray<string>) => {
  const server = start(["mcp", "--http", "0", ...args], { env, isOpen: true })
  const [, url = ""] = await server.says(/serves assistants at (http:\S+)/)
  const [, token = ""] = await server.says(/this one was made: (\S+)/)
  const client = newClient()
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  cleanUp(() => client.close())
  return { client, server, url, token }
}

const call = (client: Client, name: string, args: Arguments) =>
  client.callTool({ name, arguments: { ...args } })

const answer = async (client: Client, name: string, args: Arguments): Promise<Answer> => {
  const { isError, structuredContent, content } = await call(client, name, args)
  expect(content).toMatchObject([{ type: "text" }])
  expect(isError).not.toBe(true)
  return structuredContent as unknown as Answer
}

/** The text of a tool error. */
const refusal = async (client: Client, name: string, args: Arguments): Promise<string> => {
  const { content, isError } = await call(client, name, args)
  expect(isError).toBe(true)
  return (content as ReadonlyArray<{ readonly text: string }>)[0]?.text ?? ""
}

describe.each([
  ["standard input and output", async (env: Record<string, string>) => (await overStdio(env)).client],
  ["HTTP", async (env: Record<string, string>) => (await overHttp(env)).client]
])("chemstream mcp over %s", (_, connect) => {
  let client: Client
  beforeAll(async () => {
    client = await connect((await sharedService()).env)
  })

  it("lists its tools, resources and prompt", async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "assays",
      "bioactivity",
      "details",
      "exposure",
      "extra",
      "fate",
      "harvest_status",
      "hazard",
      "links",
      "lists",
      "msready_mass",
      "properties",
      "resolve",
      "search",
      "structure_image",
      "synonyms"
    ])
    for (const tool of tools) {
      expect(tool.description).not.toBe("")
      expect(tool.outputSchema).toMatchObject({ type: "object" })
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    }
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain("chemstream://schemas/details/compact")
    const { contents } = await client.readResource({ uri: "chemstream://schemas/details/compact" })
    expect(JSON.parse((contents[0] as { readonly text: string }).text)).toMatchObject({ type: "object" })
    const { messages } = await client.getPrompt({
      name: "account_for_a_list",
      arguments: { list: "80-05-7" }
    })
    expect(JSON.stringify(messages)).toContain("80-05-7")
  })

  it.each<[tool: string, args: Arguments, found: number, missing: number, invalid: number]>([
    ["resolve", { identifiers: ["80-05-7", "Benzol", "c1ccccc1", "no such name", "[Xx]"] }, 3, 1, 1],
    ["details", { identifiers: [bisphenolA, unknown, "80-05-7"], projection: "ntatoolkit" }, 1, 1, 1],
    ["details", { identifiers: ["DTXCID30182"], by: "dtxcid" }, 1, 0, 0],
    ["synonyms", { identifiers: [bisphenolA, unknown] }, 1, 1, 0],
    ["bioactivity", { identifiers: [bisphenolA, "x"] }, 0, 1, 1],
    ["bioactivity", { identifiers: ["1"], by: "aeid", view: "data" }, 0, 1, 0],
    ["msready_mass", { identifiers: ["227.1077 [M-H]-", "5000", "no mass"], adducts: ["[M+H]+"] }, 1, 1, 1],
    ["search", { identifiers: ["bisphenol", "zzzz"], match: "starts-with" }, 1, 1, 0]
  ])(
    "answers %s %j with a ledger of every identifier, valid by its schema",
    async (tool, args, ...counts) => {
      const given = await answer(client, tool, args)
      const { ledger } = given
      expect([ledger.found.length, ledger.missing.length, ledger.invalid.length]).toEqual(counts)
      expect(sum(ledger)).toBe((args["identifiers"] as ReadonlyArray<string>).length)
      expect(ledger.read).toBe(sum(ledger))
      expect(given.total).toBe(ledger.found.reduce((total, { records }) => total + records, 0))
      const { tools } = await client.listTools()
      const { outputSchema } = tools.find(({ name }) => name === tool) ?? {}
      const validate = new Ajv2020({ strict: false, allErrors: true }).compile(outputSchema as object)
      expect(validate(given), JSON.stringify(validate.errors)).toBe(true)
    }
  )

  it("refuses wrong and unknown arguments with a tool error that says what is expected", async () => {
    const refusals: ReadonlyArray<readonly [string, Arguments, string]> = [
      [
        "details",
        { identifiers: bisphenolA },
        `details: the argument identifiers is wrong: Expected array, got "${bisphenolA}".`
      ],
      [
        "details",
        { identifiers: [1] },
        "details: the argument identifiers.0 is wrong: Expected string, got 1."
      ],
      [
        "synonyms",
        { identifiers: [bisphenolA], limit: "5" },
        'synonyms: the argument limit is wrong: Expected number, got "5".'
      ],
      [
        "details",
        { identifiers: [bisphenolA], by: "cas\u202e" },
        'details: the argument by is wrong: Expected "dtxsid" | "dtxcid", got "cas\\u202e".'
      ],
      [
        "details",
        { identifiers: [bisphenolA], projektion: 1 },
        'details: unknown argument "projektion" (did you mean projection?); the arguments are identifiers, by, projection, limit, cursor.'
      ],
      [
        "harvest_status",
        { name: 5, all: true },
        'harvest_status: unknown argument "all"; the arguments are name. the argument name is wrong: Expected string, got 5.'
      ],
      [
        "structure_image",
        { identifier: 5 },
        "structure_image: the argument identifier is wrong: Expected string, got 5."
      ],
      [
        "structure_image",
        { identifier: "CCO", size: 9 },
        'structure_image: unknown argument "size"; the arguments are identifier, format.'
      ]
    ]
    for (const [name, args, says] of refusals) expect(await refusal(client, name, args)).toBe(says)
    expect(await refusal(client, "search", { identifiers: [] })).toContain(
      "the argument identifiers is wrong: "
    )
    const { tools } = await client.listTools()
    for (const { inputSchema } of tools) expect(inputSchema["additionalProperties"]).toBe(false)
  })

  it("draws the structure of an identifier or of a SMILES", async () => {
    const { content, structuredContent } = await call(client, "structure_image", { identifier: benzene })
    expect(structuredContent).toMatchObject({
      inchikey: "UHOVQNZJYSORNB-UHFFFAOYSA-N",
      mimeType: "image/png"
    })
    const [, png] = content as ReadonlyArray<{ readonly data: string; readonly mimeType: string }>
    expect(Buffer.from(png?.data ?? "", "base64").toString("latin1", 1, 4)).toBe("PNG")
    const svg = await call(client, "structure_image", { identifier: "CCO", format: "svg" })
    const [, drawn] = svg.content as ReadonlyArray<{ readonly data: string }>
    expect(Buffer.from(drawn?.data ?? "", "base64").toString()).toContain("<svg")
    expect(await refusal(client, "structure_image", { identifier: unknown })).toContain("cannot be drawn")
    expect(await refusal(client, "structure_image", { identifier: "C1CC" })).toContain("cannot be drawn")
  })

  it("returns the records that did not fit by cursor, each once and in order", async () => {
    const args = { identifiers: ["ethyl"], match: "contains" }
    const whole = await answer(client, "search", { ...args, limit: 500 })
    expect(whole.cursor).toBeUndefined()
    const records: Array<unknown> = []
    let page = await answer(client, "search", { ...args, limit: 7 })
    for (;;) {
      records.push(...page.records)
      expect(page.total).toBe(whole.total)
      expect(page.ledger).toEqual(whole.ledger)
      if (page.cursor === undefined) break
      page = await answer(client, "search", { cursor: page.cursor, limit: 7 })
    }
    expect(records.length).toBeGreaterThan(7)
    expect(records).toEqual(whole.records)
  })

  it.each<[what: string, tool: string, args: Arguments]>([
    ["a number for a list", "details", { identifiers: 3 }],
    ["an empty list", "details", { identifiers: [] }],
    ["no list", "details", {}],
    ["more than 1,000 identifiers", "details", { identifiers: Array(1001).fill(bisphenolA) }],
    ["an identifier of 10,001 characters", "resolve", { identifiers: ["x".repeat(10_001)] }],
    ["another projection", "details", { identifiers: [bisphenolA], projection: "__proto__" }],
    ["a limit of 501", "details", { identifiers: [bisphenolA], limit: 501 }],
    ["another cursor", "details", { cursor: "../../etc/passwd" }],
    ["a view that it has not by this", "bioactivity", { identifiers: ["1"], by: "aeid", view: "aed" }],
    ["no adduct", "msready_mass", { identifiers: ["100"], adducts: ["\u001b[31m"] }],
    ["no harvests", "harvest_status", {}],
    ["no structure", "structure_image", { identifier: "" }]
  ])("refuses %s with advice, and continues to serve", async (_, tool, args) => {
    const text = await refusal(client, tool, args)
    expect(text).not.toBe("")
    expect(text.length).toBeLessThan(5000)
    expect(text).not.toMatch(/[^\P{Cc}\n]/u)
    expect((await answer(client, "details", { identifiers: [benzene] })).total).toBe(1)
  })

  it("treats identifiers with any characters as data", async () => {
    const identifiers = [
      "\u0000",
      "'; DROP TABLE x; --",
      "\u001b[31mred",
      "../..",
      "%2e%2e",
      "𝔘𝔫𝔦",
      "__proto__"
    ]
    for (const [tool, args] of [
      ["resolve", {}],
      ["details", {}],
      ["search", { match: "contains" }]
    ] as const) {
      const { ledger } = await answer(client, tool, { identifiers, ...args })
      expect(sum(ledger)).toBe(identifiers.length)
      expect(ledger.invalid.map(({ reason }) => reason).join("")).not.toMatch(/\p{Cc}/u)
    }
  })

  it("answers 100 calls at once", async () => {
    const calls = Array.from({ length: 100 }, (_, n) =>
      answer(client, "details", { identifiers: [n % 2 === 0 ? bisphenolA : unknown, benzene] })
    )
    for (const [n, { ledger, records }] of (await Promise.all(calls)).entries()) {
      expect(records.map(({ dtxsid }) => dtxsid)).toEqual(n % 2 === 0 ? [bisphenolA, benzene] : [benzene])
      expect(ledger.read).toBe(2)
    }
  })
})

/** A service that never responds, and reports when a request arrives and when it is aborted. */
const silent = async () => {
  const { promise: came, resolve: come } = Promise.withResolvers<void>()
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const server = createServer((request) => {
    request.socket.once("close", () => leave())
    come()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { came, left, env: { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: "k" } }
}

describe("a call of chemstream mcp", () => {
  it.each([
    ["standard input and output", overStdio],
    ["HTTP", overHttp]
  ])(
    "sends no further request after it is cancelled over %s, and the server continues",
    async (_, connect) => {
      const { came, env, left } = await silent()
      const { client } = await connect(env)
      const cancelled = new AbortController()
      const called = client.callTool(
        { name: "details", arguments: { identifiers: [bisphenolA] } },
        { signal: cancelled.signal }
      )
      await came
      cancelled.abort("no longer needed")
      await expect(called).rejects.toThrow()
      await left
      expect((await client.listTools()).tools).toHaveLength(16)
    }
  )

  it("fails at its client when the server is killed, and a new server answers", async () => {
    const { came, env } = await silent()
    const { client, transport } = await overStdio(env)
    const called = client.callTool({ name: "details", arguments: { identifiers: [bisphenolA] } })
    await came
    process.kill(transport.pid as number, "SIGKILL")
    await expect(called).rejects.toThrow()
    const again = await overStdio((await sharedService()).env)
    expect((await answer(again.client, "details", { identifiers: [bisphenolA] })).total).toBe(1)
  })

  it("returns bioactivity as summary, curves and doses", async () => {
    const database = join(folder(), "db")
    const made = ["generate", "--count", "30", "--seed", "7", "--assays", "1", "--no-fingerprints", "-q"]
    await run([...made, "--database", database])
    const { env } = await serve("--database", database)
    const ids = (await run(["all", "-p", "all-ids", "-q"], { env })).stdout
    const doses = await run(["bioactivity", "aed", "-q"], { env, input: ids })
    const dtxsid = `${lines(doses.stdout)[0]?.["dtxsid"]}`
    const { client } = await overStdio(env)
    for (const view of ["summary", "data", "aed"]) {
      const { ledger, records } = await answer(client, "bioactivity", {
        identifiers: [dtxsid],
        view,
        limit: 3
      })
      expect(ledger.found, view).toMatchObject([{ identifier: dtxsid }])
      expect(records[0]).toHaveProperty("dtxsid", dtxsid)
    }
  })

  it("reports its progress", async () => {
    const { client, transport } = await overStdio((await sharedService()).env)
    const { onmessage } = transport
    const told: Array<unknown> = []
    // A client forgets its handler at the result, also if the last report comes in the same chunk before it.
    transport.onmessage = (message) => {
      if ("method" in message && message.method === "notifications/progress") told.push(message.params)
      onmessage?.(message)
    }
    await client.callTool({
      name: "details",
      arguments: { identifiers: [bisphenolA, benzene, unknown] },
      _meta: { progressToken: 7 }
    })
    expect(told.at(-1)).toMatchObject({ progressToken: 7, progress: 3, total: 3 })
  })

  it("advises on a rejected key, and never shows it", async () => {
    const key = "secret-of-this-test"
    const { env } = await scripted(() => ({ status: 401, body: `{"detail":"Key ${key} not found."}` }))
    const { client } = await overStdio({ ...env, CHEMSTREAM_API_KEY: key })
    const text = await refusal(client, "details", { identifiers: [bisphenolA] })
    expect(text).toContain("CHEMSTREAM_API_KEY")
    expect(text).not.toContain(key)
  })

  it("counts an identifier as failed if its record differs from the contract", async () => {
    const { env } = await scripted(() => ({
      body: `[{"dtxsid":"${bisphenolA}","monoisotopicMass":"heavy"}]`
    }))
    const { client } = await overStdio(env)
    const { ledger, records } = await answer(client, "details", { identifiers: [bisphenolA, benzene] })
    expect(records).toEqual([])
    expect(ledger.failed).toMatchObject([{ identifier: bisphenolA }])
    expect(ledger.failed[0]?.reason).toContain("monoisotopicMass")
    expect(ledger.missing).toMatchObject([{ identifier: benzene }])
  })

  it("writes the records that do not fit to a new file of --output-dir", async () => {
    const at = folder()
    const { client } = await overStdio((await sharedService()).env, "--output-dir", at)
    const args = { identifiers: ["ethyl"], match: "contains" }
    const { file = "", records, total } = await answer(client, "search", { ...args, limit: 2 })
    expect(file.startsWith(join(at, "search-"))).toBe(true)
    const written = lines(readFileSync(file, "utf8"))
    expect(written).toHaveLength(total)
    expect(written.slice(0, 2)).toEqual(records)
    expect((await answer(client, "search", { ...args, limit: 500 })).file).toBeUndefined()
  })

  it("returns the status of the harvests of --harvests", async () => {
    const { env } = await sharedService()
    const at = folder()
    const database = join(at, "harvests.db")
    const started = await run(
      ["harvest", "start", "mine", "--database", database, "--output", join(at, "out")],
      { env, cwd: at, input: `${bisphenolA}\n${unknown}\n` }
    )
    expect(started.stderr).toContain("mine")
    const { client } = await overStdio(env, "--harvests", database)
    const { structuredContent } = await call(client, "harvest_status", { name: "mine" })
    expect(structuredContent).toMatchObject({ harvests: [{ name: "mine", identifiers: 2 }] })
    expect(await refusal(client, "harvest_status", { name: "other" })).toContain('"other"')
  })
})

/** A message of the protocol. */
const message = (id: unknown, method: string, params?: unknown) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`

const initialize = message(1, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "t", version: "1" }
})

const detailsCall = (id: unknown) =>
  message(id, "tools/call", { name: "details", arguments: { identifiers: [bisphenolA] } })

/** A service that does not respond before `release`. */
const held = async () => {
  const { promise: until, resolve: release } = Promise.withResolvers<void>()
  const { promise: came, resolve: come } = Promise.withResolvers<void>()
  const { env } = await scripted(() => {
    come()
    return { body: `[{"dtxsid":"${bisphenolA}"}]`, until }
  })
  return { came, env, release }
}

describe("a message that chemstream mcp cannot read", () => {
  it.each<[what: string, sent: string, error: unknown]>([
    ["a line that is not JSON", "no JSON\n", { id: null, error: { code: -32700 } }],
    ["half a message", '{"jsonrpc":\n', { id: null, error: { code: -32700 } }],
    ["a line above the limit", `${"A".repeat(17e6)}\n`, { id: null, error: { code: -32700 } }],
    ["a number", "3\n", { id: null, error: { code: -32600 } }],
    ["an object without a method or a result", "{}\n", { id: null, error: { code: -32600 } }],
    ["an id that is an object", message({}, "ping"), { id: null, error: { code: -32600 } }],
    ["an id that is null", message(null, "ping"), { id: null, error: { code: -32600 } }],
    [
      "the id of a call in flight",
      detailsCall(5),
      {
        id: 5,
        error: { code: -32600, message: "The id 5 is in use. Send every request with an id of its own." }
      }
    ]
  ])("is answered with an error for %s alone, and all others are answered", async (_, sent, error) => {
    const { came, env, release } = await held()
    const server = start(["mcp"], { env, input: initialize, isOpen: true })
    await server.prints(/"serverInfo"/)
    server.child.stdin?.write(detailsCall(5))
    await came
    server.child.stdin?.write(`${sent}${message(98, "ping")}`)
    await server.prints(/"id":98/)
    release()
    await server.prints(/"id":5,"result"/)
    server.child.stdin?.end(message(5, "ping"))
    const { code, stderr, stdout } = await server.ended
    const answers = lines(stdout).slice(1)
    expect(answers.map(({ id }) => id).sort()).toEqual([(error as { id: unknown }).id, 5, 5, 98].sort())
    expect(answers).toContainEqual(
      expect.objectContaining({ error: expect.objectContaining((error as { error: object }).error) })
    )
    expect([code, stderr]).toEqual([0, ""])
  })

  it("does not stop the server with members that the protocol does not have", async () => {
    const { env } = await sharedService()
    const input = `${initialize}{"jsonrpc":"2.0","id":2,"method":"ping","headers":5,"discard":true}\n${message(3, "ping")}`
    const { code, stdout } = await run(["mcp"], { env, input })
    expect(lines(stdout).slice(1)).toEqual([2, 3].map((id) => ({ jsonrpc: "2.0", id, result: {} })))
    expect(code).toBe(0)
  })

  it("is only the repeated request of a batch, and a rejected batch keeps no id in use", async () => {
    const { env } = await sharedService()
    const batch = `[${message(5, "ping").trim()},${message(5, "ping").trim()},${message(6, "ping").trim()}]\n`
    const older = await run(["mcp"], { env, input: initialize.replace("2025-06-18", "2025-03-26") + batch })
    const answers = lines(older.stdout).flat()
    expect(answers).toHaveLength(4)
    expect(answers.filter(({ id }) => id !== 1)).toMatchObject([
      { id: 5, error: { code: -32600 } },
      { id: 5, result: {} },
      { id: 6, result: {} }
    ])
    const server = start(["mcp"], { env, input: initialize + batch, isOpen: true })
    await server.prints(/batches are not supported/)
    server.child.stdin?.end(message(5, "ping"))
    expect(lines((await server.ended).stdout).at(-1)).toEqual({ jsonrpc: "2.0", id: 5, result: {} })
  })
})

describe("the process of chemstream mcp", () => {
  it("fails at once without an API key, and says so", async () => {
    const { code, stderr, stdout } = await start(["mcp"], { isOpen: true }).ended
    expect([code, stdout]).toEqual([3, ""])
    expect(stderr).toContain("CHEMSTREAM_API_KEY")
  })

  it("stops at the end of standard input, and writes only the protocol", async () => {
    const { env } = await sharedService()
    const server = start(["mcp"], { env, input: initialize, isOpen: true })
    await server.prints(/"serverInfo"/)
    server.child.stdin?.end()
    const { code, stderr, stdout } = await server.ended
    expect(lines(stdout)).toMatchObject([{ jsonrpc: "2.0", id: 1 }])
    expect(stderr).toBe("")
    expect(code).toBe(0)
  })

  it("needs the token over HTTP, and rejects origins that are not allowed", async () => {
    const { env } = await sharedService()
    const { token, url } = await overHttp(env, "--allow-origin", "http://allowed.example")
    const post = async (headers: Record<string, string>): Promise<number> => {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers
        },
        body: initialize
      })
      await response.arrayBuffer()
      return response.status
    }
    const authorization = `Bearer ${token}`
    expect(await post({})).toBe(401)
    expect(await post({ authorization: `${authorization}x` })).toBe(401)
    expect(await post({ authorization })).toBe(200)
    expect(await post({ authorization, origin: "http://evil.example" })).toBe(403)
    expect(await post({ authorization, origin: "http://allowed.example" })).toBe(200)
  })

  it("answers the preflight of an allowed origin without the token, and that of another origin without permission", async () => {
    const { env } = await sharedService()
    const { token, url } = await overHttp(env, "--allow-origin", "http://allowed.example")
    const preflight = async (origin: string) => {
      const { headers, status } = await fetch(url, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST" }
      })
      return [status, headers.get("access-control-allow-origin")]
    }
    expect(await preflight("http://allowed.example")).toEqual([204, "http://allowed.example"])
    expect(await preflight("http://evil.example")).toEqual([204, null])
    const headers = { authorization: `Bearer ${token}`, origin: "http://allowed.example" }
    const response = await fetch(url, { method: "POST", headers, body: "{}" })
    expect(response.headers.get("access-control-allow-origin")).toBe("http://allowed.example")
    const refused = await fetch(url, { method: "POST", headers: { ...headers, authorization: "none" } })
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([
      401,
      "http://allowed.example"
    ])
  })

  it("responds 413 to a body of more than 2 MiB, and keeps none of it in memory", async () => {
    const { env } = await sharedService()
    const { server, token, url } = await overHttp(env)
    const pid = server.child.pid as number
    const before = memoryOf(pid).peak
    let sent = 0
    const body = new ReadableStream({
      pull: (controller) => {
        if (sent++ < 200) controller.enqueue(new Uint8Array(2 ** 20).fill(120))
        else controller.close()
      }
    })
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const status = await fetch(url, { method: "POST", headers, body, duplex: "half" } as RequestInit).then(
      (response) => response.status,
      // The connection may be closed before the client reads the response.
      () => 413
    )
    expect(status).toBe(413)
    expect(sent).toBeLessThan(200)
    expect(memoryOf(pid).peak - before).toBeLessThan(100)
  })

  it("closes the connections of an address above 128", async () => {
    const { env } = await sharedService()
    const { url } = await overHttp(env)
    const sockets = Array.from({ length: 140 }, () => connect(Number(new URL(url).port), "127.0.0.1"))
    cleanUp(() => {
      for (const socket of sockets) socket.destroy()
    })
    let closed = 0
    for (const socket of sockets) {
      socket.on("error", () => {})
      socket.on("close", () => closed++)
      socket.resume()
    }
    await expect.poll(() => closed, { timeout: 20_000 }).toBeGreaterThanOrEqual(12)
  })

  it.each([
    ["a short token", ["--http", "0"], { CHEMSTREAM_MCP_TOKEN: "short" }, "at least 16 characters"],
    ["an origin without HTTP", ["--allow-origin", "http://a.example"], {}, "--allow-origin needs --http"],
    ["a folder that is not there", ["--output-dir", "no-such-folder"], {}, "a folder that exists"]
  ])("refuses %s", async (_, args, env, message) => {
    const { code, stderr, stdout } = await run(["mcp", ...args], {
      env: { ...(await sharedService()).env, ...env }
    })
    expect(stderr).toContain(message)
    expect(stdout).toBe("")
    expect(code).toBe(2)
  })
})
