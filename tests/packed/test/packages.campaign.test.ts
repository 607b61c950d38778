import { existsSync, readFileSync } from "node:fs"
import { cp, readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { afterAll, describe, expect, inject, it } from "vitest"
import * as NodeRelease from "../src/NodeRelease.ts"
import * as Project from "../src/Project.ts"
import * as PublicPackage from "../src/PublicPackage.ts"
import * as ReadmeProgram from "../src/ReadmeProgram.ts"

const examples = "@chemstream/examples"

/** Returns a step that runs at its first call only. */
const once = <A>(step: () => Promise<A>): (() => Promise<A>) => {
  let result: Promise<A> | undefined
  return () => {
    result ??= step()
    return result
  }
}

describe.each(PublicPackage.all)("the packed $name", (one) => {
  const { name, manifest } = one
  const tarballs = inject("tarballs")
  const project = Project.create(tarballs)
  const installed = once(() => Project.install(project, name))
  const unpacked = once(async () => {
    const folder = Project.makeFolder(project, "unpacked")
    await Project.run(project, NodeRelease.oldest, "tar", ["-xzf", tarballs[name] ?? "", "-C", folder])
    return join(folder, "package")
  })
  afterAll(() => Project.remove(project))

  it("passes publint in strict mode", async () => {
    const file = readFileSync(tarballs[name] ?? "")
    const tarball = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength)
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true, level: "error" })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  it("has types that every module resolution of TypeScript for ES modules finds", async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarballs[name] ?? "")))
    // The packages are ES modules, and their entries of exports are no folders that older resolutions read.
    const ignored = ["node10", "node16-cjs"]
    const problems = !analysis.types
      ? []
      : analysis.problems.filter(
          (problem) =>
            problem.kind !== "CJSResolvesToESM" &&
            !("resolutionKind" in problem && ignored.includes(problem.resolutionKind))
        )
    expect(problems).toEqual([])
  })

  it("has the sources of its source maps, and a source map wherever a file names one", async () => {
    const folder = await unpacked()
    const files = await readdir(folder, { recursive: true })
    const missing = files.flatMap((file) => {
      const path = join(folder, file)
      if (file.endsWith(".map")) {
        const { sources } = JSON.parse(readFileSync(path, "utf8")) as {
          readonly sources: ReadonlyArray<string>
        }
        return sources.map((source) => join(dirname(path), source))
      }
      if (!/\.[jt]s$/.test(file)) return []
      const [, map] = /^\/\/# sourceMappingURL=(\S+)\s*$/m.exec(readFileSync(path, "utf8").slice(-500)) ?? []
      return map === undefined ? [] : [join(dirname(path), map)]
    })
    expect(missing.filter((path) => !existsSync(path))).toEqual([])
  })

  it("says where it comes from, and depends on its siblings in a range", async () => {
    const packed = JSON.parse(readFileSync(join(await unpacked(), "package.json"), "utf8"))
    expect(packed).toMatchObject({
      repository: { type: "git", directory: one.folder },
      homepage: expect.stringContaining(one.folder),
      bugs: expect.stringMatching(/^https:/),
      publishConfig: { access: "public" }
    })
    expect(packed.keywords.length).toBeGreaterThan(2)
    const siblings = Object.entries<string>({ ...packed.dependencies, ...packed.peerDependencies })
    for (const [sibling, range] of siblings)
      if (sibling in tarballs) expect(range).toBe(`^${manifest.version}`)
  })

  it("supports no Node older than the oldest tested one", () => {
    expect(`${manifest.engines?.["node"]}.0`).toBe(`>=${NodeRelease.oldest}`)
  })

  it("installs into an empty project with only its siblings", async () => {
    await installed()
    expect(Project.has(project, name)).toBe(true)
  })

  if (manifest.exports?.["."] !== undefined) {
    it(`is imported on Node ${NodeRelease.oldest}`, async () => {
      await installed()
      const program = `console.log(Object.keys(await import(${JSON.stringify(name)})).length)`
      const args = ["--input-type=module", "--eval", program]
      const output = await Project.run(project, NodeRelease.oldest, "node", args)
      expect(Number(output)).toBeGreaterThan(0)
    })
  }

  it.each(Object.keys(manifest.bin ?? {}))(
    "provides npx with the command %s in its version",
    async (command) => {
      await installed()
      const args = ["--no-install", command, "--version"]
      expect(await Project.run(project, NodeRelease.oldest, "npx", args)).toContain(manifest.version)
    }
  )

  const programs = ReadmeProgram.findAll(one)
  if (programs.length > 0) {
    const imported = [...new Set(programs.flatMap(ReadmeProgram.packagesOf))]
    // All packages have the same peers.
    const versions: Readonly<Record<string, string>> = Object.assign(
      {},
      ...PublicPackage.all.map((other) => other.manifest.peerDependencies)
    )
    const ready = once(async () => {
      await installed()
      const missing = imported.filter((other) => !Project.has(project, other))
      if (missing.length > 0)
        await Project.install(
          project,
          ...missing.map((other) => (other in tarballs ? other : `${other}@${versions[other]}`))
        )
    })

    it("has a README whose programs import only public packages and the packages that it installs", () => {
      const installedByReadme = ReadmeProgram.installedPackages(one)
      expect(imported.filter((other) => !(other in tarballs) && !installedByReadme.has(other))).toEqual([])
    })

    describe.each(NodeRelease.versions)("on Node %s", (version) => {
      it.each(programs)("gives the results of the README program at line $line", async (program) => {
        await ready()
        expect(await ReadmeProgram.run(program, project, version)).toEqual([])
      })
    })
  }

  if (name === examples) {
    const copied = once(async () => {
      await installed()
      await cp(join(project.folder, "node_modules", name), join(project.folder, "examples"), {
        recursive: true
      })
    })

    it("has the scripts, their data and their README", async () => {
      await copied()
      const files = ["README.md", "data", "details.ts", "enrich-csv.ts", "package.json"]
      expect(await readdir(join(project.folder, "examples"))).toEqual(expect.arrayContaining(files))
    })

    it(`has scripts in the syntax of Node ${NodeRelease.oldest}`, async () => {
      await copied()
      const program = `
        import { globSync, readFileSync } from "node:fs"
        import { stripTypeScriptTypes } from "node:module"
        import { SourceTextModule } from "node:vm"
        for (const file of globSync("examples/*.ts")) {
          new SourceTextModule(stripTypeScriptTypes(readFileSync(file, "utf8")), { identifier: file })
          console.log(file)
        }`
      const args = ["--experimental-vm-modules", "--input-type=module", "--eval", program]
      const checked = await Project.run(project, NodeRelease.oldest, "node", args)
      expect(checked).toContain("examples/without-effect.ts")
    })

    it.each(NodeRelease.versions)(
      "runs on Node %s after it is copied out of node_modules",
      async (version) => {
        await copied()
        const records = await Project.run(project, version, "node", ["examples/details.ts"])
        expect(records).toContain('"preferredName":"Bisphenol A"')
      }
    )
  }
})
