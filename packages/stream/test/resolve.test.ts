import { Ledger, Resolve } from "@chemstream/stream"
import { describe, expect, it } from "vitest"
import { a, b, c, hit, key, knowing, resolve } from "./resolveService.ts"

const short = ({ candidates, input, kind, status }: Resolve.RowResult): string =>
  `${input}: ${kind} ${status} ${candidates.map(({ dtxsid }) => dtxsid).join()}`

describe("Resolve.outcomes", () => {
  it("returns one result for every value in order, also for blank, invalid and repeated ones", async () => {
    const { respond } = knowing({ "80-05-7": [hit(a, "80-05-7", 5, "CASRN")], Benzol: [hit(b, "Benzol")] })
    const ledger = Ledger.make()
    const results = await resolve(
      respond,
      ["80 05 7", "Benzol", "", "80-05-7", "nothing", "Benzol", a, c, "1/2/2020"],
      {
        ledger
      }
    )
    expect(results.map(short)).toEqual([
      `80 05 7: casrn found ${a}`,
      `Benzol: name found ${b}`,
      ": null invalid ",
      `80-05-7: casrn found ${a}`,
      "nothing: name missing ",
      `Benzol: name found ${b}`,
      `${a}: dtxsid found ${a}`,
      `${c}: dtxsid missing `,
      "1/2/2020: null invalid "
    ])
    expect(results.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(results.map(({ note }) => note)).toEqual([
      "read as 80-05-7 (separators)",
      null,
      expect.stringContaining("the value is empty"),
      null,
      "the service does not know nothing; similar name: Similar",
      null,
      null,
      `the service does not know ${c}`,
      expect.stringContaining("is a date")
    ])
    expect(results[0]?.candidates[0]).toEqual({
      dtxsid: a,
      dtxcid: null,
      casrn: null,
      preferredName: `name of ${a}`,
      kind: "casrn",
      foundBy: "CASRN",
      rank: 5
    })
    expect(ledger).toMatchObject({ read: 9, found: 5, missing: 2, invalid: 2, duplicates: 0 })
  })

  it("requests all numbers and names in one call, and synonyms one by one when a batch hides ambiguity", async () => {
    const synonyms = [hit(a, "Two", 15, "Synonym"), hit(b, "Two", 15, "Synonym")]
    const hits = {
      "80-05-7": [hit(a, "80-05-7", 5, "CASRN")],
      Two: synonyms,
      Own: [hit(a, "Own", 9, "Approved Name")],
      [key]: [hit(a, key, 13, "InChIKey")]
    }
    const texts = ["80-05-7", "Two", "Two", key, "Other", "Own"]
    const specified = knowing(hits)
    const expected = await resolve(specified.respond, texts)
    expect(specified.asked).toEqual(["POST equal 5"])
    expect(expected[1]).toMatchObject({ status: "ambiguous", candidates: [{ dtxsid: a }, { dtxsid: b }] })
    const ctx = knowing(hits, {}, 1)
    expect(await resolve(ctx.respond, texts, {}, "ctx")).toEqual(expected)
    expect(ctx.asked).toEqual(["POST equal 5", "GET equal Two"])
    const unchecked = knowing(hits, {}, 1)
    const [, two, , , , own] = await resolve(unchecked.respond, texts, { checkSynonyms: "never" }, "ctx")
    expect(unchecked.asked).toEqual(["POST equal 5"])
    expect(two).toMatchObject({ status: "found", note: "a synonym, which other substances may have" })
    expect(own).toMatchObject({ status: "found", note: null })
  })

  it.each(["specification", "ctx"] as const)(
    "prefers the substance with an approved name to one with an equal synonym: %s",
    async (dialect) => {
      const hits = { Own: [hit(b, "Own", 15, "Synonym"), hit(a, "Own", 9, "Approved Name")] }
      const { respond } = knowing(hits, {}, dialect === "ctx" ? 1 : undefined)
      const [result] = await resolve(respond, ["Own"], {}, dialect)
      expect(result).toMatchObject({
        status: "found",
        candidates: [{ dtxsid: a }],
        note: "also a synonym of other substances"
      })
    }
  )

  it.each([
    ["all", [a, b, c], 0],
    ["best", [a, b], 1],
    ["unique", [], 3]
  ] as const)("marks an ambiguous row for any `pick` (%s)", async (pick, ids, more) => {
    const { respond } = knowing({
      Bis: [hit(a, "Bis", 9), hit(b, "Bis", 9), hit(c, "Bis", 15), hit(a, "Bis", 15, "Synonym")]
    })
    const [result] = await resolve(respond, ["Bis"], { pick })
    expect(result).toMatchObject({
      status: "ambiguous",
      more,
      note: more === 0 ? "3 candidates" : expect.stringContaining(`${more} more`)
    })
    expect(result?.candidates.map(({ dtxsid }) => dtxsid)).toEqual(ids)
  })

  it.each(["all", "best", "unique"] as const)(
    "keeps the only candidate for any `pick` (%s)",
    async (pick) => {
      const { respond } = knowing({ Bis: [hit(a, "Bis", 9)] })
      const [result] = await resolve(respond, ["Bis"], { pick })
      expect(result).toMatchObject({ status: "found", candidates: [{ dtxsid: a }], more: 0 })
    }
  )

  it("keeps at most `maxCandidates` candidates, and counts the others", async () => {
    const ids = Array.from({ length: 14 }, (_, n) => `X${n}`)
    const { respond } = knowing({ Bis: ids.map((id, n) => hit(id, "Bis", 30 - n)) })
    const [ten] = await resolve(respond, ["Bis"])
    expect(ten).toMatchObject({ more: 4, note: "4 more candidates" })
    expect(ten?.candidates.map(({ rank }) => rank)).toEqual([17, 18, 19, 20, 21, 22, 23, 24, 25, 26])
    const [two] = await resolve(respond, ["Bis"], { maxCandidates: 2 })
    expect(two?.candidates.length).toBe(2)
  })

  it("uses the first known column, narrows it by the others, and reports contradictions", async () => {
    const { respond } = knowing({
      "80-05-7": [hit(a, "80-05-7", 5, "CASRN")],
      "71-43-2": [hit(b, "71-43-2", 5, "CASRN")],
      Bis: [hit(b, "Bis"), hit(a, "Bis", 15)],
      Benzol: [hit(b, "Benzol")]
    })
    const rows = [
      ["80-05-7", "Bis"],
      ["", "Benzol"],
      ["108-88-3", "Benzol"],
      ["80-05-7", "Benzol"],
      ["Bis", "80-05-7"],
      ["80-05-7", "no such name"],
      [" ", ""]
    ]
    const results = await resolve(respond, rows.map(Resolve.row), { labels: ["casrn", "name"] })
    expect(results.map(short)).toEqual([
      `80-05-7 | Bis: casrn found ${a}`,
      `Benzol: name found ${b}`,
      `108-88-3 | Benzol: name found ${b}`,
      `80-05-7 | Benzol: casrn conflict ${a},${b}`,
      `Bis | 80-05-7: name found ${a}`,
      `80-05-7 | no such name: casrn found ${a}`,
      ": null invalid "
    ])
    expect(results[3]?.note).toBe("casrn and name are different substances")
    expect(results[4]?.note).toContain("narrowed from 2 candidates")
  })

  it("names every given identifier of a row that confirms nothing, in the note", async () => {
    const { respond } = knowing(
      { "80-05-7": [hit(a, "80-05-7", 5, "CASRN")], "71-43-2": [hit(b, "71-43-2", 5, "CASRN")] },
      {}
    )
    const notesOf = async (row: ReadonlyArray<string>, labels?: ReadonlyArray<string>) => {
      const [result] = await resolve(respond, [Resolve.row(row)], { labels })
      return [result?.status, result?.note]
    }
    const labels = ["cas", "name", "id"]
    expect(await notesOf(["80-05-7", "no such name", ""], labels)).toEqual([
      "found",
      "name confirms nothing: the service does not know no such name; similar name: Similar"
    ])
    expect(await notesOf(["1/2/2020", "no such name", "80-05-7"], labels)).toEqual([
      "found",
      expect.stringMatching(
        /^cas confirms nothing: .*is a date.*; name confirms nothing: the service does not know no such name; similar name: Similar$/
      )
    ])
    expect(await notesOf(["80-05-7", "71-43-2", "no such name"], labels)).toEqual([
      "conflict",
      "id confirms nothing: the service does not know no such name; similar name: Similar; cas and name are different substances"
    ])
    expect(await notesOf(["1/2/2020", "no such name"], labels)).toEqual([
      "missing",
      expect.stringMatching(
        /^cas confirms nothing: .*is a date.*; the service does not know 1\/2\/2020 \| no such name; similar name: Similar$/
      )
    ])
    expect(await notesOf(["80-05-7", "no such name"])).toEqual([
      "found",
      "the service does not know no such name; similar name: Similar"
    ])
  })

  it("finds structures by their InChIKey, and refuses those that cannot be read", async () => {
    const { respond } = knowing({ [key]: [hit(a, key, 13, "InChIKey")] })
    const results = await resolve(respond, ["C1CC1", "InChI=1S/C15H16O2/c1", "[Xx]=O"])
    expect(results.map(short)).toEqual([
      `C1CC1: smiles found ${a}`,
      `InChI=1S/C15H16O2/c1: inchi found ${a}`,
      "[Xx]=O: smiles invalid "
    ])
    expect(results[2]?.note).toBe("[Xx]=O is no structure")
  })

  it("tries all kinds that letters may be", async () => {
    const { respond } = knowing({ [key]: [hit(a, key)], CO: [hit(b, "CO")] }, { CO: [b] })
    const [result] = await resolve(respond, ["CO"])
    expect(result && short(result)).toBe(`CO: name ambiguous ${b},${a}`)
  })

  it("finds all substances of a formula with their names, and of the first block of an InChIKey", async () => {
    const { respond, asked } = knowing(
      { [key]: [hit(a, key, 13, "InChIKey")], x: [hit(b, "IISBACLAFKSPITOL")] },
      {
        C6H6: [b, a]
      }
    )
    const [formula, skeleton] = await resolve(respond, ["H6C6", "IISBACLAFKSPIT"])
    expect(formula).toMatchObject({ kind: "formula", status: "ambiguous" })
    expect(formula?.candidates.map(({ preferredName }) => preferredName)).toEqual([b, a])
    expect(skeleton && short(skeleton)).toContain("skeleton ambiguous")
    expect(asked).toContain("POST by-dtxsid 2")
  })

  it("fetches the requested detail records, for identifiers in the same call", async () => {
    const { respond, asked } = knowing({ Benzol: [hit(b, "Benzol")] })
    const results = await resolve(respond, ["Benzol", a], { projection: "ntatoolkit" })
    expect(results.every(({ candidates }) => candidates[0]?.record !== undefined)).toBe(true)
    expect(asked.filter((one) => one.includes("by-dtxsid"))).toEqual(["POST by-dtxsid 1", "POST by-dtxsid 1"])
  })

  it("fails only the values of a failed call", async () => {
    const { respond } = knowing({ Benzol: [hit(b, "Benzol")] })
    const results = await resolve(respond, ["Benzol", "broken", a])
    expect(results.map(({ status }) => status)).toEqual(["found", "failed", "found"])
  })

  it("reads a value as the kind in `as`", async () => {
    const { respond } = knowing({ C6H6: [hit(b, "C6H6")] })
    const [forced] = await resolve(respond, ["C6H6"], { as: "name" })
    expect(forced).toMatchObject({ kind: "name", status: "found" })
    const [wrong] = await resolve(respond, ["Benzol"], { as: "dtxsid" })
    expect(wrong).toMatchObject({ status: "invalid", note: expect.stringContaining("is not a DTXSID") })
  })
})
