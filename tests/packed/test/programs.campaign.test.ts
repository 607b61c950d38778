/** Programs of users, compiled against the types of the packed packages, and run on each Node. */
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import * as NodeRelease from "../src/NodeRelease.ts"
import * as Project from "../src/Project.ts"
import * as PublicPackage from "../src/PublicPackage.ts"

/** The lines that each program prints. */
const outputs: Readonly<Record<string, ReadonlyArray<string>>> = {
  "settings.ts": [
    "ServiceFailure true true 2",
    "ServiceFailure true true 3",
    "The option retry.attempt is unknown. Give retry.attempts.",
    "The option limits.inFlight is 0. Give a whole number of at least 1.",
    "ConnectionFailed true false"
  ],
  "joined.ts": ["Substance DTXSID7020182 1", "Error: enough 10"],
  "throttled.ts": ["600 0", "true"],
  "fakes.ts": ["Bisphenol A", "NotFound", "Bisphenol A 3"]
}

const options = {
  strict: true,
  // The types of Effect need the DOM library.
  skipLibCheck: true,
  noEmit: true,
  module: "nodenext",
  target: "es2024",
  lib: ["es2024", "esnext.disposable"],
  types: ["node"],
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true
}

describe("programs with the packed packages", () => {
  const project = Project.create(inject("tarballs"))
  const folder = Project.makeFolder(project, "programs")

  beforeAll(async () => {
    const { devDependencies } = JSON.parse(readFileSync(join(PublicPackage.root, "package.json"), "utf8"))
    const tools = ["typescript", "@types/node"].map((name) => `${name}@${devDependencies[name]}`)
    await Project.install(project, "@chemstream/stream", "@chemstream/client", "@chemstream/batch", ...tools)
    cpSync(join(import.meta.dirname, "..", "programs"), folder, { recursive: true })
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }))
  })
  afterAll(() => Project.remove(project))

  it("compile in strict mode, also without the DOM library", async () => {
    expect(
      await Project.run(project, NodeRelease.oldest, Project.command(project, "tsc"), ["-p", folder])
    ).toBe("")
  })

  describe.each(NodeRelease.versions)("on Node %s", (version) => {
    it.each(Object.entries(outputs))("%s prints what it promises", async (file, lines) => {
      const printed = await Project.run(project, version, "node", [
        "--disable-warning=ExperimentalWarning",
        "--experimental-strip-types",
        join(folder, file)
      ])
      expect(printed.trim().split("\n")).toEqual(lines)
    })
  })
})
