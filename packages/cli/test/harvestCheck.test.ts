import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Postgres from "../../workflow/test/postgres.ts"
import { cleanUp, folder, run, sharedService, start } from "./process.ts"
import { scripted } from "./scripted.ts"

const id = "DTXSID7020182"

/** The commands of harvests in a folder of their own, for a service. */
const setUp = async (env: Record<string, string>) => {
  const cwd = folder()
  const harvest = (...args: ReadonlyArray<string>) => run(["harvest", ...args], { env, cwd })
  const work = (...args: ReadonlyArray<string>) => start(["harvest", "worker", ...args], { env, cwd })
  const check = (...args: ReadonlyArray<string>) => harvest("status", "nightly", "--check", ...args)
  const detached = (...args: ReadonlyArray<string>) =>
    harvest("start", "nightly", ...args, "-o", "out", "--detach")
  return { cwd, harvest, work, check, detached }
}

const patient = { timeout: 60_000, interval: 100 }

describe("chemstream harvest status --check", { concurrent: true }, () => {
  it("exits with 5 without a worker and after a pause, with 0 after the end, and with 1 if that was too long ago", async () => {
    const { env } = await sharedService()
    const { check, detached, harvest, work } = await setUp(env)
    await detached(id)
    expect(await check()).toMatchObject({ code: 5, stdout: "nightly: no worker runs; 0 of 1 identifier\n" })
    await harvest("pause", "nightly")
    expect(await check()).toMatchObject({ code: 5, stdout: "nightly: paused: by harvest pause\n" })
    await harvest("resume", "nightly")
    expect(await work("--until-done").ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^nightly: finished at \S+Z; 1 read, 0 failed\n$/)
    })
    expect((await check("--older-than", "1h")).code).toBe(0)
    const old = await check("--older-than", "0")
    expect(old).toMatchObject({ code: 1 })
    expect(old.stdout).toMatch(/^nightly: finished at \S+Z, more than 0 ago; 1 read, 0 failed\n$/)
    const json = JSON.parse((await check("--json")).stdout)
    expect(json).toMatchObject({ state: "finished", check: { exitCode: 0 } })
    expect(await harvest("status", "nightly", "--older-than", "1h")).toMatchObject({
      code: 2,
      stderr: "chemstream: --older-than needs --check\n"
    })
  })

  it("exits with 3 if the service refused the key, like a worker with --until-done", async () => {
    const { url } = await sharedService()
    const { check, detached, work } = await setUp({
      CHEMSTREAM_BASE_URL: url,
      CHEMSTREAM_API_KEY: "a wrong key"
    })
    await detached(id)
    const line = /^nightly: paused: .*API key.*\n$/
    expect(await work("--until-done").ended).toMatchObject({ code: 3, stdout: expect.stringMatching(line) })
    expect(await check()).toMatchObject({ code: 3, stdout: expect.stringMatching(line) })
  })

  it("exits with 4 while the service is unavailable or asks to wait", async ({ expect }) => {
    let answer: { readonly status: number; readonly headers?: Record<string, string> } = { status: 503 }
    const service = await scripted(() => ({ body: "[]", ...answer }))
    const { check, detached, work } = await setUp(service.env)
    await detached(id)
    const worker = work("--retries", "0")
    await expect
      .poll(() => check(), patient)
      .toMatchObject({
        code: 4,
        stdout: "nightly: the service is unavailable: waiting for it; 0 of 1 identifier\n"
      })
    answer = { status: 429, headers: { "retry-after": "3600" } }
    await expect
      .poll(() => check(), patient)
      .toMatchObject({
        code: 4,
        stdout: expect.stringMatching(/^nightly: the service asks to wait until \S+Z; 0 of 1 identifier\n$/)
      })
    worker.child.kill("SIGTERM")
    expect((await worker.ended).code).toBe(0)
  })

  it("exits with 4 while a worker has not reached the service, which pauses the harvest after --wait", async ({
    expect
  }) => {
    const { url, env } = await scripted(() => ({ body: "[]" }))
    const closed = createServer().listen(0, "127.0.0.1")
    await once(closed, "listening")
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const { check, detached, work } = await setUp({
      ...env,
      CHEMSTREAM_BASE_URL: url.replace(/\d+$/, `${port}`)
    })
    await detached(id)
    const worker = work()
    await expect
      .poll(() => check(), patient)
      .toMatchObject({
        code: 4,
        stdout: "nightly: the service is unavailable: waiting for it; 0 of 1 identifier\n"
      })
    worker.child.kill("SIGTERM")
    await worker.ended
    expect(await work("--until-done", "--wait", "1s").ended).toMatchObject({
      stdout: expect.stringContaining("nightly: paused: the service stayed unavailable for longer than 1s")
    })
  })

  it("exits with 1 after failed values, like a worker with --until-done", async () => {
    const service = await scripted(() => ({ status: 400, body: "{}" }))
    const { check, detached, work } = await setUp(service.env)
    await detached(id)
    const line = /^nightly: finished at \S+; 1 read, 1 failed\n$/
    expect(await work("--until-done").ended).toMatchObject({ code: 1, stdout: expect.stringMatching(line) })
    expect(await check()).toMatchObject({ code: 1, stdout: expect.stringMatching(line) })
  })

  it("exits with 5 if the Postgres of the harvests does not respond", async () => {
    const closed = createServer().listen(0, "127.0.0.1")
    await once(closed, "listening")
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const { check } = await setUp({ CHEMSTREAM_HARVESTS: `postgres://harvest@127.0.0.1:${port}/harvest` })
    expect(await check()).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("the database of harvests does not respond")
    })
  })

  it("exits with 5 if no chunk has finished for two leases", async ({ expect }) => {
    const service = await scripted(() => ({ body: "[]", until: new Promise(() => {}) }))
    const { check, detached, work } = await setUp(service.env)
    await detached(id)
    const worker = work("--lease", "2s", "--timeout", "10m")
    await worker.says(/the worker runs/)
    await expect
      .poll(() => check(), patient)
      .toMatchObject({
        code: 5,
        stdout: expect.stringMatching(/^nightly: no progress for \ds; 0 of 1 identifier\n$/)
      })
  })
})

describe("chemstream harvest worker", { concurrent: true }, () => {
  it("--until-done waits for a Postgres that restarts", async () => {
    let isUp = false
    const { env } = await scripted(() => (isUp ? { body: "[]" } : { status: 503, body: "" }))
    const { detached, work } = await setUp(env)
    const server = await Postgres.start()
    cleanUp(() => server.stop())
    const database = ["--database", server.url]
    await detached(id, ...database)
    const worker = work("--until-done", ...database)
    await worker.says(/the service is unavailable/)
    server.kill()
    await worker.says(/waiting: the database of harvests/)
    isUp = true
    await server.start()
    await worker.says(/the database of harvests responds again/)
    expect(await worker.ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^nightly: finished at \S+Z; 1 read, 0 failed\n$/)
    })
  })

  it("--until-done ends at once if no harvest is unfinished", async () => {
    const { env } = await sharedService()
    const { work } = await setUp(env)
    const ended = await work("--until-done").ended
    expect(ended).toMatchObject({ code: 0, stdout: "" })
    expect(ended.stderr).toContain("no harvest is unfinished\n")
  })

  it.for([
    ["the loopback address", []],
    ["0.0.0.0", ["--health-host", "0.0.0.0"]]
  ] as const)(
    "--health-port serves /health and /ready on %s, and exits with 0 after SIGTERM",
    async ([address, args], { expect }) => {
      const { env } = await sharedService()
      const { work } = await setUp(env)
      const worker = work("--health-port", "0", ...args)
      const [, host, port = ""] = await worker.says(/^health at http:\/\/(.+):(\d+)\/health and \S+\/ready$/m)
      expect(host).toBe(address === "0.0.0.0" ? address : "127.0.0.1")
      const url = `http://127.0.0.1:${port}`
      // An address of the loopback network besides 127.0.0.1 reaches only a port that is open to all addresses.
      const other = fetch(`http://127.0.0.2:${port}/health`).then(({ status }) => status)
      await (address === "0.0.0.0" ? expect(other).resolves.toBe(200) : expect(other).rejects.toThrow())
      const health = await fetch(`${url}/health`)
      expect([health.status, await health.json()]).toEqual([200, { status: "ok" }])
      await expect.poll(async () => (await fetch(`${url}/ready`)).status, patient).toBe(200)
      worker.child.kill("SIGTERM")
      expect((await worker.ended).code).toBe(0)
    }
  )

  it("is healthy and not ready while it waits for its Postgres", async () => {
    const { env } = await sharedService()
    const { work } = await setUp(env)
    const worker = work("--health-port", "0", "-d", "postgres://nobody@127.0.0.1:1/nothing")
    const [, url = ""] = await worker.says(/^health at (\S+)\/health/m)
    await worker.says(/Waiting at most five minutes/)
    expect((await fetch(`${url}/health`)).status).toBe(200)
    const ready = await fetch(`${url}/ready`)
    expect([ready.status, await ready.json()]).toEqual([503, { status: "the database does not respond" }])
  })
})

describe("a secret", { concurrent: true }, () => {
  it("is read from the file that NAME_FILE names: the key, the keys of the service, the database", async () => {
    const cwd = folder()
    const write = (name: string, text: string) => {
      writeFileSync(join(cwd, name), text)
      return join(cwd, name)
    }
    const keysFile = write("keys", "one\ntwo\n")
    const service = start(["serve", "--port", "0"], { env: { CHEMSTREAM_API_KEYS_FILE: keysFile } })
    const [, url = ""] = await service.says(/serves at (http:\S+)/)
    const env = {
      CHEMSTREAM_BASE_URL: url,
      CHEMSTREAM_API_KEY_FILE: write("key", "two\n"),
      CHEMSTREAM_HARVESTS_FILE: write("database", `${join(cwd, "elsewhere.db")}\n`)
    }
    expect((await run(["details", id, "-q"], { env, cwd })).code).toBe(0)
    expect((await run(["harvest", "start", "h", id, "-o", "out"], { env, cwd })).code).toBe(0)
    expect((await run(["harvest", "list", "-d", "elsewhere.db"], { cwd })).stdout).toContain("finished")
    service.child.kill("SIGTERM")
    expect((await service.ended).code).toBe(0)
  })

  it("that has two sources, or a file that cannot be read, is wrong usage", async () => {
    const both = { CHEMSTREAM_API_KEY: "a", CHEMSTREAM_API_KEY_FILE: "b" }
    expect(await run(["details", id], { env: both })).toMatchObject({
      code: 2,
      stderr: "chemstream: CHEMSTREAM_API_KEY and CHEMSTREAM_API_KEY_FILE are both set: unset one\n"
    })
    const absent = await run(["details", id], { env: { CHEMSTREAM_API_KEY_FILE: "/no/such/file" } })
    expect(absent).toMatchObject({ code: 2 })
    expect(absent.stderr).toMatch(/^chemstream: cannot read CHEMSTREAM_API_KEY_FILE: no such file/)
    const file = join(folder(), "empty")
    writeFileSync(file, "\n")
    expect(await run(["details", id], { env: { CHEMSTREAM_API_KEY_FILE: file } })).toMatchObject({
      code: 2,
      stderr: `chemstream: CHEMSTREAM_API_KEY_FILE is empty: ${file}\n`
    })
  })
})
