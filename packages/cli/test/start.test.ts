import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { command, environment, folder, run } from "./process.ts"

const bundle = fileURLToPath(new URL("../dist/bundle", import.meta.url))

const tellLoaded = `data:text/javascript,
import { registerHooks } from "node:module";
registerHooks({ load: (url, context, next) => { process.stderr.write(url + "\\n"); return next(url, context) } })`

/** The source files that the command loads for some arguments, from the source maps. */
const loadedBy = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { stderr } = await promisify(execFile)(process.execPath, ["--import", tellLoaded, command, ...args], {
    env: environment()
  })
  return stderr
    .split("\n")
    .flatMap((url) => {
      const map = url.startsWith("file:") ? `${fileURLToPath(url)}.map` : ""
      return existsSync(map) ? (JSON.parse(readFileSync(map, "utf8")).sources as Array<string>) : [url]
    })
    .join("\n")
}

describe("the start of the command", { concurrent: true }, () => {
  it.each(["--version", "--help"])(
    "loads for %s only the modules of packages that messages need",
    async (arg) => {
      const loaded = await loadedBy(arg)
      expect(loaded).toMatch(/\bsrc\/main\.ts$/m)
      const ofPackages = loaded.match(/(?:api|batch|client|stream|ndjson|service|figures)\/src\/.*$/gm)
      expect(ofPackages?.sort()).toEqual([
        "api/src/InvalidOption.ts",
        "api/src/Quote.ts",
        "api/src/internal/checkArgument.ts",
        "batch/src/InvalidOption.ts",
        "batch/src/internal/nearestName.ts"
      ])
    }
  )

  it("loads neither the service nor the drawing library for a lookup", async () => {
    const loaded = await loadedBy("details", "--help")
    expect(loaded).toMatch(/stream\/src\//)
    expect(loaded).not.toMatch(/(service|figures)\/src\/|node_modules\/(linkedom|ws)\//)
  })

  it("writes compiled code to the user's cache, and the next start reads it", async () => {
    const home = folder()
    const { code } = await run(["--version"], { env: { XDG_CACHE_HOME: home, NODE_COMPILE_CACHE: "" } })
    expect(code).toBe(0)
    const [version = ""] = readdirSync(join(home, "chemstream"))
    expect(version).toContain(process.version)
    expect(readdirSync(join(home, "chemstream", version)).length).toBeGreaterThan(3)
    const again = await run(["--version"], {
      env: { XDG_CACHE_HOME: home, NODE_COMPILE_CACHE: "", NODE_DEBUG_NATIVE: "COMPILE_CACHE" }
    })
    expect(`${again.stdout}${again.stderr}`).toMatch(/cache for .*main.* was accepted/)
  })

  it("prints nothing if the cache cannot be written, or has damaged files", async () => {
    const home = folder()
    writeFileSync(join(home, "chemstream"), "a file where the cache would be")
    const blocked = await run(["--version"], { env: { XDG_CACHE_HOME: home, NODE_COMPILE_CACHE: "" } })
    expect(blocked).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/), stderr: "" })

    const other = folder()
    await run(["--version"], { env: { XDG_CACHE_HOME: other, NODE_COMPILE_CACHE: "" } })
    const [version = ""] = readdirSync(join(other, "chemstream"))
    const cached = join(other, "chemstream", version)
    for (const file of readdirSync(cached)) writeFileSync(join(cached, file), "no compiled code")
    const broken = await run(["--version"], { env: { XDG_CACHE_HOME: other, NODE_COMPILE_CACHE: "" } })
    expect(broken).toEqual(blocked)
  })

  it("writes no cache if Node is told to disable it", async () => {
    const home = folder()
    mkdirSync(join(home, "chemstream"))
    await run(["--version"], { env: { XDG_CACHE_HOME: home, NODE_DISABLE_COMPILE_CACHE: "1" } })
    expect(readdirSync(join(home, "chemstream"))).toEqual([])
  })
})

describe("the bundle", () => {
  it("has source maps to the sources", () => {
    const [name = ""] = readdirSync(bundle).filter((file) => /^main-.*\.js\.map$/.test(file))
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(bundle, name), "utf8"))
    const at = (sources as Array<string>).findIndex((source) => source.endsWith("src/main.ts"))
    expect(sourcesContent[at]).toBe(readFileSync(new URL("../src/main.ts", import.meta.url), "utf8"))
  })

  it("contains the licences of all packages of others", () => {
    const licences = readFileSync(join(bundle, "LICENSES.md"), "utf8")
    for (const name of ["effect", "@effect/platform-node", "undici", "linkedom"]) {
      expect(licences).toMatch(new RegExp(`^## ${name} [\\d.]+ \\((MIT|ISC)\\)\\n\\n\\S`, "m"))
    }
    const bundled = readdirSync(bundle)
      .filter((file) => file.endsWith(".map"))
      .flatMap((file) => JSON.parse(readFileSync(join(bundle, file), "utf8")).sources as Array<string>)
      .flatMap((source) => /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [])
    expect(new Set(bundled).size).toBeGreaterThan(4)
    for (const name of new Set(bundled)) expect(licences).toContain(`\n## ${name} `)
  })
})
