import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cleanUp, folder, run, serve, sharedService } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const id = "DTXSID7020182"
const detail = `/chemical/detail/search/by-dtxsid/${id}`

const statusOf = async (url: string, key: string): Promise<number> => {
  const answer = await fetch(`${url}${detail}`, { headers: { "x-api-key": key } })
  await answer.text()
  return answer.status
}

const open = (url: string, text = ""): Socket => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  cleanUp(() => socket.destroy())
  socket.on("error", () => {}).write(text)
  return socket
}

/** Sends the start of a request, so that it takes a place until its body arrives. */
const unfinished = (url: string, key: string): Socket =>
  open(
    url,
    `POST /chemical/detail/search/by-dtxsid/ HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n[`
  )

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.on("close", () => resolve()))

describe("the option of serve", { concurrent: true }, () => {
  it("--max-concurrent limits the requests of all keys", async ({ expect }) => {
    const { url } = await serve("--max-concurrent", "1")
    const held = unfinished(url, "other")
    await expect.poll(() => statusOf(url, "test-key"), { timeout: 60_000, interval: 50 }).toBe(503)
    held.destroy()
    await expect.poll(() => statusOf(url, "test-key"), { timeout: 60_000, interval: 50 }).toBe(200)
  })

  it("--max-concurrent-per-key limits the requests of one key", async ({ expect }) => {
    const { url } = await serve("--max-concurrent-per-key", "1")
    unfinished(url, "other")
    await expect.poll(() => statusOf(url, "other"), { timeout: 60_000, interval: 50 }).toBe(429)
    expect(await statusOf(url, "test-key")).toBe(200)
  })

  it("--max-connections limits the connections of all addresses", async () => {
    const { url } = await serve("--max-connections", "2", "--max-connections-per-address", "9")
    const idle = [open(url), open(url), open(url)]
    await Promise.race(idle.map(closed))
  })

  it("--write-timeout closes the connection of a client that stops reading", async () => {
    const { url } = await serve("--write-timeout", "1s")
    const page = `GET /chemical/all HTTP/1.1\r\nHost: x\r\nx-api-key: test-key\r\n\r\n`
    const socket = open(url, page.repeat(300))
    socket.pause()
    const isClosed = closed(socket)
    // Writes are needed to notice that the peer has closed the connection.
    const probe = setInterval(() => socket.write("\r\n"), 100)
    await isClosed.finally(() => clearInterval(probe))
  })

  it.runIf(process.platform === "linux")("--host is the address on which it listens", async () => {
    const { url } = await serve("--host", "127.0.0.2")
    expect(new URL(url).hostname).toBe("127.0.0.2")
    expect(await statusOf(url, "test-key")).toBe(200)
    await expect(fetch(url.replace("127.0.0.2", "127.0.0.1"))).rejects.toThrow()
  })

  it.runIf(process.platform === "linux")(
    "--search-threads is the number of threads for searches",
    async () => {
      const threads = async (count: number): Promise<number> => {
        const { env, service } = await serve("--search-threads", String(count))
        const words = Array.from({ length: 40 }, (_, n) => `phen${n}`)
        await run(["search", "contain", ...words, "--concurrency", "16", "-q"], { env })
        return readdirSync(`/proc/${service.child.pid}/task`).length
      }
      expect((await threads(5)) - (await threads(2))).toBeGreaterThanOrEqual(2)
    }
  )

  it("--variant changes what the imitated public service responds", async () => {
    const responses = [[], ["--variant", "synonyms=2024"]].map(async (variant) => {
      const { url } = await serve("--dialect", "ctx", ...variant)
      const answer = await fetch(`${url}/chemical/synonym/search/by-dtxsid/${id}`, {
        headers: { "x-api-key": "test-key" }
      })
      return { status: answer.status, text: await answer.text() }
    })
    const [latest, older] = await Promise.all(responses)
    expect([latest?.status, older?.status]).toEqual([200, 200])
    expect(latest?.text).not.toBe(older?.text)
  })

  it("--max-identifiers limits the response to a search by mass", async () => {
    const search = async (...args: ReadonlyArray<string>) =>
      run(["msready", "mass", "194.5", "--tolerance", "1"], { env: (await serve(...args)).env })
    expect(lines((await search()).stdout)).toHaveLength(3)
    expect(await search("--max-identifiers", "2")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("more substances than a response may have")
    })
  })
})

describe("the option of a lookup", { concurrent: true }, () => {
  it("--api-key-file has the key, before the one of the environment", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "key"), " test-key \n")
    const wrong = { ...env, CHEMSTREAM_API_KEY: "another-key" }
    const args = ["details", id, "-q", "--fields", "dtxsid"]
    expect((await run(args, { cwd: at, env: wrong })).code).toBe(3)
    expect(await run([...args, "--api-key-file", "key"], { cwd: at, env: wrong })).toMatchObject({
      code: 0,
      stdout: `{"dtxsid":"${id}"}\n`
    })
  })

  it("--timeout ends a request that is not answered", async () => {
    const { env, requests } = await scripted(({ ids }) => ({
      body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))),
      ...(requests.length === 1 ? { until: new Promise<void>(() => {}) } : {})
    }))
    const ended = await run(["details", id, "--batch-size", "1", "--timeout", "300ms", "-q"], { env })
    expect(ended.code).toBe(0)
    expect(requests.length).toBeGreaterThan(1)
  })

  it("--max-candidates limits the candidates of resolve", async () => {
    const hits = [9, 10, 11].map((rank) => ({
      ...{ dtxsid: `DTXSID${rank}`, dtxcid: null, casrn: null, preferredName: "x", searchName: "Synonym" },
      ...{ searchValue: "BIS", rank }
    }))
    const { env } = await scripted(() => ({ body: JSON.stringify(hits) }))
    const limited = await run(["resolve", "bis", "--max-candidates", "2", "-q"], { env })
    expect(lines(limited.stdout)).toHaveLength(2)
    expect(lines((await run(["resolve", "bis", "-q"], { env })).stdout)).toHaveLength(3)
  })

  it("--as is the kind of all values of resolve", async () => {
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    await run(["resolve", "C6H6", "-q"], { env })
    const asFormula = requests.map(({ path }) => path)
    requests.length = 0
    await run(["resolve", "C6H6", "--as", "name", "-q"], { env })
    expect(requests.map(({ path }) => path)).not.toEqual(asFormula)
    expect(requests[0]?.path).toContain("/equal/")
  })

  it("--rank-by sorts the candidates of suspects", async () => {
    const { env } = await sharedService()
    const args = [
      "suspects",
      "194.5",
      "--polarity",
      "neutral",
      "--da",
      "1",
      "-q",
      "--fields",
      "monoisotopicMass"
    ]
    const values = async (...more: ReadonlyArray<string>): Promise<ReadonlyArray<number>> =>
      lines((await run([...args, ...more], { env })).stdout).map((line) => Number(line["monoisotopicMass"]))
    const ranked = await values("--rank-by", "monoisotopicMass")
    expect(ranked.length).toBeGreaterThan(2)
    expect(ranked).toEqual([...ranked].sort((a, b) => b - a))
    expect(await values("--rank-by", "genericSubstanceId")).not.toEqual(ranked)
  })

  it("--synonyms limits the synonyms of show", async () => {
    const { env } = await sharedService()
    const none = await run(["show", id, "--synonyms", "0"], { env })
    const many = await run(["show", id, "--synonyms", "50"], { env })
    expect([none.code, many.code]).toEqual([0, 0])
    expect(many.stdout.length).toBeGreaterThan(none.stdout.length)
  })
})

describe("the option of another command", { concurrent: true }, () => {
  it("--curves limits the curves of a chapter of report", async () => {
    const at = folder()
    const made = ["generate", "--count", "20", "--seed", "7", "--assays", "1", "-q", "--database", "a.sqlite"]
    expect((await run(made, { cwd: at })).code).toBe(0)
    const { env } = await serve("--database", join(at, "a.sqlite"))
    const all = await run(["all", "-p", "all-ids", "-q"], { env })
    const ids = lines(all.stdout).map((line) => String(line["dtxsid"]))
    const curves = async (count: string): Promise<number> => {
      const file = join(at, `${count}.html`)
      await run(["report", "-o", file, "--chapters", "all", "--curves", count], {
        env,
        input: `${ids.join("\n")}\n`
      })
      return readFileSync(file, "utf8").split("<svg").length
    }
    expect(await curves("0")).toBeLessThan(await curves("2"))
  })

  it("--no-fingerprints generates records without fingerprints", async () => {
    const at = folder()
    const sizes = [[], ["--no-fingerprints"]].map(async (option, n) => {
      const args = ["generate", "--count", "20", "--seed", "7", "-q", "--output", `${n}`, ...option]
      expect((await run(args, { cwd: at })).code).toBe(0)
      const [record] = lines(readFileSync(join(at, `${n}`, "details.ndjson"), "utf8"))
      return record?.["descriptorStringTsv"]
    })
    expect(await Promise.all(sizes)).toEqual([expect.stringMatching(/\t/), null])
  })

  it("--out-dir is the folder of the results of demo", async () => {
    const at = folder()
    expect((await run(["demo", "--out-dir", "results"], { cwd: at })).code).toBe(0)
    expect(readdirSync(join(at, "results")).sort()).toEqual(["details.ndjson", "problems.ndjson"])
    expect(existsSync(join(at, "out"))).toBe(false)
  })
})
