// Tests that biome.json refuses each kind of wrong import between packages. Every case is a module with one import, in a
// copy of the packages that has only their manifests.

import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Package from "../src/Package.ts"

const direction = "style/noRestrictedImports"
const builtin = "correctness/noNodejsModules"
const declaration = "correctness/noUndeclaredDependencies"
const cycle = "suspicious/noImportCycles"

const refused = [
  // Imports against the direction of the packages, also of siblings that the manifest declares for tests.
  ["api/src", "@chemstream/client", direction],
  ["ndjson/src", "@chemstream/api", direction],
  ["faults/src", "@chemstream/api", direction],
  ["batch/src", "@chemstream/api", direction],
  ["batch/src", "@chemstream/client", direction],
  ["figures/src", "@chemstream/ndjson", direction],
  ["client/src", "@chemstream/service", direction],
  ["client/src/node", "@chemstream/stream", direction],
  ["figures/src", "@chemstream/service", direction],
  ["service/src", "@chemstream/client", direction],
  ["service/src", "@chemstream/synthetic", direction],
  ["synthetic/src", "@chemstream/service", direction],
  ["synthetic/src", "@chemstream/ndjson", direction],
  ["stream/src", "@chemstream/service", direction],
  ["stream/src/node", "@chemstream/workflow", direction],
  ["workflow/src", "chemstream", direction],
  ["workflow/src", "@chemstream/service", direction],
  ["cli/src", "@chemstream/faults", direction],
  ["unlisted/src", "@chemstream/api", direction],
  // Imports that bypass a public entry.
  ["client/src", "@chemstream/api/dist/Dtxsid.js", direction],
  ["cli/src", "@chemstream/stream/internal/settle", direction],
  ["client/src", "../../api/src/index.ts", direction],
  ["service/src/internal", "../../../api/dist/index.js", direction],
  ["client/src", "@chemstream/client", direction],
  ["explorer/page", "@chemstream/figures", direction],
  ["explorer/page", "@chemstream/service", direction],
  // Imports that need Node, in modules that run without it.
  ["client/src", "@effect/platform-node", direction],
  ["stream/src", "@effect/platform-node/NodeStream", direction],
  ["stream/src", "@chemstream/client/node", direction],
  ["ndjson/src", "./node/index.ts", direction],
  ["client/src/internal", "../node/index.ts", direction],
  ["api/src", "node:fs", builtin],
  ["ndjson/src", "node:stream/consumers", builtin],
  ["client/src", "fs", builtin],
  ["stream/src/internal", "node:fs", builtin],
  ["explorer/page", "node:fs", builtin],
  ["synthetic/src/internal", "node:fs", builtin],
  // Imports of packages that the manifest lacks, or has for tests only.
  ["client/src", "split2", declaration],
  ["stream/src/node", "hyparquet-writer", declaration]
] as const

const accepted = [
  ["api/src", "effect"],
  ["client/src", "@chemstream/api"],
  ["client/src", "@chemstream/batch"],
  ["stream/src", "@chemstream/batch"],
  ["client/src/node", "@effect/platform-node/Undici"],
  ["explorer/page", "@chemstream/figures/Plot"],
  ["figures/src", "@chemstream/api"],
  ["figures/src", "@chemstream/batch"],
  ["service/src", "@chemstream/batch"],
  ["synthetic/src", "@chemstream/api"],
  ["ndjson/src/node", "node:zlib"],
  ["stream/src", "@chemstream/ndjson"],
  ["stream/src/internal", "../Batch.ts"],
  ["stream/src/node", "@chemstream/client/node"],
  ["stream/src/node", "@effect/platform-node"],
  ["service/src", "@chemstream/api/NameForm"],
  ["workflow/src", "@chemstream/stream/node"],
  ["cli/src", "@chemstream/service"],
  ["cli/src", "@chemstream/synthetic"]
] as const

/** Returns Biome's findings for each file: the rule and its message. */
const lint = (root: string): ReadonlyMap<string, ReadonlyArray<readonly [rule: string, message: string]>> => {
  const biome = join(Package.root, "node_modules", ".bin", "biome")
  const options = ["--reporter=rdjson", "--max-diagnostics=none", "--vcs-enabled=false"]
  const { stderr, stdout } = spawnSync(biome, ["lint", ...options], { cwd: root, encoding: "utf8" })
  if (!stdout.startsWith("{")) throw new Error(`biome lint failed:\n${stderr}`)
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: ReadonlyArray<{
      readonly code: { readonly value: string }
      readonly location: { readonly path: string }
      readonly message: string
    }>
  }
  const found = diagnostics.map(
    ({ code, location, message }) =>
      [location.path, [code.value.replace(/^lint\//, ""), message] as const] as const
  )
  const byFile = Map.groupBy(found, ([path]) => path)
  return new Map([...byFile].map(([path, all]) => [path, all.map(([, findings]) => findings)]))
}

describe("biome lint", () => {
  const root = mkdtempSync(join(tmpdir(), "chemstream-imports-"))
  const fileOf = (place: string, specifier: string): string =>
    join("packages", place, `${specifier.replaceAll(/\W/g, "-")}.ts`)
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  let findings: ReturnType<typeof lint> = new Map()

  beforeAll(() => {
    copyFileSync(join(Package.root, "biome.json"), join(root, "biome.json"))
    for (const { manifest, path } of Package.readAll()) {
      write(join(relative(Package.root, path), "package.json"), JSON.stringify(manifest))
    }
    write("packages/unlisted/package.json", JSON.stringify({ name: "@chemstream/unlisted" }))
    for (const [place, specifier] of [...refused, ...accepted]) {
      write(fileOf(place, specifier), `import "${specifier}"\n`)
    }
    write("packages/client/src/One.ts", 'import type { Two } from "./Two.ts"\nexport type One = Two\n')
    write("packages/client/src/Two.ts", 'import type { One } from "./One.ts"\nexport type Two = One\n')
    findings = lint(root)
  }, 60_000)

  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it.each(refused)("refuses in packages/%s an import of %s, by %s", (place, specifier, rule) => {
    const rules = new Map(findings.get(fileOf(place, specifier)))
    expect([...rules.keys()]).toContain(rule)
    if (rule === direction) expect(rules.get(rule)).toMatch(/^Allowed: /)
  })

  it.each(accepted)("accepts in packages/%s an import of %s", (place, specifier) => {
    expect(findings.get(fileOf(place, specifier))).toBeUndefined()
  })

  it.each(["One", "Two"])("refuses an import cycle in packages/client/src/%s.ts, even of types", (name) => {
    expect(findings.get(`packages/client/src/${name}.ts`)?.map(([rule]) => rule)).toEqual([cycle])
  })
})
