/**
 * Specifications of lookups: by the names of all lookups, and by their older names.
 */
import { type Row, Rows } from "@chemstream/api"
import { Lookup } from "@chemstream/stream"
import { Fetch } from "@chemstream/workflow"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

/** The parameters that the rows require. */
const options: Readonly<Record<string, object>> = Object.fromEntries(
  Rows.all.flatMap((row) => {
    const { name, query = {} }: Row.Row = row
    const required = Object.keys(query).map((parameter) => [parameter, "liver"])
    return required.length === 0 ? [] : [[name, Object.fromEntries(required)]]
  })
)

const decode = Schema.decodeUnknownResult(Fetch.Spec, { onExcessProperty: "error" })

/** The names of the families in harvests of earlier releases. */
const olderGroups: Readonly<Record<string, string>> = {
  details: "Details",
  search: "Search",
  msready: "MsReady",
  synonyms: "Synonyms",
  bioactivity: "Bioactivity"
}

describe("a specification", () => {
  it.each(Lookup.names)("has the lookup %s, also by its older name, if its family had one", (name) => {
    const [group = ""] = name.split(".")
    const older = name.replace(group, olderGroups[group] ?? group) as Fetch.LookupSpec["lookup"]
    const specs = [name, older].map((lookup) => ({ lookup, ...options[name] }) as Fetch.LookupSpec)
    for (const spec of specs) {
      expect(decode(spec)).toMatchObject({ _tag: "Success" })
      expect(Fetch.lookup(spec)).toMatchObject({ endpoint: Lookup.of(name, options[name] as never).endpoint })
      expect(Fetch.stored(spec)).toEqual({ lookup: older, ...options[name] })
    }
  })

  it.each([
    { lookup: "details.byDtxsid", projection: "compactt" },
    { lookup: "details.byDtxsid", tolerance: 1 },
    { lookup: "bioactivity.summaryByTissue" },
    { lookup: "details.byName" },
    { lookup: "Details.all" },
    { lookup: "Msready.byMass" }
  ])("is refused: %j", (spec) => {
    expect(decode(spec)).toMatchObject({ _tag: "Failure" })
  })

  it("makes the same lookup by either name", () => {
    const older = Fetch.lookup({ lookup: "MsReady.byMass", tolerance: 0.01 })
    const newer = Fetch.lookup({ lookup: "msready.byMass", tolerance: 0.01 })
    expect([older.endpoint, older.size, older.parameters]).toEqual([
      newer.endpoint,
      newer.size,
      newer.parameters
    ])
    expect(Fetch.stored({ lookup: "Bioactivity.aed" })).toEqual(Fetch.stored({ lookup: "bioactivity.aed" }))
  })

  it("of several lookups is stored with the older names", () => {
    const spec = { enrich: { details: { lookup: "details.byDtxsid", projection: "compact" } } } as const
    expect(Fetch.stored(spec)).toEqual({
      enrich: { details: { lookup: "Details.byDtxsid", projection: "compact" } }
    })
  })
})
