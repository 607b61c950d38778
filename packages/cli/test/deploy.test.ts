import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService, start } from "./process.ts"

const deploy = join(import.meta.dirname, "..", "..", "..", "deploy")
const read = (file: string): string => readFileSync(join(deploy, file), "utf8")

/** The arguments of the command in a file, with free ports and the loopback address. */
const commandsOf = (file: string): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(
    read(file).matchAll(/(?:command:|args:|CMD)\s+(\[\s*"(?:serve|harvest)"[^\]]*\])/g),
    ([, list = ""]) =>
      (JSON.parse(list.replace(/,\s*\]$/, "]")) as ReadonlyArray<string>).map((word, at, words) =>
        words[at - 1]?.endsWith("-port") ? "0" : word === "0.0.0.0" ? "127.0.0.1" : word
      )
  )

const all = ["Dockerfile", "compose.yaml", "kubernetes.yaml"].flatMap((file) =>
  commandsOf(file).map((args) => ({ file, args, line: args.join(" ") }))
)

describe("the command line of deploy", { concurrent: true }, () => {
  it("is found in each file", () => {
    expect(all.map(({ file }) => file)).toEqual([
      "Dockerfile",
      "compose.yaml",
      "compose.yaml",
      "kubernetes.yaml",
      "kubernetes.yaml"
    ])
  })

  for (const { args, file, line } of all)
    it(`${file}: ${line} starts with secrets from files, and exits with 0`, async () => {
      const { env } = await sharedService()
      const cwd = folder()
      const secret = (name: string, text: string): string => {
        writeFileSync(join(cwd, name), text)
        return join(cwd, name)
      }
      const own: Record<string, string> =
        args[0] === "serve"
          ? { CHEMSTREAM_API_KEYS_FILE: secret("keys", "a-long-key\n") }
          : {
              CHEMSTREAM_BASE_URL: env.CHEMSTREAM_BASE_URL,
              CHEMSTREAM_API_KEY_FILE: secret("key", env.CHEMSTREAM_API_KEY),
              CHEMSTREAM_HARVESTS_FILE: secret("harvests", join(cwd, "harvests.db"))
            }
      const command = start([...args], { cwd, env: { ...own, CHEMSTREAM_LOG: "json" } })
      if (!args.includes("--until-done")) {
        await command.says(args[0] === "serve" ? /"chemstream serves at|serves at http/ : /the worker runs/)
        command.child.kill("SIGTERM")
      }
      expect((await command.ended).code).toBe(0)
    })

  it("of the unit writes a table, marks gone records, and its metrics", async () => {
    const { env } = await sharedService()
    const cwd = folder()
    writeFileSync(join(cwd, "ids.txt"), "DTXSID7020182\n")
    const [, line = ""] =
      /^ExecStart=\/usr\/local\/bin\/chemstream (.*)$/m.exec(read("chemstream-nightly.service")) ?? []
    const args = line
      .split(" ")
      .map((word) =>
        word.startsWith("postgres://") ? "chemicals.sqlite#chemicals" : word.replace("/etc/chemstream/", "")
      )
    expect(await run(args, { cwd, env })).toMatchObject({ code: 0 })
    expect(existsSync(join(cwd, "chemicals.sqlite"))).toBe(true)
    expect(readFileSync(join(cwd, "nightly.prom"), "utf8")).toContain('outcome="found"} 1')
  })
})

const has = (tool: string): boolean => spawnSync(tool, ["--version"]).error === undefined

describe("the files of deploy", () => {
  it.skipIf(!has("systemd-analyze"))("are units that systemd accepts", () => {
    const cwd = folder()
    for (const name of ["chemstream-nightly.service", "chemstream-nightly.timer"])
      writeFileSync(join(cwd, name), read(name).replace("/usr/local/bin/chemstream", "/bin/true"))
    const { stderr } = spawnSync("systemd-analyze", [
      ...[
        "verify",
        "--man=no",
        join(cwd, "chemstream-nightly.service"),
        join(cwd, "chemstream-nightly.timer")
      ]
    ])
    expect(stderr.toString()).not.toContain("chemstream-nightly")
  })

  it.skipIf(!has("promtool"))("are rules that Prometheus accepts", () => {
    expect(execFileSync("promtool", ["check", "rules", join(deploy, "alerts.yaml")]).toString()).toContain(
      "SUCCESS"
    )
  })

  it("name only metrics that exist in the rules", async () => {
    const { env } = await sharedService()
    const cwd = folder()
    const worker = start(["harvest", "worker", "--metrics-port", "0"], { env, cwd })
    const [, url = ""] = await worker.says(/^metrics at (\S+)$/m)
    const text = async () => (await fetch(url)).text()
    await expect.poll(text, { timeout: 60_000 }).toContain("chemstream_harvest_harvests")
    await run(["harvest", "start", "one", "DTXSID7020182", "-o", "out", "--detach"], { env, cwd })
    await expect.poll(text, { timeout: 60_000 }).toContain("chemstream_harvest_chunk_seconds_count 1")
    const known = await text()
    const used = new Set(read("alerts.yaml").match(/chemstream_[a-z_]+/g))
    expect(used.size).toBeGreaterThan(2)
    for (const name of used) expect(known).toMatch(new RegExp(`^${name}[ {]`, "m"))
  })
})
