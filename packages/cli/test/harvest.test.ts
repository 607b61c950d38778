import { execFile, execFileSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer as createHttpServer } from "node:http"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import * as PostgresProxy from "../../workflow/test/postgresProxy.ts"
import * as TestPostgres from "../../workflow/test/testPostgres.ts"
import { cleanUp, command, environment, folder, run, sharedService, start } from "./process.ts"

/** A folder for the database and the output of harvests, the bundled service, and the command in both. */
const setUp = async () => {
  const { env } = await sharedService()
  const cwd = folder()
  return { cwd, env, harvest: (...args: ReadonlyArray<string>) => run(["harvest", ...args], { env, cwd }) }
}

/** Starts a gateway to the service that is down after its first response, until `isDown` is set to false. */
const startGateway = async (env: {
  readonly CHEMSTREAM_BASE_URL: string
  readonly CHEMSTREAM_API_KEY: string
}): Promise<{ readonly url: string; isDown: boolean }> => {
  const state = { url: "", isDown: false }
  let responses = 0
  const gateway = createHttpServer(async (request, response) => {
    if (state.isDown) return void response.writeHead(503).end()
    const answer = await fetch(`${env.CHEMSTREAM_BASE_URL}${request.url}`, {
      method: request.method ?? "POST",
      headers: { "content-type": "application/json", "x-api-key": env.CHEMSTREAM_API_KEY },
      body: await text(request)
    })
    if (++responses === 1) state.isDown = true
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
  }).listen(0, "127.0.0.1")
  cleanUp(() => gateway.close())
  await once(gateway, "listening")
  state.url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  return state
}

/** The first line of a list. */
const header = "NAME\tSTATE\tIDENTIFIERS\tSOURCE\tREASON\n"

describe("chemstream harvest", { concurrent: true }, () => {
  it("writes the records of identifiers to one file, and prints the result", async () => {
    const { cwd, harvest } = await setUp()
    const { code, stderr } = await harvest(
      "start",
      "mirror",
      ...["DTXSID7020182", "DTXSID2099900001", "nonsense", "DTXSID7020182"],
      ...["--output", "out/records.ndjson", "--projection", "compact"]
    )
    expect(stderr).toContain("mirror started: 4 identifiers in 1 chunk\n")
    expect(stderr).toContain("1 found, 1 missing, 0 failed, 1 invalid, 1 duplicates")
    expect(code).toBe(0)
    const lines = readFileSync(join(cwd, "out", "records.ndjson"), "utf8")
      .trim()
      .split("\n")
    expect(lines.map((line) => JSON.parse(line).dtxsid)).toEqual(["DTXSID7020182"])
  })

  it("logs in a worker that the service is unavailable, and that it is available again", async () => {
    const { cwd, env, harvest } = await setUp()
    const gateway = await startGateway(env)
    const ids = ["DTXSID7020182", "DTXSID2021315"]
    await harvest(
      "start",
      "waits",
      ...ids,
      "-o",
      "out",
      "--chunk-size",
      "1",
      "--detach",
      "--base-url",
      gateway.url
    )
    const worker = start(
      ["harvest", "worker", "--concurrency", "1", "--retries", "0", "--base-url", gateway.url],
      { env, cwd }
    )
    await worker.says(/^chemstream: warning: the service is unavailable: waiting for it$/m)
    expect((await harvest("status", "waits")).stdout).toContain("the service is unavailable: waiting for it")
    gateway.isDown = false
    await worker.says(/^chemstream: the service is available again$/m)
    worker.child.kill("SIGTERM")
    expect((await worker.ended).code).toBe(0)
    expect(worker.stderr().match(/unavailable/g)).toHaveLength(1)
  })

  it("records a harvest with --detach for a worker in another process, and shows it by name", async () => {
    const { cwd, env, harvest } = await setUp()
    expect((await harvest("start", "later", "DTXSID7020182", "-o", "later", "--detach")).code).toBe(0)
    expect((await harvest("list")).stdout).toBe(`${header}later\trunning\t1\ta list of 1\n`)
    expect((await harvest("pause", "later")).stderr).toBe(
      "later is paused\nto continue: chemstream harvest resume later\n"
    )
    const worker = start(["harvest", "worker", "--name", "w"], { env, cwd })
    await worker.says(/the worker runs/)
    expect((await harvest("resume", "later")).stderr).toBe(
      "later is running\nto see its progress: chemstream harvest status later\n"
    )
    const { stdout } = await harvest("status", "later", "--watch", "--json")
    const last = JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
    expect(last).toMatchObject({ state: "finished", tally: { read: 1, found: 1 }, workers: [{ name: "w" }] })
    worker.child.kill("SIGTERM")
    expect((await worker.ended).code).toBe(0)
  })

  it("--lease is that of all workers of a database: a further one takes it, or is refused with another", async () => {
    const { cwd, env, harvest } = await setUp()
    expect((await harvest("start", "later", "DTXSID7020182", "-o", "later", "--detach")).code).toBe(0)
    const first = start(["harvest", "worker", "--name", "first", "--lease", "5s"], { env, cwd })
    await first.says(/the worker runs/)
    const second = start(["harvest", "worker", "--name", "second"], { env, cwd })
    await second.says(/uses --lease 5s of the running worker first/)
    const refused = await harvest("worker", "--name", "third", "--lease", "1m")
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain("Give 5s, as the running worker first has")
    for (const worker of [first, second]) {
      worker.child.kill("SIGTERM")
      expect(await worker.ended).toMatchObject({ code: 0 })
    }
  })

  it("--connections limits those of a worker to its Postgres", async (test) => {
    const { cwd, env } = await setUp()
    const postgres = await TestPostgres.forTest(test)
    const proxy = await PostgresProxy.start(postgres.url)
    cleanUp(proxy.stop)
    const ids = Array.from({ length: 40 }, (_, index) => `DTXSID${7020182 + index}`)
    const mostOf = async (name: string, connections: ReadonlyArray<string>) => {
      let most = 0
      const harvest = start(
        [
          "harvest",
          "start",
          name,
          ...ids,
          "-o",
          `#${name}`,
          "--chunk-size",
          "1",
          "--database",
          proxy.url,
          ...connections
        ],
        { env, cwd }
      )
      const timer = setInterval(() => {
        most = Math.max(most, proxy.connections())
      }, 2)
      expect((await harvest.ended).stderr).toContain(`${name}: finished`)
      clearInterval(timer)
      return most
    }
    expect(await mostOf("one", ["--connections", "1"])).toBe(1)
    expect(await mostOf("several", [])).toBeGreaterThan(1)
  })

  it("waits for a Postgres that does not respond yet, and reports it", async () => {
    const { cwd, env } = await setUp()
    const probe = createServer().listen(0, "127.0.0.1")
    await once(probe, "listening")
    const { port } = probe.address() as AddressInfo
    await new Promise((resolve) => probe.close(resolve))
    const postgres = `postgres://harvest:a-secret@127.0.0.1:${port}/harvest`
    const worker = start(["harvest", "worker", "--database", postgres], { env, cwd })
    await worker.says(/the database of harvests does not respond .*\. Waiting at most five minutes/)
    const attempts = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1")
    // The command tries again, and still waits.
    await once(attempts, "connection")
    await once(attempts, "connection")
    worker.child.kill("SIGTERM")
    const { code, stderr } = await worker.ended
    expect(code).toBe(0)
    expect(stderr).not.toContain("a-secret")
    await new Promise((resolve) => attempts.close(resolve))
  })

  it("refreshes a mirror, and reports new records once", async () => {
    const { cwd, harvest } = await setUp()
    const refresh = (name: string) =>
      harvest(
        "start",
        name,
        "DTXSID7020182",
        "--mirror",
        "ours",
        "--older-than",
        "0",
        "--report",
        `${name}.ndjson`,
        "-q"
      )
    expect((await refresh("first")).code).toBe(0)
    expect(readFileSync(join(cwd, "first.ndjson"), "utf8")).toBe('{"id":"DTXSID7020182","change":"added"}\n')
    expect((await refresh("second")).code).toBe(0)
    expect(readFileSync(join(cwd, "second.ndjson"), "utf8")).toBe("")
  })

  it.each([
    [
      "a refresh",
      ["--mirror", "ours", "--older-than", "0"],
      "give it another name, e.g. one with the date, or free this one: chemstream harvest delete once",
      "chemstream: the mirror was not refreshed: once ended longer ago than --older-than says\n"
    ],
    [
      "a refresh that is due later",
      ["--mirror", "ours", "--older-than", "1h"],
      "give it another name, e.g. one with the date, or free this one: chemstream harvest delete once",
      ""
    ],
    [
      "a harvest",
      ["-o", "out"],
      "give it another name and another --output. To refresh records every night, use a mirror of the same values: chemstream harvest start night-$(date +%F) --mirror ours",
      ""
    ]
  ])(
    "reports that %s of this name has finished, and how to request again, also when quiet",
    async (_, options, then, failure) => {
      const { harvest } = await setUp()
      const again = () => harvest("start", "once", "DTXSID7020182", ...options, "-q")
      expect(await again()).toMatchObject({ code: 0, stderr: "" })
      expect(await again()).toMatchObject({
        code: failure === "" ? 0 : 1,
        stderr: `chemstream: once has already finished: no request was sent\nchemstream: to request again, ${then}\n${failure}`
      })
      await harvest("start", "never", "DTXSID2021315", "-o", "never", "--detach")
      await harvest("cancel", "never")
      const never = await harvest("start", "never", "DTXSID2021315", "-o", "never", "-q")
      expect(never.code).toBe(1)
      expect(never.stderr).toMatch(/^chemstream: never was cancelled before: no request was sent\n/)
    }
  )

  it("fetches the hits of a search, and several lookups as one record", async () => {
    const { cwd, harvest } = await setUp()
    const { code } = await harvest(
      ...["start", "found", "bisphenol", "--search", "contain", "--fetch", "details,synonyms"],
      ...["-o", "found/records.ndjson", "-q"]
    )
    expect(code).toBe(0)
    const [line = ""] = readFileSync(join(cwd, "found", "records.ndjson"), "utf8").split("\n")
    expect(Object.keys(JSON.parse(line))).toEqual(["query", "details", "synonyms"])
  })

  it("refuses other identifiers under an existing name, and an invalid sink, in one line", async () => {
    const { cwd, harvest } = await setUp()
    await harvest("start", "taken", "DTXSID7020182", "-o", "out", "--detach")
    expect(await harvest("start", "taken", "DTXSID2021315", "-o", "out", "--detach")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("was started with other identifiers")
    })
    expect(await harvest("start", "none", "DTXSID7020182", "-o", "#chemicals")).toMatchObject({
      code: 2,
      stderr: "chemstream: --output #chemicals needs --database postgres://…\n"
    })
    expect((await harvest("start", "none", "DTXSID7020182", "-o", "chemstream-harvests.db")).code).toBe(2)
    expect(await harvest("status", "nobody")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'there is no harvest "nobody" in chemstream-harvests.db. To see the names: chemstream harvest list\n'
      )
    })
    expect(existsSync(join(cwd, "out"))).toBe(false)
  })

  it("never creates the database to read it, and names the file and what to do", async () => {
    const cwd = folder()
    for (const [command, file] of [
      [["status", "mine"], "chemstream-harvests.db"],
      [["list"], "chemstream-harvests.db"],
      [["pause", "mine", "--database", "other.db"], "other.db"]
    ] as const) {
      expect(await run(["harvest", ...command], { cwd })).toEqual({
        code: 2,
        stdout: "",
        stderr: `chemstream: there is no database of harvests ${file}. Name the file of your harvests with --database FILE, or start one: chemstream harvest start --help\n`
      })
    }
    expect(readdirSync(cwd)).toEqual([])
  })

  it("refuses a report in a missing folder, and starts nothing", async () => {
    const { cwd, harvest } = await setUp()
    const ended = await harvest(
      "start",
      "lost",
      "DTXSID7020182",
      "--mirror",
      "ours",
      "--report",
      "nowhere/x.ndjson"
    )
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^chemstream: cannot write --report "nowhere\/x\.ndjson": /)
    })
    expect(existsSync(join(cwd, "nowhere"))).toBe(false)
    expect((await harvest("status", "lost")).code).toBe(2)
  })

  it("uses only its first service, and refuses a harvest or worker of another one", async () => {
    const { env, harvest } = await setUp()
    const other = ["--base-url", "http://127.0.0.1:9/api"]
    await harvest("start", "first", "DTXSID7020182", "-o", "out", "--detach")
    expect(await harvest("start", "first", "DTXSID7020182", "-o", "out", ...other)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`it was ${env.CHEMSTREAM_BASE_URL}, and is now http://127.0.0.1:9/api`)
    })
    const says = `the service is http://127.0.0.1:9/api, and the harvest "first" of this database (running) uses ${env.CHEMSTREAM_BASE_URL}`
    for (const args of [["start", "second", "DTXSID7020182", "-o", "other"], ["worker"]]) {
      expect(await harvest(...args, ...other)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(says)
      })
    }
    expect((await harvest("list")).stdout).toBe(`${header}first\trunning\t1\ta list of 1\n`)
  })

  it.each([
    ["a key that is refused", 3, () => ({ CHEMSTREAM_API_KEY: "another-key" })],
    ["a page that is not there", 4, (url: string) => ({ CHEMSTREAM_BASE_URL: `${url}/nowhere` })]
  ])(
    "stops at %s with the exit code of every run, and names the command that continues",
    async (_, code, wrong) => {
      const { cwd, env } = await setUp()
      const args = ["harvest", "start", "stopped", "DTXSID7020182", "-o", "out"]
      for (const quiet of [[], ["-q"]]) {
        const stopped = await run([...args, ...quiet], {
          env: { ...env, ...wrong(env.CHEMSTREAM_BASE_URL) },
          cwd
        })
        expect(stopped.code).toBe(code)
        expect(stopped.stderr).toMatch(
          /chemstream: stopped is paused: .+\nchemstream: after the correction, the same command continues it( \(with another base URL.+)?\n$/
        )
      }
    }
  )

  it("uses one dialect, and names another one in the refusal", async () => {
    const { harvest } = await setUp()
    const start = ["start", "first", "DTXSID7020182", "-o", "out", "--detach"]
    expect((await harvest(...start, "--dialect", "ctx")).code).toBe(0)
    expect(await harvest(...start, "--dialect", "specification")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("another dialect: it was ctx, and is now specification")
    })
    expect(await harvest("worker")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'the dialect is specification, and the harvest "first" of this database (running) uses the dialect ctx'
      )
    })
  })

  it("pauses when the service is unavailable for longer than --wait, and the same command completes it", async () => {
    const { cwd, env, harvest } = await setUp()
    const gateway = await startGateway(env)
    const { url } = gateway
    const args = [
      ...["start", "waits", "DTXSID7020182", "DTXSID2021315", "-o", "out", "--chunk-size", "1"],
      ...["--concurrency", "1", "--retries", "0", "--wait", "1s", "--base-url", url]
    ]
    const waited = await harvest(...args)
    expect(waited.code).toBe(4)
    expect(waited.stderr).toContain("the service is unavailable: waiting for it")
    expect(waited.stderr).toContain(
      "chemstream: waits is paused: the service stayed unavailable for longer than 1s\nchemstream: after the correction, the same command continues it"
    )
    expect(JSON.parse((await harvest("status", "waits", "--json")).stdout)).toMatchObject({
      state: "paused",
      tally: { failed: 0 }
    })
    gateway.isDown = false
    const rest = await harvest(...args)
    expect(rest.stderr).toContain("2 found, 0 missing, 0 failed")
    expect(rest.code).toBe(0)
    expect(existsSync(join(cwd, "out", "manifest.json"))).toBe(true)
  })

  it("reports on an interruption that the same command continues", async () => {
    const { cwd, env } = await setUp()
    const silent = createServer().listen(0, "127.0.0.1")
    await once(silent, "listening")
    const { port } = silent.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const stopped = start(["harvest", "start", "slow", "DTXSID7020182", "-o", "out", "--base-url", url], {
      env,
      cwd
    })
    const [socket] = await once(silent, "connection")
    stopped.child.kill("SIGINT")
    expect(await stopped.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining("chemstream: the same command continues slow\n")
    })
    socket.destroy()
    await new Promise((resolve) => silent.close(resolve))
  })

  it("is not started if its folder contains another harvest", async () => {
    const { harvest } = await setUp()
    await harvest("start", "first", "DTXSID7020182", "-o", "out/records.ndjson", "-q")
    expect(await harvest("start", "second", "DTXSID7020182", "-o", "out/other.ndjson")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^chemstream: the folder of --output out\/other\.ndjson contains the harvest "first": name an output in another folder, or remove this one\. .*chemstream harvest start .*--mirror/
      )
    })
    expect((await harvest("list")).stdout).toBe(`${header}first\tfinished\t1\ta list of 1\n`)
  })

  it.each([
    ["a folder that is a file", "taken", "is a file, and a harvest writes into a folder"],
    ["a folder below a file", "taken/below/", "is a file, and a harvest writes into a folder"],
    ["a file below a file", "taken/records.csv", "is a file, and a harvest writes into a folder"],
    ["a table of a file that is no database", "taken.sqlite#t", "file is not a database"]
  ])("is not started into %s, here or for workers", async (_, output, reason) => {
    const { cwd, harvest } = await setUp()
    for (const name of ["taken", "taken.sqlite"]) writeFileSync(join(cwd, name), "a text")
    for (const more of [[], ["--detach"]]) {
      const ended = await harvest("start", "first", "DTXSID7020182", "-o", output, ...more)
      expect(ended).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining(": cannot open taken")
      })
      expect(ended.stderr).toContain(reason)
    }
    expect((await harvest("list")).stdout).toBe(header)
  })

  it("is continued by the same command after a pause, whether by a failure or by a command", async () => {
    const { cwd, env, harvest } = await setUp()
    const args = ["start", "stopped", "DTXSID7020182", "-o", "out"]
    const wrong = { ...env, CHEMSTREAM_API_KEY: "another-key" }
    expect((await run(["harvest", ...args], { env: wrong, cwd })).code).toBe(3)
    const again = await harvest(...args)
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("stopped continues: 1 identifier")
    })
    expect(again.stderr).not.toContain("key")
    const other = ["start", "by-hand", "DTXSID7020182", "-o", "other"]
    await harvest(...other, "--detach")
    await harvest("pause", "by-hand")
    expect((await harvest(...other)).code).toBe(0)
  })

  it("reads the field of the lookup from an object", async () => {
    const { cwd, harvest } = await setUp()
    writeFileSync(join(cwd, "ids.ndjson"), '{"dtxsid":"DTXSID7020182","dtxcid":"DTXCID30182"}\n')
    const { stderr } = await harvest(
      ...["start", "compounds", "-i", "ids.ndjson", "--fetch", "details-by-dtxcid", "-o", "out"]
    )
    expect(stderr).toContain("1 found, 0 missing, 0 failed, 0 invalid")
  })

  it("sends no request for a line without a value, and records the reason", async () => {
    const { cwd, harvest } = await setUp()
    writeFileSync(join(cwd, "words.csv"), "row,name\n1,benzene\ncaffeine\n")
    const { stderr } = await harvest(
      ...["start", "words", "-i", "words.csv", "--key", "name", "--fetch", "search.equal", "-o", "out"]
    )
    expect(stderr).toContain("1 found, 0 missing, 0 failed, 1 invalid")
    const problems = readFileSync(join(cwd, "out", "parts", "00000000", "problems.ndjson"), "utf8")
    expect(JSON.parse(problems)).toMatchObject({
      id: "caffeine",
      line: 3,
      error: {
        message:
          "the row has 1 cell where the header has 2. Correct the row. A cell with a separator needs quotes."
      }
    })
  })

  it.each([
    ["--report", ["-o", "out", "--report", "changes.ndjson"], "--report FILE needs --mirror NAME"],
    ["--output", ["-o", "out", "--mirror", "ours"], "give --output PATH or --mirror NAME, not both"],
    [
      "--projection",
      ["-o", "out", "--fetch", "synonyms", "--projection", "compact"],
      "--projection compact belongs to details and cannot be used with --fetch synonyms"
    ]
  ])("refuses %s if it has no effect", async (_, options, says) => {
    const { harvest } = await setUp()
    expect(await harvest("start", "none", "DTXSID7020182", "--detach", ...options)).toMatchObject({
      code: 2,
      stderr: `chemstream: ${says}\n`
    })
    expect((await harvest("list")).stdout).toBe(header)
  })

  it("is deleted only when it has finished", async () => {
    const { harvest } = await setUp()
    await harvest("start", "old", "DTXSID7020182", "-o", "out", "--detach")
    expect(await harvest("delete", "old")).toMatchObject({
      code: 2,
      stderr: "chemstream: old has not finished; to cancel it first: chemstream harvest cancel old\n"
    })
    expect((await harvest("cancel", "old")).stderr).toBe(
      "old is cancelled\nto free its name: chemstream harvest delete old\n"
    )
    expect((await harvest("delete", "old")).code).toBe(0)
    expect((await harvest("list")).stdout).toBe(header)
  })

  it("reports that no worker runs for a recorded harvest, with the command that starts one", async () => {
    const { harvest } = await setUp()
    const database = ["--database", "our harvests.db"]
    const started = await harvest("start", "later", "DTXSID7020182", "-o", "later", "--detach", ...database)
    const worker = "chemstream harvest worker --database 'our harvests.db'"
    expect(started.stderr).toContain(`no worker runs; to start one: ${worker}\n`)
    const { stdout } = await harvest("status", "later", ...database)
    expect(stdout).toContain("later: running (no worker runs)\n")
    expect(stdout).toContain(`to start a worker: ${worker}\n`)
    expect(stdout).toMatch(/^shards {3}0 of 1 done$/m)
    expect(JSON.parse((await harvest("list", "--json", ...database)).stdout)).toMatchObject({
      name: "later",
      state: "running",
      identifiers: 1
    })
  })

  it("refuses other identifiers from standard input, and continues with the same", async () => {
    const { cwd, env, harvest } = await setUp()
    const args = ["harvest", "start", "piped", "-o", "out", "--detach"]
    await run(args, { env, cwd, input: "DTXSID7020182\n" })
    expect(await run(args, { env, cwd, input: "DTXSID2021315\nDTXSID7020182\n" })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'the harvest "piped" (running) was started with other identifiers: it has 1 identifiers of standard input, and this start gives 2 identifiers of standard input'
      )
    })
    expect((await run(args, { env, cwd, input: "DTXSID7020182\n" })).stderr).toContain("piped continues")
    const other = ["start", "piped", "DTXSID7020182", "-o", "out", "--detach", "--chunk-size", "7"]
    expect((await harvest(...other)).stderr).toContain("chunkSize was 1000, and is now 7")
  })

  it("fetches lost chunks of its output again, and requests failed identifiers again", async () => {
    const { cwd, harvest } = await setUp()
    await harvest("start", "whole", "DTXSID7020182", "-o", "out/records.ndjson", "-q")
    expect(await harvest("verify", "whole")).toMatchObject({
      code: 0,
      stderr: "whole is finished; its output has every finished chunk\n"
    })
    expect((await harvest("retry", "whole")).stderr).toBe("no identifier of whole has failed\n")
    rmSync(join(cwd, "out"), { recursive: true })
    expect(await harvest("verify", "whole")).toMatchObject({
      code: 1,
      stderr:
        "the output of whole is incomplete in 1 chunk; the harvest fetches lost chunks again\nno worker runs; to start one: chemstream harvest worker\n"
    })
    expect((await harvest("start", "whole", "DTXSID7020182", "-o", "out/records.ndjson", "-q")).code).toBe(0)
    expect(existsSync(join(cwd, "out", "records.ndjson"))).toBe(true)
  })

  const hasNamespaces = (() => {
    try {
      execFileSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" })
      return true
    } catch {
      return false
    }
  })()
  it.skipIf(!hasNamespaces).each([
    [
      "output",
      "--output disk/out --chunk-size 20",
      "200k",
      /cannot write \S*disk\/out: the disk is full\. Free some space/
    ],
    [
      "database",
      "--output out --database disk/harvests.db --chunk-size 1",
      "900k",
      /the disk of the database of harvests is full \(.*\)\. Free some space; the harvests then continue/
    ]
  ])(
    "continues without a command after the full disk of its %s has space again, and reports it",
    async (_, options, size, says) => {
      const { cwd, env } = await setUp()
      // A separate disk with space for a part of the output, and then for all of it.
      const script = `mkdir disk && mount -t tmpfs -o size=${size} tmpfs disk
      "$NODE" "$COMMAND" all --projection all-ids --quiet --output ids.ndjson
      "$NODE" "$COMMAND" harvest start full --input ids.ndjson --key dtxsid ${options} 2> said &
      until grep -q "disk is full\\|disk of the database" said; do
        ls out/parts 2> /dev/null | grep -q . && [ disk/harvests.db-wal -nt disk/fill ] && dd if=/dev/zero of=disk/fill bs=1k count=900 2> /dev/null
        kill -0 $! || break
        sleep 0.1
      done
      rm -f disk/fill; mount -o remount,size=40m disk; wait $!; echo "code $?"; cat said`
      const { stdout } = await promisify(execFile)("unshare", ["-rm", "bash", "--norc", "-c", script], {
        cwd,
        env: environment({ ...env, NODE: process.execPath, COMMAND: command })
      })
      expect(stdout).toMatch(says)
      expect(stdout).toMatch(/^code 0$/m)
      expect(stdout).toContain("343 found, 0 missing, 0 failed")
      expect(stdout).not.toMatch(/Error:|No healthy runners|Shard lock/)
    }
  )

  it("advises on a missing database without printing its password", async () => {
    const { harvest } = await setUp()
    expect(await harvest("list", "--database", "nowhere/h.db")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is no database of harvests nowhere\/h\.db\. Name the file/)
    })
    const start = ["start", "mine", "DTXSID7020182", "-o", "out", "--database", "nowhere/h.db"]
    expect(await harvest(...start)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^chemstream: cannot use nowhere\/h\.db .*Create the folder, or name another file\n$/
      )
    })
    const { stderr } = await harvest("list", "--database", "postgres://me:a-secret@127.0.0.1:9/x")
    expect(stderr).toMatch(/cannot use the Postgres at 127\.0\.0\.1:9 .*Start it, or check its address/)
    expect(stderr).not.toContain("a-secret")
  })
})
