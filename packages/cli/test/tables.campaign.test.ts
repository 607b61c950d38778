/**
 * Runs a large table: each row is written once, in order, in bounded memory.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"

const count = process.env["CHEMSTREAM_TIER"] === "thorough" ? 47_000 : 3000

/** The largest resident memory of the run, in MiB. */
const most = 320

const values = [
  "80-05-7",
  "71432",
  "DTXSID7020182",
  "Benzol",
  "IISBACLAFKSPIT-UHFFFAOYSA-N",
  "no such name",
  ""
]

it(`writes ${count} rows of a table again, in order, within ${most} MiB`, { timeout: 600_000 }, async () => {
  const { env } = await sharedService()
  const at = folder()
  const rows = Array.from({ length: count }, (_, n) => `${n},${values[n % values.length]},"note, ${n}"`)
  writeFileSync(join(at, "in.csv"), `n,id,note\r\n${rows.join("\r\n")}\r\n`)
  // The peak memory of the process, as the kernel counts it.
  const probe = `import { appendFileSync, readFileSync } from "node:fs"
process.on("exit", () => appendFileSync(${JSON.stringify(join(at, "peak"))}, readFileSync("/proc/self/status", "utf8")))`
  writeFileSync(join(at, "probe.mjs"), probe)
  const linux = process.platform === "linux" ? { NODE_OPTIONS: `--import=${join(at, "probe.mjs")}` } : {}
  const args = ["resolve", "-i", "in.csv", "--key", "id", "--fields", "molFormula", "-o", "out.csv", "-q"]
  const { code } = await run(args, { env: { ...env, ...linux }, cwd: at })
  expect(code).toBe(0)
  const [header = "", ...written] = readFileSync(join(at, "out.csv"), "utf8").trimEnd().split("\r\n")
  expect(header.startsWith("n,id,note,kind,status,")).toBe(true)
  expect(written.length).toBe(count)
  const status = { "no such name": "missing", "": "invalid" } as Readonly<Record<string, string>>
  const wrong = written.filter((row, n) => {
    const value = values[n % values.length] ?? ""
    return !row.startsWith(`${n},${value},"note, ${n}",`) || !row.includes(`,${status[value] ?? "found"},`)
  })
  expect(wrong).toEqual([])
  if (process.platform === "linux") {
    const peaks = Array.from(
      readFileSync(join(at, "peak"), "utf8").matchAll(/^VmHWM:\s+(\d+) kB$/gm),
      ([, kib]) => Number(kib) / 1024
    )
    expect(Math.max(...peaks)).toBeLessThan(most)
  }
})
