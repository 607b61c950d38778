import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"

const folder = fileURLToPath(new URL("..", import.meta.url))

const run = (script: string, env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [`${folder}/${script}`], { env: { ...process.env, ...env } })

describe.concurrent("details.ts", () => {
  it("writes the found records in the order of the input, and reports missing identifiers", async () => {
    const { stderr, stdout } = await run("details.ts")
    const records = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(records).toMatchObject([
      { dtxsid: "DTXSID7020182", preferredName: "Bisphenol A", molFormula: "C15H16O2" },
      { dtxsid: "DTXSID3039242", preferredName: "Benzene", molFormula: "C6H6" }
    ])
    expect(stderr).toBe("Missing DTXSID2099900001\n")
  })
})

describe.concurrent("lookup.ts", () => {
  it("prints the names of found substances, and the missing identifiers", async () => {
    const { stdout } = await run("lookup.ts")
    expect(stdout).toBe("Bisphenol A\nMissing DTXSID2099900001\nBenzene\n")
  })

  it("is quoted in the README word for word, without its first comment", () => {
    const readme = readFileSync(`${folder}/../README.md`, "utf8")
    const program = readFileSync(`${folder}/lookup.ts`, "utf8").replace(/^\/\*\*.*?\*\/\n/s, "")
    expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``)
  })
})

describe.concurrent("telemetry.ts", () => {
  it("exports the spans and metrics of its calls, without the key", async () => {
    const received = new Map<string, string>()
    const collector = createServer((request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part: Buffer) => parts.push(part))
      request.on("end", () => {
        const packed = Buffer.concat(parts)
        const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(packed) : packed
        received.set(request.url ?? "", (received.get(request.url ?? "") ?? "") + body)
        response.writeHead(200, { "content-type": "application/json" }).end("{}")
      })
    })
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
    try {
      const { port } = collector.address() as AddressInfo
      const { stdout } = await run("telemetry.ts", {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`
      })
      expect(stdout).toBe("2 NotFound\n")
    } finally {
      collector.close()
      collector.closeAllConnections()
    }
    const spans = JSON.parse(received.get("/v1/traces") ?? "{}").resourceSpans[0].scopeSpans[0].spans
    const byName = new Map(spans.map((span: { readonly name: string }) => [span.name, span]))
    const { spanId: parentSpanId } = byName.get("harvest") as { readonly spanId: string }
    expect(byName.get("chemstream.details.byDtxsidBatch")).toMatchObject({
      parentSpanId,
      attributes: expect.arrayContaining([{ key: "chemstream.batch_size", value: { intValue: 2 } }])
    })
    expect(byName.get("chemstream.details.byDtxsid")).toMatchObject({ parentSpanId })
    const readme = readFileSync(`${folder}/README.md`, "utf8")
    const queried = [...readme.matchAll(/rate\((chemstream_\w+?)(?:_bucket)?\[5m\]/g)].map(([, name]) => name)
    expect(queried).toEqual(["chemstream_client_requests_total", "chemstream_client_call_duration_seconds"])
    for (const name of queried) expect(received.get("/v1/metrics")).toContain(`"name":"${name}"`)
    expect(received.get("/v1/metrics")).toContain('"key":"endpoint"')
    expect([...received.values()].join()).not.toContain("any-key-will-do-here")
  })
})
