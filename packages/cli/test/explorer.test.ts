import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run, serve, sharedService, start } from "./process.ts"
import { scripted } from "./scripted.ts"

const withKey = { headers: { "x-api-key": "test-key" } }

const structure = (url: string, parameters: Record<string, string>, init: RequestInit = withKey) =>
  fetch(`${url}/explorer/structure?${new URLSearchParams(parameters)}`, init)

describe("the explorer of serve", { concurrent: true }, () => {
  it("is the page at /, needs no key, and loads nothing from another host", async () => {
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

  it("draws structures and computes their values, with a key", async () => {
    const { url } = await serve()
    const svg = await structure(url, { of: "c1ccccc1" })
    expect([svg.status, svg.headers.get("content-type")]).toEqual([200, "image/svg+xml"])
    expect(await svg.text()).toMatch(/^<svg /)
    const inchikey = await structure(url, { of: "c1ccccc1", as: "inchikey" })
    expect(await inchikey.text()).toBe("UHOVQNZJYSORNB-UHFFFAOYSA-N")
    expect((await structure(url, { of: "c1ccccc1" }, {})).status).toBe(401)
  })

  it("says what the service has, with a key", async () => {
    const { url } = await serve()
    const view = await (await fetch(`${url}/explorer/service`, withKey)).json()
    expect(view).toMatchObject({ version: expect.stringMatching(/^\d/), substances: 343 })
    expect(view.endpoints).toEqual(
      expect.arrayContaining(["details.byDtxsid", "synonyms.byDtxsid", "hazard.toxval"])
    )
    expect(view.endpoints).not.toContain("bioactivity.byDtxsid")
    expect(view.examples).toHaveLength(6)
    expect(view.examples[0]).toEqual({
      dtxsid: expect.stringMatching(/^DTXSID/),
      preferredName: expect.any(String),
      casrn: expect.any(String),
      molFormula: expect.any(String),
      smiles: expect.any(String)
    })
    expect((await fetch(`${url}/explorer/service`)).status).toBe(401)
  })

  it("reports why a structure cannot be drawn", async () => {
    const { url } = await serve()
    const malformed = await structure(url, { of: "xyz" })
    expect([malformed.status, (await malformed.json()).detail]).toEqual([400, expect.stringContaining("xyz")])
    const unknown = await structure(url, { of: "C", as: "png" })
    expect((await unknown.json()).detail).toContain("one of svg, inchi, inchikey, mass")
  })

  it.each(["svg", "inchi", "inchikey", "mass"])(
    "refuses a structure of more than 300 atoms as %s, before and after it is cached",
    async (as) => {
      const { url } = await sharedService()
      for (let n = 0; n < 2; n++) {
        const { status, detail } = await (await structure(url, { of: "C".repeat(301), as })).json()
        expect([status, detail]).toEqual([400, "a structure of 301 atoms is larger than the limit of 300"])
      }
      expect((await structure(url, { of: "C".repeat(300), as })).status).toBe(200)
    }
  )

  it("answers other requests while structures are computed", async () => {
    const { url } = await sharedService()
    const order: Array<string> = []
    const requests = Array.from({ length: 12 }, (_, n) =>
      structure(url, { of: `${"C(F)(F)".repeat(90)}${"C".repeat(n + 1)}`, as: "mass" }).then(({ status }) =>
        order.push(`structure ${status}`)
      )
    )
    const detail = `${url}/chemical/detail/search/by-dtxsid/DTXSID7020182`
    await fetch(detail, { headers: { "x-api-key": "other" } }).then(({ status }) =>
      order.push(`detail ${status}`)
    )
    await Promise.all(requests)
    expect(order.indexOf("detail 200")).toBeLessThan(6)
    expect(order.filter((entry) => entry === "structure 200")).toHaveLength(12)
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

  it("prints a link whose token returns the key once", async () => {
    const service = start(["serve", "--port", "0", "--open"], { env: { CHEMSTREAM_API_KEYS: "test-key" } })
    const [, url = "", token = ""] = await service.says(/once: (http:\/\/127\.0\.0\.1:\d+)\/#\/open\/(\S+)/)
    expect((await exchange(url, "another")).status).toBe(404)
    expect(await (await exchange(url, token)).text()).toBe("test-key")
    expect((await exchange(url, token)).status).toBe(404)
  })

  it("accepts no token without the option", async () => {
    const { url } = await serve()
    expect((await exchange(url, "any")).status).toBe(404)
  })

  it.each([
    [["--host", "0.0.0.0"], "--open needs a loopback address"],
    [["--dialect", "ctx"], "--dialect ctx"]
  ])("is refused with %j", async (flags, reason) => {
    const ended = await run(["serve", "--port", "0", "--open", ...flags])
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(reason)])
  })
})

describe("serve --harvests", { concurrent: true }, () => {
  const harvestsOf = (url: string, init: RequestInit = withKey) => fetch(`${url}/explorer/harvests`, init)

  it("shows the progress of harvests to clients with a key, without their output paths", async () => {
    const { env } = await sharedService()
    const cwd = folder()
    const database = join(cwd, "harvests.db")
    const flags = ["DTXSID7020182", "DTXSID2099900001", "--output", "secret-folder", "--database", database]
    expect((await run(["harvest", "start", "mirror", ...flags], { env, cwd })).code).toBe(0)
    const { url } = await serve("--harvests", database)
    const text = await (await harvestsOf(url)).text()
    expect(JSON.parse(text)).toMatchObject([
      {
        name: "mirror",
        state: "finished",
        identifiers: 2,
        chunksDone: 1,
        tally: { read: 2, found: 1, missing: 1, failed: 0 }
      }
    ])
    expect(text).not.toContain("secret-folder")
    expect((await harvestsOf(url, {})).status).toBe(401)
  })

  it("counts failed identifiers by error, as harvest status does", async () => {
    const refused = "DTXSID2099900001"
    const { env } = await scripted(({ ids }) =>
      ids.includes(refused)
        ? { status: 400, body: '{"detail":"malformed"}' }
        : { body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))) }
    )
    const cwd = folder()
    const database = join(cwd, "harvests.db")
    const flags = ["DTXSID7020182", refused, "--output", "out", "--database", database]
    expect((await run(["harvest", "start", "mirror", ...flags], { env, cwd })).code).toBe(1)
    const { stdout } = await run(["harvest", "status", "mirror", "--database", database], { cwd })
    expect(stdout).toContain("\nfailed   1 identifier: InvalidRequest 400\n")
    const { url } = await serve("--harvests", database)
    const [harvest] = await (await harvestsOf(url)).json()
    expect(harvest.failures).toEqual([{ reason: "InvalidRequest 400", identifiers: 1 }])
  })

  it("does not exist without the option", async () => {
    const { url } = await serve()
    expect((await harvestsOf(url)).status).toBe(404)
  })
})
