import { once } from "node:events"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cleanUp, folder, run, sharedService, start } from "./process.ts"
import { scripted } from "./scripted.ts"

/** The series of a text of metrics by their names with labels. */
const seriesOf = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))])
  )

const scrape = async (url: string) => seriesOf(await (await fetch(url)).text())

const byEndpoint = '{endpoint="details.byDtxsidBatch"}'

describe("the metrics of a command", { concurrent: true }, () => {
  it("are at zero before the first response, and show an outage and the progress while it lasts", async ({
    expect
  }) => {
    let isDown = true
    const service = await scripted(({ ids }) =>
      isDown
        ? { status: 503, body: "" }
        : { body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid, preferredName: "x" }))) }
    )
    const cwd = folder()
    writeFileSync(join(cwd, "ids.txt"), "DTXSID7020182\nDTXSID3039242\n")
    const command = start(
      [
        ...["details", "-i", "ids.txt", "--metrics-port", "0", "--retries", "0"],
        "-q",
        "--projection",
        "compact"
      ],
      { cwd, env: service.env }
    )
    const [, url = ""] = await command.says(/^metrics at (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m)
    await expect
      .poll(() => scrape(url), { timeout: 60_000, interval: 20 })
      .toMatchObject({
        'chemstream_run_items_total{outcome="found"}': 0,
        'chemstream_run_items_total{outcome="failed"}': 0,
        'chemstream_run_waiting_calls{reason="unavailable"}': 1,
        'chemstream_run_waiting_calls{reason="throttled"}': 0,
        chemstream_run_expected_items: 2,
        chemstream_run_done_items: 0
      })
    isDown = false
    expect(await command.ended).toMatchObject({ code: 0 })
  })

  it("--metrics-file has them at the end of the run, complete, with their types and units", async () => {
    const { env } = await sharedService()
    const cwd = folder()
    const args = ["details", "DTXSID7020182", "DTXSID2099900001", "DTXSID7020182", "x"]
    const { code } = await run([...args, "--metrics-file", "run.prom"], { cwd, env })
    expect(code).toBe(0)
    expect(readdirSync(cwd)).toEqual(["run.prom"])
    const text = readFileSync(join(cwd, "run.prom"), "utf8")
    expect(text).toContain(
      "# HELP chemstream_run_items_total Items of the input that have an outcome\n# TYPE chemstream_run_items_total counter\n"
    )
    expect(seriesOf(text)).toMatchObject({
      'chemstream_run_items_total{outcome="found"}': 1,
      'chemstream_run_items_total{outcome="missing"}': 1,
      'chemstream_run_items_total{outcome="duplicate"}': 1,
      'chemstream_run_items_total{outcome="invalid"}': 1,
      chemstream_run_records_total: 1,
      chemstream_run_batches_total: 1,
      'chemstream_run_waiting_calls{reason="unavailable"}': 0,
      [`chemstream_client_requests_total${byEndpoint}`]: 1,
      [`chemstream_client_call_duration_seconds_count${byEndpoint}`]: 1
    })
    expect(seriesOf(text)[`chemstream_client_response_bytes_total${byEndpoint}`]).toBeGreaterThan(0)
  })

  it("--metrics-file keeps the time of the last success while later runs fail", async () => {
    let isRefused = false
    const { env } = await scripted(({ ids }) =>
      isRefused ? { status: 401, body: "{}" } : { body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))) }
    )
    const cwd = folder()
    const nightly = async (...more: ReadonlyArray<string>) => {
      const args = ["details", "DTXSID7020182", ...more, "--metrics-file", "run.prom"]
      const { code } = await run(args, { cwd, env })
      const text = readFileSync(join(cwd, "run.prom"), "utf8")
      return { code, last: seriesOf(text)["chemstream_run_last_success_timestamp_seconds"] }
    }
    isRefused = true
    expect(await nightly()).toEqual({ code: 3, last: undefined })
    isRefused = false
    const before = Math.floor(Date.now() / 1000)
    const { code, last = 0 } = await nightly()
    expect(code).toBe(0)
    expect(last).toBeGreaterThanOrEqual(before)
    expect(last).toBeLessThanOrEqual(Date.now() / 1000)
    // Long ago, so that no failed run can have the same time.
    const text = readFileSync(join(cwd, "run.prom"), "utf8")
    writeFileSync(join(cwd, "run.prom"), text.replace(` ${last}\n`, " 1700000000\n"))
    isRefused = true
    expect(await nightly()).toEqual({ code: 3, last: 1700000000 })
    isRefused = false
    expect(await nightly("x", "--fail-on", "invalid")).toEqual({ code: 1, last: 1700000000 })
    expect((await nightly()).last).toBeGreaterThanOrEqual(last)
  })

  it("that reads a list count its pages, records and retries, also those before a failure", async () => {
    const page = (number: number) =>
      JSON.stringify({ data: [{ dtxsid: `DTXSID${number}` }, {}], pageNumber: number, totalPages: 3 })
    const { env } = await scripted(({ path }, number) => {
      const at = Number(path.split("=")[1])
      if (number === 2) return { status: 500, body: "{}" }
      return at === 3 ? { status: 401, body: "{}" } : { body: page(at) }
    })
    const cwd = folder()
    const { code, stderr } = await run(["all", "-q", "--metrics-file", "run.prom"], { cwd, env })
    expect([code, stderr]).toEqual([3, expect.stringContaining("401")])
    expect(seriesOf(readFileSync(join(cwd, "run.prom"), "utf8"))).toMatchObject({
      'chemstream_run_items_total{outcome="found"}': 2,
      chemstream_run_batches_total: 2,
      chemstream_run_records_total: 4,
      chemstream_run_retries_total: 1,
      chemstream_run_done_items: 2
    })
  })

  it("that reads a list show the call that waits for the service, and the request in flight", async ({
    expect
  }) => {
    const { promise: until, resolve: free } = Promise.withResolvers<void>()
    const { env } = await scripted((_, number) =>
      number === 1
        ? { status: 429, headers: { "retry-after": "3" }, body: "" }
        : { body: '{"data":[],"pageNumber":1,"totalPages":1}', until }
    )
    const command = start(["all", "-q", "--metrics-port", "0"], { cwd: folder(), env })
    const [, url = ""] = await command.says(/^metrics at (http:\S+)$/m)
    const soon = { timeout: 60_000, interval: 20 }
    await expect
      .poll(() => scrape(url), soon)
      .toMatchObject({ 'chemstream_run_waiting_calls{reason="throttled"}': 1 })
    await expect
      .poll(() => scrape(url), soon)
      .toMatchObject({
        'chemstream_run_waiting_calls{reason="throttled"}': 0,
        chemstream_run_batches_in_flight: 1
      })
    free()
    expect(await command.ended).toMatchObject({ code: 0 })
  })

  it("changes nothing of a run: without a service at its start it ends at once", async () => {
    // No port of this address is open.
    const env = { CHEMSTREAM_BASE_URL: "http://127.0.0.1:9", CHEMSTREAM_API_KEY: "a-key" }
    const args = ["details", "DTXSID7020182", "--wait", "1h", "--retries", "0"]
    const plain = await run(args, { cwd: folder(), env })
    expect(plain.code).toBe(4)
    expect(await run([...args, "--metrics-file", "run.prom"], { cwd: folder(), env })).toEqual(plain)
  })

  it("--metrics-file cannot name the output, and --metrics-port cannot be taken", async () => {
    const { env, url } = await sharedService()
    const cwd = folder()
    const same = await run(["details", "DTXSID7020182", "-o", "a.ndjson", "--metrics-file", "a.ndjson"], {
      cwd,
      env
    })
    expect(same).toMatchObject({ code: 2 })
    expect(same.stderr).toContain("--output and --metrics-file name the same file: a.ndjson")
    const taken = await run(["details", "DTXSID7020182", "--metrics-port", new URL(url).port], { cwd, env })
    expect(taken).toMatchObject({ code: 1, stdout: "" })
    expect(taken.stderr).toContain("cannot serve metrics (--metrics-port): ")
  })

  it("and its spans go to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, the request below the batch below the command", async () => {
    const received = new Map<string, string>()
    const collector = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (part: string) => {
        body += part
      })
      request.on("end", () => {
        received.set(request.url ?? "", (received.get(request.url ?? "") ?? "") + body)
        response.writeHead(200, { "content-type": "application/json" }).end("{}")
      })
    }).listen(0, "127.0.0.1")
    await once(collector, "listening")
    cleanUp(() => {
      collector.close()
      collector.closeAllConnections()
    })
    const { env } = await sharedService()
    const { port } = collector.address() as AddressInfo
    const collected = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json"
    }
    const { code } = await run(["details", "DTXSID7020182", "-q"], { env: { ...env, ...collected } })
    expect(code).toBe(0)
    const { resource, scopeSpans } = JSON.parse(received.get("/v1/traces") ?? "{}").resourceSpans[0]
    expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "chemstream" } })
    const spans: ReadonlyArray<{
      readonly name: string
      readonly spanId: string
      readonly parentSpanId?: string
    }> = scopeSpans[0].spans
    const span = (name: string) => spans.find((one) => one.name === name)
    expect(span("chemstream.batch")?.parentSpanId).toBe(span("chemstream details")?.spanId)
    const call = spans.find(({ name }) => name.startsWith("chemstream.details."))
    expect(call?.parentSpanId).toBe(span("chemstream.batch")?.spanId)
    expect(received.get("/v1/metrics")).toContain('"chemstream_run_items_total"')
    expect([...received.values()].join()).not.toContain(env.CHEMSTREAM_API_KEY)
    // Messages go there and to standard error, and never between the records.
    const service = await scripted(({ ids }, number) =>
      number < 4 ? { status: 503, body: "" } : { body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))) }
    )
    const ended = await run(["details", "DTXSID7020182", "--retries", "0"], {
      env: { ...service.env, ...collected }
    })
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\{[^\n]*\}\n$/) })
    expect(ended.stderr).toMatch(/^chemstream: warning: the service is unavailable/m)
    expect(received.get("/v1/logs")).toContain("the service is unavailable")
  })

  it("of a worker are there before its first chunk and count its chunks; --metrics-host opens them to other machines", async ({
    expect
  }) => {
    const { promise: until, resolve: free } = Promise.withResolvers<void>()
    const { env } = await scripted(({ ids }) => ({
      body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))),
      ...(ids.includes("DTXSID2021315") ? { until } : {})
    }))
    const cwd = folder()
    const harvest = (...args: ReadonlyArray<string>) => run(["harvest", ...args], { env, cwd })
    const worker = start(["harvest", "worker", "--metrics-port", "0", "--metrics-host", "0.0.0.0"], {
      env,
      cwd
    })
    const [, port = ""] = await worker.says(/^metrics at http:\/\/0\.0\.0\.0:(\d+)\/metrics$/m)
    const url = `http://127.0.0.1:${port}/metrics`
    expect((await fetch(`${url}/other`)).status).toBe(404)
    await worker.says(/the worker runs/)
    const poll = () => expect.poll(() => scrape(url), { timeout: 60_000, interval: 50 })
    await poll().toMatchObject({
      'chemstream_run_items_total{outcome="found"}': 0,
      chemstream_harvest_failed_attempts_total: 0,
      chemstream_harvest_chunks_in_flight: 0,
      'chemstream_harvest_harvests{state="running"}': 0
    })
    expect((await harvest("start", "later", "DTXSID7020182", "-o", "later", "--detach")).code).toBe(0)
    await poll().toMatchObject({
      'chemstream_run_items_total{outcome="found"}': 1,
      chemstream_harvest_chunk_seconds_count: 1
    })
    const ids = ["DTXSID7020182", "DTXSID3039242", "DTXSID2021315"]
    const args = ["-o", "long", "--chunk-size", "1", "--validate", "off", "--detach"]
    expect((await harvest("start", "long", ...ids, ...args)).code).toBe(0)
    await poll().toMatchObject({
      'chemstream_harvest_harvests{state="running"}': 1,
      chemstream_harvest_expected_items: 3,
      chemstream_harvest_done_items: 2,
      chemstream_harvest_expected_end_timestamp_seconds: expect.toSatisfy(
        (at: number) => at > Date.now() / 1000
      )
    })
    free()
    await poll().toMatchObject({ chemstream_harvest_expected_items: 0, chemstream_harvest_done_items: 0 })
    worker.child.kill("SIGTERM")
    expect((await worker.ended).code).toBe(0)
  })
})
