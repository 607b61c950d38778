import { DetailRecord } from "@chemstream/api"
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import {
  Bioactivity,
  Details,
  Identifiers,
  Ledger,
  Lookup,
  MsReady,
  type Outcome,
  Problem,
  Search,
  Synonyms
} from "@chemstream/stream"
import { Effect, Layer, Redacted, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError } from "effect/http"
import { describe, expect, it } from "vitest"
import { type Answering, clientOf, ok, outcomesOf, run } from "./lookupService.ts"

const details = (answering: Answering, ids: ReadonlyArray<string>, options?: Lookup.Options) =>
  outcomesOf(answering, Details.byDtxsid(), ids, options)

const [a, b, c] = ["DTXSID7020182", "DTXSID3039242", "DTXSID7020637"] as const

describe("a lookup of details", () => {
  it("returns records as the text that the service sent, matched by identifier", async () => {
    const ledger = Ledger.make()
    const outcomes = await details(
      () => ok(`[ {"x":1.10,"dtxsid":"${b}","n":12345678901234567890} ,\n{"dtxsid" : "${a}"}]`),
      [a, b, c],
      { ledger }
    )
    expect(outcomes.map((outcome) => [outcome._tag, outcome.id])).toEqual([
      ["Found", a],
      ["Found", b],
      ["Missing", c]
    ])
    const texts = outcomes.flatMap((outcome) =>
      outcome._tag === "Found" ? outcome.records.map(RawRecord.toText) : []
    )
    expect(texts).toEqual([`{"dtxsid" : "${a}"}`, `{"x":1.10,"dtxsid":"${b}","n":12345678901234567890}`])
    expect(ledger).toMatchObject({ requests: 1, retries: 0, batches: 1, responses: 1, records: 2 })
  })

  it.each(["warn", "off"] as const)(
    "does not call an identifier missing when a damaged quote hides its record (%s)",
    async (validate) => {
      const whole = `[{"dtxsid":"${a}","x":{"y":[1],"z":2}},{"dtxsid":"${b}","x":{"y":[3]}}]`
      const damaged = whole
        .replace('"y":[1],"z', '"y\u0007:[1],"z')
        .replace('"x":{"y":[3]', '"x":{"y\u0007:[3]')
      let requests = 0
      const outcomes = await details(() => ok(++requests === 1 ? damaged : whole), [a, b], { validate })
      expect(outcomes.map((outcome) => [outcome._tag, outcome.id])).toEqual([
        ["Found", a],
        ["Found", b]
      ])
      expect(requests).toBe(2)
    }
  )

  it("requests identifiers in canonical spelling, and once for all spellings", async () => {
    const asked: Array<ReadonlyArray<string>> = []
    const answer: Answering = ({ body }) => {
      asked.push(body as ReadonlyArray<string>)
      return ok("[]")
    }
    await details(answer, [a, a.toLowerCase(), ` ${b}`])
    expect(asked).toEqual([[a, b]])
  })

  it.each([
    ["an error object", '{"error":"slow down"}'],
    ["a list of something without identifiers", '[{"error":"slow down"}]'],
    ["a body cut short", `[{"dtxsid":"${a}"}`],
    ["about substances nobody asked for", `[{"dtxsid":"${c}"}]`]
  ])("fails the identifiers, and never calls them missing, when a 200 is %s", async (_, body) => {
    const ledger = Ledger.make()
    const outcomes = await details(() => ok(body), [a, b], { ledger })
    expect(outcomes.map((outcome) => outcome._tag)).toEqual(["Failed", "Failed"])
    expect((outcomes[0] as Outcome.Failed<unknown>).error).toMatchObject({
      _tag: "MalformedResponse",
      attempts: 2
    })
    expect(ledger).toMatchObject({ requests: 6, retries: 3, batches: 3, failed: 2, missing: 0 })
  })

  it("checks a response completely with `strict`", async () => {
    const answer = () => ok(`[{"dtxsid":"${a}","mass":{"x":01}}]`)
    expect((await details(answer, [a], { validate: "strict" })).map(({ _tag }) => _tag)).toEqual(["Failed"])
    expect((await details(answer, [a], { validate: "off" })).map(({ _tag }) => _tag)).toEqual(["Found"])
  })

  const drifting = () =>
    ok(`[{"dtxsid":"${a}","monoisotopicMass":"228.1"},{"dtxsid":"${b}","monoisotopicMass":180.5,"ours":{}}]`)
  const misfit = { field: "monoisotopicMass", expected: "number | null", seen: "string", count: 1 }

  it("passes on a record that differs from the contract, and counts the difference", async () => {
    const ledger = Ledger.make()
    const outcomes = await details(drifting, [a, b], { ledger })
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Found", "Found"])
    expect(ledger.drift.fields).toEqual([misfit])
    expect(ledger.drift.records).toBe(2)
  })

  it("fails an identifier whose record differs from the contract with `strict`, with the record and the difference", async () => {
    const ledger = Ledger.make()
    const [first, second] = await details(drifting, [a, b], { ledger, validate: "strict" })
    expect(first).toMatchObject({
      _tag: "Failed",
      error: {
        _tag: "MalformedResponse",
        path: "monoisotopicMass",
        message: `the field monoisotopicMass of ${a} is string where number | null is expected`
      }
    })
    const kept = first?._tag === "Failed" ? (first.records as ReadonlyArray<RawRecord.RawRecord>) : []
    expect(kept.map(RawRecord.toText)).toEqual([`{"dtxsid":"${a}","monoisotopicMass":"228.1"}`])
    expect(second?._tag).toBe("Found")
    expect(ledger).toMatchObject({ found: 1, failed: 1, requests: 1 })
  })

  it("reads only the identifiers with `off`", async () => {
    const ledger = Ledger.make()
    await details(drifting, [a, b], { ledger, validate: "off" })
    expect(ledger.drift).toMatchObject({ fields: [], records: 0 })
  })

  it("accepts records with other spellings of identifiers, and a response with a byte-order mark", async () => {
    const outcomes = await details(() => ok(`\uFEFF[{"dtxsid":"${a.toLowerCase()}"}]`), [a])
    expect(outcomes.map((outcome) => outcome._tag)).toEqual(["Found"])
  })

  it("fails only the identifiers that a record without an identifier may belong to", async () => {
    const ledger = Ledger.make()
    const answer = () => ok(`[{"dtxsid":"${a}"},{"dtxsid":null,"preferredName":"?"}]`)
    const outcomes = await details(answer, [a, b], { ledger })
    expect(outcomes).toMatchObject([
      { _tag: "Found", id: a },
      { _tag: "Failed", id: b, error: { _tag: "MalformedResponse" } },
      { _tag: "Surplus", reason: "unidentified", id: undefined }
    ])
    expect(outcomes.map(textOfSurplus).at(-1)).toBe('{"dtxsid":null,"preferredName":"?"}')
    expect(ledger).toMatchObject({ surplus: 1, requests: 1 })
  })

  it("requests missing identifiers once more when a record has another identifier: its key may be damaged", async () => {
    const ledger = Ledger.make()
    const asked: Array<ReadonlyArray<string>> = []
    const answer: Answering = ({ body }) => {
      const ids = body as ReadonlyArray<string>
      asked.push(ids)
      const records = ids.map((dtxsid, n) => ({ dtxsid: asked.length === 1 && n === 1 ? c : dtxsid, n }))
      return ok(JSON.stringify(records))
    }
    const outcomes = await details(answer, [a, b], { ledger })
    expect(outcomes.map(short)).toEqual([
      [a, `{"dtxsid":"${a}","n":1}`],
      [b, `{"dtxsid":"${b}","n":0}`],
      `Surplus ${c}`
    ])
    expect(outcomes.map(textOfSurplus).at(-1)).toBe(`{"dtxsid":"${c}","n":1}`)
    expect(asked).toEqual([
      [a, b],
      [b, a]
    ])
    expect(ledger).toMatchObject({ found: 2, surplus: 1, requests: 2 })
  })

  it("calls unknown identifiers missing when a service adds a record to every response", async () => {
    const ledger = Ledger.make()
    const outcomes = await details(() => ok(`[{"dtxsid":"${a}"},{"dtxsid":"${c}"}]`), [a, b], { ledger })
    expect(outcomes.map((outcome) => outcome._tag)).toEqual(["Found", "Missing", "Surplus", "Surplus"])
    expect(ledger).toMatchObject({ found: 1, missing: 1, surplus: 2, requests: 2 })
  })

  it("counts the attempts of a call in the error of its identifiers", async () => {
    let requests = 0
    const answer = () =>
      ++requests === 1 ? { status: 503, body: "" } : ok(`[{"dtxsid":null},{"dtxsid":"${a}"}]`)
    const outcomes = await details(answer, [a, b])
    expect(outcomes[1]).toMatchObject({ _tag: "Failed", error: { attempts: 2 } })
  })

  it("requests and counts an identifier with a wrong check digit, unless `strictIds` is set", async () => {
    const wrong = `DTXSID1${a.slice(7)}`
    const ledger = Ledger.make()
    const lenient = await details(() => ok("[]"), [wrong, wrong.toLowerCase()], { ledger })
    const strict = await details(() => ok("[]"), [wrong], { strictIds: true })
    expect(lenient.map((outcome) => outcome._tag)).toEqual(["Missing"])
    expect(ledger.suspicious).toBe(1)
    expect(strict).toMatchObject([{ _tag: "Invalid", error: { reason: "check-digit" } }])
  })

  it("stops the run without a further request when the key is refused", async () => {
    let requests = 0
    const refuse: Answering = () => {
      requests++
      return { status: 401, body: "" }
    }
    const result = await run(refuse, Details.byDtxsid(), [a, b, c], { batchSize: 1, concurrency: 1 })
    expect(result).toMatchObject({ _tag: "Failure", failure: { _tag: "Unauthorized" } })
    expect(requests).toBe(1)
  })

  it("stops the run when the service was never reached", async () => {
    const client = ChemClient.layer({
      baseUrl: "http://127.0.0.1:1",
      apiKey: Redacted.make("key"),
      retry: RetryPolicy.never
    }).pipe(Layer.provide(FetchHttpClient.layer))
    const error = await Lookup.outcomes(Identifiers.fromIterable([a]), Details.byDtxsid()).pipe(
      Stream.runDrain,
      Effect.flip,
      Effect.provide(client),
      Effect.runPromise
    )
    expect(error).toMatchObject({ _tag: "ConnectionFailed" })
  })

  it("stops the run when connections time out from the start", async () => {
    const tooSlow = HttpClient.make((request) => {
      const cause = Object.assign(new Error("connect"), { code: "UND_ERR_CONNECT_TIMEOUT" })
      const reason = new HttpClientError.TransportError({ request, cause })
      return Effect.fail(new HttpClientError.HttpClientError({ reason }))
    })
    const client = ChemClient.layer({
      baseUrl: "http://127.0.0.1:1",
      apiKey: Redacted.make("key"),
      retry: RetryPolicy.never
    }).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, tooSlow)))
    const error = await Lookup.outcomes(Identifiers.fromIterable([a]), Details.byDtxsid()).pipe(
      Stream.runDrain,
      Effect.flip,
      Effect.provide(client),
      Effect.runPromise
    )
    expect(error).toMatchObject({ _tag: "RequestTimeout", phase: "connect" })
  })

  it("sends at most the batch limit of the endpoint, for any batch size", async () => {
    const sizes: Array<number> = []
    const many = Array.from({ length: 1500 }, (_, index) => `DTXSID00${index + 1}`)
    const answer: Answering = ({ body }) => {
      sizes.push((body as ReadonlyArray<string>).length)
      return ok("[]")
    }
    await details(answer, many, { batchSize: 5000 })
    expect(sizes.sort()).toEqual([1000, 500].sort())
  })
})

type Raw = Lookup.Lookup<RawRecord.RawRecord>

const textOfSurplus = (outcome: Outcome.Outcome<RawRecord.RawRecord, unknown>): string =>
  outcome._tag === "Surplus" ? RawRecord.toText(outcome.record as RawRecord.RawRecord) : ""

const short = (outcome: Outcome.Outcome<RawRecord.RawRecord, unknown>): unknown =>
  outcome._tag === "Found"
    ? [outcome.id, ...outcome.records.map(RawRecord.toText)]
    : `${outcome._tag} ${outcome.id}`

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
      { dtxsid: null, searchValue: "none", suggestions: null },
      { dtxsid: a, searchValue: "bpa", suggestions: null }
    ]
    const words = ["Bemzene", "BEMZENE", "nothing", "none", "bpa"]
    const outcomes = await outcomesOf(() => ok(JSON.stringify(answer)), Search.equalBatch(), words)
    expect(outcomes).toMatchObject([
      { _tag: "Missing", id: "Bemzene", suggestions: ["Benzene", "BPA"] },
      { _tag: "Missing", id: "BEMZENE", suggestions: ["Benzene", "BPA"] },
      { _tag: "Missing", id: "nothing" },
      { _tag: "Missing", id: "none" },
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
})

describe("Details.all", () => {
  it("reads pages from the first one requested until an empty one", async () => {
    const urls: Array<string> = []
    const pages = await Effect.gen(function* () {
      const client = yield* clientOf(({ url }) => {
        urls.push(url)
        const page = new URL(url, "http://x").searchParams.get("next")
        return ok(page === "5" ? "[]" : `[{"id":"${page}1"},{"id":"${page}2"}]`)
      })
      return yield* Details.all({ projection: "all-ids", page: 3 }).pipe(
        Stream.runCollect,
        Effect.provide(client)
      )
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(urls.map((url) => new URL(url, "http://x").searchParams.get("next"))).toEqual(["3", "4", "5"])
    expect(pages.map(({ page, records }) => [page, records.map(RawRecord.toText)])).toEqual([
      [3, ['{"id":"31"}', '{"id":"32"}']],
      [4, ['{"id":"41"}', '{"id":"42"}']]
    ])
  })
})

describe("Lookup.decode", () => {
  it("returns values of the schema's type with unknown fields, and fails violations with their place", async () => {
    const lookup = Lookup.decode(Details.byDtxsid({ projection: "compact" }), DetailRecord.schemas.compact)
    const outcomes = await outcomesOf(
      () => ok(`[{"dtxsid":"${a}","preferredName":"x","ours":1},{"dtxsid":"${b}","preferredName":7}]`),
      lookup,
      [a, b, c]
    )
    const [first, second, third] = outcomes
    if (first?._tag !== "Found") throw new Error("not found")
    const name: string | null | undefined = first.records[0]?.preferredName
    expect(name).toBe("x")
    expect(first.records).toEqual([{ dtxsid: a, preferredName: "x", ours: 1 }])
    expect(second).toMatchObject({
      _tag: "Failed",
      error: { _tag: "MalformedResponse", message: expect.stringContaining("preferredName") }
    })
    expect(third?._tag).toBe("Missing")
  })

  it("returns records of other identifiers decoded if they match the schema, and as sent if not", async () => {
    const lookup = Lookup.decode(Details.byDtxsid({ projection: "compact" }), DetailRecord.schemas.compact)
    const outcomes = await outcomesOf(
      () =>
        ok(`[{"dtxsid":"${a}"},{"dtxsid":"${b}","preferredName":"x"},{"dtxsid":"${c}","preferredName":7}]`),
      lookup,
      [a]
    )
    const surplus = outcomes.flatMap((outcome) => (outcome._tag === "Surplus" ? [outcome] : []))
    expect(surplus.map(({ id, reason }) => [reason, id]).sort()).toEqual([
      ["unrequested", b],
      ["unrequested", c]
    ])
    const recordOf = (id: string) => surplus.find((one) => one.id === id)?.record
    expect(recordOf(b)).toEqual({ dtxsid: b, preferredName: "x" })
    expect(RawRecord.toText(recordOf(c) as RawRecord.RawRecord)).toBe(`{"dtxsid":"${c}","preferredName":7}`)
    expect(surplus.map((one) => Problem.toLine(one)).sort()).toEqual(
      [
        [b, '{"dtxsid":"ID","preferredName":"x"}'],
        [c, '{"dtxsid":"ID","preferredName":7}']
      ].map(
        ([id = "", record = ""]) =>
          `{"id":"${id}","outcome":"surplus","error":{"tag":"Surplus","reason":"unrequested","message":"the response has a record of ${id}, which was not requested"},"records":[${record.replace("ID", id)}]}`
      )
    )
  })
})
