import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it, onTestFinished } from "vitest"
import * as Package from "../src/Package.ts"

const packages = Package.readAll()
const published = packages.filter(({ manifest }) => manifest.private !== true)
const rootManifest = Package.readManifest(Package.root)

describe.each(published)("public package $folder", ({ path, manifest }) => {
  it("has a README.md that opens with its name", () => {
    const file = join(path, "README.md")
    expect(existsSync(file), `${file} is missing`).toBe(true)
    expect(readFileSync(file, "utf8").split("\n")[0]).toBe(`# ${manifest.name}`)
  })

  it("declares its licence, engines, files and exports", () => {
    expect(manifest.license).toBe(rootManifest.license)
    expect(manifest.engines?.["node"]).toMatch(/^>=\d+/)
    expect(manifest.files).toContain("dist")
    expect(manifest.exports?.["."]).toEqual({ types: "./dist/index.d.ts", default: "./dist/index.js" })
  })
})

// The entry of a library exports all its modules. A program exports none.
describe.each(published.filter(({ manifest }) => manifest.bin === undefined))(
  "library $folder",
  ({ path, manifest }) => {
    const entries = Package.entriesOf(manifest)

    it.each(entries.filter(({ module }) => module.endsWith("index.ts")))(
      "exports in $specifier every module beside it as a namespace of the file's name",
      ({ module }) => {
        const folder = dirname(module)
        const index = readFileSync(join(path, "src", module), "utf8")
        const exported = [...index.matchAll(/^export \* as (\w+) from "\.\/(.+)"/gm)]
        const misnamed = exported.filter(
          ([, name, file]) => file !== `${name}.ts` && !file?.endsWith(`/${name}.ts`)
        )
        expect(misnamed.map(([line]) => line)).toEqual([])
        const others = entries
          .filter((entry) => entry.module.endsWith("index.ts"))
          .map((entry) => dirname(entry.module))
          .filter((other) => other !== folder && other !== ".")
        const offered = readdirSync(join(path, "src"), { recursive: true, encoding: "utf8" })
          .filter((file) => file.endsWith(".ts"))
          .map((file) => relative(folder, file))
          .filter((file) => !file.startsWith("..") && !/(^|\/)internal\/|^index\.ts$/.test(file))
          .filter((file) => !others.some((other) => file.startsWith(`${other}/`)))
        expect(exported.map(([, , file]) => file).sort()).toEqual(offered.sort())
      }
    )
  }
)

describe("the changesets", () => {
  const folder = join(Package.root, ".changeset")
  const files = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md")

  it("name public packages with the size of their change, and describe the change", () => {
    for (const name of files) {
      const text = readFileSync(join(folder, name), "utf8")
      const [, head = "", body = ""] = /^---\n([\s\S]*?)---\n([\s\S]*)$/.exec(text) ?? []
      const changed = [...head.matchAll(/^"([^"]+)": (?:major|minor|patch)$/gm)].map(([, one]) => one)
      expect(changed.length, `${name}: a line does not have the form "package": size`).toBe(
        head.split("\n").length - 1
      )
      expect(changed.length, `${name} names no package`).toBeGreaterThan(0)
      for (const one of changed) expect(Package.publicNames(), name).toContain(one)
      expect(body.trim(), `${name} does not describe the change`).not.toBe("")
    }
  })
})

describe("a release", () => {
  const check = async (repository: string) => {
    const folder = mkdtempSync(join(tmpdir(), "chemstream-release-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, "package.json"), JSON.stringify({ repository }))
    return promisify(execFile)(process.execPath, [
      join(Package.root, "scripts", "releasable.mjs"),
      folder
    ]).then(
      () => "accepted",
      ({ stderr }: { readonly stderr: string }) => stderr
    )
  }

  it.each(["https://repository.example/chemstream", "", "chemstream", "http://host.org/chemstream"])(
    "is refused with the repository %j",
    async (repository) => {
      expect(await check(repository)).toMatch(/is a placeholder .* run npm run generate/)
    }
  )

  it("is made with an address", async () => {
    expect(await check("https://host.org/name/chemstream")).toBe("accepted")
  })

  it("raises all public packages together, so that a program has one copy of each", () => {
    const { fixed } = JSON.parse(readFileSync(join(Package.root, ".changeset", "config.json"), "utf8"))
    expect(fixed).toEqual([[...Package.publicNames()].sort()])
  })
})

describe("the checkout", () => {
  it("installs the pnpm that packageManager pins", () => {
    expect(rootManifest.packageManager).toBe(`pnpm@${rootManifest.devDependencies?.["pnpm"]}`)
  })

  it("installs an exact Node that every public package supports", () => {
    const version = rootManifest.devDependencies?.["node"] ?? ""
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    const oldest = published.map(({ manifest }) => Number(manifest.engines?.["node"]?.match(/\d+/)?.[0]))
    expect(Number(version.split(".")[0])).toBeGreaterThanOrEqual(Math.max(...oldest))
  })
})
