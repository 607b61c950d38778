/**
 * Runs into an NDJSON file that stop early, without `--checkpoint`. They keep their results, and the same command
 * continues them.
 */
import { execFile, execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { gunzipSync, zstdDecompressSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { answerTo, isKnown, setUp, signal } from "./checkpointed.ts"
import { command, environment, run, start, twice } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const common = ["details", "-i", "ids", "--batch-size", "50", "--concurrency", "1", "--retries", "0"]

/** The result of an uninterrupted run. */
const undisturbed = async (at: string, output: string, env: Record<string, string>) => {
  const args = [...common, "-o", `whole-${output}`, "--errors", "whole-errors", "-q"]
  expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
  return {
    records: readFileSync(join(at, `whole-${output}`)),
    errors: readFileSync(join(at, "whole-errors"))
  }
}

/** The files of a folder that the set-up did not write. */
const filesIn = (at: string): ReadonlyArray<string> =>
  readdirSync(at)
    .filter((name) => name !== "ids" && !name.startsWith("whole"))
    .sort()

const textOf = (file: string): string => {
  const bytes = readFileSync(file)
  if (file.includes(".gz")) return gunzipSync(bytes).toString()
  return (file.includes(".zst") ? zstdDecompressSync(bytes) : bytes).toString()
}

/** A service that rejects the key after some requests, until it is told to accept it again. */
const revoking = async (after: number) => {
  const state = { isRevoked: true }
  const service = await scripted(({ ids }, number) =>
    state.isRevoked && number > after
      ? { status: 401, body: '{"detail":"Key not found."}' }
      : { body: answerTo(ids) }
  )
  return { ...service, state }
}

describe("a run into an NDJSON file that stops early", { concurrent: true }, () => {
  it.each(["out.ndjson", "out.ndjson.gz", "out.ndjson.zst"])(
    "because its key is revoked keeps what it found, and the same command continues it: %s",
    async (output) => {
      const { at, ids } = setUp(300)
      const { env, requests, state } = await revoking(4)
      const args = [...common, "-o", output, "--errors", "errors", "--json-summary", "counts"]
      const found = ids.slice(0, 200).filter(isKnown)
      const stopped = await run(args, { cwd: at, env })
      expect(stopped).toMatchObject({ code: 3, stdout: "" })
      expect(stopped.stderr).toMatch(/^read \d+, settled 200 = 180 found \+ 20 missing \+ 0 failed /)
      expect(stopped.stderr.split("\n").slice(-3)).toEqual([
        expect.stringMatching(/^chemstream: the service refused the API key \(401\)/),
        `chemstream: kept 180 records in ${output}.part and errors.part, the position in ${output}.checkpoint. Run the same command to continue, or add --no-resume to start over`,
        ""
      ])
      expect(filesIn(at)).toEqual(["counts", "errors.part", `${output}.checkpoint`, `${output}.part`])
      expect(lines(textOf(join(at, `${output}.part`))).map(({ dtxsid }) => dtxsid)).toEqual(found)
      expect(JSON.parse(textOf(join(at, "counts")))).toMatchObject({ found: 180, missing: 20 })

      const again = await run(args, { cwd: at, env })
      expect(again).toMatchObject({ code: 3, stdout: "" })
      expect(again.stderr).toContain(`chemstream: kept 180 records in ${output}.part`)

      state.isRevoked = false
      requests.length = 0
      const rest = await run(args, { cwd: at, env })
      expect(rest).toMatchObject({ code: 0, stdout: "" })
      expect(rest.stderr).toMatch(
        /^chemstream: continuing at 200 of 300 \(--no-resume starts over\)\nread 300 = 270 /
      )
      expect(requests.flatMap((request) => request.ids)).toEqual(ids.slice(200))
      expect(filesIn(at)).toEqual(["counts", "errors", output])
      const whole = await undisturbed(at, output, env)
      expect(textOf(join(at, output))).toBe(textOf(join(at, `whole-${output}`)))
      if (output === "out.ndjson") expect(readFileSync(join(at, output)).equals(whole.records)).toBe(true)
      expect(readFileSync(join(at, "errors")).equals(whole.errors)).toBe(true)
      expect(JSON.parse(textOf(join(at, "counts")))).toMatchObject({
        read: 300,
        found: 270,
        missing: 30,
        records: 270
      })
    }
  )

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const)(
    "because of one %s keeps what it has, and the same command continues it",
    async (name, code) => {
      const { at, ids } = setUp(1600)
      const asked = signal()
      const held = signal()
      const { env, requests } = await scripted(({ ids: batch }, number) => {
        if (number === 28) asked.open()
        return { body: answerTo(batch), ...(number === 28 ? { until: held.opened } : {}) }
      })
      const args = [...common, "-o", "out.ndjson", "--errors", "errors"]
      const details = start(args, { cwd: at, env })
      await asked.opened
      details.child.kill(name)
      await details.says(/stopping, after 1 request in flight \(again to stop at once\)\n/)
      held.open()
      const stopped = await details.ended
      expect(stopped).toMatchObject({ code, stdout: "" })
      expect(stopped.stderr).toMatch(/chemstream: kept 1,260 records in out\.ndjson\.part and errors\.part, /)
      expect(filesIn(at)).toEqual(["errors.part", "out.ndjson.checkpoint", "out.ndjson.part"])
      expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
      expect(requests.flatMap((request) => request.ids)).toEqual(ids)
      expect(filesIn(at)).toEqual(["errors", "out.ndjson"])
      const whole = await undisturbed(at, "out.ndjson", env)
      expect(readFileSync(join(at, "out.ndjson")).equals(whole.records)).toBe(true)
      expect(readFileSync(join(at, "errors")).equals(whole.errors)).toBe(true)
    }
  )

  it.each([
    [
      ["--concurrency", "3", "--no-ordered"],
      "a 429 with Retry-After",
      { status: 429, headers: { "retry-after": "25" }, body: "{}" }
    ],
    [
      ["--concurrency", "3"],
      "a failure with Retry-After",
      { status: 500, headers: { "retry-after": "25" }, body: "{}" }
    ]
  ] as const)(
    "because of one SIGTERM ends sleeping retries at once, and sends no further request: %j, %s",
    async (options, _, refusal) => {
      const { at, ids } = setUp(300)
      const slept = signal()
      let isRefusing = true
      const { env, requests } = await scripted(({ ids: batch }) => {
        if (isRefusing && requests.length === 3) slept.open()
        // A refusal before the third request would let that request wait.
        return isRefusing ? { ...refusal, until: slept.opened } : { body: answerTo(batch) }
      })
      const args = [
        "details",
        "-i",
        "ids",
        "--batch-size",
        "50",
        "-o",
        "out.ndjson",
        "--errors",
        "errors",
        ...options
      ]
      const details = start([...args, "--stop-timeout", "1h"], { cwd: at, env })
      await slept.opened
      details.child.kill("SIGTERM")
      const [, inFlight = "0"] = await details.says(/stopping(?:, after (\d+) requests? in flight)? \(/)
      const before = requests.length
      expect((await details.ended).code).toBe(143)
      // Only a request in flight may arrive after the message.
      expect(requests.length).toBeLessThanOrEqual(before + Number(inFlight))
      isRefusing = false
      requests.length = 0
      expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
      expect(requests.flatMap((request) => request.ids).sort()).toEqual([...ids].sort())
    }
  )

  it("because of one SIGTERM ends the sleeping retry of a page of all chemicals at once", async () => {
    const { at } = setUp(1)
    const asked = signal()
    const { env, requests } = await scripted((_, number) => {
      if (number === 2) asked.open()
      return number === 1
        ? { body: JSON.stringify([{ dtxsid: "DTXSID1" }]) }
        : { status: 429, headers: { "retry-after": "25" }, body: "{}" }
    })
    const all = start(["all", "-p", "all-ids", "-o", "all.ndjson", "--stop-timeout", "1h"], { cwd: at, env })
    await asked.opened
    all.child.kill("SIGTERM")
    const { code, stderr } = await all.ended
    expect(code).toBe(143)
    expect(stderr).toContain("chemstream: kept 1 record in all.ndjson.part")
    expect(requests).toHaveLength(2)
  })

  it("waits for a response that never comes at most for --stop-timeout, and keeps the responses before it", async () => {
    const { at, ids } = setUp(150)
    const asked = signal()
    let isHeld = true
    const { env, requests } = await scripted(({ ids: batch }, number) => {
      if (number === 2) asked.open()
      return {
        body: answerTo(batch),
        ...(isHeld && number === 2 ? { until: new Promise<void>(() => {}) } : {})
      }
    })
    const args = [...common, "-o", "out.ndjson"]
    const details = start([...args, "--stop-timeout", "200ms"], { cwd: at, env })
    await asked.opened
    details.child.kill("SIGTERM")
    await details.says(/stopping, after 1 request in flight/)
    const { code, stderr } = await details.ended
    expect(code).toBe(143)
    expect(stderr).toContain("chemstream: kept 45 records in out.ndjson.part")
    isHeld = false
    requests.length = 0
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
    expect(requests.flatMap((request) => request.ids)).toEqual(ids.slice(50))
  })

  it("keeps the responses behind a value that is not settled, and does not request them again", async () => {
    const { at, ids } = setUp(400)
    const asked = signal()
    let isHeld = true
    const { env, requests } = await scripted(({ ids: batch }) => {
      if (requests.length === 8) asked.open()
      const isFirst = isHeld && batch.includes(ids[0] as string)
      return { body: answerTo(batch), ...(isFirst ? { until: new Promise<void>(() => {}) } : {}) }
    })
    const args = ["details", "-i", "ids", "--batch-size", "50", "--concurrency", "2", "-o", "out.ndjson"]
    const more = ["--errors", "errors", "--stop-timeout", "200ms"]
    const details = start([...args, ...more], { cwd: at, env })
    await asked.opened
    details.child.kill("SIGTERM")
    expect((await details.ended).code).toBe(143)
    expect(filesIn(at)).toContain("out.ndjson.received")
    isHeld = false
    const received = requests.length
    expect(await run([...args, ...more], { cwd: at, env })).toMatchObject({ code: 0 })
    const requested = requests.slice(received).flatMap((request) => request.ids)
    expect(requested.slice(0, 50)).toEqual(ids.slice(0, 50))
    // The last response may arrive after the signal.
    expect(requested.length).toBeLessThanOrEqual(100)
    expect(filesIn(at)).toEqual(["errors", "out.ndjson"])
    const whole = await undisturbed(at, "out.ndjson", env)
    expect(readFileSync(join(at, "out.ndjson")).equals(whole.records)).toBe(true)
    expect(readFileSync(join(at, "errors")).equals(whole.errors)).toBe(true)
  })

  it("keeps the misses behind a value that is not settled, with the suggestions of the service", async () => {
    const { at } = setUp(0)
    const words = ["first", ...Array.from({ length: 12 }, (_, index) => `word ${index}`)]
    writeFileSync(join(at, "words"), words.join("\n"))
    const behind = signal()
    let isHeld = true
    const { env, requests } = await scripted(({ path }) => {
      if (requests.length === 4) behind.open()
      const isFirst = path.includes("first")
      return {
        status: isFirst ? 200 : 400,
        body: isFirst
          ? '[{"dtxsid":"DTXSID1"}]'
          : JSON.stringify({
              title: "Bad Request",
              status: 400,
              detail: "Found 0 results",
              suggestions: ["w"]
            }),
        headers: { "content-type": isFirst ? "application/json" : "application/problem+json" },
        ...(isFirst && isHeld ? { until: new Promise<void>(() => {}) } : {})
      }
    })
    const args = ["search", "equal", "-i", "words", "--concurrency", "2", "--errors", "errors"]
    const more = ["-o", "out.ndjson", "--stop-timeout", "200ms"]
    const search = start([...args, ...more], { cwd: at, env })
    await behind.opened
    search.child.kill("SIGTERM")
    expect((await search.ended).code).toBe(143)
    isHeld = false
    const received = requests.length
    expect(await run([...args, ...more], { cwd: at, env })).toMatchObject({ code: 0 })
    // The first word, and a word whose response may have arrived after the signal.
    expect(requests.length - received).toBeLessThanOrEqual(words.length - received + 2)
    expect(lines(textOf(join(at, "errors"))).map(({ error }) => error)).toEqual(
      words.slice(1).map(() => expect.objectContaining({ tag: "Missing", suggestions: ["w"] }))
    )
  })

  it("requests a response with surplus records again, so that none of them is lost", async () => {
    const { at, ids } = setUp(400)
    const behind = signal()
    let isHeld = true
    const { env, requests } = await scripted(({ ids: batch }) => {
      if (requests.length === 8) behind.open()
      const isFirst = batch.includes(ids[0] as string)
      const records = [...batch, ...(isFirst ? [] : [`not ${batch[0]}`])].map((dtxsid) => ({ dtxsid }))
      return {
        body: JSON.stringify(records),
        ...(isFirst && isHeld ? { until: new Promise<void>(() => {}) } : {})
      }
    })
    const args = ["details", "-i", "ids", "--batch-size", "50", "--concurrency", "2", "--errors", "errors"]
    const more = ["-o", "out.ndjson", "--stop-timeout", "200ms"]
    const details = start([...args, ...more], { cwd: at, env })
    await behind.opened
    details.child.kill("SIGTERM")
    expect((await details.ended).code).toBe(143)
    isHeld = false
    expect(await run([...args, ...more], { cwd: at, env })).toMatchObject({ code: 0 })
    const surplus = lines(textOf(join(at, "errors"))).filter(({ outcome }) => outcome === "surplus")
    expect(surplus).toHaveLength(7)
    expect(filesIn(at)).toEqual(["errors", "out.ndjson"])
  })

  it("leaves no file of responses when it is complete, even if the run that used it was killed", async () => {
    const { at, ids } = setUp(500)
    const behind = signal()
    let held = 0
    const { env, requests } = await scripted(({ ids: batch }) => {
      if (requests.length === 8) behind.open()
      const isHeld = batch.includes(ids[held] as string)
      return {
        body: answerTo(batch),
        // Arrives when a save is due.
        after: batch.includes(ids[400] as string) ? 1100 : 0,
        ...(isHeld ? { until: new Promise<void>(() => {}) } : {})
      }
    })
    const args = ["details", "-i", "ids", "--batch-size", "50", "--concurrency", "2", "-o", "out.ndjson"]
    const details = start([...args, "--stop-timeout", "200ms"], { cwd: at, env })
    await behind.opened
    details.child.kill("SIGTERM")
    expect((await details.ended).code).toBe(143)
    expect(filesIn(at)).toContain("out.ndjson.received")
    held = 450
    const checkpoint = join(at, "out.ndjson.checkpoint")
    const before = readFileSync(checkpoint, "utf8")
    const continued = start(args, { cwd: at, env })
    while (readFileSync(checkpoint, "utf8") === before && continued.child.exitCode === null)
      await setTimeout(5)
    continued.child.kill("SIGKILL")
    await continued.ended
    held = -1
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
    expect(filesIn(at)).toEqual(["out.ndjson"])
    const { records } = await undisturbed(at, "out.ndjson", env)
    expect(readFileSync(join(at, "out.ndjson")).equals(records)).toBe(true)
  })

  it("requests the values of a damaged file of responses again, and says so", async () => {
    const { at, ids } = setUp(200)
    const asked = signal()
    let isHeld = true
    const { env, requests } = await scripted(({ ids: batch }) => {
      if (requests.length === 4) asked.open()
      const isFirst = isHeld && batch.includes(ids[0] as string)
      return { body: answerTo(batch), ...(isFirst ? { until: new Promise<void>(() => {}) } : {}) }
    })
    const args = ["details", "-i", "ids", "--batch-size", "50", "--concurrency", "2", "-o", "out.ndjson"]
    const details = start([...args, "--stop-timeout", "200ms"], { cwd: at, env })
    await asked.opened
    details.child.kill("SIGTERM")
    await details.ended
    isHeld = false
    requests.length = 0
    writeFileSync(join(at, "out.ndjson.received"), '{"received":"DTX')
    const ended = await run(args, { cwd: at, env })
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stderr).toContain("out.ndjson.received: it is damaged. Its values are requested again\n")
    expect(requests.flatMap((request) => request.ids).sort()).toEqual([...ids].sort())
    expect(filesIn(at)).toEqual(["out.ndjson"])
  })

  it("does not touch a file of another program with the name of the file of responses", async () => {
    const { at } = setUp(10)
    const { env, requests } = await scripted(({ ids: batch }) => ({ body: answerTo(batch) }))
    for (const text of ["mine\n", ""]) {
      writeFileSync(join(at, "out.ndjson.received"), text)
      for (const more of [[], ["--no-resume"]])
        expect(await run([...common, "-o", "out.ndjson", ...more], { cwd: at, env })).toEqual({
          code: 2,
          stdout: "",
          stderr:
            "chemstream: out.ndjson.received exists, but no run has left it. Rename or remove it, or choose another --output file\n"
        })
      expect(readFileSync(join(at, "out.ndjson.received"), "utf8")).toBe(text)
    }
    expect(requests).toHaveLength(0)
    expect(filesIn(at)).toEqual(["out.ndjson.received"])
  })

  it("keeps the responses within a batch of rows, and does not request them again", async () => {
    const { at, ids } = setUp(600)
    const names = ids.map((_, index) => `name ${index}`)
    writeFileSync(join(at, "names"), names.map((name) => `${name}\n`).join(""))
    const answered = signal()
    let isHeld = true
    const { env, requests } = await scripted(({ ids: batch, path }) => {
      if (!path.includes("search/equal")) return { body: answerTo(batch) }
      if (isHeld && requests.length === 3) answered.open()
      const hits = batch.map((word) => ({
        dtxsid: ids[names.indexOf(word)],
        searchName: "Approved Name",
        searchValue: word,
        rank: 9
      }))
      const isFirst = isHeld && batch.includes("name 0")
      return { body: JSON.stringify(hits), ...(isFirst ? { until: new Promise<void>(() => {}) } : {}) }
    })
    const args = ["resolve", "-i", "names", "-o", "out.ndjson", "--stop-timeout", "1s"]
    const resolve = start(args, { cwd: at, env })
    await answered.opened
    resolve.child.kill("SIGTERM")
    expect((await resolve.ended).code).toBe(143)
    isHeld = false
    const received = requests.length
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
    const searches = requests.slice(received).filter(({ path }) => path.includes("search/equal"))
    expect(searches.flatMap((request) => request.ids)).toHaveLength(200)
    const whole = await run(["resolve", "-i", "names", "-o", "whole.ndjson"], { cwd: at, env })
    expect(whole).toMatchObject({ code: 0 })
    expect(textOf(join(at, "out.ndjson"))).toBe(textOf(join(at, "whole.ndjson")))
    expect(filesIn(at)).toEqual(["names", "out.ndjson"])
  })

  it("keeps the responses for rows behind one that is not settled, and does not request them again", async () => {
    const { at, ids } = setUp(3000)
    const asked = signal()
    let isHeld = true
    const { env, requests } = await scripted(({ ids: batch }) => {
      if (requests.length === 3) asked.open()
      const isFirst = isHeld && batch.includes(ids[0] as string)
      return { body: answerTo(batch), ...(isFirst ? { until: new Promise<void>(() => {}) } : {}) }
    })
    const args = ["resolve", "-i", "ids", "-o", "out.ndjson", "--errors", "errors", "--stop-timeout", "200ms"]
    const resolve = start(args, { cwd: at, env })
    await asked.opened
    resolve.child.kill("SIGTERM")
    expect((await resolve.ended).code).toBe(143)
    isHeld = false
    const received = requests.length
    expect(await run(args, { cwd: at, env })).toMatchObject({
      code: 0
    })
    const requested = requests.slice(received).flatMap((request) => request.ids)
    expect(requested.length).toBeLessThanOrEqual(2000)
    expect(filesIn(at)).toEqual(["errors", "out.ndjson"])
    const whole = await run(["resolve", "-i", "ids", "-o", "whole.ndjson"], { cwd: at, env })
    expect(whole).toMatchObject({ code: 0 })
    expect(textOf(join(at, "out.ndjson"))).toBe(textOf(join(at, "whole.ndjson")))
  })

  it("after two Ctrl-C stops at once, with the responses so far", async () => {
    const { at, ids } = setUp(100)
    const asked = signal()
    const { env } = await scripted(({ ids: batch }, number) => {
      if (number === 2) asked.open()
      return { body: answerTo(batch), ...(number === 2 ? { until: new Promise<void>(() => {}) } : {}) }
    })
    const details = start([...common, "-o", "out.ndjson"], { cwd: at, env })
    await asked.opened
    details.child.kill("SIGINT")
    await details.says(/again to stop at once/)
    await twice(details, "SIGINT")
    const { code, stderr } = await details.ended
    expect(code).toBe(130)
    expect(stderr).toContain("chemstream: kept 45 records in out.ndjson.part")
    expect(filesIn(at)).toEqual(["out.ndjson.checkpoint", "out.ndjson.part"])
    expect(lines(textOf(join(at, "out.ndjson.part"))).map(({ dtxsid }) => dtxsid)).toEqual(
      ids.slice(0, 50).filter(isKnown)
    )
  })

  it("exits with 4 if the service is unavailable for longer than --wait, and the same command continues it", async () => {
    const { at, ids } = setUp(200)
    let isAway = true
    const { env, requests } = await scripted(({ ids: batch }, number) =>
      isAway && number > 2 ? { status: 503, body: "" } : { body: answerTo(batch) }
    )
    const args = [...common, "-o", "out.ndjson", "--wait", "1s"]
    const stopped = await run(args, { cwd: at, env })
    expect(stopped).toMatchObject({ code: 4, stdout: "" })
    expect(stopped.stderr).toMatch(
      /the service has been unavailable for \d+s: [^\n]*\nchemstream: kept 90 records in /
    )
    expect(lines(textOf(join(at, "out.ndjson.part")))).toHaveLength(90)
    isAway = false
    requests.length = 0
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
    expect(requests.flatMap((request) => request.ids)).toEqual(ids.slice(100))
    const { records } = await undisturbed(at, "out.ndjson", env)
    expect(readFileSync(join(at, "out.ndjson")).equals(records)).toBe(true)
  })

  it("continues at its last save after kill -9", async () => {
    const { at, ids } = setUp(300)
    const never = new Promise<void>(() => {})
    let isHeld = true
    // The second response arrives when a save is due.
    const { env, requests } = await scripted(({ ids: batch }, number) => ({
      body: answerTo(batch),
      after: isHeld && number === 2 ? 1100 : 0,
      ...(isHeld && number > 4 ? { until: never } : {})
    }))
    const args = [...common, "-o", "out.ndjson", "--errors", "errors"]
    const details = start(args, { cwd: at, env })
    while (!existsSync(join(at, "out.ndjson.checkpoint"))) await setTimeout(5)
    details.child.kill("SIGKILL")
    await details.ended
    isHeld = false
    requests.length = 0
    const rest = await run(args, { cwd: at, env })
    expect(rest).toMatchObject({ code: 0 })
    expect(rest.stderr).toMatch(/^chemstream: continuing at (50|100|150|200) of 300 /)
    expect(ids).toEqual([
      ...ids.slice(0, 300 - requests.flatMap((one) => one.ids).length),
      ...requests.flatMap((one) => one.ids)
    ])
    expect(filesIn(at)).toEqual(["errors", "out.ndjson"])
    const whole = await undisturbed(at, "out.ndjson", env)
    expect(readFileSync(join(at, "out.ndjson")).equals(whole.records)).toBe(true)
    expect(readFileSync(join(at, "errors")).equals(whole.errors)).toBe(true)
  })

  const hasNamespaces = (() => {
    try {
      execFileSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" })
      return true
    } catch {
      return false
    }
  })()
  it.skipIf(!hasNamespaces)("continues after a full disk has space again", async () => {
    const { at } = setUp(600)
    const text = "x".repeat(500)
    const { env, requests } = await scripted(({ ids }) => ({
      body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid, text })))
    }))
    expect(await run([...common, "-o", "whole", "-q"], { cwd: at, env })).toMatchObject({ code: 0 })
    requests.length = 0
    // A separate disk with space for half of the records and two checkpoints (the next one is written before it replaces the last), and then for all records.
    const script = `mkdir disk && mount -t tmpfs -o size=168k tmpfs disk
      run() { "$NODE" "$COMMAND" ${common.join(" ")} -o disk/out.ndjson 2>&1; echo "code $?"; }
      run; ls disk; mount -o remount,size=2m disk; run; ls disk; cp disk/out.ndjson copy`
    const { stdout } = await promisify(execFile)("unshare", ["-rm", "bash", "--norc", "-c", script], {
      cwd: at,
      env: environment({ ...env, NODE: process.execPath, COMMAND: command })
    })
    expect(stdout).toMatch(
      /chemstream: cannot write disk\/out\.ndjson: no space left on device[^\n]*\nchemstream: kept 300 records in disk\/out\.ndjson\.part, the position in disk\/out\.ndjson\.checkpoint\. [^\n]*\ncode 1\nout\.ndjson\.checkpoint\nout\.ndjson\.part\nchemstream: continuing at 300 of 600 /
    )
    expect(stdout).toMatch(/read 600 = 600 found [\s\S]*\ncode 0\nout\.ndjson\n$/)
    expect(readFileSync(join(at, "copy")).equals(readFileSync(join(at, "whole")))).toBe(true)
    // Only the batch that could not be written and the batches behind it are requested twice.
    expect(requests.flatMap(({ ids }) => ids).length).toBeLessThanOrEqual(600 + 3 * 50)
  })

  it("continues after the last complete page, if it lists all chemicals", async () => {
    const { at } = setUp(0)
    let isRevoked = true
    const { env, requests } = await scripted(({ path }) => {
      const page = Number(new URL(path, "http://x").searchParams.get("next"))
      if (isRevoked && page === 3) return { status: 401, body: "{}" }
      return { body: page > 4 ? "[]" : `[{"id":"${page}a"},{"id":"${page}b"}]` }
    })
    const args = ["all", "--projection", "all-ids", "-o", "out"]
    const stopped = await run(args, { cwd: at, env })
    expect(stopped).toMatchObject({ code: 3 })
    expect(stopped.stderr).toContain(
      "chemstream: kept 4 records in out.part, the position in out.checkpoint. "
    )
    isRevoked = false
    requests.length = 0
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
    expect(requests).toHaveLength(3)
    expect(readFileSync(join(at, "out"), "utf8")).toBe(
      [1, 2, 3, 4].map((page) => `{"id":"${page}a"}\n{"id":"${page}b"}\n`).join("")
    )
  })
})

describe("a run that was stopped", { concurrent: true }, () => {
  it("starts over with --no-resume, and again when it is complete", async () => {
    const { at, ids } = setUp(100)
    const { env, requests, state } = await revoking(1)
    const args = [...common, "-o", "out.ndjson"]
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 3 })
    state.isRevoked = false
    requests.length = 0
    for (const more of [["--no-resume"], []]) {
      const { code, stderr } = await run([...args, ...more], { cwd: at, env })
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("continuing") })
      expect(requests.splice(0).flatMap((request) => request.ids)).toEqual(ids)
      expect(filesIn(at)).toEqual(["out.ndjson"])
    }
  })

  it("is not continued by another command or with another input, and names the difference", async () => {
    const { at, ids } = setUp(100)
    const { env, state } = await revoking(1)
    const args = [...common, "-o", "out.ndjson"]
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 3 })
    state.isRevoked = false
    const kept = readFileSync(join(at, "out.ndjson.part"), "utf8")
    const other = await run([...args, "--fields", "dtxsid", "--no-ordered"], { cwd: at, env })
    expect(other).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'chemstream: cannot continue the run of out.ndjson.checkpoint: --fields is "dtxsid" now, and was not given; --ordered is off now, and was on. Give the same command as before, or add --no-resume to start over\n'
    })
    writeFileSync(join(at, "ids"), ids.toReversed().join("\n"))
    expect(await run(args, { cwd: at, env })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "chemstream: the input differs from that of the run to continue: its first 50 lines, not counting blank lines and comments, differ in a value, a line number or a kept column. Give the same input as before, or add --no-resume to start over\n"
    })
    expect(readFileSync(join(at, "out.ndjson.part"), "utf8")).toBe(kept)
    expect(filesIn(at)).toEqual(["out.ndjson.checkpoint", "out.ndjson.part"])
  })

  it("is not continued with other kept columns", async () => {
    const { at, ids } = setUp(100)
    const { env, state } = await revoking(1)
    const table = (name: string): string =>
      ["id,name,unused", ...ids.map((id, index) => `${id},${name} ${index},${name}`)].join("\n")
    const args = [...common.slice(3), "-i", "ids.csv", "--key", "id", "--keep", "name", "-o", "out.ndjson"]
    const details = (): ReturnType<typeof run> => run(["details", ...args], { cwd: at, env })
    writeFileSync(join(at, "ids.csv"), table("one"))
    expect(await details()).toMatchObject({ code: 3 })
    state.isRevoked = false
    writeFileSync(join(at, "ids.csv"), table("two"))
    const refused = await details()
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toMatch(/^chemstream: the input differs from that of the run to continue: /m)
    // Columns that are not kept may change.
    writeFileSync(join(at, "ids.csv"), table("one").replaceAll(/,one$/gm, ",other"))
    expect(await details()).toMatchObject({ code: 0 })
    const names = lines(readFileSync(join(at, "out.ndjson"), "utf8")).map(({ name }) => name)
    expect(names).toEqual(ids.flatMap((id, index) => (isKnown(id) ? [`one ${index}`] : [])))
  })

  it("leaves no extra file if its first request was rejected, or if it was successful", async () => {
    const { at } = setUp(100)
    const { env, state } = await revoking(0)
    const args = [...common, "-o", "out.ndjson", "--errors", "errors"]
    const refused = await run(args, { cwd: at, env })
    expect(refused.stderr).toMatch(/^chemstream: the service refused the API key \(401\)[^\n]*\n$/)
    expect(filesIn(at)).toEqual([])
    state.isRevoked = false
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
    expect(filesIn(at)).toEqual(["errors", "out.ndjson"])
  })
})

describe("the files of a run into an NDJSON file", { concurrent: true }, () => {
  it("belong to one run at a time: a second run is refused, and the first continues", async () => {
    const { at, ids } = setUp(20)
    const { env, requests } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
    const args = ["details", "-o", "out.ndjson", "-q"]
    const details = start(args, { cwd: at, env, input: `${ids[0]}\n`, isOpen: true })
    while (requests.length === 0) await setTimeout(5)
    for (const more of [[], ["--checkpoint", "own"], ["--no-resume"]]) {
      expect(await run([...args, "-i", "ids", ...more], { cwd: at, env })).toEqual({
        code: 2,
        stdout: "",
        stderr: "chemstream: another run is writing out.ndjson: wait until it has ended, or stop it\n"
      })
    }
    expect(requests.length).toBe(1)
    details.child.stdin?.end()
    expect(await details.ended).toMatchObject({ code: 0 })
    expect(filesIn(at)).toEqual(["out.ndjson"])
  })

  it("are beside the target of a link, and get its permissions", async () => {
    const { at } = setUp(100)
    const { env, state } = await revoking(1)
    writeFileSync(join(at, "real.ndjson"), "older\n")
    chmodSync(join(at, "real.ndjson"), 0o600)
    symlinkSync("real.ndjson", join(at, "link.ndjson"))
    const args = [...common, "-o", "link.ndjson"]
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 3 })
    expect(filesIn(at)).toEqual(["link.ndjson", "real.ndjson", "real.ndjson.checkpoint", "real.ndjson.part"])
    expect(readFileSync(join(at, "real.ndjson"), "utf8")).toBe("older\n")
    state.isRevoked = false
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
    expect(filesIn(at)).toEqual(["link.ndjson", "real.ndjson"])
    expect(statSync(join(at, "real.ndjson")).mode & 0o777).toBe(0o600)
  })

  it("cannot be in a folder that accepts none: the run exits with 1 and the reason", async () => {
    const { at } = setUp(1)
    const ended = await run([...common, "-o", "/proc/out.ndjson"], {
      cwd: at,
      env: { CHEMSTREAM_API_KEY: "k" }
    })
    expect(ended).toMatchObject({ code: 1, stdout: "" })
    expect(ended.stderr).toMatch(
      /^chemstream: cannot write \/proc\/out\.ndjson: no such file or directory\n$/
    )
  })

  it.each(["ndjson", "csv"])(
    "name the file of the user, not a temporary one, in a folder without write access (%s)",
    async (kind) => {
      const { at } = setUp(1)
      const file = `/sys/out.${kind}`
      const ended = await run([...common, "-o", file], { cwd: at, env: { CHEMSTREAM_API_KEY: "k" } })
      expect(ended).toMatchObject({ code: 1, stdout: "" })
      expect(ended.stderr).toMatch(
        new RegExp(
          `^chemstream: cannot write ${file}: (permission denied|operation not permitted|read-only file system)\\. Allow writing to its folder, or name a file in another folder\n$`
        )
      )
    }
  )

  it("need an existing folder: exit code 2, with its name", async () => {
    const { at } = setUp(1)
    for (const file of ["none/dir/out.ndjson", "none/dir/out.csv"]) {
      const ended = await run([...common, "-o", file], { cwd: at, env: { CHEMSTREAM_API_KEY: "k" } })
      expect(ended).toEqual({
        code: 2,
        stdout: "",
        stderr: `chemstream: cannot write --output "${file}": there is no folder none/dir. Make it, or name another file\n`
      })
    }
  })

  it("do not include the errors if these go to a device, where they are written at once", async () => {
    const { at, ids } = setUp(20)
    const { env } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
    const ended = await run([...common, "-o", "out.ndjson", "--errors", "/dev/stdout", "-q"], {
      cwd: at,
      env
    })
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(lines(ended.stdout).map(({ id }) => id)).toEqual(ids.filter((id) => !isKnown(id)))
    expect(filesIn(at)).toEqual(["out.ndjson"])
  })
})
