import { DetailRecord } from "@chemstream/api"
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Details, Hazard, Identifiers, Ledger, Lookup, type Outcome, Problem } from "@chemstream/stream"
import { Effect, Layer, Redacted, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError } from "effect/http"
import { describe, expect, it } from "vitest"
import { ok, outcomesOf, type Respond, run, short } from "./lookupService.ts"

const details = (respond: Respond, ids: ReadonlyArray<string>, options?: Lookup.Options) =>
  outcomesOf(respond, Details.byDtxsid(), ids, options)

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
      const outcomes = await details(
        ({ body }) => {
          const asked = body as ReadonlyArray<string>
          if (++requests === 1) return ok(damaged)
          return ok(
            JSON.stringify(
              JSON.parse(whole).filter((record: { dtxsid: string }) => asked.includes(record.dtxsid))
            )
          )
        },
        [a, b],
        { validate }
      )
      expect(outcomes.map((outcome) => [outcome._tag, outcome.id])).toEqual([
        ["Found", a],
        ["Found", b]
      ])
      expect(requests).toBe(3)
    }
  )

  it("requests identifiers in canonical spelling, and once for all spellings", async () => {
    const asked: Array<ReadonlyArray<string>> = []
    const answer: Respond = ({ body }) => {
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
    // The batch, each identifier alone, and each once more, as the policy of the client says.
    expect(ledger).toMatchObject({ requests: 5, failed: 2, missing: 0 })
  })

  it.each(
    (["warn", "strict", "off"] as const).flatMap((validate) =>
      [
        '{"dtxsid":"ID","x":{"y":01}}',
        '{"dtxsid":"ID","x":"\t"}',
        '{"dtxsid":"ID","x":"\\x"}',
        '{"dtxsid":"ID","x":nul}'
      ].map((record) => [record.replace("ID", a), validate] as const)
    )
  )(
    "fails only the identifier whose record %j is not valid JSON (%s), with the record, in one request",
    async (record, validate) => {
      const ledger = Ledger.make()
      const outcomes = await details(() => ok(`[${record},{"dtxsid":"${b}"}]`), [a, b], { ledger, validate })
      expect(outcomes).toMatchObject([
        {
          _tag: "Failed",
          error: {
            _tag: "MalformedResponse",
            message: expect.stringMatching(
              new RegExp(`^the record of ${a} is not valid JSON, wrong at its byte \\d+$`)
            )
          }
        },
        { _tag: "Found" }
      ])
      expect(ledger).toMatchObject({ requests: 1, found: 1, failed: 1 })
      const line = Problem.toLine(outcomes[0] as Outcome.Failed<never>)
      expect(JSON.parse(line)).toMatchObject({ id: a, records: [record] })
    }
  )

  it.each([
    ["an object", `{"dtxsid":"${a}","x":1.}`],
    ["one of an array", `[{"dtxsid":"${a}"},{"dtxsid":"${a}","x":1.}]`]
  ])("fails a single value whose record, %s, is not valid JSON", async (_, body) => {
    const outcomes = await outcomesOf(() => ok(body), Hazard.admeIvive(), [a])
    expect(outcomes).toMatchObject([{ _tag: "Failed", error: { _tag: "MalformedResponse" } }])
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
    expect(outcomes.filter(({ _tag }) => _tag !== "Surplus")).toMatchObject([
      { _tag: "Found", id: a },
      { _tag: "Failed", id: b, error: { _tag: "MalformedResponse" } }
    ])
    expect(outcomes.at(-1)).toMatchObject({ _tag: "Surplus", reason: "unidentified", id: undefined })
    expect(outcomes.map(textOfSurplus).at(-1)).toBe('{"dtxsid":null,"preferredName":"?"}')
    // The identifier without a record is requested alone.
    expect(ledger.failed).toBe(1)
  })

  it("requests missing identifiers once more when a record has another identifier: its key may be damaged", async () => {
    const ledger = Ledger.make()
    const asked: Array<ReadonlyArray<string>> = []
    const answer: Respond = ({ body }) => {
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
    const [, failed] = outcomes
    expect(failed).toMatchObject({ _tag: "Failed", error: { _tag: "MalformedResponse" } })
    expect(failed?._tag === "Failed" && failed.error.attempts).toBeGreaterThan(1)
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
    const refuse: Respond = () => {
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
    const answer: Respond = ({ body }) => {
      sizes.push((body as ReadonlyArray<string>).length)
      return ok("[]")
    }
    await details(answer, many, { batchSize: 5000 })
    expect(sizes.sort()).toEqual([1000, 500].sort())
  })
})

const textOfSurplus = (outcome: Outcome.Outcome<RawRecord.RawRecord, unknown>): string =>
  outcome._tag === "Surplus" ? RawRecord.toText(outcome.record as RawRecord.RawRecord) : ""

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
