/** Runs commands against the service behind a proxy that refuses or changes batches. */
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Dialect } from "@chemstream/client"
import { describe, expect, it } from "vitest"
import { cleanUp, folder, run, sharedService } from "./process.ts"

interface Answer {
  readonly status: number
  readonly body: string
}

/** Starts a proxy before a service. `batch` responds to batches of words and masses; `forward` sends the request on. */
const proxied = async (url: string, batch: (forward: () => Promise<Answer>) => Answer | Promise<Answer>) => {
  const batches: Array<string> = []
  const forward = async ({ headers, method, url: path }: IncomingMessage, body: string): Promise<Answer> => {
    const { accept = "*/*", "content-type": type = "application/json", "x-api-key": key = "" } = headers
    const response = await fetch(`${url}${path}`, {
      method: method ?? "GET",
      headers: { accept, "content-type": type, "x-api-key": String(key) },
      ...(body === "" ? {} : { body })
    })
    return { status: response.status, body: await response.text() }
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const isBatch = request.method === "POST" && /\/(equal|by-mass)\//.test(request.url ?? "")
    if (isBatch) batches.push(request.url ?? "")
    const answer = await (isBatch ? batch(() => forward(request, body)) : forward(request, body))
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  return { batches, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const names = [
  "Bisphenol A",
  "Caffeine",
  "Benzene",
  "Toluene",
  "no such name",
  "80-05-7",
  "Phenol",
  "Acetone",
  "Ethanol",
  "Methanol",
  "Aspirin",
  "another unknown name"
]

const features = ["229.1223", "195.0877", "79.0542", "93.0699", "95.0491", "59.0491", "47.0491", "181.0495"]

const works = [
  {
    name: "resolve",
    args: ["resolve", "--check-synonyms", "never"],
    lines: names,
    statuses: [404, 405, 413, 500],
    count: "singleWords",
    said: "the service refuses batches of names, so each name is a request of its own"
  },
  {
    name: "search equal --batch",
    args: ["search", "equal", "--batch"],
    lines: names,
    statuses: [404],
    count: "singleWords",
    said: "the service refuses batches of names, so each name is a request of its own"
  },
  {
    name: "suspects",
    args: ["suspects", "--adducts", "[M+H]+", "--ppm", "5"],
    lines: features,
    statuses: [413],
    count: "singleMasses",
    said: "the service refuses batches of masses, so each mass is a request of its own"
  }
]

/** Runs a work. Returns its records as sorted lines, its counts, and the lines of standard error about batches. */
const done = async ({ args, lines }: (typeof works)[number], dialect: Dialect.Name, url: string) => {
  const { env } = await sharedService("--dialect", dialect)
  const at = folder()
  writeFileSync(join(at, "lines"), lines.join("\n"))
  const options = ["--input", "lines", "--output", "out.ndjson", "--json-summary", "counts", "--retries", "0"]
  const ended = await run([...args, ...options, "--dialect", dialect], {
    env: { ...env, CHEMSTREAM_BASE_URL: url },
    cwd: at
  })
  expect(ended.code).toBe(0)
  const counts: Record<string, number> = JSON.parse(readFileSync(join(at, "counts"), "utf8"))
  const { found, missing, requests, singleMasses, singleWords } = counts
  return {
    found: { found, missing, records: readFileSync(join(at, "out.ndjson"), "utf8").split("\n").sort() },
    counts: { requests, singleMasses, singleWords },
    warnings: ended.stderr.split("\n").filter((line) => line.includes("warning: "))
  }
}

type Done = ReturnType<typeof done>

const results = new Map<string, Done>()

/** Runs a work against the service itself, once. */
const accepted = (work: (typeof works)[number], dialect: Dialect.Name, url: string): Done => {
  const known = results.get(`${work.name} ${dialect}`) ?? done(work, dialect, url)
  results.set(`${work.name} ${dialect}`, known)
  return known
}

describe.each(Dialect.names)("with a service of the dialect %s", { timeout: 60_000 }, (dialect) => {
  it.each(works.flatMap((work) => work.statuses.map((status) => ({ ...work, status }))))(
    "that refuses batches with $status, $name sends each value alone and says so once",
    async ({ status, ...work }) => {
      const { url } = await sharedService("--dialect", dialect)
      const proxy = await proxied(url, () => ({ status, body: "" }))
      const refused = await done(work, dialect, proxy.url)
      const batched = await accepted(work, dialect, url)
      // A single word has all its hits, but the batch search of the public service sends one.
      const isSame = dialect === "specification" || work.count === "singleMasses"
      expect(refused.found).toEqual(isSame ? batched.found : { ...batched.found, records: expect.anything() })
      expect(refused.warnings).toEqual([expect.stringContaining(work.said)])
      expect(batched.warnings).toEqual([])
      const single = Number(refused.counts[work.count as keyof typeof refused.counts])
      expect(single).toBeGreaterThanOrEqual(work.lines.length)
      expect(single).toBeLessThanOrEqual(work.lines.length + 1)
      expect(proxy.batches.length).toBeLessThanOrEqual(4)
    }
  )

  it.each(works)("whose response to a batch lacks values, $name does not miss them", async (work) => {
    const { url } = await sharedService("--dialect", dialect)
    const proxy = await proxied(url, async (forward) => {
      const { body, status } = await forward()
      const found = JSON.parse(body)
      const fewer = Array.isArray(found) ? found.slice(2) : Object.fromEntries(Object.entries(found).slice(2))
      return { status, body: JSON.stringify(fewer) }
    })
    const changed = await done(work, dialect, proxy.url)
    const { found } = await accepted(work, dialect, url)
    // A single word has all its hits, but the batch search of the public service sends one.
    const isSame = dialect === "specification" || work.count === "singleMasses"
    expect(changed.found).toEqual(isSame ? found : { ...found, records: expect.anything() })
    expect(changed.counts.requests).toBeGreaterThan(1)
  })
})
