import { ListReport } from "@chemstream/figures"
import { describe, expect, it } from "vitest"
import { hostileName, readXml } from "./records.ts"

const ethanol = { dtxsid: "DTXSID9020584", preferredName: "Ethanol" }

const html = ListReport.toHtml({
  title: hostileName,
  ledger: "3 rows = 1 found + 1 ambiguous + 1 missing",
  rows: [
    { line: 1, input: "64-17-5", status: "found", note: null, candidates: [ethanol], more: 0 },
    { line: 2, input: hostileName, status: "missing", note: hostileName, candidates: [], more: 0 },
    {
      line: 3,
      input: "C2H6O",
      status: "ambiguous",
      note: null,
      candidates: [ethanol, { dtxcid: "DTXCID30182" }],
      more: 4
    }
  ]
})

describe("the report of a list", () => {
  it("has the counts and every row with its result, first the rows without a substance", () => {
    expect(html).toContain("<p>3 rows = 1 found + 1 ambiguous + 1 missing</p>")
    const lines = [...html.matchAll(/<tr><td class="number">(\d+)<\/td>/g)].map(([, line]) => Number(line))
    expect(lines).toEqual([2, 3, 1])
    expect(html).toContain("<td>64-17-5</td><td>found</td><td><div>Ethanol DTXSID9020584</div></td>")
    expect(html).toContain('<div>DTXCID30182</div><div class="note">and 4 more</div>')
  })

  it("leaves out a section without rows", () => {
    const empty = ListReport.toHtml({ title: "empty", ledger: "0 rows", rows: [] })
    expect(empty).not.toContain("<section>")
  })

  it("is one well-formed file that loads and runs nothing, whatever text a row has", () => {
    readXml(html.replace("<!DOCTYPE html>", "").trimStart())
    expect(html).toContain("default-src &#39;none&#39;")
    expect(html).not.toMatch(/<(script|img|link|iframe)|\ssrc=|https?:/)
  })
})
