import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { beforeAll, describe, expect, it } from "vitest"
import { answerTo, setUp, signal } from "./checkpointed.ts"
import { folder, run, type Started, serve, sharedService, start, twice } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

describe("a run with a checkpoint", { concurrent: true }, () => {
  it("reports the stop after Ctrl-C on a separate line, not behind the bar", async () => {
    const { at } = setUp(20)
    const asked = signal()
    const held = signal()
    const { env } = await scripted(({ ids }) => {
      asked.open()
      return { body: answerTo(ids), until: held.opened }
    })
    const args = ["details", "-i", "ids", "-o", "out", "--checkpoint", "saved", "--progress", "bar"]
    const details = start(args, { cwd: at, env })
    await asked.opened
    await details.says(/0\/20 ids/)
    details.child.kill("SIGINT")
    await details.says(/stopping, after 1 request in flight/)
    held.open()
    const { code, stderr } = await details.ended
    expect(code).toBe(130)
    // The bar is erased before the message.
    expect(stderr).toContain(
      "\r\u001b[2Kchemstream: stopping, after 1 request in flight (again to stop at once)\n"
    )
  })

  it("finishes the requests in flight on Ctrl-C, saves their results, and requests nothing twice", async () => {
    const { at, ids } = setUp(60)
    const held = signal()
    const both = signal()
    const { env, requests } = await scripted(({ ids: asked }, number) => {
      if (number === 4) both.open()
      return { body: answerTo(asked), ...(number > 2 && number <= 4 ? { until: held.opened } : {}) }
    })
    const args = [
      "details",
      "-i",
      "ids",
      "--batch-size",
      "10",
      "--concurrency",
      "2",
      "-o",
      "out",
      "--checkpoint",
      "saved"
    ]
    const details = start(args, { cwd: at, env })
    await both.opened
    details.child.kill("SIGINT")
    await details.says(/stopping, after 2 requests in flight \(again to stop at once\)\n/)
    held.open()
    const ended = await details.ended
    expect(ended).toMatchObject({ code: 130, stdout: "" })
    expect(ended.stderr).toMatch(
      /kept 36 records in out\.part, the position in saved\. Run the same command to continue, or add --no-resume to start over\n/
    )
    expect(ended.stderr).toMatch(/chemstream: interrupted\n$/)
    expect(requests).toHaveLength(4)
    expect(readdirSync(at).sort()).toEqual(["ids", "out.part", "saved"])

    const rest = await run(args, { cwd: at, env })
    expect(rest).toMatchObject({ code: 0 })
    expect(rest.stderr).toMatch(
      /^chemstream: continuing at 40 of 60 \(--no-resume starts over\)\nread 60 = 54 found \+ 6 missing/
    )
    expect(requests.flatMap(({ ids: asked }) => asked)).toEqual(ids)
    expect(lines(readFileSync(join(at, "out"), "utf8")).map(({ dtxsid }) => dtxsid)).toEqual(
      ids.filter((id) => !id.endsWith("7"))
    )
  })

  it("stops on Ctrl-C while its input stays open", async () => {
    const { at, ids } = setUp(3)
    const { env } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
    const args = ["details", "-o", "out", "--errors", "errors", "--checkpoint", "saved", "-q"]
    const details = start(args, { cwd: at, env, input: `${ids[0]}\n`, isOpen: true })
    const part = join(at, "out.part")
    while (!existsSync(part) || statSync(part).size === 0) await setTimeout(5)
    details.child.kill("SIGINT")
    expect(await details.ended).toMatchObject({ code: 130 })
    const rest = await run(args, { cwd: at, env, input: ids.join("\n") })
    expect(rest).toMatchObject({ code: 0 })
    expect(lines(readFileSync(join(at, "out"), "utf8")).map(({ dtxsid }) => dtxsid)).toEqual(ids)
  })

  it("stops at once on the second Ctrl-C", async () => {
    const { at } = setUp(3)
    const asked = signal()
    const { env } = await scripted(() => {
      asked.open()
      return { body: "[]", until: new Promise(() => {}) }
    })
    const details = start(["details", "-i", "ids", "-o", "out", "--checkpoint", "saved"], { cwd: at, env })
    await asked.opened
    details.child.kill("SIGINT")
    await details.says(/stopping, after 1 request in flight/)
    await twice(details, "SIGINT")
    expect(await details.ended).toMatchObject({ code: 130 })
  })

  it("belongs to one run at a time: a second run is refused, and the first continues", async () => {
    const { at, ids } = setUp(20)
    const { env, requests } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
    const args = ["details", "-o", "out", "--checkpoint", "saved", "-q"]
    const details = start(args, { cwd: at, env, input: `${ids[0]}\n`, isOpen: true })
    while (requests.length === 0) await setTimeout(5)
    const other = await run([...args, "-i", "ids"], { cwd: at, env })
    expect(other).toMatchObject({ code: 2, stdout: "" })
    expect(other.stderr).toBe("chemstream: another run is writing out: wait until it has ended, or stop it\n")
    expect(requests.length).toBe(1)
    details.child.stdin?.end()
    expect(await details.ended).toMatchObject({ code: 0 })
    expect(lines(readFileSync(join(at, "out"), "utf8"))).toEqual(JSON.parse(answerTo(ids.slice(0, 1))))
    expect(existsSync(join(at, "saved.lock"))).toBe(false)
  })

  it("leaves only an empty lock file beside the files of a killed run", async () => {
    const { at, ids } = setUp(20)
    const asked = signal()
    const { env } = await scripted(() => {
      asked.open()
      return { body: "[]", until: new Promise(() => {}) }
    })
    const args = ["details", "-o", "out", "--checkpoint", "saved", "-q"]
    const details = start(args, { cwd: at, env, input: `${ids[0]}\n`, isOpen: true })
    details.child.stdin?.end()
    await asked.opened
    details.child.kill("SIGKILL")
    await details.ended
    const locks = readdirSync(at).filter((name) => name.includes(".lock"))
    expect(locks).toEqual(["out.lock", "saved.lock"])
    for (const lock of locks) expect(statSync(join(at, lock)).size).toBe(0)
  })

  it("is refused if the options or the input differ, and continued if they are the same", async () => {
    const { at, ids } = setUp(20)
    const { env, requests } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
    const args = ["details", "-o", "out", "--checkpoint", "saved", "-q"]
    const details = start(args, { cwd: at, env, input: `${ids[0]}\n${ids[1]}\n`, isOpen: true })
    const part = join(at, "out.part")
    while (!existsSync(part) || statSync(part).size === 0) await setTimeout(5)
    details.child.kill("SIGINT")
    await details.ended
    requests.length = 0
    const saved = readFileSync(join(at, "saved"), "utf8")
    const others: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [
        ["--fields", "dtxsid"],
        /cannot continue the run of saved: --fields is "dtxsid" now, and was not given\. /
      ],
      [["--no-ordered"], /--ordered is off now, and was on/],
      [["--projection", "compact"], /--projection is "compact" now/],
      [["--by", "dtxcid"], /the endpoint is "details.byDtxcidBatch" now/],
      [["--errors", "errors"], /--errors is "errors" now, and was not given/],
      [["--base-url", "http://127.0.0.1:1"], /--base-url is "http:\/\/127.0.0.1:1" now/],
      [
        ["-i", "others"],
        /the input differs from that of the run to continue: its first 2 lines, not counting blank lines and comments, differ in/
      ]
    ]
    writeFileSync(join(at, "others"), ids.toReversed().join("\n"))
    for (const [more, reason] of others) {
      const loud = args.filter((arg) => arg !== "-q")
      const ended = await run([...loud, ...(more.includes("-i") ? more : [...more, "-i", "ids"])], {
        cwd: at,
        env
      })
      expect(ended, more.join(" ")).toMatchObject({ code: 2, stdout: "" })
      expect(ended.stderr).toMatch(reason)
      expect(ended.stderr).toMatch(/ or add --no-resume to start over\n$/)
      expect(ended.stderr).toMatch(/^chemstream: [^\n]+\n$/)
    }
    expect(readFileSync(join(at, "saved"), "utf8")).toBe(saved)
    expect(requests).toEqual([])
    expect(await run([...args, "-i", "ids"], { cwd: at, env })).toMatchObject({ code: 0 })
    expect(requests.flatMap(({ ids: asked }) => asked)).toEqual(ids.slice(2))
  })

  it("continues after the last complete page, if it lists all chemicals", async () => {
    const at = folder()
    const third = signal()
    const release = signal()
    const { env, requests } = await scripted(({ path }) => {
      const page = Number(new URL(path, "http://x").searchParams.get("next"))
      const isHeld = page === 3 && requests.length === 3
      if (isHeld) third.open()
      return {
        body: page > 4 ? "[]" : `[{"id":"${page}a"},{"id":"${page}b"}]`,
        ...(isHeld ? { until: release.opened } : {})
      }
    })
    const args = ["all", "--projection", "all-ids", "-o", "out", "--checkpoint", "saved", "-q"]
    const all = start(args, { cwd: at, env })
    await third.opened
    all.child.kill("SIGINT")
    await all.says(/stopping/)
    release.open()
    expect(await all.ended).toMatchObject({ code: 130 })
    expect(await run(args, { cwd: at, env })).toEqual({ code: 0, stdout: "", stderr: "" })
    // The fifth page is the last one, and empty.
    expect(requests.map(({ path }) => new URL(path, "http://x").searchParams.get("next"))).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5"
    ])
    expect(readFileSync(join(at, "out"), "utf8")).toBe(
      [1, 2, 3, 4].map((page) => `{"id":"${page}a"}\n{"id":"${page}b"}\n`).join("")
    )
  })

  it("reports where it continues, and adds up the time of all runs", async () => {
    const { at } = setUp(30)
    const first = signal()
    const held = signal()
    const { env } = await scripted(({ ids }, number) => {
      if (number === 2) first.open()
      return {
        body: answerTo(ids),
        after: number === 1 ? 300 : 0,
        ...(number === 2 ? { until: held.opened } : {})
      }
    })
    const args = ["details", "-i", "ids", "--batch-size", "10", "--concurrency", "1", "-o", "out"]
    const saved = [...args, "--checkpoint", "saved", "--json-summary", "counts"]
    const counts = () => JSON.parse(readFileSync(join(at, "counts"), "utf8"))
    const details = start(saved, { cwd: at, env })
    await first.opened
    details.child.kill("SIGINT")
    await details.says(/stopping/)
    held.open()
    expect(await details.ended).toMatchObject({ code: 130 })
    // Identifiers that were not requested are in no batch.
    expect(counts()).toMatchObject({ batches: 2, requests: 2 })
    const { elapsed } = JSON.parse(readFileSync(join(at, "saved"), "utf8"))
    expect(elapsed).toBeGreaterThan(250)
    const rest = await run(saved, { cwd: at, env })
    expect(rest).toMatchObject({ code: 0 })
    expect(rest.stderr).toMatch(/^chemstream: continuing at 20 of 30 \(--no-resume starts over\)\nread 30 = /)
    const [, all, own] = / in ([\d.]+) s, ([\d.]+) s of it in this run\n/.exec(rest.stderr) ?? []
    // Both are rounded to two digits.
    expect(Math.abs(Number(all) - Number(own) - elapsed / 1000)).toBeLessThan(0.02)
    expect(counts().seconds).toBeGreaterThan(elapsed / 1000)
  })

  it("waits for an unavailable service, reports it, and exits with 4 after --wait; the next run continues", async () => {
    const { at } = setUp(40)
    let isAway = false
    const { env, requests } = await scripted(({ ids }, number) => {
      if (number === 3) isAway = true
      return isAway ? { status: 503, body: "" } : { body: answerTo(ids) }
    })
    const common = ["details", "-i", "ids", "--batch-size", "10", "--concurrency", "1", "--retries", "0"]
    const args = [...common, "-o", "out", "--errors", "errors", "--checkpoint", "saved"]
    const stopped = await run([...args, "--wait", "2s", "--progress", "plain"], { cwd: at, env })
    expect(stopped).toMatchObject({ code: 4, stdout: "" })
    expect(stopped.stderr).toContain(
      "chemstream: warning: the service is unavailable: waiting up to 2s for it: "
    )
    expect(stopped.stderr).toMatch(/read \d+, settled 20 = 18 found \+ 2 missing \+ 0 failed/)
    expect(stopped.stderr).toMatch(
      /\nchemstream: the service has been unavailable for (?:[2-9]|\d\d)s: the service failed \(503\)\nchemstream: kept 18 records in out\.part and errors\.part, the position in saved\. [^\n]+\n$/
    )
    expect(requests.length).toBeLessThan(8)

    const waiting = start([...args, "--progress", "bar"], { cwd: at, env })
    // The bar shows a wait at once. The end of an outage is reported only if its start was reported.
    await waiting.says(/the service is unavailable: waiting/)
    await waiting.says(/waiting for the service/)
    isAway = false
    const ended = await waiting.ended
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stderr).toContain("chemstream: the service is available again\n")
    expect(ended.stderr).toContain("read 40 = ")
    const undisturbed = await run([...common, "-o", "whole", "--errors", "whole-errors", "-q"], {
      cwd: at,
      env
    })
    expect(undisturbed).toMatchObject({ code: 0 })
    for (const [one, other] of [
      ["out", "whole"],
      ["errors", "whole-errors"]
    ] as const) {
      expect(readFileSync(join(at, one)).equals(readFileSync(join(at, other)))).toBe(true)
    }
  })
})

describe("a run whose service is killed between requests", { concurrent: true }, () => {
  let ids = ""
  let undisturbed = ""

  beforeAll(async () => {
    const { env } = await sharedService()
    const all = await run(["all", "--projection", "all-ids", "-q"], { env })
    ids = all.stdout.split("\n").slice(0, 100).join("\n")
    const whole = await run(["details", "-q"], { env, input: ids })
    expect(whole).toMatchObject({ code: 0 })
    undisturbed = whole.stdout
    expect(lines(undisturbed)).toHaveLength(100)
  }, 120_000)

  /** Starts a separate service, and a run of some seconds: 20 requests, 4 per second. */
  const underWay = async () => {
    const at = folder()
    const { env, service, url } = await serve()
    writeFileSync(join(at, "ids.ndjson"), ids)
    const common = ["details", "-i", "ids.ndjson", "--batch-size", "5"]
    const requests = () => service.stderr().split('"POST"').length - 1
    const kill = async (details: Started): Promise<void> => {
      while (details.child.exitCode === null && requests() < 4) await setTimeout(5)
      service.child.kill("SIGKILL")
      await service.ended
      expect(details.child.exitCode).toBe(null)
    }
    const again = () => serve("--port", new URL(url).port)
    const isWhole = () => readFileSync(join(at, "out"), "utf8") === undisturbed
    return {
      at,
      env,
      args: [...common, "--rate", "4/s", "-o", "out", "--errors", "errors"],
      kill,
      again,
      isWhole
    }
  }

  it("waits, repeats the requests in flight, and writes the output of an uninterrupted run", async () => {
    const { again, args, at, env, isWhole, kill } = await underWay()
    const details = start(args, { cwd: at, env })
    await kill(details)
    await details.says(/the service is unavailable: waiting up to 5m for it/)
    await again()
    const { code, stderr } = await details.ended
    expect(stderr).toContain("chemstream: the service is available again\n")
    expect(stderr).toContain(" 0 missing + 0 failed ")
    expect(code).toBe(0)
    expect(isWhole()).toBe(true)
  })

  it("prints nothing if the service is available again soon", async () => {
    const { again, args, at, env, isWhole, kill } = await underWay()
    const details = start(args, { cwd: at, env })
    await kill(details)
    await again()
    const { code, stderr } = await details.ended
    expect(stderr).toContain(" 0 missing + 0 failed ")
    expect(code).toBe(0)
    expect(isWhole()).toBe(true)
  })

  it("exits with 4 after --wait, settles only identifiers with a response, and continues from there", async () => {
    const { again, args, at, env, isWhole, kill } = await underWay()
    const saved = [...args, "--checkpoint", "saved", "--wait", "2s"]
    const details = start(saved, { cwd: at, env })
    await kill(details)
    const stopped = await details.ended
    expect(stopped.stderr).toMatch(/the service has been unavailable for (?:[2-9]|\d\d)s/)
    expect(stopped.stderr).toContain(" 0 missing + 0 failed ")
    expect(stopped.code).toBe(4)
    await again()
    const rest = await run(saved, { cwd: at, env })
    expect(rest).toMatchObject({ code: 0 })
    expect(isWhole()).toBe(true)
  })
})

describe("a run to standard output", { concurrent: true }, () => {
  it("exits with 4 after --wait, and says how much of the input is settled", async () => {
    const { at } = setUp(40)
    const { env, requests } = await scripted(({ ids }, number) =>
      number > 2 ? { status: 503, body: "" } : { body: answerTo(ids) }
    )
    const args = ["details", "-i", "ids", "--batch-size", "10", "--concurrency", "1", "--retries", "0"]
    const ended = await run([...args, "--errors", "errors", "--wait", "1s"], { cwd: at, env })
    expect(ended).toMatchObject({ code: 4 })
    expect(ended.stderr).toMatch(/the service has been unavailable for \d+s/)
    expect(ended.stderr).toContain(
      "kept the errors so far in errors.partial; the first 20 values of the input (without blank lines and comments) are settled"
    )
    expect(lines(ended.stdout)).toHaveLength(18)
    expect(lines(readFileSync(join(at, "errors.partial"), "utf8"))).toHaveLength(2)
    expect(requests.length).toBeLessThan(7)
  })

  it("exits with 4 after the first response if another server is at the address", async () => {
    const { at } = setUp(40)
    const { env, requests } = await scripted(() => ({ status: 404, body: "<html>Not Found</html>" }))
    const args = ["details", "-i", "ids", "--batch-size", "10", "--concurrency", "1"]
    const ended = await run([...args, "-o", "out"], { cwd: at, env })
    expect(ended).toMatchObject({ code: 4 })
    expect(ended.stderr).toMatch(/^chemstream: the service has no such path \(404\).*check the base URL\n$/)
    expect(requests).toHaveLength(1)
  })
})
