import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { command, environment, folder, run, type Surroundings } from "./process.ts"
import { has } from "./programs.ts"
import { scripted } from "./scripted.ts"

const key = "a-very-secret-key"

/** A user without settings: runs the command as this user, and has the path of the settings. */
const user = () => {
  const home = folder()
  const env = { XDG_CONFIG_HOME: home }
  return {
    env,
    file: join(home, "chemstream", "settings.json"),
    config: (args: ReadonlyArray<string>, more: Surroundings = {}) =>
      run(["config", ...args], { ...more, env: { ...env, ...more.env } })
  }
}

describe("chemstream config", { concurrent: true }, () => {
  it("stores the base URL and the key of standard input, readable only by the owner, and shows no key", async () => {
    const { config, file } = user()
    const silent = { code: 0, stdout: "", stderr: "" }
    expect(await config(["set", "base-url", "https://host.example/ctx-api"])).toEqual(silent)
    expect(await config(["set", "api-key"], { input: `${key}\r\n` })).toEqual(silent)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      baseUrl: "https://host.example/ctx-api",
      apiKey: key
    })
    expect(readdirSync(dirname(file))).toEqual(["settings.json"])
    expect(await config(["get", "base-url"])).toMatchObject({
      code: 0,
      stdout: "https://host.example/ctx-api\n"
    })
    const all = await config(["get"])
    expect(all).toMatchObject({
      code: 0,
      stdout:
        "base-url\thttps://host.example/ctx-api\tchemstream config\ndialect\tspecification\tthe default\napi-key\tset (never shown)\tchemstream config\n"
    })
    const one = await config(["get", "api-key"])
    expect(`${all.stdout}${all.stderr}${one.stdout}${one.stderr}`).not.toContain(key)
  })

  it("shows the source of each setting: the environment before the file, the default last", async () => {
    const { config } = user()
    expect((await config(["get"])).stdout).toBe(
      "base-url\thttp://127.0.0.1:8765\tthe default\ndialect\tspecification\tthe default\napi-key\tnot set\n"
    )
    expect(await config(["get", "api-key"])).toMatchObject({ code: 1, stdout: "" })
    await config(["set", "base-url", "https://kept.example"])
    const env = { CHEMSTREAM_BASE_URL: "https://env.example", CHEMSTREAM_API_KEY: key }
    const { stdout } = await config(["get"], { env })
    expect(stdout).toBe(
      "base-url\thttps://env.example\tCHEMSTREAM_BASE_URL\ndialect\tspecification\tthe default\napi-key\tset (never shown)\tCHEMSTREAM_API_KEY\n"
    )
  })

  it("removes one setting and keeps the other, and deletes the file without any", async () => {
    const { config, file } = user()
    await config(["set", "base-url", "https://kept.example"])
    await config(["set", "api-key"], { input: key })
    expect(await config(["unset", "api-key"])).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ baseUrl: "https://kept.example" })
    expect(await config(["unset", "base-url"])).toMatchObject({ code: 0 })
    expect(existsSync(file)).toBe(false)
    expect(await config(["unset", "base-url"])).toMatchObject({ code: 0 })
  })

  it("stores the dialect, which defaults to that of the host, below flag and environment", async () => {
    const { config, env } = user()
    const dialect = async (more: Record<string, string> = {}) =>
      (await config(["get", "dialect"], { env: more })).stdout
    expect(await dialect()).toBe("specification\n")
    expect(await dialect({ CHEMSTREAM_BASE_URL: "https://comptox.epa.gov/ctx-api" })).toBe("ctx\n")
    expect(await config(["set", "dialect", "ctx"])).toMatchObject({ code: 0 })
    expect(await dialect()).toBe("ctx\n")
    expect(await dialect({ CHEMSTREAM_DIALECT: "specification" })).toBe("specification\n")
    expect(await config(["get", "dialect"], { env: { CHEMSTREAM_DIALECT: "epa" } })).toMatchObject({
      code: 2
    })

    const { env: service, requests } = await scripted(() => ({ body: "[]" }))
    const search = (args: ReadonlyArray<string>, more = {}) =>
      run(["search", "start-with", "x", ...args], { env: { ...env, ...service, ...more } })
    await search([])
    await search(["--dialect", "specification"])
    await search([], { CHEMSTREAM_DIALECT: "specification" })
    expect(requests.map(({ path }) => path)).toEqual([
      "/chemical/search/start-with/x?top=0",
      "/chemical/search/start-with/x",
      "/chemical/search/start-with/x"
    ])
    expect(await config(["unset", "dialect"])).toMatchObject({ code: 0 })
    expect(await dialect()).toBe("specification\n")
  })

  it("prints the path of the file, in ~/.config by default", async () => {
    const { config, file } = user()
    expect(await config(["path"])).toEqual({ code: 0, stdout: `${file}\n`, stderr: "" })
    const home = folder()
    const { stdout } = await config(["path"], { env: { XDG_CONFIG_HOME: "relative", HOME: home } })
    expect(stdout).toBe(`${join(home, ".config", "chemstream", "settings.json")}\n`)
  })

  it("refuses unusable settings, and a key as an argument without repeating it, and keeps the old ones", async () => {
    const { config, file } = user()
    await config(["set", "base-url", "https://kept.example"])
    const before = readFileSync(file, "utf8")
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string, RegExp]> = [
      [["set", "base-url", "ftp://host"], "", /Give an http:\/\/ or https:\/\/ address/],
      [["set", "base-url", "https://me:word@host"], "", /Give an address without a user name/],
      [["set", "dialect"], "", /the dialect must be specification or ctx/],
      [["set", "dialect", "epa"], "", /the dialect must be specification or ctx/],
      [["set", "base-url"], "", /the base URL is missing/],
      [["set", "api-key", key], "", /other users can see an argument: omit the key/],
      [["set", "api-key"], "", /Give a key that is not empty/],
      [["set", "api-key"], `${key}\n${key}\n`, /only characters that an HTTP header can carry/],
      [["set", "api-key"], key.repeat(1000), /longer than 8192 characters/],
      [["set", "colour", "red"], "", /base-url, dialect, api-key/],
      [[], "", /config needs one of get, set, unset, path/]
    ]
    for (const [args, input, line] of cases) {
      const ended = await config(args, { input })
      expect(ended, args.join(" ")).toMatchObject({ code: 2, stdout: "" })
      expect(ended.stderr).toMatch(/^chemstream: [^\n]+\n$/)
      expect(ended.stderr).toMatch(line)
      expect(ended.stderr).not.toContain(key)
    }
    expect(readFileSync(file, "utf8")).toBe(before)
  })

  it("is used by the other commands, below flags and environment", async () => {
    const { config, env } = user()
    const kept = await scripted(() => ({ body: '[{"dtxsid":"DTXSID7020182"}]' }))
    const other = await scripted(() => ({ body: '[{"dtxsid":"DTXSID7020182"}]' }))
    await config(["set", "base-url", kept.url])
    await config(["set", "api-key"], { input: key })
    const details = (more: Record<string, string> = {}, ...args: ReadonlyArray<string>) =>
      run(["details", "DTXSID7020182", "-q", ...args], { env: { ...env, ...more } })
    expect(await details()).toMatchObject({ code: 0, stdout: '{"dtxsid":"DTXSID7020182"}\n' })
    expect([kept.requests.length, other.requests.length]).toEqual([1, 0])
    expect(await details({ CHEMSTREAM_BASE_URL: other.url })).toMatchObject({ code: 0 })
    expect(await details({}, "--base-url", other.url)).toMatchObject({ code: 0 })
    expect([kept.requests.length, other.requests.length]).toEqual([1, 2])
  })

  it.skipIf(process.platform === "win32" || process.getuid?.() === undefined)(
    "refuses a key that other users can read, and a malformed file, without quoting it",
    async () => {
      const { config, env, file } = user()
      await config(["set", "api-key"], { input: key })
      chmodSync(file, 0o644)
      const open = await run(["details", "DTXSID7020182"], { env })
      expect(open).toMatchObject({ code: 2, stdout: "" })
      expect(open.stderr).toContain(`chmod 600 ${file}`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `{"apiKey":"${key}"`)
      const broken = await config(["get"])
      expect(broken).toMatchObject({ code: 2, stdout: "" })
      expect(broken.stderr).toContain("is not a settings file of chemstream")
      expect(open.stderr + broken.stderr).not.toContain(key)
    }
  )

  it.skipIf(process.platform !== "linux" || !has("script"))(
    "prompts for the key on a terminal, and does not show it",
    async () => {
      const { env, file } = user()
      const line = `"${process.execPath}" "${command}" config set api-key`
      const child = spawn("script", ["-qec", line, "/dev/null"], {
        env: environment({ ...env, TERM: "xterm" }),
        stdio: "pipe"
      })
      let screen = ""
      const asked = new Promise<void>((resolve) => {
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          screen += text
          if (screen.includes("not shown")) resolve()
        })
      })
      await asked
      child.stdin.write(`${key}\r`)
      const [code] = await once(child, "close")
      expect(code).toBe(0)
      expect(screen).not.toContain(key.slice(0, 6))
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ apiKey: key })
    }
  )
})
