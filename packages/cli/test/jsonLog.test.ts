import { describe, expect, it } from "vitest"
import { run, sharedService, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const trace = "0af7651916cd43dd8448eb211c80319c"

describe("--log json", { concurrent: true }, () => {
  it("writes everything on standard error as objects with time, level, message and the trace of the process", async () => {
    const { env } = await sharedService()
    const { code, stderr } = await run(
      ["details", "DTXSID7020182", "nonsense", "--log", "json", "--progress", "bar"],
      {
        env: { ...env, TRACEPARENT: `00-${trace}-b7ad6b7169203331-01` }
      }
    )
    expect(code).toBe(0)
    const messages = lines(stderr)
    expect(messages.length).toBeGreaterThan(0)
    for (const one of messages)
      expect(one).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: "info",
        message: expect.stringMatching(/^(?!chemstream)/),
        traceId: trace
      })
    expect(stderr).toContain("read 2 = 1 found")
  })

  it("has the level of an error for usage and for failures, also by CHEMSTREAM_LOG", async () => {
    const unknown = await run(["details", "--nonsense", "--log=json"])
    expect(unknown.code).toBe(2)
    expect(lines(unknown.stderr)).toMatchObject([
      { level: "error", message: expect.stringMatching(/^unknown option --nonsense/) }
    ])
    const env = { CHEMSTREAM_LOG: "json", CHEMSTREAM_BASE_URL: "http://127.0.0.1:1", CHEMSTREAM_API_KEY: "k" }
    const unreachable = await run(["details", "DTXSID7020182", "--wait", "0", "--retries", "0"], { env })
    expect(unreachable.code).toBe(4)
    expect(lines(unreachable.stderr).at(-1)).toMatchObject({ level: "error" })
    expect(await run(["details", "--log", "xml"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--log "xml" is not allowed: use one of')
    })
  })

  it("warns about an outage, and says that it is over, in the same trace", async () => {
    let isDown = true
    const service = await scripted(() => (isDown ? { status: 503, body: "" } : { body: "[]" }))
    const command = start(["details", "DTXSID7020182", "--log", "json", "--retries", "0"], {
      env: service.env
    })
    await command.says(/"level":"warning"/)
    isDown = false
    const { stderr } = await command.ended
    const messages = lines(stderr)
    expect(messages).toContainEqual(
      expect.objectContaining({
        level: "warning",
        message: expect.stringContaining("the service is unavailable")
      })
    )
    expect(new Set(messages.map(({ traceId }) => traceId)).size).toBe(1)
  })

  it("escapes what a terminal acts on, with the same value", async () => {
    const { code, stderr } = await run(["details", "--log=json", "--non\u009b\u202esense"])
    expect(code).toBe(2)
    expect(stderr).not.toMatch(/[\u009b\u202e]/)
    expect(lines(stderr)).toMatchObject([{ message: expect.stringContaining("--non\u009b\u202esense") }])
  })

  it("of the service has the address, and its access log has the same fields, with the trace of the request", async () => {
    const service = start(["serve", "--port", "0", "--log", "json"], {
      env: { CHEMSTREAM_API_KEYS: "a-long-key" }
    })
    const [, url = ""] = await service.says(/serves at (http:[^ "]+)/)
    await fetch(`${url}/health`, { headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` } })
    await service.says(/GET \/health 200/)
    await fetch(`${url}/ready`)
    await service.says(/GET \/ready 200/)
    service.child.kill("SIGTERM")
    const { code, stderr } = await service.ended
    expect(code).toBe(0)
    const messages = lines(stderr)
    for (const one of messages)
      expect(one).toMatchObject({ time: expect.any(String), level: "info", message: expect.any(String) })
    const traceOf = (text: string) => messages.find(({ message }) => message === text)?.["traceId"]
    expect(traceOf("GET /health 200")).toBe(trace)
    expect(traceOf("GET /ready 200")).toBe(null)
    expect(traceOf("stopped")).toMatch(/^[0-9a-f]{32}$/)
  })
})
