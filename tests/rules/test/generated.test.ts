import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { type Files, generate } from "../src/generate.ts"
import * as Package from "../src/Package.ts"

/** Every generated file, so that the test fails if one is no longer generated. */
const files = [
  "benchmarks/RESULTS.md",
  "docs/errors.md",
  ...["assays", "exposure", "extra", "fate", "files", "hazard", "links", "lists", "properties"].map(
    (family) => `docs/families/${family}.md`
  ),
  "docs/options.md",
  "docs/service.md",
  "packages/cli/man/chemstream.1",
  "packages/cli/src/endpoints/lookupNames.ts",
  ...[
    ...["AedRecord", "AllRecord", "AssayRecords", "BioactivityData", "BioactivitySummary", "DetailRecord"],
    ...["ExposureRecords", "FileRecords", "HazardRecords", "LinkRecords", "ListRecords", "PropertyRecords"],
    ...["SearchHit", "SynonymRecord"]
  ].map((name) => `packages/api/src/records/internal/types/${name}.ts`),
  ...[
    ...["Assay", "Bioactivity", "Detail", "Exposure", "Extra", "Fate", "File", "Hazard", "Link", "List"],
    ...["MsReady", "Property", "Search", "Synonym"]
  ].map((name) => `packages/client/src/calls/${name}Calls.ts`),
  ...[
    ...["Assays", "Bioactivity", "Details", "Exposure", "Extra", "Fate", "Files", "Hazard", "Links", "Lists"],
    ...["MsReady", "Properties", "Search", "Synonyms"]
  ].map((name) => `packages/stream/src/lookups/${name}.ts`),
  "examples/package.json",
  ...Package.readAll()
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder }) => `packages/${folder}/package.json`)
].sort()

describe("npm run generate", () => {
  let generated: Files = {}

  beforeAll(async () => {
    generated = await generate()
  }, 300_000)

  it("writes all generated files", () => {
    expect(Object.keys(generated).sort()).toEqual(files)
  })

  it.each(files)("would not change %s", (file) => {
    const path = join(Package.root, file)
    const text = existsSync(path) ? readFileSync(path, "utf8") : ""
    expect(text, `${file} is out of date; run \`npm run generate\` and commit it`).toBe(generated[file])
  })
})
