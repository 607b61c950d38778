import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
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

  it("says its licence, engines, files and exports", () => {
    expect(manifest.license).toBe(rootManifest.license)
    expect(manifest.engines?.["node"]).toMatch(/^>=\d+/)
    expect(manifest.files).toContain("dist")
    expect(manifest.exports?.["."]).toEqual({ types: "./dist/index.d.ts", default: "./dist/index.js" })
  })
})

// A program's modules are its own; only a library's reader looks for them in the entry.
describe.each(published.filter(({ manifest }) => manifest.bin === undefined))(
  "library $folder",
  ({ path, manifest, modules }) => {
    // The folders of src with an entry: "" for the one above all, "node/" for a second one.
    const entries = Object.values(manifest.exports ?? {}).flatMap((target) => {
      const folder = /"\.\/dist\/([^"]*)index\.js"/.exec(JSON.stringify(target))?.[1]
      return folder === undefined ? [] : [folder]
    })

    it.each(entries)("exports every module of src/%s as a namespace of the file's name", (entry) => {
      const index = readFileSync(join(path, "src", entry, "index.ts"), "utf8")
      const exported = [...index.matchAll(/^export \* as (\w+) from "\.\/(.+)"/gm)]
      const misnamed = exported.filter(
        ([, name, file]) => file !== `${name}.ts` && !file?.endsWith(`/${name}.ts`)
      )
      expect(misnamed.map(([line]) => line)).toEqual([])
      // A folder with an entry of its own is not the business of the one above it.
      const inner = entries.filter((one) => one !== entry && one.startsWith(entry))
      const offered = modules
        .map((module) => module.path)
        .filter((file) => file.startsWith(entry) && !inner.some((one) => file.startsWith(one)))
        .map((file) => file.slice(entry.length))
        .filter((file) => !/(^|\/)internal\/|^index\.ts$/.test(file))
      expect(exported.map(([, , file]) => file).sort()).toEqual(offered.sort())
    })
  }
)

describe("the changesets", () => {
  const folder = join(Package.root, ".changeset")
  const files = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md")

  it.each(files)("%s names a public package and the size of its change, then says what changed", (name) => {
    const [, packageName] =
      /^---\n"([^"]+)": (?:major|minor|patch)\n---\n\n\S.+\n$/.exec(
        readFileSync(join(folder, name), "utf8")
      ) ?? []
    expect(published.map(({ manifest }) => manifest.name)).toContain(packageName)
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
