import { describe, expect, it } from "vitest"
import { run, sharedService } from "./process.ts"
import { scripted } from "./scripted.ts"

/** The lines of a report by their first words. */
const told = (stdout: string): Record<string, string> =>
  Object.fromEntries(stdout.split("\n").map((line) => [line.slice(0, 8).trim(), line.slice(9)]))

const problem = (detail: string): string => JSON.stringify({ title: "x", status: 400, detail })

/** Responds as the public service does. */
const ctx: Parameters<typeof scripted>[0] = ({ body, ids, path }) => {
  if (path.startsWith("/bioactivity")) return { body: "[ ]" }
  if (path === "/chemical/search/equal/") {
    // A list in JSON is one word.
    const words = body.startsWith("[") ? [body] : ids
    return { body: JSON.stringify(words.map((searchValue) => ({ dtxsid: null, searchValue }))) }
  }
  const id = path.split("/").at(-1) ?? ""
  return id.startsWith("DTXSID")
    ? { status: 400, body: problem(`dtxsid with value ${id} not found.`) }
    : { body: ok }
}

const ok = '[{"dtxsid":"DTXSID7020182"}]'

describe("chemstream doctor", { concurrent: true }, () => {
  it("reports an available service as ready, with its speed and limits", async () => {
    const { env, url } = await sharedService()
    const { code, stderr, stdout } = await run(["doctor"], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(told(stdout)).toMatchObject({
      service: `${url} (CHEMSTREAM_BASE_URL)`,
      reached: expect.stringMatching(/^yes, in [\d.]+ ms/),
      key: "accepted (CHEMSTREAM_API_KEY)",
      speed: expect.stringMatching(
        /^one identifier in [\d.]+ ms \(median of 3\); 100 in one request in [\d.]+ ms$/
      ),
      dialect: "specification (the default)",
      limits: "1,000 values per request, but search.equalBatch 200",
      verdict: "ready"
    })
  })

  it("sends four requests for one identifier, one for a hundred, and three for the dialect", async () => {
    const { env, requests } = await scripted(() => ({ body: ok }))
    const { code, stdout } = await run(["doctor"], { env })
    expect(code).toBe(0)
    expect(requests.slice(0, 5).map(({ ids }) => ids.length)).toEqual([1, 1, 1, 1, 100])
    expect(new Set(requests.slice(0, 5).map(({ path }) => path))).toEqual(
      new Set(["/chemical/detail/search/by-dtxsid/?projection=compact"])
    )
    expect(requests).toHaveLength(8)
    expect(told(stdout)["dialect"]).toBe("specification (the default); the service does not show its own")
  })

  it("names the dialect that the service shows, and reports another setting", async () => {
    const { env } = await sharedService()
    const wrong = await run(["doctor", "--dialect", "ctx"], { env })
    expect(wrong.code).toBe(2)
    expect(told(wrong.stdout)).toMatchObject({
      dialect: "specification, but the setting is ctx (--dialect)",
      limits: expect.stringMatching(
        /^200 values per request, but .*synonyms.byDtxsidBatch 1,000; search.equalBatch 100; msready.*Batch 50$/
      ),
      verdict: "not ready"
    })
    expect(wrong.stderr).toBe(
      "chemstream: the service has the dialect specification, but the setting is ctx. To change it: chemstream config set dialect specification, or --dialect specification\n"
    )
    const public_ = await scripted(ctx)
    expect(told((await run(["doctor", "--dialect", "ctx"], { env: public_.env })).stdout)).toMatchObject({
      dialect: "ctx (--dialect)",
      verdict: "ready"
    })
    const other = await run(["doctor"], { env: { ...public_.env, CHEMSTREAM_DIALECT: "specification" } })
    expect(other.code).toBe(2)
    expect(told(other.stdout)["dialect"]).toBe("ctx, but the setting is specification (CHEMSTREAM_DIALECT)")
  })

  it("reports a service that mixes both dialects, and suggests no other setting", async () => {
    const { env } = await scripted((request, number) =>
      request.path.startsWith("/bioactivity")
        ? { status: 404, body: problem("no data") }
        : ctx(request, number)
    )
    const { code, stdout } = await run(["doctor", "--dialect", "ctx"], { env })
    expect(code).toBe(0)
    expect(told(stdout)["dialect"]).toBe(
      "ctx (--dialect); the service mixes both: it handles an unknown identifier as ctx, bioactivity of an unknown identifier as specification, the batch search as ctx"
    )
  })

  it("reports a rejected key, with exit code 3 and one request", async () => {
    const { env, requests } = await scripted(() => ({ status: 401, body: "{}" }))
    const { code, stderr, stdout } = await run(["doctor"], { env })
    expect(code).toBe(3)
    expect(told(stdout)).toMatchObject({
      reached: "yes, it responded with 401",
      key: "refused (CHEMSTREAM_API_KEY)",
      verdict: "not ready"
    })
    expect(stderr).toMatch(/^chemstream: the service refused the API key[^\n]+\n$/)
    expect(requests).toHaveLength(1)
  })

  it("reports a missing key, with exit code 3 and no request", async () => {
    const { requests, url } = await scripted(() => ({ body: ok }))
    const { code, stderr, stdout } = await run(["doctor", "--base-url", url])
    expect(code).toBe(3)
    expect(told(stdout)).toMatchObject({ service: `${url} (--base-url)`, key: "none" })
    expect(stderr).toMatch(/^chemstream: no API key: [^\n]+\n$/)
    expect(requests).toHaveLength(0)
  })

  it("reports an unreachable service, with exit code 4", async () => {
    const env = { CHEMSTREAM_BASE_URL: "http://127.0.0.1:1", CHEMSTREAM_API_KEY: "k" }
    const { code, stderr, stdout } = await run(["doctor"], { env })
    expect(code).toBe(4)
    expect(told(stdout)).toMatchObject({ reached: "no", verdict: "not ready" })
    expect(stderr).toMatch(/^chemstream: cannot reach the service[^\n]+\n$/)
  })

  it("does not retry, and exits with 1 after a failure", async () => {
    const down = await scripted(() => ({ status: 503, body: "{}" }))
    const first = await run(["doctor"], { env: down.env })
    expect(first.code).toBe(1)
    expect(told(first.stdout)).toMatchObject({ reached: "yes, it responded with 503", verdict: "not ready" })
    expect(down.requests).toHaveLength(1)
    const unsteady = await scripted((_, number) =>
      number === 3 ? { status: 502, body: "{}" } : { body: ok }
    )
    const later = await run(["doctor"], { env: unsteady.env })
    expect(later.code).toBe(1)
    expect(told(later.stdout)).toMatchObject({
      key: "accepted (CHEMSTREAM_API_KEY)",
      speed: expect.stringContaining("(median of 2)"),
      verdict: "unsteady: 1 request of 5 failed"
    })
    expect(unsteady.requests).toHaveLength(5)
  })

  it("reports a response that does not arrive", async () => {
    const { env } = await scripted(() => ({ body: ok, until: new Promise(() => {}) }))
    const { code, stdout } = await run(["doctor", "--timeout", "1s"], { env })
    expect(code).toBe(1)
    expect(told(stdout)["reached"]).toBe("yes, but no response was complete")
  })
})
