import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as RequestRate from "../src/flags/requestRate.ts"
import { folder, run, serve, sharedService, start } from "./process.ts"

const id = "DTXSID7020182"
const target = `/chemical/detail/search/by-dtxsid/${id}`

const statusOf = (url: string, key: string): Promise<number> =>
  fetch(`${url}${target}`, { headers: { "x-api-key": key } }).then(({ status }) => status)

describe("a server that is stopped by SIGTERM", { concurrent: true }, () => {
  it.each([
    ["serve", ["serve", "--port", "0"]],
    ["serve --quiet", ["serve", "--port", "0", "--quiet"]],
    ["mcp --http", ["mcp", "--http", "0"]]
  ])("exits with 0, also while the reader of standard error stalls: %s", async (_, args) => {
    const env = { CHEMSTREAM_API_KEYS: "test-key", CHEMSTREAM_API_KEY: "test-key" }
    const server = start(args, { env })
    const [, url] = await server.says(/serves .*at (http:\/\/[\d.:]+)/)
    server.child.stderr?.pause()
    const path = `/${"x".repeat(1000)}`
    // More than the buffers between the processes hold.
    for (let i = 0; i < 1000; i += 50) {
      const answers = Array.from({ length: 50 }, () => fetch(`${url}${path}`).then((answer) => answer.text()))
      await Promise.all(answers)
    }
    const exit = once(server.child, "exit")
    server.child.kill("SIGTERM")
    expect(await exit).toEqual([0, null])
    server.child.stderr?.resume()
  })

  it("exits with 0 if it is mcp on standard input", async () => {
    const { env } = await sharedService()
    const input = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`
    const server = start(["mcp"], { env, input, isOpen: true })
    await server.prints(/jsonrpc/)
    server.child.kill("SIGTERM")
    expect(await server.ended).toMatchObject({ code: 0, stderr: "chemstream: stopped\n" })
  })
})

describe("chemstream serve", { concurrent: true }, () => {
  it("logs a line of JSON for each request to standard error, without the key, and nothing elsewhere", async () => {
    const { service, url } = await serve()
    await fetch(`${url}${target}`, { headers: { "x-api-key": "test-key", "x-request-id": "a-1" } })
    const [line] = await service.says(/^\{.*"requestId":"a-1".*\}$/m)
    expect(JSON.parse(line)).toMatchObject({ method: "GET", path: target, status: 200 })
    service.child.kill("SIGTERM")
    const ended = await service.ended
    expect(ended.stdout).toBe("")
    expect(ended.stderr).not.toContain("test-key")
  })

  it.each(["--no-access-log", "--quiet"])("logs no request with %s", async (option) => {
    const { service, url } = await serve(option)
    expect(await statusOf(url, "test-key")).toBe(200)
    service.child.kill("SIGTERM")
    expect((await service.ended).stderr).not.toContain("requestId")
  })

  it("revokes a key that is removed from the file, without a restart", async ({ expect }) => {
    const file = join(folder(), "keys")
    writeFileSync(file, "one\ntwo\n")
    const service = start(["serve", "--port", "0", "--api-keys-file", file])
    const [, url = ""] = await service.says(/serves at (http:\S+)/)
    expect([await statusOf(url, "one"), await statusOf(url, "two")]).toEqual([200, 200])
    writeFileSync(file, "two\n")
    await expect.poll(() => statusOf(url, "one"), { timeout: 60_000, interval: 100 }).toBe(401)
    expect(await statusOf(url, "two")).toBe(200)
  })

  // A bundler may remove the call that throws, because its result is not used.
  it("rejects a path with invalid percent-encoding, and names the reason", async () => {
    const { url } = await serve()
    const answer = await fetch(`${url}/chemical/search/equal/%E0%A4%A`, {
      headers: { "x-api-key": "test-key" }
    })
    expect([answer.status, (await answer.json()).detail]).toEqual([
      400,
      "The path is not valid percent-encoding: write % as %25"
    ])
  })

  it("serves metrics only on --metrics-port, if it is given", async () => {
    const { service, url } = await serve("--metrics-port", "0")
    const [, metrics = ""] = await service.says(/metrics at (http:\S+)/)
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    expect(await (await fetch(metrics)).text()).toContain("http_requests_in_flight")
  })

  it("warns about a file of keys that others can read", async () => {
    const file = join(folder(), "keys")
    writeFileSync(file, "one\n", { mode: 0o644 })
    const service = start(["serve", "--port", "0", "--api-keys-file", file])
    await service.says(/is readable by other users. Run chmod 600/)
    await service.says(/serves at http:/)
  })

  it("limits the rate of a key", async () => {
    const { url } = await serve("--rate-limit", "2/h")
    const all = [
      await statusOf(url, "test-key"),
      await statusOf(url, "test-key"),
      await statusOf(url, "test-key")
    ]
    expect(all).toEqual([200, 200, 429])
    expect(await statusOf(url, "other")).toBe(200)
  })

  it("applies the limits that its options set", async () => {
    const flags = ["--max-body-bytes", "20", "--request-timeout", "1s", "--max-connections-per-address", "3"]
    const { url } = await serve(...flags)
    const headers = { "x-api-key": "test-key", "content-type": "application/json", connection: "close" }
    const batch = `${url}/chemical/detail/search/by-dtxsid/`
    const large = await fetch(batch, { method: "POST", headers, body: JSON.stringify([id, id]) })
    expect(large.status).toBe(413)
    const texts: Array<string> = []
    const ended = Array.from({ length: 4 }, (_, n) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      socket.on("error", () => {}).on("data", (part) => texts.push(String(part).slice(0, 12)))
      socket.write("GET /health HTTP/1.1\r\n")
      return new Promise<number>((resolve) => socket.on("close", () => resolve(n)))
    })
    await Promise.all(ended)
    expect(texts).toEqual(Array(3).fill("HTTP/1.1 408"))
  })

  it.each([
    ["--rate-limit", "50"],
    ["--rate-limit", "0/s"],
    ["--max-concurrent", "0"],
    ["--max-concurrent-per-key", "0"],
    ["--write-timeout", "0"],
    ["--metrics-port", "65536"],
    ["--request-timeout", "-1"]
  ])("refuses %s %s", async (flag, value) => {
    const ended = await run(["serve", "--port", "0", flag, value])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(flag)
  })
})

describe("a rate", () => {
  it("is a number in a time", () => {
    expect(RequestRate.parse("50/s")).toEqual({ requests: 50, per: "1 second" })
    expect(RequestRate.parse("600/min")).toEqual({ requests: 600, per: "1 minute" })
    expect(RequestRate.parse("1000/h")).toEqual({ requests: 1000, per: "1 hour" })
  })

  it.each(["", "50", "/s", "0/s", "-1/s", "1.5/s", "50/d", "50/s ", "1e3/s", "9999999999/s"])(
    "is not %j",
    (text) => {
      expect(RequestRate.parse(text)).toBeUndefined()
    }
  )
})
