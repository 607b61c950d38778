/**
 * Attacks on `chemstream serve` from many clients, while another client uses it with a key of its own.
 *
 * The figures are printed, and depend on the machine. The test checks that the other client gets every response, that the attackers hold
 * little memory, and that the service frees it and its connections without their help.
 *
 * Memory is what remains after a collection. The size of the process also has garbage and freed memory, which V8 and the allocator return
 * when they want.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { begin, memoryOf, names, socketsOf, victim } from "./attacks.ts"
import { folder, run, start } from "./process.ts"

const isThorough = process.env["CHEMSTREAM_TIER"] === "thorough"
const clients = isThorough ? 64 : 16
const milliseconds = isThorough ? 15_000 : 1500
const substances = isThorough ? 20_000 : 1000

/** The most live memory that all attackers together may hold at a time, and that may remain after all attacks (caches), in MiB. */
const most = { held: 96, kept: 32 }

const preload = `--import=${new URL("liveMemory.mjs", import.meta.url).href}`

const startService = async () => {
  const database = join(folder(), "synthetic.sqlite")
  await run(["generate", "--count", String(substances), "--database", database, "--quiet"])
  const limits = ["--request-timeout", "2s", "--write-timeout", "2s", "--no-access-log"]
  const service = start(["serve", "--port", "0", "--open", "--database", database, ...limits], {
    env: { CHEMSTREAM_API_KEYS: "attacker,victim", NODE_OPTIONS: preload }
  })
  const [, port = ""] = await service.says(/serves at http:\S+:(\d+)/)
  let count = 0
  const live = async (): Promise<number> => {
    service.child.kill("SIGUSR2")
    const [, bytes] = await service.says(new RegExp(`live memory ${++count}: (\\d+)\n`))
    return Number(bytes) / 2 ** 20
  }
  return { service, live, port: Number(port), pid: service.child.pid as number }
}

const detail = "/chemical/detail/search/by-dtxsid/DTXSID7020182"

const searches = "/chemical/search/start-with/a"

describe.skipIf(!existsSync("/proc/self/fd"))("a service under attack", () => {
  it("responds to other clients, and frees the connections of attackers", { timeout: 300_000 }, async () => {
    const { live, pid, port, service } = await startService()
    const known = new Set(["200", "404"])
    const calm = await victim({ port, key: "victim" }, detail, milliseconds / 2)
    const rows: Array<string> = [`none: p50 ${calm.p50.toFixed(1)}, p95 ${calm.p95.toFixed(1)} ms`]
    const refused: Array<string> = []
    const idle = socketsOf(pid)
    const before = await live()
    const held: Array<number> = []
    for (const name of names) {
      const attack = begin(name, { port, clients, key: "attacker" })
      const path = name === "mass batches" ? searches : detail
      const { longest, p50, p95, statuses } = await victim({ port, key: "victim" }, path, milliseconds)
      const during = socketsOf(pid)
      const { current, peak } = memoryOf(pid)
      const now = (await live()) - before
      held.push(now)
      await attack.stop()
      await expect
        .poll(() => socketsOf(pid), { timeout: 20_000, interval: 100 })
        .toBeLessThanOrEqual(idle + 1)
      const seen = [...statuses].map(([status, count]) => `${status}: ${count}`).join(", ")
      rows.push(
        `${name}: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, longest ${longest.toFixed(0)} ms; ` +
          `memory ${current.toFixed(0)} MiB (peak ${peak.toFixed(0)}), ${now.toFixed(0)} held, sockets ${during}, afterwards ${socketsOf(pid)}; ${seen}`
      )
      for (const status of statuses.keys()) if (!known.has(status)) refused.push(`${name}: ${status}`)
    }
    console.log(rows.join("\n"))
    expect(refused).toEqual([])
    expect(Math.max(...held)).toBeLessThan(most.held)
    await expect.poll(live, { timeout: 20_000, interval: 500 }).toBeLessThan(before + most.kept)
    service.child.kill("SIGTERM")
    expect((await service.ended).code).toBe(0)
  })
})
