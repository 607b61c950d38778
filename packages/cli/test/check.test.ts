import { describe, expect, it } from "vitest"
import { run, sharedService } from "./process.ts"
import { scripted } from "./scripted.ts"

/** The lines of a check by their first words. */
const told = (stdout: string): Record<string, string> =>
  Object.fromEntries(stdout.split("\n").map((line) => [line.slice(0, 8).trim(), line.slice(9)]))

const ok = '[{"dtxsid":"DTXSID7020182"}]'

describe("chemstream check", { concurrent: true }, () => {
  it("finds a service that is there ready, with its speed and the limits of the contract", async () => {
    const { env, url } = await sharedService()
    const { code, stderr, stdout } = await run(["check"], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(told(stdout)).toMatchObject({
      service: `${url} (CHEMSTREAM_BASE_URL)`,
      reached: expect.stringMatching(/^yes, in [\d.]+ ms/),
      key: "accepted (CHEMSTREAM_API_KEY)",
      speed: expect.stringMatching(
        /^one identifier in [\d.]+ ms \(median of 3\); 100 in one request in [\d.]+ ms$/
      ),
      limits: "1,000 values a request, but search.equalBatch 200",
      verdict: "ready"
    })
  })

  it("sends four requests for one identifier and one for a hundred, as a run would", async () => {
    const { env, requests } = await scripted(() => ({ body: ok }))
    expect(await run(["check"], { env })).toMatchObject({ code: 0 })
    expect(requests.map(({ ids }) => ids.length)).toEqual([1, 1, 1, 1, 100])
    expect(new Set(requests.map(({ path }) => path))).toEqual(
      new Set(["/chemical/detail/search/by-dtxsid/?projection=compact"])
    )
  })

  it("says that the key is refused, with exit code 3 and one request", async () => {
    const { env, requests } = await scripted(() => ({ status: 401, body: "{}" }))
    const { code, stderr, stdout } = await run(["check"], { env })
    expect(code).toBe(3)
    expect(told(stdout)).toMatchObject({
      reached: "yes, it answered 401",
      key: "refused (CHEMSTREAM_API_KEY)",
      verdict: "not ready"
    })
    expect(stderr).toMatch(/^chemstream: the service refused the API key[^\n]+\n$/)
    expect(requests).toHaveLength(1)
  })

  it("says that there is no key, with exit code 3 and no request", async () => {
    const { requests, url } = await scripted(() => ({ body: ok }))
    const { code, stderr, stdout } = await run(["check", "--base-url", url])
    expect(code).toBe(3)
    expect(told(stdout)).toMatchObject({ service: `${url} (--base-url)`, key: "none" })
    expect(stderr).toMatch(/^chemstream: no API key: [^\n]+\n$/)
    expect(requests).toHaveLength(0)
  })

  it("says that nothing is there, with exit code 4", async () => {
    const env = { CHEMSTREAM_BASE_URL: "http://127.0.0.1:1", CHEMSTREAM_API_KEY: "k" }
    const { code, stderr, stdout } = await run(["check"], { env })
    expect(code).toBe(4)
    expect(told(stdout)).toMatchObject({ reached: "no", verdict: "not ready" })
    expect(stderr).toMatch(/^chemstream: cannot reach the service[^\n]+\n$/)
  })

  it("does not try again: what fails shows, and is exit code 1", async () => {
    const down = await scripted(() => ({ status: 503, body: "{}" }))
    const first = await run(["check"], { env: down.env })
    expect(first.code).toBe(1)
    expect(told(first.stdout)).toMatchObject({ reached: "yes, it answered 503", verdict: "not ready" })
    expect(down.requests).toHaveLength(1)
    const unsteady = await scripted((_, number) =>
      number === 3 ? { status: 502, body: "{}" } : { body: ok }
    )
    const later = await run(["check"], { env: unsteady.env })
    expect(later.code).toBe(1)
    expect(told(later.stdout)).toMatchObject({
      key: "accepted (CHEMSTREAM_API_KEY)",
      speed: expect.stringContaining("(median of 2)"),
      verdict: "unsteady: 1 request of 5 failed"
    })
    expect(unsteady.requests).toHaveLength(5)
  })

  it("says that an answer that does not come was waited for", async () => {
    const { env } = await scripted(() => ({ body: ok, until: new Promise(() => {}) }))
    const { code, stdout } = await run(["check", "--timeout", "1"], { env })
    expect(code).toBe(1)
    expect(told(stdout)["reached"]).toBe("yes, but no answer came to its end")
  })
})
