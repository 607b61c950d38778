/**
 * Compares the records of the imitated public service with its published documents: they have exactly the same
 * fields.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { run } from "../testService.ts"
import { a, publicServices, requestValue } from "./substances.ts"

// The documents are in a folder beside the checkout, if present.
const folder = join(import.meta.dirname, "../../../../../shared/real/openapi")

/** The fields of each documented record, without those that the generator of the documents added (`writeOnly`). */
const documented = (): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) =>
        Object.entries<Schema>(JSON.parse(readFileSync(join(folder, name), "utf8")).components.schemas)
      )
      .map(([name, { properties = {} }]) => [
        name,
        Object.entries(properties)
          .filter(([, { writeOnly }]) => writeOnly !== true)
          .map(([field]) => field)
          .sort()
      ])
  )

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly writeOnly?: true }>>
}

const detail = `/chemical/detail/search/by-dtxsid/${a}?projection=`

describe.skipIf(!existsSync(folder))("a record (skipped without ../shared/real/openapi)", () => {
  const service = publicServices()()
  it.each([
    ["chemicaldetailall", `${detail}chemicaldetailall`],
    ["ChemicalDetailStandard", `${detail}chemicaldetailstandard`],
    ["ChemicalIdentifier", `${detail}chemicalidentifier`],
    ["ChemicalStructure", `${detail}chemicalstructure`],
    ["NtaToolkit", `${detail}ntatoolkit`],
    ["compact", `${detail}compact`],
    ["ChemicalSearchAll", "/chemical/search/contain/bisphenol"],
    ["ChemicalBatchSearchResult", "/chemical/search/equal/", [a]],
    ["ChemicalSynonymAll", `/chemical/synonym/search/by-dtxsid/${a}`],
    ["CcdSynonymFlatProjection", `/chemical/synonym/search/by-dtxsid/${a}?projection=ccd-synonyms`],
    ["BioactivityDataAll", "/bioactivity/data/search/by-aeid/704"],
    ["AssayAgg", "/bioactivity/data/summary/search/by-aeid/704"],
    ["ChemicalAgg", `/bioactivity/data/summary/search/by-dtxsid/${a}`],
    ["SummaryByTissue", `/bioactivity/data/summary/search/by-tissue/?dtxsid=${a}&tissue=liver`]
  ] as const)("%s has its documented fields", (name, target, body?: unknown) =>
    run(
      Effect.gen(function* () {
        const { value } = yield* requestValue(yield* service, target, body)
        const record = Array.isArray(value) ? value[0] : value
        expect(Object.keys(record).sort()).toEqual(documented().get(name))
      })
    )
  )
})
