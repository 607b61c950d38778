/**
 * Sends hostile requests to every endpoint of the contract. The schemas of the endpoint decide the status: a refused
 * value is 400, an allowed one a result or a miss. No request is a 500 or takes long, every error is a problem
 * document, and the service continues.
 */
import { Agent, type IncomingHttpHeaders, request } from "node:http"
import { BatchLimit, ChemicalApi } from "@chemstream/api"
import { Service } from "@chemstream/service"
import { Context, Effect, Exit, Option, Redacted, Schema, Scope } from "effect"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { databaseOf, key } from "./testService.ts"

const known = "DTXSID7020182"
const odd = "10:2/12:2 diPAP"

const records = [
  `{"dtxsid":"${known}","dtxcid":"DTXCID30182","preferredName":"Bisphenol A","molFormula":"C15H16O2","smiles":"CC(C)(C1=CC=C(O)C=C1)C1=CC=C(O)C=C1","monoisotopicMass":228.115}`,
  `{"dtxsid":"DTXSID9020112","preferredName":"${odd}"}`,
  `{"dtxsid":"DTXSID5020281","preferredName":"2′,3″-α-Pinène"}`
]

/** Hostile values of a path or a query. */
const values = [
  " ",
  "\t\n",
  ".",
  "..",
  "../../etc/passwd",
  "a/b",
  "\\",
  "\0",
  "a\0b",
  "'",
  "' OR 1=1 --",
  "'; DROP TABLE details; --",
  '"',
  '"a" OR "b"',
  "a NEAR(b c) AND NOT d",
  "name:a*",
  "^a + b",
  "*",
  "%",
  "%%%",
  "_",
  "a%_b",
  "?#&=;",
  "{}",
  "[]",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-Infinity",
  "-1",
  "0",
  "1.5",
  "1e309",
  "1e-400",
  "0x10",
  "1,5",
  "99999999999999999999",
  "９",
  "é",
  "e\u0301",
  "α-β-γ",
  "2′,3″",
  "İß",
  "\u202egnp.exe",
  "😀",
  "\uFFFF",
  "x".repeat(10_000),
  "(".repeat(5000),
  "C".repeat(3000),
  "9".repeat(3000)
]

/** Texts that are not percent-encoded UTF-8. */
const undecodable = ["%", "%zz", "%2", "%C0%AF", "%ED%A0%80", "%FF"]

/** Hostile bodies, as sent. */
const bodies = [
  "",
  " ",
  "{",
  "]",
  "nothing",
  "NaN",
  "null",
  "true",
  "7",
  '"x"',
  "{}",
  "[]",
  "[null]",
  "[true]",
  "[[]]",
  "[{}]",
  "[undefined]",
  "[1,]",
  "[-1]",
  "[0]",
  "[1.5]",
  "[1e999]",
  "[99999999999999999999]",
  '[""]',
  '["\\u0000"]',
  '["\\ud800"]',
  `["' OR 1=1 --"]`,
  '["\\" OR * NEAR(a)"]',
  '["%","_","é","e\u0301","α′″"]',
  `["${"x".repeat(10_000)}"]`,
  '{"__proto__":["x"]}',
  '{"length":1,"0":"x"}',
  '{"masses":null}',
  '{"masses":[]}',
  '{"masses":{}}',
  '{"masses":["228"]}',
  '{"masses":[null]}',
  '{"masses":[-1]}',
  '{"masses":[1e999]}',
  '{"masses":[228],"error":-0.005}',
  '{"masses":[228],"error":1e999}',
  '{"masses":[228],"error":"0.005"}',
  '{"masses":[228],"error":null}'
]

const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)

interface Endpoint {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly pathNames: ReadonlyArray<string>
  readonly queryNames: ReadonlyArray<string>
  readonly limit: BatchLimit.Limit | undefined
  /** Whether the contract allows these values. */
  readonly takesPath: (values: Record<string, string>) => boolean
  readonly takesQuery: (values: Record<string, string | ReadonlyArray<string>>) => boolean
  readonly takesBody: (body: unknown) => boolean
}

const endpoints = reflect()
const withPath = endpoints.filter(({ pathNames }) => pathNames.length > 0)
const withQuery = endpoints.filter(({ queryNames }) => queryNames.length > 0)
const withBody = endpoints.filter(({ method }) => method === "POST")

const scope = Scope.makeUnsafe()
const agent = new Agent({ keepAlive: true })
let service: Service.Service["Service"]

beforeAll(async () => {
  service = await Effect.runPromise(
    Effect.flatMap(databaseOf(records), (database) =>
      Service.make({ database, keys: [Redacted.make(key)], requestTimeout: "20 seconds" })
    ).pipe(Scope.provide(scope))
  )
})

afterAll(async () => {
  agent.destroy()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

describe("every endpoint", () => {
  it("is covered by these tests", () => {
    expect(endpoints.length).toBe(33)
    expect(withPath.length + withBody.length + withQuery.length).toBeGreaterThan(33)
  })

  it.each(endpoints)("responds to a correct request: $name", async (endpoint) => {
    const response = await send(endpoint.method, target(endpoint), sampleBody(endpoint))
    expect([200, 400, 404], `${response.status} ${response.text}`).toContain(response.status)
    await goesOn()
  })

  it.each(endpoints)("responds 401 without a key, whatever else is wrong: $name", async (endpoint) => {
    for (const headers of [{}, { "x-api-key": "" }, { "x-api-key": "' OR 1=1 --" }]) {
      for (const body of ["{", sampleBody(endpoint)]) {
        const response = await send(endpoint.method, target(endpoint), body, headers)
        expect(response.status).toBe(401)
        problem(response)
      }
    }
  })

  it.each(endpoints)("responds 405 to an unsupported method: $name", async (endpoint) => {
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      const response = await send(method, target(endpoint), undefined)
      expect(response.status).toBe(405)
      expect(response.headers.allow?.split(", ")).toContain(endpoint.method)
      problem(response)
    }
  })
})

describe("a path value", () => {
  it.each(withPath)("that is hostile is refused or searched for: $name", async (endpoint) => {
    for (const name of endpoint.pathNames) {
      for (const value of values) {
        const params = { ...sampleParams(endpoint), [name]: value }
        const response = await send(endpoint.method, target(endpoint, params), undefined)
        if (endpoint.takesPath(params)) {
          expect([200, 400, 404], said(value, response)).toContain(response.status)
        } else {
          expect(response.status, said(value, response)).toBe(400)
        }
        problem(response)
      }
    }
    await goesOn()
  })

  it.each(withPath)("that is malformed percent-encoding is 400: $name", async (endpoint) => {
    for (const name of endpoint.pathNames) {
      for (const value of undecodable) {
        const path = target(endpoint, { ...sampleParams(endpoint), [name]: "@" }).replace("%40", value)
        const response = await send(endpoint.method, path, undefined)
        expect(response.status, said(value, response)).toBe(400)
        problem(response)
      }
    }
    await goesOn()
  })

  it.each(withPath)("with plain slashes and dots reaches no other endpoint: $name", async (endpoint) => {
    const [name = ""] = endpoint.pathNames
    for (const value of ["../../../health", "..", "/", "a/b", "//", "./x"]) {
      const path = target(endpoint, { ...sampleParams(endpoint), [name]: "@" }).replace("%40", value)
      const response = await send(endpoint.method, path, undefined)
      expect([400, 404, 405], said(value, response)).toContain(response.status)
      problem(response)
    }
  })
})

describe("a query value", () => {
  it.each(withQuery)("that is hostile, missing or repeated is refused: $name", async (endpoint) => {
    for (const name of endpoint.queryNames) {
      const others = sampleQuery(endpoint)
      const cases: ReadonlyArray<string | ReadonlyArray<string> | undefined> = [
        undefined,
        "",
        ...values,
        [known, known]
      ]
      for (const value of cases) {
        const { [name]: _, ...rest } = others
        const query = value === undefined ? rest : { ...rest, [name]: value }
        const response = await send(endpoint.method, target(endpoint, undefined, query), sampleBody(endpoint))
        if (endpoint.takesQuery(query)) {
          expect([200, 404], said(value, response)).toContain(response.status)
        } else {
          expect(response.status, said(value, response)).toBe(400)
        }
        problem(response)
      }
    }
    await goesOn()
  })

  it.each(withQuery)("that is malformed percent-encoding is not a 500: $name", async (endpoint) => {
    for (const value of undecodable) {
      const path = `${target(endpoint)}${target(endpoint).includes("?") ? "&" : "?"}${endpoint.queryNames[0]}=${value}`
      const response = await send(endpoint.method, path, sampleBody(endpoint))
      expect([400, 404], said(value, response)).toContain(response.status)
      problem(response)
    }
  })
})

describe("a body", () => {
  it.each(withBody)("that is hostile gets a refusal or a result: $name", async (endpoint) => {
    for (const body of bodies) {
      const response = await send("POST", target(endpoint), body)
      expect(response.status, said(body, response)).toBe(endpoint.takesBody(parsed(body)) ? 200 : 400)
      problem(response)
    }
    await goesOn()
  })

  it.each(withBody)("that is malformed UTF-8 is not a 500: $name", async (endpoint) => {
    const response = await send("POST", target(endpoint), Buffer.from([0x5b, 0x22, 0xff, 0xc0, 0x22, 0x5d]))
    expect([200, 400], said("no UTF-8", response)).toContain(response.status)
    problem(response)
  })

  it.each(withBody)("of 10 MB of nesting is 413, and of 256 KiB 400: $name", async (endpoint) => {
    const larger = await send("POST", target(endpoint), deep(5_000_000))
    expect(larger.status).toBe(413)
    problem(larger)
    const smaller = await send("POST", target(endpoint), deep(128 * 1024))
    expect(smaller.status).toBe(400)
    problem(smaller)
    await goesOn()
  })

  it.each(withBody)("of 256 KiB of valid values is refused at once: $name", async (endpoint) => {
    const [one] = [sampleBody(endpoint, 1), sampleBody(endpoint, 2)].map((body) => body?.length ?? 0)
    const each = (sampleBody(endpoint, 2)?.length ?? 0) - (one ?? 0)
    const response = await send("POST", target(endpoint), sampleBody(endpoint, Math.floor(250_000 / each)))
    expect(response.status, said("256 KiB", response)).toBe(endpoint.limit?.refusal)
    problem(response)
    await goesOn()
  })

  it.each(withBody)("with another content type than JSON is 415: $name", async (endpoint) => {
    for (const type of ["text/plain", "application/xml", "multipart/form-data", "", "é"]) {
      const response = await send("POST", target(endpoint), sampleBody(endpoint), {
        "x-api-key": key,
        "content-type": Buffer.from(type, "utf8").toString("latin1")
      })
      expect(response.status, said(type, response)).toBe(415)
      problem(response)
    }
  })

  it.each(withBody)(
    "with one value over the limit is refused with the limit and the number of values: $name",
    async (endpoint) => {
      const { refusal, values } = endpoint.limit ?? expect.fail("a batch endpoint has a limit")
      const full = await send("POST", target(endpoint), sampleBody(endpoint, values))
      expect(full.status, said("full", full)).toBe(200)
      const response = await send("POST", target(endpoint), sampleBody(endpoint, values + 1))
      expect(response.status, said("one more", response)).toBe(refusal)
      expect(problem(response)).toContain(`${values + 1} values`)
      expect(problem(response)).toContain(`at most ${values} `)
    }
  )
})

describe("a search", () => {
  it.each(["equal", "start-with", "contain"])("%s finds a name with a slash in it", async (kind) => {
    const response = await send("GET", `/chemical/search/${kind}/${encodeURIComponent(odd)}`, undefined)
    expect(response.status, response.text).toBe(200)
    expect(response.text).toContain('"DTXSID9020112"')
  })

  it.each([
    "%",
    "_",
    "*",
    '" OR "',
    "' OR 1=1 --",
    "Bisphenol*",
    "Bis%A",
    "B_sphenol A",
    "\0",
    "Bisphenol A\0"
  ])("finds nothing for %j: its characters are not operators", async (word) => {
    for (const kind of ["equal", "start-with", "contain"]) {
      const response = await send("GET", `/chemical/search/${kind}/${encodeURIComponent(word)}`, undefined)
      expect(response.status, said(word, response)).toBe(400)
      expect(JSON.parse(response.text)).toHaveProperty("suggestions")
    }
  })
})

describe("a mass", () => {
  it.each([
    ["a reversed range", "300/200"],
    ["a start that is no number", "a/200"],
    ["an end that is no number", "200/b"],
    ["an infinite end", "200/Infinity"],
    ["a negative start", "-1/200"]
  ])("range is 400 with %s", async (_, range) => {
    const response = await send("GET", `/chemical/msready/search/by-mass/${range}`, undefined)
    expect(response.status, response.text).toBe(400)
    problem(response)
  })
})

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request unchanged; `fetch` would correct some. If no response arrives, the test times out. */
function send(
  method: string,
  path: string,
  body: string | Buffer | undefined,
  headers: Record<string, string> = { "x-api-key": key }
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const { port } = service
    const type = body === undefined ? {} : { "content-type": "application/json" }
    const sent = request(
      { agent, host: "127.0.0.1", port, method, path, headers: { ...type, ...headers } },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString("utf8")
          })
        )
      }
    )
    sent.on("error", reject)
    sent.end(body)
  })
}

/** Expects a complete problem document, and returns its `detail`. */
function problem({ headers, status, text }: Answer): string {
  if (status < 400) return ""
  expect(headers["content-type"]).toBe("application/problem+json")
  const body = JSON.parse(text)
  expect(Object.keys(body).slice(0, 4)).toEqual(["type", "title", "status", "detail"])
  expect(body).toHaveProperty("instance")
  expect(body.status).toBe(status)
  return body.detail
}

async function goesOn(): Promise<void> {
  const response = await send("GET", `/chemical/detail/search/by-dtxsid/${known}`, undefined)
  expect(response.status).toBe(200)
  expect(response.text).toContain("Bisphenol A")
}

function said(value: unknown, { status, text }: Answer): string {
  return `${status} to ${JSON.stringify(value)?.slice(0, 80)}: ${text.slice(0, 300)}`
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

// Values for every parameter and element of the contract. A new kind of parameter needs a new value.
const candidates = [known, "DTXCID30182", "C15H16O2", "200"]

function sampleParams({ name, pathNames, takesPath }: Endpoint): Record<string, string> {
  return fitting(name, pathNames, takesPath)
}

function sampleQuery({ name, queryNames, takesQuery }: Endpoint): Record<string, string> {
  return takesQuery({}) ? {} : fitting(name, queryNames, takesQuery)
}

function fitting(
  endpoint: string,
  names: ReadonlyArray<string>,
  takes: (values: Record<string, string>) => boolean
): Record<string, string> {
  for (const candidate of candidates) {
    const all = Object.fromEntries(names.map((name) => [name, candidate]))
    if (takes(all)) return all
  }
  return expect.fail(`add a value that ${endpoint} takes to the candidates`)
}

function sampleBody({ method, name, takesBody }: Endpoint, size = 1): string | undefined {
  if (method !== "POST") return undefined
  const all = [...candidates, 200].flatMap((candidate) => {
    const list = Array.from({ length: size }, () => candidate)
    return [list, { masses: list }]
  })
  const body = all.find(takesBody) ?? expect.fail(`add a value that ${name} takes to the candidates`)
  return JSON.stringify(body)
}

function target(
  endpoint: Endpoint,
  params: Record<string, string> = sampleParams(endpoint),
  query: Record<string, string | ReadonlyArray<string>> = sampleQuery(endpoint)
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) =>
    // A dot is sent encoded, because `fetch` would resolve dots in a path.
    encodeURIComponent(params[name] ?? "").replace(/^\.+$/, (dots) => "%2E".repeat(dots.length))
  )
  const search = Object.entries(query).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((one) => `${name}=${encodeURIComponent(one)}`)
  )
  return search.length === 0 ? path : `${path}?${search.join("&")}`
}

function reflect(): ReadonlyArray<Endpoint> {
  const document = OpenApi.fromApi(ChemicalApi.ChemicalApi)
  const found: Array<Endpoint> = []
  HttpApi.reflect(ChemicalApi.ChemicalApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const item = document.paths[endpoint.path.replace(/:(\w+)/g, "{$1}") as "/"]
      const parameters = item?.[endpoint.method.toLowerCase() as "get"]?.parameters ?? []
      const names = (place: string) => parameters.filter((one) => one.in === place).map((one) => one.name)
      found.push({
        name: `${endpoint.method} ${endpoint.path}`,
        method: endpoint.method,
        path: endpoint.path,
        pathNames: names("path"),
        queryNames: names("query"),
        limit: Option.getOrUndefined(Context.getOption(endpoint.annotations, BatchLimit.BatchLimit)),
        takesPath: decodes(endpoint.params),
        takesQuery: decodes(endpoint.query && Schema.toCodecArrayFromSingle(endpoint.query)),
        takesBody: decodesBody(endpoint)
      })
    }
  })
  return found
}

function decodes(schema: Schema.Top | undefined): (value: unknown) => boolean {
  if (schema === undefined) return () => true
  const decode = Schema.decodeUnknownExit(schema as Schema.Codec<unknown>)
  return (value) => Exit.isSuccess(decode(value))
}

function decodesBody(endpoint: HttpApiEndpoint.Top): (value: unknown) => boolean {
  const all = Array.from(endpoint.payload.values()).flatMap(({ schemas }) => schemas.map(decodes))
  return (value) => all.some((takes) => takes(value))
}
