/**
 * Specifications of lookups: by the names of all lookups, and by their older names.
 */
import { Lookup } from "@chemstream/stream"
import { Fetch } from "@chemstream/workflow"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

const options: Readonly<Record<string, object>> = { "bioactivity.summaryByTissue": { tissue: "liver" } }

const decode = Schema.decodeUnknownResult(Fetch.Spec, { onExcessProperty: "error" })

describe("a specification", () => {
  it.each(Lookup.names)("has the lookup %s, also by its older name", (name) => {
    const older = name
      .replace(/^\w/, (letter) => letter.toUpperCase())
      .replace(/^Msready/, "MsReady") as Fetch.LookupSpec["lookup"]
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
    { lookup: "details.byName" }
  ])("is refused: %j", (spec) => {
    expect(decode(spec)).toMatchObject({ _tag: "Failure" })
  })

  it("of several lookups is stored with the older names", () => {
    const spec = { enrich: { details: { lookup: "details.byDtxsid", projection: "compact" } } } as const
    expect(Fetch.stored(spec)).toEqual({
      enrich: { details: { lookup: "Details.byDtxsid", projection: "compact" } }
    })
  })
})
