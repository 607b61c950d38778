import { describe, expect, it } from "vitest"
import { run, serve, start } from "./process.ts"

const withKey = { headers: { "x-api-key": "test-key" } }

const structure = (url: string, parameters: Record<string, string>, init: RequestInit = withKey) =>
  fetch(`${url}/explorer/structure?${new URLSearchParams(parameters)}`, init)

describe("the explorer that serve serves", { concurrent: true }, () => {
  it("is the page at /, without a key, and may load nothing of another host", async () => {
    const { url } = await serve()
    const response = await fetch(url)
    const page = await response.text()
    expect(page).toContain("<title>chemstream explorer</title>")
    expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'; script-src 'self';/)
    const [, script = ""] = /src="\.\/(explorer\/[^"]+\.js)"/.exec(page) ?? []
    const loaded = await fetch(`${url}/${script}`)
    expect([loaded.status, loaded.headers.get("content-type")]).toEqual([
      200,
      "text/javascript; charset=utf-8"
    ])
  })

  it("draws structures and gives what is computed of them, for a key", async () => {
    const { url } = await serve()
    const svg = await structure(url, { of: "c1ccccc1" })
    expect([svg.status, svg.headers.get("content-type")]).toEqual([200, "image/svg+xml"])
    expect(await svg.text()).toMatch(/^<svg /)
    const inchikey = await structure(url, { of: "c1ccccc1", as: "inchikey" })
    expect(await inchikey.text()).toBe("UHOVQNZJYSORNB-UHFFFAOYSA-N")
    expect((await structure(url, { of: "c1ccccc1" }, {})).status).toBe(401)
  })

  it("says why a structure cannot be drawn", async () => {
    const { url } = await serve()
    const malformed = await structure(url, { of: "xyz" })
    expect([malformed.status, (await malformed.json()).detail]).toEqual([400, expect.stringContaining("xyz")])
    const unknown = await structure(url, { of: "C", as: "png" })
    expect((await unknown.json()).detail).toContain("one of svg, inchi, inchikey, mass")
  })

  it("is not part of the imitated public service", async () => {
    const { url } = await serve("--dialect", "ctx")
    expect(await (await fetch(url)).text()).not.toContain("explorer")
    expect((await structure(url, { of: "C" })).status).not.toBe(200)
  })
})

describe("serve --open", { concurrent: true }, () => {
  const exchange = (url: string, token: string) =>
    fetch(`${url}/explorer/key`, { method: "POST", body: token })

  it("prints a link whose token gives the key once", async () => {
    const service = start(["serve", "--port", "0", "--open"], { env: { CHEMSTREAM_API_KEYS: "test-key" } })
    const [, url = "", token = ""] = await service.says(/once: (http:\/\/127\.0\.0\.1:\d+)\/#\/open\/(\S+)/)
    expect((await exchange(url, "another")).status).toBe(404)
    expect(await (await exchange(url, token)).text()).toBe("test-key")
    expect((await exchange(url, token)).status).toBe(404)
  })

  it("takes no token without the option", async () => {
    const { url } = await serve()
    expect((await exchange(url, "any")).status).toBe(404)
  })

  it.each([
    [["--host", "0.0.0.0"], "of this machine alone"],
    [["--dialect", "ctx"], "--dialect ctx"]
  ])("is refused with %j", async (flags, reason) => {
    const ended = await run(["serve", "--port", "0", "--open", ...flags])
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(reason)])
  })
})
