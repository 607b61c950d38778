import type { RawRecord } from "@chemstream/ndjson"
import { Bioactivity, Details, Ledger, type Lookup, MsReady, Search, Synonyms } from "@chemstream/stream"
import { describe, expect, it } from "vitest"
import { ok, outcomesOf, type Respond, type ScriptedResponse, short } from "./lookupService.ts"

const [a, b, c] = ["DTXSID7020182", "DTXSID3039242", "DTXSID7020637"] as const

type Raw = Lookup.Lookup<RawRecord.RawRecord>

const cid = ["DTXCID30182", "DTXCID505", "DTXCID801"] as const

describe("every batch endpoint", () => {
  // The lookup, its identifiers and request, a shuffled response with an unrequested record, and the outcomes.
  const cases: ReadonlyArray<{
    name: string
    lookup: Raw
    ids: ReadonlyArray<string>
    url: string
    body: unknown
    answer: string
    /** The values that are requested again, because the response lacks them and has surplus records. */
    again?: unknown
    outcomes: ReadonlyArray<unknown>
    surplus?: number
  }> = [
    {
      name: "details by DTXCID",
      lookup: Details.byDtxcid({ projection: "compact" }),
      ids: [cid[0], cid[1]],
      url: "/chemical/detail/search/by-dtxcid/?projection=compact",
      body: [cid[0], cid[1]],
      answer: `[{"dtxcid":"${cid[1]}","n":1.0},{"dtxcid":"${cid[2]}"}]`,
      again: [cid[0], cid[1]],
      outcomes: [
        `Missing ${cid[0]}`,
        [cid[1], `{"dtxcid":"${cid[1]}","n":1.0}`],
        `Surplus ${cid[2]}`,
        `Surplus ${cid[2]}`
      ],
      surplus: 2
    },
    {
      name: "synonyms",
      lookup: Synonyms.byDtxsid(),
      ids: [a, b],
      url: "/chemical/synonym/search/by-dtxsid/",
      body: [a, b],
      answer: `[{"dtxsid":"${b}","valid":["x"]},{"dtxsid":"${a}","valid":null}]`,
      outcomes: [
        [a, `{"dtxsid":"${a}","valid":null}`],
        [b, `{"dtxsid":"${b}","valid":["x"]}`]
      ]
    },
    {
      name: "exact search in batches",
      lookup: Search.equalBatch(),
      ids: ["Benzene", "nothing", "BPA"],
      url: "/chemical/search/equal/",
      body: ["Benzene", "nothing", "BPA"],
      answer: `[{"dtxsid":"${b}","searchValue":"bpa"},{"dtxsid":null,"searchValue":"Nothing","suggestions":null},{"dtxsid":"${c}","searchValue":"BENZENE"},{"dtxsid":"${a}","searchValue":"bpa"}]`,
      outcomes: [
        ["Benzene", `{"dtxsid":"${c}","searchValue":"BENZENE"}`],
        "Missing nothing",
        ["BPA", `{"dtxsid":"${b}","searchValue":"bpa"}`, `{"dtxsid":"${a}","searchValue":"bpa"}`]
      ]
    },
    {
      name: "exact search in batches, with a hit that comes twice",
      lookup: Search.equalBatch(),
      ids: ["Benzene"],
      url: "/chemical/search/equal/",
      body: ["Benzene"],
      answer: `[{"dtxsid":"${c}","searchValue":"Benzene"},{"dtxsid":"${c}","searchValue":"Benzene"}]`,
      outcomes: [["Benzene", `{"dtxsid":"${c}","searchValue":"Benzene"}`], "Surplus Benzene"],
      surplus: 1
    },
    {
      name: "MS-ready by mass, with a mass that was not requested and two texts of one mass",
      lookup: MsReady.byMass(),
      ids: ["228"],
      url: "/chemical/msready/search/by-mass/",
      body: { masses: [228] },
      answer: `{"228.0":["${a}"],"228":["${b}"],"229.0":["${c}"]}`,
      outcomes: [
        // The key "228" is an index of the object, and so its first key.
        ["228", ...[b, a].map((id) => `{"query":"228","dtxsid":"${id}"}`)],
        "Surplus 229"
      ],
      surplus: 1
    },
    {
      name: "MS-ready by compound, with a compound that was not requested",
      lookup: MsReady.byDtxcid(),
      ids: [cid[0]],
      url: "/chemical/msready/search/by-dtxcid/",
      body: [cid[0]],
      answer: `{"${cid[1]}":["${a}"],"${cid[0]}":["${b}"]}`,
      outcomes: [[cid[0], `{"query":"${cid[0]}","dtxsid":"${b}"}`], `Surplus ${cid[1]}`],
      surplus: 1
    },
    {
      name: "exact search in batches, of one name in several spellings",
      lookup: Search.equalBatch(),
      ids: ["Benzene", "BENZENE", "benzene"],
      url: "/chemical/search/equal/",
      body: ["Benzene", "BENZENE", "benzene"],
      answer: `[${[false, true, true].map((isDuplicate) => `{"dtxsid":"${b}","searchValue":"Benzene","isDuplicate":${isDuplicate}},{"dtxsid":"${c}","searchValue":"benzene","isDuplicate":${isDuplicate}}`).join(",")}]`,
      outcomes: ["Benzene", "BENZENE", "benzene"].map((word) => [
        word,
        `{"dtxsid":"${b}","searchValue":"Benzene","isDuplicate":false}`,
        `{"dtxsid":"${c}","searchValue":"benzene","isDuplicate":false}`
      ])
    },
    {
      name: "MS-ready by compound, with a mapping as response",
      lookup: MsReady.byDtxcid(),
      ids: [cid[0], cid[1]],
      url: "/chemical/msready/search/by-dtxcid/",
      body: [cid[0], cid[1]],
      answer: `{"${cid[1]}":["${a}","${b}"],"${cid[0]}":[]}`,
      outcomes: [
        `Missing ${cid[0]}`,
        [cid[1], `{"query":"${cid[1]}","dtxsid":"${a}"}`, `{"query":"${cid[1]}","dtxsid":"${b}"}`]
      ]
    },
    {
      name: "MS-ready by compound, with a list as response",
      lookup: MsReady.byDtxcid(),
      ids: [cid[0], cid[1]],
      url: "/chemical/msready/search/by-dtxcid/",
      body: [cid[0], cid[1]],
      answer: `[{"dtxcid":"${cid[1]}","dtxsids":["${a}"]},{"dtxcid":"${cid[1]}","dtxsid":"${b}"}]`,
      outcomes: [
        `Missing ${cid[0]}`,
        [cid[1], `{"query":"${cid[1]}","dtxsid":"${a}"}`, `{"query":"${cid[1]}","dtxsid":"${b}"}`]
      ]
    },
    {
      name: "MS-ready by mass, matched as numbers",
      lookup: MsReady.byMass(),
      ids: ["228.0", "228.115", "300"],
      url: "/chemical/msready/search/by-mass/",
      body: { masses: [228, 228.115, 300] },
      answer: `{"228.115":["${a}"],"228.0":["${b}"],"300.0":[]}`,
      outcomes: [
        ["228", `{"query":"228.0","dtxsid":"${b}"}`],
        ["228.115", `{"query":"228.115","dtxsid":"${a}"}`],
        "Missing 300"
      ]
    },
    {
      name: "bioactivity by DTXSID",
      lookup: Bioactivity.byDtxsid(),
      ids: [a, b],
      url: "/bioactivity/data/search/by-dtxsid/",
      body: [a, b],
      answer: `[{"dtxsid":"${b}","hitc":0.90},{"dtxsid":"${b}","hitc":1e0}]`,
      outcomes: [`Missing ${a}`, [b, `{"dtxsid":"${b}","hitc":0.90}`, `{"dtxsid":"${b}","hitc":1e0}`]]
    },
    {
      name: "bioactivity by assay endpoint",
      lookup: Bioactivity.byAeid(),
      ids: ["3032", "7"],
      url: "/bioactivity/data/search/by-aeid/",
      body: [3032, 7],
      answer: '[{"aeid":7.0},{"aeid":3032}]',
      outcomes: [
        ["3032", '{"aeid":3032}'],
        ["7", '{"aeid":7.0}']
      ]
    },
    {
      name: "bioactivity by sample",
      lookup: Bioactivity.bySpid(),
      ids: ["EPAPLT0232A03"],
      url: "/bioactivity/data/search/by-spid/",
      body: ["EPAPLT0232A03"],
      answer: '[{"spid":"EPAPLT0232A03"}]',
      outcomes: [["EPAPLT0232A03", '{"spid":"EPAPLT0232A03"}']]
    },
    {
      name: "bioactivity by data identifier",
      lookup: Bioactivity.byM4id(),
      ids: ["1135145"],
      url: "/bioactivity/data/search/by-m4id/",
      body: [1135145],
      answer: '[{"m4id":1135145}]',
      outcomes: [["1135145", '{"m4id":1135145}']]
    },
    {
      name: "AED",
      lookup: Bioactivity.aed(),
      ids: [a],
      url: "/bioactivity/data/aed/search/by-dtxsid",
      body: [a],
      answer: `[{"dtxsid":"${a}"}]`,
      outcomes: [[a, `{"dtxsid":"${a}"}`]]
    }
  ]
  it.each(cases)("is requested, and its records are matched by key: $name", async (one) => {
    const ledger = Ledger.make()
    const asked: Array<unknown> = []
    const outcomes = await outcomesOf(
      (request) => {
        asked.push(request)
        return ok(one.answer)
      },
      one.lookup,
      one.ids,
      { ledger }
    )
    const bodies = one.again === undefined ? [one.body] : [one.body, one.again]
    expect(asked).toEqual(bodies.map((body) => ({ method: "POST", url: one.url, body })))
    expect(outcomes.map(short)).toEqual(one.outcomes)
    expect(ledger.surplus).toBe(one.surplus ?? 0)
  })

  it.each([
    { lookup: Search.byExactFormula(), given: ["H16C15O2"], id: "C15H16O2", answer: `["${a}"]` },
    { lookup: MsReady.byFormula(), given: ["H16C15O2"], id: "C15H16O2", answer: `["${a}"]` },
    { lookup: MsReady.byMass(), given: ["228.1150"], id: "228.115", answer: `{"228.115":["${a}"]}` },
    { lookup: MsReady.byMassRange(), given: ["228.10, 228.2"], id: "228.1,228.2", answer: `["${a}"]` },
    {
      lookup: MsReady.byDtxcid(),
      given: ["dtxcid30182"],
      id: "DTXCID30182",
      answer: `{"DTXCID30182":["${a}"]}`
    }
  ])("returns the value as given, and the carried data: $given", async (one) => {
    const [text = ""] = one.given
    const outcomes = await outcomesOf(() => ok(one.answer), one.lookup, [
      { text, line: 7, carried: { row: 1 } },
      { text: one.id, line: 9 }
    ])
    expect(outcomes.map(({ carried, given, id, line }) => ({ id, given, line, carried }))).toEqual([
      { id: one.id, given: text, line: 7, carried: { row: 1 } }
    ])
    expect(outcomes.map(short)).toEqual([[one.id, `{"query":"${text}","dtxsid":"${a}"}`]])
  })

  it("returns the value as each line gave it when repeated ones are requested again", async () => {
    const outcomes = await outcomesOf(
      () => ok(`{"228.115":["${a}"]}`),
      MsReady.byMass(),
      ["228.115", "228.1150"],
      { dedupe: false }
    )
    expect(outcomes.map(short)).toEqual([
      ["228.115", `{"query":"228.115","dtxsid":"${a}"}`],
      ["228.115", `{"query":"228.1150","dtxsid":"${a}"}`]
    ])
  })

  it("returns the carried data of missing, failed and invalid values", async () => {
    const carried = { row: 1 }
    const texts = ["DTXSID7020182", "DTXSID3039242", "no identifier"]
    const outcomes = await outcomesOf(
      ({ body }) => ((body as Array<string>).includes(b) ? { status: 501, body: "" } : ok("[]")),
      Details.byDtxsid(),
      texts.map((text, at) => ({ text, line: at + 1, carried })),
      { batchSize: 1 }
    )
    expect(outcomes.map((outcome) => [outcome._tag, outcome.carried])).toEqual([
      ["Missing", carried],
      ["Failed", carried],
      ["Invalid", carried]
    ])
  })

  it("does not request a value with a fault, and returns the reason", async () => {
    const requests: Array<unknown> = []
    const outcomes = await outcomesOf(
      ({ body }) => {
        requests.push(body)
        return ok("[]")
      },
      Search.equal(),
      [{ text: "{oops", line: 3, fault: "it is cut off", carried: { row: 1 } }]
    )
    expect(outcomes).toMatchObject([
      {
        _tag: "Invalid",
        id: "{oops",
        line: 3,
        error: { reason: "malformed", value: "{oops", message: "it is cut off" },
        carried: { row: 1 }
      }
    ])
    expect(requests).toEqual([])
  })

  it("accepts the forms of whole numbers in JSON and tables", async () => {
    const asked: Array<unknown> = []
    const outcomes = await outcomesOf(
      ({ body }) => {
        asked.push(body)
        return ok('[{"m4id":8},{"m4id":800}]')
      },
      Bioactivity.byM4id(),
      ["8.0", "8e2", "8.5", "1e-2"]
    )
    expect(outcomes.map(({ _tag, given, id }) => [_tag, id, given])).toEqual([
      ["Found", "8", "8.0"],
      ["Found", "800", "8e2"],
      ["Invalid", "8.5", undefined],
      ["Invalid", "1e-2", undefined]
    ])
    expect(asked).toEqual([[8, 800]])
  })

  it("refuses a batch search with hits of another word, or without a requested word", async () => {
    for (const answer of [
      `[{"dtxsid":"${a}","searchValue":"x"},{"dtxsid":"${b}","searchValue":"foreign"}]`,
      `[{"dtxsid":"${a}","searchValue":"x"}]`,
      `[{"dtxsid":"${a}","searchValue":"x"},{"dtxsid":"${b}"}]`
    ]) {
      const outcomes = await outcomesOf(() => ok(answer), Search.equalBatch(), ["x", "y"], {
        onFailure: "failBatch"
      })
      expect(outcomes).toMatchObject([
        { _tag: "Failed", error: { _tag: "MalformedResponse" } },
        { _tag: "Failed" }
      ])
    }
  })
})

describe("every endpoint of a single value", () => {
  const cases: ReadonlyArray<{
    name: string
    lookup: Raw
    id: string
    url: string
    answer: string
    records: ReadonlyArray<string>
  }> = [
    {
      name: "exact search",
      lookup: Search.equal(),
      id: "10:2/12:2 diPAP",
      url: "/chemical/search/equal/10%3A2%2F12%3A2%20diPAP",
      answer: `[{"dtxsid":"${a}","rank":9.0}]`,
      records: [`{"dtxsid":"${a}","rank":9.0}`]
    },
    {
      name: "starts-with search",
      lookup: Search.startWith(),
      id: "bis",
      url: "/chemical/search/start-with/bis",
      answer: "[{},{}]",
      records: ["{}", "{}"]
    },
    {
      name: "contains search",
      lookup: Search.contain(),
      id: "phenol",
      url: "/chemical/search/contain/phenol",
      answer: "[{}]",
      records: ["{}"]
    },
    {
      name: "exact formula",
      lookup: Search.byExactFormula(),
      id: "C15H16O2",
      url: "/chemical/search/by-exact-formula/C15H16O2",
      answer: `["${a}", "${b}"]`,
      records: [`{"query":"C15H16O2","dtxsid":"${a}"}`, `{"query":"C15H16O2","dtxsid":"${b}"}`]
    },
    {
      name: "MS-ready formula",
      lookup: Search.byMsreadyFormula(),
      id: "C15H16O2",
      url: "/chemical/search/by-msready-formula/C15H16O2",
      answer: `["${a}"]`,
      records: [`{"query":"C15H16O2","dtxsid":"${a}"}`]
    },
    {
      name: "count by exact formula",
      lookup: Search.countByExactFormula(),
      id: "C15H16O2",
      url: "/chemical/count/by-exact-formula/C15H16O2",
      answer: "12",
      records: ['{"query":"C15H16O2","count":12}']
    },
    {
      name: "count by MS-ready formula",
      lookup: Search.countByMsreadyFormula(),
      id: "C15H16O2",
      url: "/chemical/count/by-msready-formula/C15H16O2",
      answer: "0",
      records: ['{"query":"C15H16O2","count":0}']
    },
    {
      name: "MS-ready by formula",
      lookup: MsReady.byFormula(),
      id: "C15H16O2",
      url: "/chemical/msready/search/by-formula/C15H16O2",
      answer: `["${a}"]`,
      records: [`{"query":"C15H16O2","dtxsid":"${a}"}`]
    },
    {
      name: "MS-ready by a range of masses",
      lookup: MsReady.byMassRange(),
      id: "200.9,200.95",
      url: "/chemical/msready/search/by-mass/200.9/200.95",
      answer: `["${a}"]`,
      records: [`{"query":"200.9,200.95","dtxsid":"${a}"}`]
    },
    {
      name: "flat synonyms",
      lookup: Synonyms.byDtxsid({ projection: "ccd-synonyms" }),
      id: a,
      url: `/chemical/synonym/search/by-dtxsid/${a}?projection=ccd-synonyms`,
      answer: '[{"synonym":"BPA","quality":"Valid"}]',
      records: [`{"dtxsid":"${a}","synonym":"BPA","quality":"Valid"}`]
    },
    {
      name: "plot data",
      lookup: Bioactivity.byDtxsid({ projection: "assay-summary-plot" }),
      id: a,
      url: `/bioactivity/data/search/by-dtxsid/${a}?projection=assay-summary-plot`,
      answer: `[{"aeid":1},{"aeid":2,"dtxsid":"${a}"},{}]`,
      records: [`{"dtxsid":"${a}","aeid":1}`, `{"aeid":2,"dtxsid":"${a}"}`, `{"dtxsid":"${a}"}`]
    },
    {
      name: "summary of a substance",
      lookup: Bioactivity.summaryByDtxsid(),
      id: a,
      url: `/bioactivity/data/summary/search/by-dtxsid/${a}`,
      answer: `{"dtxsid":"${a}","nhit":3.0}`,
      records: [`{"dtxsid":"${a}","nhit":3.0}`]
    },
    {
      name: "summary of an assay endpoint",
      lookup: Bioactivity.summaryByAeid(),
      id: "3032",
      url: "/bioactivity/data/summary/search/by-aeid/3032",
      answer: '{"aeid":3032}',
      records: ['{"aeid":3032}']
    },
    {
      name: "summary of a tissue, as a list",
      lookup: Bioactivity.summaryByTissue("liver"),
      id: a,
      url: `/bioactivity/data/summary/search/by-tissue/?dtxsid=${a}&tissue=liver`,
      answer: `[{"dtxsid":"${a}","n":1},{"n":2},{"dtxsid":"${a}","n":3}]`,
      records: [1, 2, 3].map((n) => `{"dtxsid":"${a}","n":${n}}`)
    }
  ]
  it.each(cases)("is requested one value a call, and unknown values are missing: $name", async (one) => {
    const urls: Array<string> = []
    const outcomes = await outcomesOf(
      ({ url }) => {
        urls.push(url)
        return urls.length === 1
          ? ok(one.answer)
          : { status: 404, body: '{"status":404,"title":"Not Found"}' }
      },
      one.lookup,
      [one.id, one.id],
      { concurrency: 1, dedupe: false }
    )
    expect(urls).toEqual([one.url, one.url])
    expect(outcomes.map(short)).toEqual([[one.id, ...one.records], `Missing ${one.id}`])
  })

  it("returns the suggestions for an unknown word", async () => {
    const miss = {
      title: "Chemical Search Error",
      status: 400,
      detail: "no",
      suggestions: ["Benzene", "BPA"]
    }
    const outcomes = await outcomesOf(
      ({ url }) =>
        url.endsWith("bemzene")
          ? { status: 400, body: JSON.stringify(miss) }
          : { status: 400, body: JSON.stringify({ ...miss, suggestions: [] }) },
      Search.equal(),
      ["bemzene", "nothing"]
    )
    expect(outcomes).toEqual([
      { _tag: "Missing", id: "bemzene", line: 1, suggestions: ["Benzene", "BPA"] },
      { _tag: "Missing", id: "nothing", line: 2 }
    ])
  })

  it("returns the suggestions of a batch search for every requested spelling", async () => {
    const answer = [
      { dtxsid: null, searchValue: "Bemzene", suggestions: ["Benzene", null, "BPA"] },
      { dtxsid: null, searchValue: "nothing", suggestions: [null] },
      { dtxsid: null, searchValue: "no hit", suggestions: null },
      { dtxsid: a, searchValue: "bpa", suggestions: null }
    ]
    const words = ["Bemzene", "BEMZENE", "nothing", "no hit", "bpa"]
    const outcomes = await outcomesOf(() => ok(JSON.stringify(answer)), Search.equalBatch(), words)
    expect(outcomes).toMatchObject([
      { _tag: "Missing", id: "Bemzene", suggestions: ["Benzene", "BPA"] },
      { _tag: "Missing", id: "BEMZENE", suggestions: ["Benzene", "BPA"] },
      { _tag: "Missing", id: "nothing" },
      { _tag: "Missing", id: "no hit" },
      { _tag: "Found", id: "bpa" }
    ])
    expect(outcomes.filter((outcome) => "suggestions" in outcome)).toHaveLength(2)
  })

  it("looks up a word in a batch of one when a gateway refuses it in a path", async () => {
    const outcomes = await outcomesOf(
      ({ method }) =>
        method === "GET"
          ? { status: 400, body: "<html><title>Bad Request</title></html>" }
          : ok(`[{"dtxsid":"${a}","searchValue":"a/b"}]`),
      Search.equal(),
      ["a/b"]
    )
    expect(outcomes.map(short)).toEqual([["a/b", `{"dtxsid":"${a}","searchValue":"a/b"}`]])
  })

  describe("a word that fails first, and is then looked up in another way", () => {
    const page: ScriptedResponse = { status: 403, body: "<html><title>Request Rejected</title></html>" }
    const hit = ok(`[{"dtxsid":"${a}","searchValue":"word"}]`)
    const other = ok(`[{"dtxsid":"${a}","searchValue":"another"}]`)
    const broken: ScriptedResponse = { status: 500, body: '{"status":500,"detail":"no"}' }
    const failed = (endpoint: string, _tag: string): object => ({ _tag: "Failed", error: { _tag, endpoint } })

    it.each<[string, ScriptedResponse, string, ScriptedResponse, object]>([
      ["equal", page, "a hit", hit, { _tag: "Found" }],
      ["equal", page, "a refusal by the gateway", page, failed("search.equal", "InvalidRequest")],
      ["equal", page, "a failure", broken, failed("search.equalBatch", "ServiceFailure")],
      ["equalBatch", other, "a hit", hit, { _tag: "Found" }],
      [
        "equalBatch",
        other,
        "a refusal by the gateway",
        page,
        failed("search.equalBatch", "MalformedResponse")
      ],
      ["equalBatch", other, "a failure", broken, failed("search.equal", "ServiceFailure")]
    ])(
      "has the second result, unless a gateway refuses that, too: %s, %j, %s",
      async (name, first, _, second, expected) => {
        const asked: Array<string> = []
        const respond: Respond = ({ method }) => {
          asked.push(method)
          return (method === "POST") === (name === "equalBatch") ? first : second
        }
        const lookup = name === "equal" ? Search.equal() : Search.equalBatch()
        const methods = name === "equal" ? ["GET", "POST"] : ["POST", "GET"]
        expect(await outcomesOf(respond, lookup, ["word"])).toMatchObject([expected])
        expect([...new Set(asked)]).toEqual(methods)
      }
    )
  })
})
