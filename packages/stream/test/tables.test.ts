// The rows that results become: every column has its value, whatever the outcome, and a column of the input keeps its name.

import { ChemClient } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import {
  ActivityRows,
  AssayNames,
  ExposureRatio,
  Outcome,
  type Resolve,
  ResolvedRows,
  SuspectRows,
  type Suspects,
  TopActivity
} from "@chemstream/stream"
import { Effect, Layer, Redacted, Stream } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { clientOf, ok, type Respond, type ScriptedResponse } from "./lookupService.ts"

const raw = (value: unknown) => RawRecord.fromText(JSON.stringify(value))

const parse = (rows: ReadonlyArray<RawRecord.RawRecord>): ReadonlyArray<Record<string, unknown>> =>
  rows.map((row) => JSON.parse(RawRecord.toText(row)))

const [a, b] = ["DTXSID7020182", "DTXSID3039242"] as const

describe("the rows of Resolve", () => {
  const candidate = (dtxsid: string, rank: number): Resolve.Candidate => ({
    dtxsid,
    dtxcid: null,
    casrn: "80-05-7",
    preferredName: `name of ${dtxsid}`,
    kind: "name",
    foundBy: "Synonym",
    rank,
    record: raw({ dtxsid, molFormula: "C15H16O2", rank: 99 })
  })
  const result = (status: string, candidates: ReadonlyArray<Resolve.Candidate>) =>
    ({
      ...{ candidates, status, input: "BPA", kind: "name", line: 3, note: "a note" },
      carried: raw({ sample: 1, casrn: "x" })
    }) as unknown as Resolve.RowResult
  const layout = { columns: undefined, isTable: false, perCandidate: false, fields: ["molFormula", "rank"] }
  const table = { ...layout, columns: ["sample", "casrn"], isTable: true }

  it("have the only candidate, and name the candidates of an ambiguous row", () => {
    const found = parse(ResolvedRows.make(table)(result("found", [candidate(a, 1)])))
    expect(found).toEqual([
      {
        ...{ sample: 1, casrn: "x", kind: "name", status: "found", foundBy: "Synonym", rank: 1, dtxsid: a },
        ...{ dtxcid: null, casrn_found: "80-05-7", preferredName: `name of ${a}`, molFormula: "C15H16O2" },
        ...{ candidates: null, note: "a note" }
      }
    ])
    const [both] = parse(ResolvedRows.make(table)(result("ambiguous", [candidate(a, 1), candidate(b, 2)])))
    expect(both).toMatchObject({ status: "ambiguous", dtxsid: null, rank: null, candidates: `${a}; ${b}` })
    const [none] = parse(ResolvedRows.make(table)(result("missing", [])))
    expect(none).toMatchObject({ status: "missing", dtxsid: null, candidates: null, molFormula: null })
  })

  it("have a row for each candidate, or one for a value without any", () => {
    const make = ResolvedRows.make({ ...layout, perCandidate: true })
    const rows = parse(make(result("ambiguous", [candidate(a, 1), candidate(b, 2)])))
    expect(rows.map(({ dtxsid, input, line, rank }) => [input, line, dtxsid, rank])).toEqual([
      ["BPA", 3, a, 1],
      ["BPA", 3, b, 2]
    ])
    expect(parse(make(result("missing", [])))).toMatchObject([{ input: "BPA", dtxsid: null }])
  })

  it.each([layout, table, { ...table, perCandidate: true }])(
    "have the named columns, in order: %j",
    (one) => {
      const [row = {}] = parse(ResolvedRows.make(one)(result("found", [candidate(a, 1)])))
      expect(Object.keys(row)).toEqual(ResolvedRows.names(one))
    }
  )
})

describe("the rows of Suspects", () => {
  const suspect = {
    ...{ dtxsid: a, adduct: "[M+H]+", neutralMass: 228.11502987654, msReadySmiles: "C", rank: 1, more: 0 },
    ...{ msReadyMass: 228.115031234, matchedBy: "mass", matchedForm: null, merged: [b] },
    error: { ppm: 1.23456, da: 0.000281234 },
    record: raw({ dtxsid: a, sourcesCount: 5 })
  } as unknown as Suspects.Suspect
  const result = (suspects: ReadonlyArray<Suspects.Suspect>) =>
    ({
      suspects,
      status: "found",
      input: "229.1223",
      line: 2,
      note: null,
      carried: raw({ mz: 229.1223 })
    }) as unknown as Suspects.FeatureResult
  const layout = { columns: ["mz"], isTable: true, fields: ["sourcesCount"], isMerged: true }

  it("have masses with six decimal places and errors in ppm with three", () => {
    expect(parse(SuspectRows.make(layout)(result([suspect])))).toEqual([
      {
        ...{
          mz: 229.1223,
          status: "found",
          rank: 1,
          ion: "[M+H]+",
          neutralMass: 228.11503,
          dtxsid: a,
          merged: b
        },
        ...{ sourcesCount: 5, msReadySmiles: "C", msReadyMass: 228.115031, matchedBy: "mass" },
        ...{ errorPpm: 1.235, errorDa: 0.000281, note: null }
      }
    ])
  })

  it("have no field twice, and one with the name of a column of other inputs", () => {
    const fields = ["input", "status", "sourcesCount", "errorPpm"]
    expect(SuspectRows.names({ ...layout, columns: undefined, isTable: false, fields })).toEqual([
      ...["input", "line", "status", "rank", "ion", "neutralMass", "dtxsid", "merged", "sourcesCount"],
      ...["msReadySmiles", "msReadyMass", "matchedBy", "errorPpm", "errorDa", "note"]
    ])
    expect(SuspectRows.names({ ...layout, fields })).toEqual([
      ...["mz", "status", "rank", "ion", "neutralMass", "dtxsid", "merged", "input", "sourcesCount"],
      ...["msReadySmiles", "msReadyMass", "matchedBy", "errorPpm", "errorDa", "note"]
    ])
  })

  it("are one for a feature without suspects, with every column", () => {
    for (const one of [
      layout,
      { ...layout, isMerged: false },
      { ...layout, columns: undefined, isTable: false }
    ]) {
      const rows = parse(SuspectRows.make(one)(result([])))
      expect(rows.map((row) => Object.keys(row))).toEqual([SuspectRows.names(one)])
      expect(rows).toMatchObject([{ rank: null, neutralMass: null, errorPpm: null, msReadyMass: null }])
    }
  })
})

describe("the rows of facts", () => {
  const layout = { facts: ExposureRatio.facts, columns: ["dtxsid"], isTable: true }
  const row = (outcome: object) =>
    parse([ActivityRows.make(layout)({ carried: raw({ dtxsid: a }), ...outcome } as never)])[0]

  it("have the facts, and a note that says why there are none", () => {
    const facts = ExposureRatio.of(a, {
      doses: [{ aenm: "E", aedVal: [4, 0.5], aedValUnit: ["mg/kg/day", "mg/kg/day"] }],
      exposures: [{ demographic: "Total", predictor: "SEEM3 Consensus", u95: 0.0025, units: "mg/kg-day" }]
    })
    expect(row(Outcome.found(a, 1, [raw(facts)]))).toMatchObject({ ratio: 200, aed: 0.5, ratioNote: null })
    const without = ExposureRatio.of(a, { doses: [], exposures: [] })
    expect(row(Outcome.found(a, 1, [raw(without)]))).toMatchObject({
      ratio: null,
      ratioNote: "no equivalent dose (AED)"
    })
    expect(row(Outcome.missing(a, 1))).toMatchObject({
      ratio: null,
      ratioNote: ExposureRatio.facts.absent(a)
    })
    expect(row(Outcome.failed(a, 1, new Error("the service failed")))).toMatchObject({
      ratio: null,
      ratioNote: "the service failed"
    })
  })

  it("say how a damaged identifier was read, and have the named columns", () => {
    const found = row({ ...Outcome.missing(a, 1), given: "DTXSID 7020182" })
    expect(found?.["ratioNote"]).toMatch(/^read as DTXSID7020182.*; the service has neither/)
    expect(Object.keys(found ?? {})).toEqual(ActivityRows.names(layout))
    const list = { ...layout, columns: undefined, isTable: false }
    const [own = {}] = parse([ActivityRows.make(list)(Outcome.missing(a, 1) as never)])
    expect(Object.keys(own)).toEqual(ActivityRows.names(list))
    expect(own).toMatchObject({ dtxsid: a })
  })
})

describe("AssayNames.of", () => {
  const run = <A>(respond: Respond, program: Effect.Effect<A, never, ChemClient.ChemClient>) =>
    Effect.runPromise(
      Effect.scoped(Effect.flatMap(clientOf(respond), (client) => Effect.provide(program, client)))
    )
  const numbersOf = (url: string): ReadonlyArray<number> => [Number(url.slice(url.lastIndexOf("/") + 1))]

  it("requests each endpoint once, and again after a failure that a retry can help", async () => {
    const requested: Array<number> = []
    let isDown = true
    const respond: Respond = ({ body, url }) => {
      const aeids = Array.isArray(body) ? body.map(Number) : numbersOf(url)
      requested.push(...aeids)
      if (isDown) return { status: 500, body: "" }
      return ok(
        JSON.stringify(
          aeids
            .filter((aeid) => aeid !== 3)
            .map((aeid) => ({
              aeid,
              assayComponentEndpointName: `E${aeid}`,
              gene: [{ officialSymbol: "ESR1" }, { geneSymbol: "AR" }, {}],
              normalizedDataType: "log2_fold_induction"
            }))
        )
      )
    }
    const counts = await run(
      respond,
      Effect.gen(function* () {
        expect((yield* AssayNames.of([1])).size).toBe(0)
        isDown = false
        requested.length = 0
        const names = yield* AssayNames.of([1, 2, 2, 3, Number.NaN])
        expect(names.get(1)).toEqual({ name: "E1", genes: ["ESR1", "AR"], unit: "log2 fold induction" })
        expect([...AssayNames.plain(names)]).toEqual([
          [1, "E1"],
          [2, "E2"]
        ])
        yield* AssayNames.of([1, 2, 3])
        return [...requested].sort()
      })
    )
    expect(counts).toEqual([1, 2, 3])
  })

  /** A service with a name of each endpoint, and the numbers that it was asked for. `failure` fails the requests of endpoint 1. */
  const naming = (failure?: () => ScriptedResponse | undefined, more: object = {}) => {
    const requested: Array<number> = []
    const respond: Respond = ({ body, url }) => {
      const aeids = Array.isArray(body) ? body.map(Number) : numbersOf(url)
      requested.push(...aeids)
      const named = aeids.map((aeid) => ({ aeid, assayComponentEndpointName: `E${aeid}`, ...more }))
      return (aeids.includes(1) ? failure?.() : undefined) ?? ok(JSON.stringify(named))
    }
    return { respond, requested }
  }

  const document = '{"status":400,"detail":"no"}'

  it.each([
    [400, document, false],
    [401, "{}", false],
    [403, document, false],
    [404, "<html>no</html>", false],
    [500, "", true]
  ])("after %i %s requests its names again only if a retry can help: %s", async (status, body, isAgain) => {
    let isDown = true
    const { requested, respond } = naming(() => (isDown ? { status, body } : undefined))
    const [first, second, more] = await run(
      respond,
      Effect.gen(function* () {
        const first = [...AssayNames.plain(yield* AssayNames.of([1]))]
        isDown = false
        requested.length = 0
        const second = [...AssayNames.plain(yield* AssayNames.of([1]))]
        const more = [...AssayNames.plain(yield* AssayNames.of([2]))]
        return [first, second, more]
      })
    )
    expect(first).toEqual([])
    expect(second).toEqual(isAgain ? [[1, "E1"]] : [])
    expect(more).toHaveLength(isAgain ? 2 : 0)
    expect(requested).toEqual(isAgain ? [1, 2] : [])
  })

  it("requests its names again after no connection came about", async () => {
    let requests = 0
    const service = HttpClient.make((request) => {
      if (++requests > 1) return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json([named])))
      const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
      const reason = new HttpClientError.TransportError({ request, cause })
      return Effect.fail(new HttpClientError.HttpClientError({ reason }))
    })
    const named = { aeid: 1, assayComponentEndpointName: "E1" }
    const client = ChemClient.layer({
      baseUrl: "http://service",
      apiKey: Redacted.make("key"),
      retry: () => undefined
    }).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, service)))
    const sizes = await Effect.runPromise(
      Effect.gen(function* () {
        const { size } = yield* AssayNames.of([1])
        return [size, (yield* AssayNames.of([1])).size]
      }).pipe(Effect.provide(client))
    )
    expect(sizes).toEqual([0, 1])
    expect(requests).toBe(2)
  })

  it.each([[[2, 1]], [[1, 2]]])(
    "keeps the names that it has if others fail, and requests those alone again: %j",
    async (aeids) => {
      let isDown = true
      const { requested, respond } = naming(() => (isDown ? { status: 500, body: "" } : undefined))
      const [before, names] = await run(
        respond,
        Effect.gen(function* () {
          const before = [...AssayNames.plain(yield* AssayNames.of(aeids))]
          isDown = false
          requested.length = 0
          return [before, AssayNames.plain(yield* AssayNames.of(aeids))] as const
        })
      )
      expect(before).toEqual([[2, "E2"]])
      expect([...names]).toEqual([
        [2, "E2"],
        [1, "E1"]
      ])
      expect(requested).toEqual([1])
    }
  )

  it("requests a name once for several at the same time, all of which have it", async () => {
    const { requested, respond } = naming()
    const sizes = await run(
      respond,
      Effect.all(
        [[1, 2], [2], [1, 3]].map((aeids) => Effect.map(AssayNames.of(aeids), ({ size }) => size)),
        { concurrency: "unbounded" }
      )
    )
    expect(sizes).toEqual([2, 2, 3])
    expect(requested.toSorted()).toEqual([1, 2, 3])
  })

  it("knows the names of one client, not those of another", async () => {
    const [one, other] = [naming(), naming()]
    for (const { requested, respond } of [one, other]) {
      expect([...(await run(respond, AssayNames.of([2]))).keys()]).toEqual([2])
      expect(requested).toEqual([2])
    }
  })

  it("requests whole numbers alone", async () => {
    const { requested, respond } = naming()
    const names = await run(respond, AssayNames.of([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 7]))
    expect([...names.keys()]).toEqual([7])
    expect(requested).toEqual([7])
  })

  it.each<[object, unknown]>([
    [{}, { name: "E2", genes: [] }],
    [
      { gene: null, normalizedDataType: null },
      { name: "E2", genes: [] }
    ],
    [{ gene: { geneSymbol: "AR" } }, { name: "E2", genes: ["AR"] }],
    [
      { gene: [null, { officialSymbol: 5 }, { officialSymbol: null, geneSymbol: "AR" }] },
      { name: "E2", genes: ["AR"] }
    ],
    [{ gene: { officialSymbol: "AHR", geneSymbol: "AR" } }, { name: "E2", genes: ["AHR"] }],
    [{ normalizedDataType: "percent_activity" }, { name: "E2", genes: [], unit: "percent activity" }],
    [{ assayComponentEndpointName: null }, undefined]
  ])("reads an endpoint with %j as %j", async (fields, expected) => {
    const names = await run(naming(undefined, fields).respond, AssayNames.of([2]))
    expect(names.get(2)).toEqual(expected)
  })

  it("has one map of plain names until there are more", async () => {
    const isSame = await run(
      naming().respond,
      Effect.gen(function* () {
        const names = yield* AssayNames.of([2])
        const one = AssayNames.plain(names)
        const again = AssayNames.plain(yield* AssayNames.of([2]))
        const more = AssayNames.plain(yield* AssayNames.of([3]))
        return [one === again, one === more, one.size, more.size]
      })
    )
    expect(isSame).toEqual([true, false, 1, 2])
  })

  it("labels each value of a stream, and requests the endpoints of 100 values together", async () => {
    const requests: Array<number> = []
    const respond: Respond = ({ body, url }) => {
      const aeids = Array.isArray(body) ? body.map(Number) : numbersOf(url)
      requests.push(aeids.length)
      return ok(JSON.stringify(aeids.map((aeid) => ({ aeid, assayComponentEndpointName: `E${aeid}` }))))
    }
    const values = Array.from({ length: 101 }, (_, at) => at + 1)
    const labelled = await run(
      respond,
      Stream.fromIterable(values).pipe(
        AssayNames.label((value) => (value === 5 ? (undefined as never) : [value])),
        Stream.map(([value, names]) => [value, names.get(value)?.name]),
        Stream.runCollect
      )
    )
    expect(labelled).toEqual(values.map((value) => [value, value === 5 ? undefined : `E${value}`]))
    expect(requests).toEqual([99, 1])
  })
})

describe("the types of columns", () => {
  it.each([
    [
      "TopActivity",
      TopActivity.facts,
      TopActivity.of(a, { data: [{ aeid: 7, hitc: 0.95, ac50: 2, chidRep: 1 } as never], cytotoxLowerUm: 3 })
    ],
    [
      "ExposureRatio",
      ExposureRatio.facts,
      ExposureRatio.of(a, {
        doses: [{ aenm: "x", aedVal: [2], aedValUnit: ["mg/kg/day"], interindividualVarPerc: [95] }],
        exposures: [{ predictor: "SEEM3 Consensus", demographic: "Total", u95: 1, units: "mg/kg/day" }]
      })
    ]
  ])("of the facts of %s are declared for all their numbers", (_, { fields, types = {} }, facts) => {
    const values: Readonly<Record<string, unknown>> = { ...facts }
    expect(Object.keys(types)).toEqual(fields.filter((field) => typeof values[field] === "number"))
  })

  it("of suspects and of resolved values belong to columns that their rows have", () => {
    const layout = { columns: undefined, isTable: false, fields: [], isMerged: false, perCandidate: true }
    for (const { names, types } of [SuspectRows, ResolvedRows])
      expect(names(layout)).toEqual(expect.arrayContaining(Object.keys(types)))
  })
})
