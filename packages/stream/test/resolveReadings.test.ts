// Tests how readings of values are looked up: skeletons of unknown structures, hits that serve as records, ranks, and the plan of requests.
import { RawRecord } from "@chemstream/ndjson"
import { type Plan, Resolve } from "@chemstream/stream"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { a, b, c, hit, key, knowing, planOf, resolve } from "./resolveService.ts"

const skeleton = key.slice(0, 14)

/** InChIKeys with the skeleton of `key`. */
const [stereo, charged, both] = [
  `${skeleton}-GFCCVEGCSA-N`,
  `${skeleton}-UHFFFAOYSA-O`,
  `${skeleton}-GFCCVEGCSA-M`
]

describe("an unknown structure", () => {
  const { respond, asked } = knowing({
    [stereo]: [hit(a, stereo, 13, "InChIKey")],
    [charged]: [hit(b, charged, 13, "InChIKey")]
  })

  it("suggests the substances of its skeleton, with the layers in which they differ", async () => {
    const [result] = await resolve(respond, [key])
    expect(result).toMatchObject({ status: "missing", candidates: [] })
    expect(result?.note).toBe(
      `the service does not know ${key}; of the same skeleton: ${a} name of ${a} with other stereo or isotopes, ${b} name of ${b} with other charge`
    )
    expect(asked).toEqual(["POST equal 1", `GET start-with ${skeleton}`])
  })

  it("means these substances with `match: skeleton`, and says so", async () => {
    const [result] = await resolve(respond, [key], { match: "skeleton" })
    expect(result).toMatchObject({
      kind: "inchikey",
      status: "ambiguous",
      candidates: [
        { dtxsid: a, kind: "inchikey", foundBy: "InChIKey skeleton" },
        { dtxsid: b, kind: "inchikey", foundBy: "InChIKey skeleton" }
      ],
      note: expect.stringContaining(
        `matched by its skeleton: ${a} name of ${a} with other stereo or isotopes, ${b} name of ${b} with other charge`
      )
    })
  })

  it("names both layers if both differ", async () => {
    const near = knowing({ [both]: [hit(c, both, 13, "InChIKey")] })
    const [result] = await resolve(near.respond, [key])
    expect(result?.note).toContain(`${c} name of ${c} with other stereo or isotopes and charge`)
  })

  it("is missing without a note of others if the service has none, or other words that begin so", async () => {
    for (const hits of [{}, { [`${skeleton.slice(0, 13)}X`]: [hit(a, `${skeleton.slice(0, 13)}X`)] }]) {
      const none = knowing(hits)
      const [result] = await resolve(none.respond, [key], { match: "skeleton" })
      expect(result).toMatchObject({ status: "missing", candidates: [] })
      expect(result?.note).toBe(`the service does not know ${key}`)
    }
  })

  it("is requested once for several structures of one skeleton, and not for a known one or letters alone", async () => {
    const one = knowing({ [key]: [hit(a, key, 13, "InChIKey")] })
    await resolve(one.respond, [stereo, charged, key, "CO"])
    expect(one.asked.filter((request) => request.includes("start-with"))).toEqual([
      `GET start-with ${skeleton}`
    ])
  })

  it("is missing if the search for its skeleton fails, and failed if that search was asked for", async () => {
    const broken: typeof respond = (request) =>
      request.url.includes("start-with") ? { status: 400, body: "broken" } : respond(request)
    expect(await resolve(broken, [key])).toMatchObject([
      { status: "missing", note: `the service does not know ${key}` }
    ])
    expect(await resolve(broken, [key], { match: "skeleton" })).toMatchObject([{ status: "failed" }])
  })

  it("is searched for 100 times in a run, and without a limit with `match: skeleton`", async () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    const keys = Array.from(
      { length: 103 },
      (_, n) => `AAAAAAAAAAAA${letters[Math.floor(n / 26)]}${letters[n % 26]}-UHFFFAOYSA-N`
    )
    const searches = async (options: Resolve.Options) => {
      const unknown = knowing({})
      await resolve(unknown.respond, keys, options)
      return unknown.asked.filter((request) => request.includes("start-with")).length
    }
    expect(await searches({})).toBe(100)
    expect(await searches({ match: "skeleton" })).toBe(103)
    expect((await planOf(keys)).most).toBe(101)
    expect((await planOf(keys, { match: "skeleton" })).most).toBe(104)
  })
})

describe("a candidate", () => {
  it("has its search hit as its record if the hit has all needed fields, and they are those of a detail record", async () => {
    const hits = { Benzol: [{ ...hit(b, "Benzol"), smiles: "C1CC1", isMarkush: false }] }
    for (const [fields, hasRecord] of [
      [["dtxsid"], true],
      [["dtxsid", "casrn", "dtxcid", "preferredName", "smiles"], true],
      [["dtxsid", "isMarkush"], false],
      [["dtxsid", "molFormula"], false],
      [["searchValue"], false]
    ] as const) {
      const { respond, asked } = knowing(hits)
      const [result] = await resolve(respond, ["Benzol"], { projection: "chemicalidentifier", fields })
      expect(asked, fields.join()).toEqual(
        hasRecord ? ["POST equal 1"] : ["POST equal 1", "POST by-dtxsid 1"]
      )
      const record = result?.candidates[0]?.record
      expect(record && RawRecord.value(record, "searchName"), fields.join()).toBe(
        hasRecord ? "Approved Name" : undefined
      )
    }
  })

  it("needs its detail record if the hit lacks one of the fields", async () => {
    const { smiles: _, ...bare } = { ...hit(b, "Benzol"), smiles: "" }
    const { respond, asked } = knowing({ Benzol: [bare] })
    await resolve(respond, ["Benzol"], { projection: "chemicalidentifier", fields: ["dtxsid", "smiles"] })
    expect(asked).toEqual(["POST equal 1", "POST by-dtxsid 1"])
  })

  it("has rank 1 by a DTXSID, 2 by a DTXCID, that of the service by a word, and none by a formula", async () => {
    const { respond } = knowing(
      { Benzol: [hit(b, "Benzol", 9)], Odd: [{ ...hit(b, "Odd"), rank: null, searchName: "" }] },
      { C6H6: [b] }
    )
    const results = await resolve(respond, [a, "DTXCID30182", "Benzol", "C6H6", "Odd"])
    expect(results.map(({ candidates: [one] }) => [one?.foundBy, one?.rank])).toEqual([
      ["DTXSID", 1],
      ["DTXCID", 2],
      ["Approved Name", 9],
      ["molecular formula", null],
      ["name", null]
    ])
  })

  it("keeps what its hit says where the detail record is silent", async () => {
    const { respond } = knowing({ Benzol: [{ ...hit(b, "Benzol"), casrn: "71-43-2" }] })
    const [result] = await resolve(respond, ["Benzol"], { projection: "ntatoolkit" })
    expect(result?.candidates[0]).toMatchObject({ dtxcid: "DTXCID30182", casrn: "71-43-2", preferredName: b })
  })
})

describe("a row", () => {
  const [bpa, benzene] = [hit(a, "80-05-7", 5, "CASRN"), hit(b, "71-43-2", 5, "CASRN")]
  const hits = {
    "80-05-7": [bpa],
    "71-43-2": [benzene],
    "80-05-8": [hit(c, "80-05-8", 5, "CASRN")],
    Benzol: [hit(b, "Benzol")],
    CO: [hit(a, "CO"), hit(b, "CO"), hit(c, "CO")]
  }
  const formulas = { CH4O: [b], C6H6: [b, a], CO: [b] }
  const separators = (casrn: string): string => `read as ${casrn} (separators)`
  const silent = (text: string): string => `the service does not know ${text}; similar name: Similar`
  const wrong = "80-05-8 has the check digit 8, but its other digits give 7; any digit may be wrong"
  const date =
    '"1/2/2020" is a date, which spreadsheets make of CAS numbers; no CAS number fits it. Format the column as text and enter the number again'
  const element = "the symbol of an element, which is not read as the SMILES of its hydride"

  const invisible = "read as Benzol (invisible characters)"

  type Expected = readonly [kind: string | null, status: string, repair: string | null, note: string | null]

  it.each<readonly [ReadonlyArray<string>, Resolve.Options, ...Expected]>([
    [["80 05 7"], {}, "casrn", "found", separators("80-05-7"), separators("80-05-7")],
    [["CAS 80-05-7"], {}, "casrn", "found", "read as 80-05-7 (a label)", "read as 80-05-7 (a label)"],
    [["dtxsid7020182"], {}, "dtxsid", "found", null, null],
    [["80-05-8"], {}, "casrn", "found", null, wrong],
    [["80 05 7"], { as: "name" }, "name", "missing", null, silent("80 05 7")],
    [
      ["79 01 6"],
      {},
      "casrn",
      "missing",
      separators("79-01-6"),
      `${separators("79-01-6")}; ${silent("79 01 6")}`
    ],
    // A formula that repeats an element may be a name. Its reading counts if the service knows no such name.
    [["CH3OH"], {}, "formula", "found", "read as the formula CH4O", "read as the formula CH4O"],
    [["CH3OCH3"], {}, "name", "missing", null, silent("CH3OCH3")],
    [["C"], {}, "name", "missing", null, `${element}; ${silent("C")}`],
    [["C6H6"], {}, "formula", "ambiguous", null, "2 candidates"],
    [["CO"], {}, "name", "ambiguous", null, "read as a name; 3 candidates"],
    [["CO"], { maxCandidates: 1 }, "name", "ambiguous", null, "read as a name; 2 more candidates"],
    [["CO"], { maxCandidates: 2 }, "name", "ambiguous", null, "read as a name; 1 more candidate"],
    [["CO"], { pick: "unique" }, "name", "ambiguous", null, "read as a name; 3 more candidates"],
    [["71 43 2", "Benzol"], {}, "casrn", "found", separators("71-43-2"), separators("71-43-2")],
    // A damaged identifier of another kind than that of the row.
    [["Benzol", "71 43 2"], {}, "name", "found", separators("71-43-2"), separators("71-43-2")],
    // The text as given is looked up, too, and is unknown.
    [["\u200bBenzol"], {}, "name", "found", invisible, invisible],
    [
      ["80 05 7", "Benzol"],
      {},
      "casrn",
      "conflict",
      separators("80-05-7"),
      `${separators("80-05-7")}; 80 05 7 and Benzol are different substances`
    ],
    [
      ["nothing", "71 43 2"],
      {},
      "casrn",
      "found",
      separators("71-43-2"),
      `${silent("nothing")}; ${separators("71-43-2")}`
    ],
    [
      ["79 01 6", "75 09 2"],
      {},
      "casrn",
      "missing",
      separators("79-01-6"),
      `${separators("79-01-6")}; ${separators("75-09-2")}; ${silent("79 01 6 | 75 09 2")}`
    ],
    [["nothing", "1/2/2020"], {}, "name", "missing", null, `${date}; ${silent("nothing | 1/2/2020")}`],
    [
      ["1/2/2020", "79 01 6", "79 01 6"],
      {},
      "casrn",
      "missing",
      separators("79-01-6"),
      `${separators("79-01-6")}; ${date}; ${silent("1/2/2020 | 79 01 6 | 79 01 6")}`
    ],
    [
      ["nothing", "1/2/2020"],
      { labels: ["Name", "CAS"] },
      "name",
      "missing",
      null,
      `CAS confirms nothing: ${date}; ${silent("nothing | 1/2/2020")}`
    ],
    [["1/2/2020", "5/2/2020"], {}, null, "invalid", null, date],
    [["80 05 7", "broken"], {}, "casrn", "failed", separators("80-05-7"), expect.stringContaining("(400)")]
  ])(
    "of %j with %j is a %s, %s, with the repair and the note of its readings",
    async (values, options, ...expected) => {
      const [result] = await resolve(knowing(hits, formulas).respond, [Resolve.row(values)], options)
      expect([result?.kind, result?.status, result?.repair, result?.note]).toEqual(expected)
    }
  )
})

describe("a word of several rows", () => {
  const options = { batchSize: 1, concurrency: 1 } as const

  it("is requested once in a run, with its detail record", async () => {
    const { respond, asked } = knowing({ "80-05-7": [hit(a, "80-05-7", 5, "CASRN")] })
    const texts = ["80 05 7", "80-05-7", "CAS 80-05-7", Resolve.row(["nothing", "80-05-7"]), a]
    const results = await resolve(respond, texts, { ...options, projection: "ntatoolkit" })
    expect(results.map(({ candidates: [one], status }) => [status, one?.dtxsid])).toEqual(
      texts.map(() => ["found", a])
    )
    expect(asked).toEqual(["POST equal 1", "POST by-dtxsid 1", "POST equal 1"])
  })

  it("is requested again if it failed", async () => {
    const known = knowing({ Benzol: [hit(b, "Benzol")] })
    let left = 1
    const respond: typeof known.respond = (request) =>
      left-- > 0 ? { status: 422, body: '{"status":422,"detail":"no"}' } : known.respond(request)
    const results = await resolve(respond, ["Benzol", Resolve.row(["Benzol", "nothing"])], options)
    expect(results.map(({ status }) => status)).toEqual(["failed", "found"])
  })
})

describe("rows of which some requests fail", () => {
  const known = knowing(
    { Benzol: [hit(b, "Benzol")], "80-05-7": [hit(a, "80-05-7", 5, "CASRN")] },
    { CH4O: [c] }
  )
  type Request = Parameters<typeof known.respond>[0]
  const failing =
    (isFailing: (request: Request) => boolean, status = 422, body = '{"status":422,"detail":"no"}') =>
    (request: Request) =>
      isFailing(request) ? { status, body } : known.respond(request)
  const statusesOf = (results: ReadonlyArray<Resolve.RowResult>) => results.map(({ status }) => status)
  const isDetail = ({ url }: Request): boolean => url.includes("/detail/")

  it("have failed if the detail record of a candidate fails", async () => {
    const respond = failing((one) => isDetail(one) && (one.body as ReadonlyArray<string>).includes(a))
    const results = await resolve(respond, ["80-05-7", "Benzol"], { projection: "ntatoolkit" })
    expect(statusesOf(results)).toEqual(["failed", "found"])
    expect(results[0]?.note).toContain("(422)")
  })

  it("have failed alone if the service has only the other endpoints", async () => {
    const results = await resolve(failing(isDetail, 404, "<html>no</html>"), [a, "Benzol"])
    expect(statusesOf(results)).toEqual(["failed", "found"])
  })

  it("stop the run if the service has none of their endpoints", async () => {
    const nothing = failing(() => true, 404, "<html>no</html>")
    await expect(resolve(nothing, [a, "Benzol"])).rejects.toMatchObject({
      _tag: "InvalidRequest",
      status: 404
    })
  })

  it("are not read in another way", async () => {
    const respond = failing(({ method }) => method === "POST")
    known.asked.length = 0
    expect(statusesOf(await resolve(respond, ["CH3OH"]))).toEqual(["failed"])
    expect(known.asked.filter((one) => one.includes("formula"))).toEqual([])
    expect(statusesOf(await resolve(known.respond, ["CH3OH"]))).toEqual(["found"])
  })
})

describe("the plan of resolving", () => {
  const largest = Number.POSITIVE_INFINITY
  const cases: ReadonlyArray<
    readonly [
      texts: ReadonlyArray<string>,
      options: Resolve.Options,
      specification: readonly [number, number],
      ctx: readonly [number, number]
    ]
  > = [
    [["Benzol"], {}, [1, 1], [1, 2]],
    [["Benzol", "Benzol", "80-05-7"], {}, [1, 1], [1, 2]],
    [["Benzol", "Two"], { checkSynonyms: "never" }, [1, 1], [1, 1]],
    [[a, c], {}, [1, 1], [1, 1]],
    [["Benzol", a], { projection: "ntatoolkit" }, [2, 3], [2, 4]],
    [["Benzol"], { projection: "ntatoolkit", maxCandidates: 1001 }, [1, 3], [1, 4]],
    [[a], { projection: "ntatoolkit" }, [1, 1], [1, 1]],
    [[key], {}, [1, 2], [1, 2]],
    [["CO"], {}, [2, 3], [2, 4]],
    [["DTXCID30182", "DTXCID505"], {}, [1, 1], [1, 1]],
    [[skeleton], {}, [2, 2], [2, 3]]
  ]

  it.each(cases)(
    "of %j with %j has the fewest and the most requests of both dialects",
    async (texts, options, ...expected) => {
      const plans = await Promise.all(
        (["specification", "ctx"] as const).map((dialect) => planOf(texts, options, dialect))
      )
      expect(plans.map(({ least, most }) => [least, most])).toEqual(expected)
    }
  )

  it("names the kinds of the values in the plural", async () => {
    const { kinds } = await planOf(["80-05-7", "Benzol", "C6H6", "C1CC1", a, "DTXCID30182", key, skeleton])
    expect(kinds).toEqual({
      "CAS numbers": 1,
      names: 2,
      "molecular formulas": 1,
      SMILES: 1,
      DTXSIDs: 1,
      DTXCIDs: 1,
      InChIKeys: 1,
      "InChIKey skeletons": 1
    })
  })

  it("has a run between its fewest and its most requests, whatever the service knows", async () => {
    const values = [
      "80-05-7",
      "71-43-2",
      "Benzol",
      "Two",
      "C6H6",
      "CO",
      "C1CC1",
      key,
      stereo,
      skeleton,
      a,
      b,
      c,
      "DTXCID30182",
      "1/2/2020"
    ]
    const known = fc.subarray(["80-05-7", "Benzol", "Two", "CO", key, stereo])
    const options = fc.record(
      {
        projection: fc.constantFrom("ntatoolkit" as const, "chemicalidentifier" as const),
        checkSynonyms: fc.constantFrom("always" as const, "never" as const),
        match: fc.constantFrom("exact" as const, "skeleton" as const),
        maxCandidates: fc.constantFrom(1, 2, 10)
      },
      { requiredKeys: [] }
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 12 }),
        known,
        options,
        fc.constantFrom("specification" as const, "ctx" as const),
        async (texts, words, given, dialect) => {
          const hits = Object.fromEntries(
            words.map((word) => [word, [hit(a, word, 15, "Synonym"), hit(b, word, 15, "Synonym")]])
          )
          const service = knowing(hits, { C6H6: [a, b] }, dialect === "ctx" ? 1 : undefined)
          await resolve(service.respond, texts, given, dialect)
          const { least, most = largest }: Plan.Plan = await planOf(texts, given, dialect)
          expect(service.asked.length).toBeGreaterThanOrEqual(least)
          expect(service.asked.length).toBeLessThanOrEqual(most)
        }
      ),
      { numRuns: 100 }
    )
  })
})
