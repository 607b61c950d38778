import { request as send } from "node:http"
import { type Fault, FaultProxy, Scenario } from "@chemstream/faults"
import { describe, expect, it } from "vitest"

const records = Array.from({ length: 40 }, (_, n) => `{"id":"${n}","text":"a,]}\\"${"é".repeat(n)}"}`)

const body = `[${records.join(",")}]`

const upstream: FaultProxy.Upstream = () => ({
  status: 200,
  headers: { "content-type": "application/json", "x-own": "1" },
  body: Buffer.from(body)
})

const scenario = (fault: Fault.Fault, more: Partial<Scenario.Scenario> = {}): Scenario.Scenario => ({
  ...Scenario.noFaults,
  rules: [{ fault, share: 1 }],
  ...more
})

/** Sends one request through a fault. */
const through = async (fault: Fault.Fault): Promise<Response> => {
  await using proxy = await FaultProxy.start({ scenario: scenario(fault), upstream })
  const response = await fetch(proxy.url)
  const text = await response.text()
  return new Response(text, { status: response.status, headers: response.headers })
}

const idsOf = async (response: Response): Promise<ReadonlyArray<string>> =>
  ((await response.json()) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)

const ids = records.map((_, n) => String(n))

describe("a proxy without faults", () => {
  it("forwards requests and responses unchanged", async () => {
    const request: Array<FaultProxy.ProxyRequest> = []
    await using service = await FaultProxy.start({
      scenario: Scenario.noFaults,
      upstream: (one) => {
        request.push(one)
        return { status: 201, headers: { "x-own": "1" }, body: one.body }
      }
    })
    await using proxy = await FaultProxy.start({
      scenario: Scenario.noFaults,
      upstream: `${service.url}/base/`
    })
    const response = await fetch(`${proxy.url}/a%2Fb?c=1`, {
      method: "POST",
      body: "[1]",
      headers: { "x-api-key": "k" }
    })
    expect([response.status, response.headers.get("x-own"), await response.text()]).toEqual([201, "1", "[1]"])
    expect(request.map(({ headers, method, url }) => [method, url, headers["x-api-key"]])).toEqual([
      ["POST", "/base/a%2Fb?c=1", "k"]
    ])
  })

  it("responds 502 when the service behind it cannot be reached", async () => {
    await using proxy = await FaultProxy.start({
      scenario: Scenario.noFaults,
      upstream: "http://127.0.0.1:1"
    })
    const response = await fetch(proxy.url)
    expect(response.status).toBe(502)
    expect(await response.text()).toContain("ECONNREFUSED")
  })
})

describe("a fault", () => {
  it("sends another status, with the wait in seconds or as a date", async () => {
    const seconds = {
      _tag: "Status",
      status: 429,
      body: "problem",
      retryAfter: { seconds: 7, as: "number" }
    } as const
    const limited = await through(seconds)
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"])
    expect(await limited.json()).toMatchObject({ status: 429 })
    const date = await through({ ...seconds, body: "page", retryAfter: { seconds: 7, as: "date" } })
    const wait =
      Date.parse(date.headers.get("retry-after") ?? "") - Date.parse(date.headers.get("date") ?? "")
    expect(Math.abs(wait - 7000)).toBeLessThanOrEqual(1000)
    expect(await date.text()).toContain("<html>")
  })

  it("ends the connection before the response or within it", async () => {
    for (const how of ["reset", "close"] as const) {
      for (const at of ["before", 0, 0.5, 1] as const) {
        await expect(through({ _tag: "Cut", at, how }), `${how} at ${at}`).rejects.toThrow()
      }
    }
  })

  it("resets the connection, and the client sees a reset", async () => {
    await using proxy = await FaultProxy.start({
      scenario: scenario({ _tag: "Cut", at: "before", how: "reset" }),
      upstream
    })
    const code = await new Promise((resolve) => {
      send(proxy.url)
        .on("error", (error: NodeJS.ErrnoException) => resolve(error.code))
        .end()
    })
    expect(code).toBe("ECONNRESET")
  })

  it("sends the first part of a response with a matching length", async () => {
    for (const at of [0, 0.3, 1]) {
      const text = await (await through({ _tag: "Truncation", at })).text()
      expect(body.startsWith(text) && text.length < body.length).toBe(true)
      expect(() => JSON.parse(text)).toThrow()
    }
  })

  it("corrupts the text so that it is not JSON, without changing its length", async () => {
    const text = await (await through({ _tag: "Corruption", bytes: 3 })).text()
    expect(text).toContain("\u0007")
    expect(() => JSON.parse(text)).toThrow()
  })

  it("sends a page with the status 200, or the response with another type", async () => {
    const page = await through({ _tag: "Page" })
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"])
    const typed = await through({ _tag: "WrongType", contentType: "image/png" })
    expect([typed.headers.get("content-type"), await typed.text()]).toEqual(["image/png", body])
  })

  it("sends the whole response in small pieces", async () => {
    expect(await (await through({ _tag: "Drip", bytes: 100, every: 1 })).text()).toBe(body)
  })

  it("repeats, removes, adds or shuffles records, each record unchanged", async () => {
    const twice = await idsOf(await through({ _tag: "Duplication", records: 5 }))
    expect([twice.length, new Set(twice).size]).toEqual([45, 40])
    const fewer = await idsOf(await through({ _tag: "Omission", records: 5 }))
    expect([fewer.length, fewer.every((id) => ids.includes(id))]).toEqual([35, true])
    const more = await idsOf(await through({ _tag: "Surplus", records: ['{"id":"x"}', '{"id":"y"}'] }))
    expect(more.filter((id) => !ids.includes(id))).toEqual(["x", "y"])
    const shuffled = await through({ _tag: "Shuffle" })
    const text = await shuffled.clone().text()
    expect(await idsOf(shuffled)).not.toEqual(ids)
    expect((await idsOf(new Response(text))).toSorted()).toEqual(ids.toSorted())
    expect(records.every((record) => text.includes(record))).toBe(true)
  })

  it("does not change a response that is not an array, if the fault is for arrays", async () => {
    const fault = { _tag: "Omission", records: 5 } as const
    await using proxy = await FaultProxy.start({
      scenario: scenario(fault),
      upstream: () => ({ status: 200, headers: {}, body: Buffer.from('{"a":[1,2]}') })
    })
    expect(await (await fetch(proxy.url)).text()).toBe('{"a":[1,2]}')
  })

  it("stays silent until the client gives up", async () => {
    await using proxy = await FaultProxy.start({ scenario: scenario({ _tag: "Silence" }), upstream })
    const controller = new AbortController()
    const answer = fetch(proxy.url, { signal: controller.signal })
    while (proxy.requests === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    await expect(answer).rejects.toThrow("abort")
  })
})

describe("a service", () => {
  it("that goes down closes its connections, refuses new ones, and returns on its port", async () => {
    await using proxy = await FaultProxy.start({
      scenario: { ...Scenario.noFaults, outages: [{ after: 2, duration: "50 millis" }] },
      upstream
    })
    expect((await fetch(proxy.url)).status).toBe(200)
    await expect(fetch(proxy.url)).rejects.toThrow()
    const met = new Set<string>()
    for (let status = 0; status !== 200; ) {
      status = await fetch(proxy.url).then(
        (response) => response.status,
        (error: Error) => {
          met.add((error.cause as NodeJS.ErrnoException).code ?? "")
          return 0
        }
      )
    }
    expect(met).toContain("ECONNREFUSED")
  })

  it("that starts late refuses connections at first", async () => {
    await using proxy = await FaultProxy.start({
      scenario: { ...Scenario.noFaults, startDelay: 100 },
      upstream
    })
    await expect(fetch(proxy.url)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } })
    for (let isThere = false; !isThere; ) {
      isThere = await fetch(proxy.url).then(
        () => true,
        () => false
      )
    }
    expect(proxy.requests).toBeGreaterThan(0)
  })

  it("replaces its scenario while it runs", async () => {
    await using proxy = await FaultProxy.start({ scenario: Scenario.noFaults, upstream })
    expect((await fetch(proxy.url)).status).toBe(200)
    proxy.setScenario(scenario({ _tag: "Status", status: 503, body: "nothing" }))
    expect((await fetch(proxy.url)).status).toBe(503)
    expect([proxy.requests, proxy.faults]).toEqual([2, 1])
  })

  it("has no open connection after it is closed", async () => {
    const proxy = await FaultProxy.start({ scenario: scenario({ _tag: "Silence" }), upstream })
    const answer = fetch(proxy.url).catch(() => "gone")
    while (proxy.requests === 0) await new Promise((resolve) => setImmediate(resolve))
    await proxy[Symbol.asyncDispose]()
    expect(await answer).toBe("gone")
    expect(proxy.connections).toBe(0)
  })
})
