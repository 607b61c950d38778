import { join } from "node:path"
import { type OutputChunk, rolldown } from "rolldown"
import { describe, expect, it } from "vitest"

/** The module of each family of rows, by the module of its lookups. */
const families = {
  Bioactivity: "summaryByDtxsid",
  Details: "byDtxsid",
  MsReady: "byFormula",
  Search: "byExactFormula",
  Synonyms: "byDtxsid",
  Hazard: "toxval",
  Exposure: "functionalUse",
  Properties: "predicted",
  Fate: "byDtxsid",
  Lists: "members",
  Assays: "models",
  Files: "image",
  Extra: "byDtxsid",
  Links: "ghs"
} as const

/** Returns the modules of rows in the bundle of a program for browsers. */
const familiesIn = async (program: string): Promise<ReadonlyArray<string>> => {
  const entry = join(import.meta.dirname, "program.mjs")
  const bundle = await rolldown({
    input: entry,
    platform: "browser",
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? program : undefined)
      }
    ]
  })
  const { output } = await bundle.generate({ codeSplitting: false })
  await bundle.close()
  const [{ modules }] = output as [OutputChunk]
  return Object.entries(modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .flatMap(([id]) => /\/api\/dist\/(?:endpoints|rows)\/(\w+)\.js$/.exec(id)?.[1] ?? [])
    .filter((name) => name in families || name === "Rows")
}

describe("the bundle of a program that uses one family", () => {
  it.each(Object.entries(families))(
    "has no rows of another family: the lookups of %s",
    async (name, lookup) => {
      const program = `import { ${name}, Identifiers, Lookup } from "@chemstream/stream"
      export const run = (ids) => Lookup.outcomes(Identifiers.fromIterable(ids), ${name}.${lookup}())`
      expect(await familiesIn(program)).toEqual([name])
    }
  )

  it.each(Object.keys(families))("has no rows of another family: the rows of %s", async (name) => {
    const program = `import { ${name} } from "@chemstream/api"
      export const run = () => Object.values(${name})`
    expect(await familiesIn(program)).toEqual([name])
  })

  it("has all rows if it finds lookups by their names", async () => {
    const program = `import { Lookup } from "@chemstream/stream"
      export const run = (name) => Lookup.of(name)`
    expect((await familiesIn(program)).toSorted()).toEqual([...Object.keys(families), "Rows"].toSorted())
  })
})
