import type { ResumePoint } from "@chemstream/batch"
import { ChemClient, ChemError, RetryPolicy } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import {
  Bioactivity,
  Details,
  Enrich,
  Identifiers,
  Ledger,
  Lookup,
  type Outcome,
  Synonyms
} from "@chemstream/stream"
import { Effect, Layer, Redacted, Result, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientOf, ok, type Respond } from "./lookupService.ts"

type Enriched = Outcome.Outcome<RawRecord.RawRecord, ChemError.ChemError | Enrich.Incomplete>

const [a, b, c] = ["DTXSID7020182", "DTXSID3039242", "DTXSID7020637"] as const

/** Returns the result of an enrichment with a scripted service. */
const run = (
  respond: Respond,
  parts: Enrich.Parts,
  ids: ReadonlyArray<string>,
  options: Lookup.Options = {}
) =>
  Effect.gen(function* () {
    const client = yield* clientOf(respond)
    return yield* Enrich.outcomes(Identifiers.fromIterable(ids), parts, options).pipe(
      Stream.runCollect,
      Effect.result,
      Effect.provide(client)
    )
  }).pipe(Effect.scoped, Effect.runPromise)

const outcomesOf = async (...args: Parameters<typeof run>): Promise<ReadonlyArray<Enriched>> =>
  Result.getOrThrow(await run(...args))

const short = (outcome: Enriched): string =>
  outcome._tag === "Found" ? outcome.records.map(RawRecord.toText).join() : `${outcome._tag} ${outcome.id}`

const refusal = { status: 400, body: '{"status":400,"detail":"cannot read that"}' }
const unknown = { status: 404, body: '{"status":404,"title":"Not Found"}' }

const parts = {
  details: Details.byDtxsid(),
  synonyms: Synonyms.byDtxsid({ projection: "ccd-synonyms" }),
  summary: Bioactivity.summaryByDtxsid()
}

describe("Enrich.outcomes", () => {
  it("joins the records of each part, as the service sent them, under the name of the part", async () => {
    const ledger = Ledger.make()
    const asked: Array<string> = []
    const outcomes = await outcomesOf(
      ({ body, method, url }) => {
        asked.push(`${method} ${url} ${body ?? ""}`)
        if (method === "POST")
          return ok(`[{"dtxsid":"${b}","mass":1.10},\n{"n": 12345678901234567890,"dtxsid":"${a}"}]`)
        if (url.includes("synonym"))
          return url.includes(a) ? ok('[{"synonym":"BPA"}, {"synonym":"\\u0041"}]') : unknown
        return url.includes(b) ? ok(`{"dtxsid":"${b}","nhit":3.0}`) : unknown
      },
      parts,
      [a, b, a, c, "nothing"],
      { ledger }
    )
    expect(outcomes.map(short)).toEqual([
      `{"query":"${a}","details":{"n": 12345678901234567890,"dtxsid":"${a}"},"synonyms":[{"dtxsid":"${a}","synonym":"BPA"},{"dtxsid":"${a}","synonym":"\\u0041"}],"summary":null}`,
      `{"query":"${b}","details":{"dtxsid":"${b}","mass":1.10},"synonyms":null,"summary":{"dtxsid":"${b}","nhit":3.0}}`,
      `Missing ${c}`,
      "Invalid nothing"
    ])
    expect(outcomes.map(({ line }) => line)).toEqual([1, 2, 4, 5])
    expect(asked.filter((one) => one.startsWith("POST"))).toEqual([
      `POST /chemical/detail/search/by-dtxsid/ ${a},${b},${c}`
    ])
    expect(ledger).toMatchObject({ read: 5, found: 2, missing: 1, duplicates: 1, invalid: 1, requests: 7 })
  })

  it("fails an identifier when a part fails, with the other parts and the reason of each failure", async () => {
    const ledger = Ledger.make()
    const outcomes = await outcomesOf(
      ({ method, url }) => {
        if (method === "POST") return ok(`[{"dtxsid":"${a}"},{"dtxsid":"${b}"}]`)
        return url.includes(a) ? refusal : url.includes("synonym") ? ok('[{"synonym":"x"}]') : unknown
      },
      parts,
      [a, b],
      { ledger }
    )
    expect(outcomes.map(short)).toEqual([
      `Failed ${a}`,
      `{"query":"${b}","details":{"dtxsid":"${b}"},"synonyms":[{"dtxsid":"${b}","synonym":"x"}],"summary":null}`
    ])
    const [failed] = outcomes
    const error = failed?._tag === "Failed" ? failed.error : undefined
    if (error?._tag !== "Incomplete") throw new Error("not incomplete")
    expect(failed).toMatchObject({
      records: [RawRecord.fromText(`{"query":"${a}","details":{"dtxsid":"${a}"}}`)]
    })
    expect(error.errors).toMatchObject({
      synonyms: { _tag: "InvalidRequest" },
      summary: { _tag: "InvalidRequest" }
    })
    expect(error.message).toContain(`parts of ${a} failed: synonyms: `)
    expect(error.retryable).toBe(false)
    expect(ledger).toMatchObject({ read: 2, found: 1, failed: 1 })
  })

  it("requests each part in batches of its own size, with at most `concurrency` calls in flight for each", async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `DTXSID00${index + 1}`)
    const sizes: Record<string, Array<number>> = { large: [], small: [] }
    const most: Record<string, number> = { large: 0, small: 0 }
    const part = (name: string, size: number): Lookup.Lookup<RawRecord.RawRecord> => {
      let inFlight = 0
      return {
        ...Details.byDtxsid(),
        size,
        requestBatch: (asked) =>
          Effect.gen(function* () {
            sizes[name]?.push(asked.length)
            most[name] = Math.max(most[name] ?? 0, ++inFlight)
            yield* Effect.sleep(10)
            inFlight--
            return { records: asked.map((id) => ({ key: id, record: RawRecord.fromText("{}") })) }
          })
      }
    }
    const outcomes = await outcomesOf(
      () => ok("[]"),
      { large: part("large", 5), small: part("small", 2) },
      ids,
      {
        concurrency: 2
      }
    )
    expect(outcomes.map(({ id }) => id)).toEqual(ids)
    // Requests in flight at the same time may arrive in either order.
    for (const size of Object.values(sizes)) size.sort((one, other) => other - one)
    expect(sizes).toEqual({ large: [5, 2], small: [2, 2, 2, 1] })
    for (const inFlight of Object.values(most)) expect(inFlight).toBeLessThanOrEqual(2)
  })

  it("does not send a part the batch size that it refused before", async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `DTXSID00${index + 1}`)
    const sizes: Array<number> = []
    const outcomes = await outcomesOf(
      ({ body, url }) => {
        const asked = body as ReadonlyArray<string>
        if (url.includes("synonym")) return ok("[]")
        sizes.push(asked.length)
        return asked.length > 2
          ? { status: 413, body: "" }
          : ok(JSON.stringify(asked.map((dtxsid) => ({ dtxsid }))))
      },
      { details: Details.byDtxsid(), synonyms: Synonyms.byDtxsid() },
      ids,
      { batchSize: 4, concurrency: 1 }
    )
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(ids.map(() => "Found"))
    expect(sizes).toEqual([4, 2, 2, 2, 2])
  })

  it("needs about as many requests as a lookup after failures that split its batches to single identifiers", async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `DTXSID${10_000_000 + index}`)
    const requestsOf = async (kind: "enrichment" | "lookup"): Promise<number> => {
      let requests = 0
      const respond: Respond = ({ body }) => {
        const asked = body as ReadonlyArray<string>
        requests++
        return requests > 5 && requests <= 20 && asked.length > 1
          ? { status: 413, body: "" }
          : ok(JSON.stringify(asked.map((dtxsid) => ({ dtxsid }))))
      }
      const options = { batchSize: 200, concurrency: 2 }
      const lookup: Lookup.Lookup<RawRecord.RawRecord, Enrich.Incomplete> =
        kind === "lookup" ? Details.byDtxsid() : Enrich.lookup({ details: Details.byDtxsid() }, options)
      const found = await Effect.gen(function* () {
        const client = yield* clientOf(respond)
        return yield* Lookup.outcomes(Identifiers.fromIterable(ids), lookup, options).pipe(
          Stream.filter(({ _tag }) => _tag === "Found"),
          Stream.runCount,
          Effect.provide(client)
        )
      }).pipe(Effect.scoped, Effect.runPromise)
      expect(found).toBe(20_000)
      return requests
    }
    const [enrichment, lookup] = [await requestsOf("enrichment"), await requestsOf("lookup")]
    expect(enrichment).toBeLessThan(1.25 * lookup)
    expect(enrichment).toBeLessThan(400)
  })

  it("finds the same as a lookup when the service fails for a while", async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `DTXSID${10_000_000 + index}`)
    const foundOf = async (kind: "enrichment" | "lookup"): Promise<number> => {
      const asked = new Set<string>()
      const respond: Respond = ({ url }) => {
        const id = url.slice(url.lastIndexOf("/") + 1)
        const isFirst = asked.size < asked.add(id).size
        return isFirst && asked.size > 8 && asked.size <= 160
          ? { status: 503, body: "" }
          : ok(`{"dtxsid":"${id}","nhit":3}`)
      }
      const summary = Bioactivity.summaryByDtxsid()
      const lookup: Lookup.Lookup<RawRecord.RawRecord, Enrich.Incomplete> =
        kind === "lookup" ? summary : Enrich.lookup({ summary })
      return Effect.gen(function* () {
        const client = yield* clientOf(respond)
        return yield* Lookup.outcomes(Identifiers.fromIterable(ids), lookup, { batchSize: 50 }).pipe(
          Stream.filter(({ _tag }) => _tag === "Found"),
          Stream.runCount,
          Effect.provide(client)
        )
      }).pipe(Effect.scoped, Effect.runPromise)
    }
    expect([await foundOf("lookup"), await foundOf("enrichment")]).toEqual([200, 200])
  })

  it("stops the run when the key is refused for one of the parts", async () => {
    const result = await run(
      ({ method }) => (method === "POST" ? ok(`[{"dtxsid":"${a}"}]`) : { status: 401, body: "" }),
      { details: Details.byDtxsid(), summary: Bioactivity.summaryByDtxsid() },
      [a]
    )
    expect(result).toMatchObject({ _tag: "Failure", failure: { _tag: "Unauthorized" } })
  })

  it("stops the run at the first failure of a part with `abort`", async () => {
    const options = { onFailure: "abort", batchSize: 1, concurrency: 1 } as const
    const summaries: Array<string> = []
    const result = await run(
      ({ body, method, url }) => {
        if (method === "GET") summaries.push(url)
        return method === "POST" ? ok(JSON.stringify([{ dtxsid: String(body) }])) : refusal
      },
      { details: Details.byDtxsid(), summary: Bioactivity.summaryByDtxsid() },
      [a, b],
      options
    )
    expect(result).toMatchObject({ _tag: "Failure", failure: { _tag: "InvalidRequest" } })
    expect(summaries).toHaveLength(1)
  })

  it("stops the run when no part reaches the service, and fails a part when only that part does not", async () => {
    const unreachable: Lookup.Lookup<RawRecord.RawRecord> = {
      ...Details.byDtxsid(),
      requestBatch: () =>
        Effect.fail(
          new ChemError.ConnectionFailed({
            endpoint: "details.byDtxsidBatch",
            attempts: 1,
            address: "nowhere",
            phase: "connect",
            message: "no way there"
          })
        )
    }
    const answer: Respond = () => ok(`[{"dtxsid":"${a}"}]`)
    const none = await run(answer, { one: unreachable, other: unreachable }, [a])
    expect(none).toMatchObject({ _tag: "Failure", failure: { _tag: "ConnectionFailed" } })
    const aborted = await run(answer, { one: unreachable, other: Synonyms.byDtxsid() }, [a], {
      onFailure: "abort"
    })
    expect(aborted).toMatchObject({ _tag: "Failure", failure: { _tag: "ConnectionFailed" } })
    const half = await outcomesOf(answer, { one: unreachable, other: Synonyms.byDtxsid() }, [a])
    expect(half).toMatchObject([
      {
        _tag: "Failed",
        error: { _tag: "Incomplete", errors: { one: { _tag: "ConnectionFailed" } }, retryable: true }
      }
    ])
  })

  it("requests an identifier in the spelling of each part, and refuses it when one part does", async () => {
    const lower: Lookup.Lookup<RawRecord.RawRecord> = {
      ...Details.byDtxsid(),
      parse: (text) =>
        text.length > 13
          ? Details.byDtxsid().parse("too long")
          : Result.map(Details.byDtxsid().parse(text), (id) => id.toLowerCase()),
      requestBatch: (ids) =>
        Effect.succeed({ records: ids.map((key) => ({ key, record: RawRecord.fromText(`"${key}"`) })) })
    }
    const outcomes = await outcomesOf(() => ok("[]"), { synonyms: Synonyms.byDtxsid(), lower }, [
      a,
      "DTXSID701018815"
    ])
    expect(outcomes.map(short)).toEqual([
      `{"query":"${a}","synonyms":null,"lower":"${a.toLowerCase()}"}`,
      "Invalid DTXSID701018815"
    ])
  })

  it("counts drift of all parts in one ledger, and keeps a refused part as the service sent it", async () => {
    const answer: Respond = ({ url }) =>
      ok(url.includes("synonym") ? `[{"dtxsid":"${a}"}]` : `[{"dtxsid":"${a}","preferredName":7.0}]`)
    const parts = { details: Details.byDtxsid({ projection: "compact" }), synonyms: Synonyms.byDtxsid() }
    const record = `{"query":"${a}","details":{"dtxsid":"${a}","preferredName":7.0},"synonyms":{"dtxsid":"${a}"}}`
    const ledger = Ledger.make()
    const lenient = await outcomesOf(answer, parts, [a], { ledger })
    expect(lenient.map(short)).toEqual([record])
    expect(ledger.drift.fields).toMatchObject([{ field: "preferredName", seen: "number", count: 1 }])
    const [strict] = await outcomesOf(answer, parts, [a], { validate: "strict" })
    expect(strict).toMatchObject({
      _tag: "Failed",
      error: { _tag: "Incomplete", errors: { details: { _tag: "MalformedResponse" } } },
      records: [RawRecord.fromText(record)]
    })
  })

  it("returns the unrequested records of its parts", async () => {
    const ledger = Ledger.make()
    const outcomes = await outcomesOf(
      () => ok(`[{"dtxsid":"${a}"},{"dtxsid":"${b}"}]`),
      { details: Details.byDtxsid(), synonyms: Synonyms.byDtxsid() },
      [a],
      { ledger }
    )
    const stray = ["unrequested", b, `{"dtxsid":"${b}"}`]
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Found", "Surplus", "Surplus"])
    expect(
      outcomes.flatMap((outcome) =>
        outcome._tag === "Surplus"
          ? [[outcome.reason, outcome.id, RawRecord.toText(outcome.record as RawRecord.RawRecord)]]
          : []
      )
    ).toEqual([stray, stray])
    expect(ledger.surplus).toBe(2)
  })
})

/** A client without requests, for lookups that need no service. */
const idle = ChemClient.layer({
  baseUrl: "http://127.0.0.1:1",
  apiKey: Redacted.make("key"),
  retry: RetryPolicy.never
}).pipe(Layer.provide(FetchHttpClient.layer))

describe("Enrich.lookup", () => {
  it("makes a lookup whose batches resume an earlier run over the same input", async () => {
    const part: Lookup.Lookup<RawRecord.RawRecord> = {
      ...Details.byDtxsid(),
      requestBatch: (ids) =>
        Effect.succeed({ records: ids.map((key) => ({ key, record: RawRecord.fromText("{}") })) })
    }
    const ids = Array.from({ length: 7 }, (_, index) => `DTXSID00${index + 1}`)
    const batches = (most: number, resumePoint?: ResumePoint.ResumePoint) =>
      Lookup.batches(Identifiers.fromIterable(ids), Enrich.lookup({ one: part, other: part }), {
        batchSize: 2,
        resumePoint
      }).pipe(Stream.take(most), Stream.runCollect, Effect.provide(idle), Effect.runPromise)
    const [first] = await batches(1)
    if (first === undefined) throw new Error("no batch")
    const rest = await batches(Number.POSITIVE_INFINITY, first)
    expect(first.outcomes.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(rest.flatMap(({ outcomes }) => outcomes).map(({ id }) => id)).toEqual(ids.slice(2))
  })
})

describe("an enrichment", () => {
  it("reads ahead only as far as its batches in flight, for any length of the input", async () => {
    let read = 0
    const identifiers = Stream.range(1, 100_000).pipe(
      Stream.rechunk(1),
      Stream.map((line) => ({ text: `DTXSID00${line}`, line })),
      Stream.tap(() => Effect.sync(() => read++))
    )
    const part: Lookup.Lookup<RawRecord.RawRecord> = {
      ...Details.byDtxsid(),
      requestBatch: (ids) =>
        Effect.succeed({ records: ids.map((id) => ({ key: id, record: RawRecord.fromText("{}") })) })
    }
    await Enrich.outcomes(identifiers, { one: part, other: part }, { batchSize: 10, concurrency: 2 }).pipe(
      // The reader stops. Now every fiber that can run does so, until all wait.
      Stream.mapEffect(() => Effect.forEach(Array.from({ length: 2000 }), () => Effect.yieldNow)),
      Stream.take(1),
      Stream.runDrain,
      Effect.provide(idle),
      Effect.runPromise
    )
    expect(read).toBeGreaterThanOrEqual(10)
    expect(read).toBeLessThanOrEqual(50)
  })

  it("returns one outcome for each identifier, in order, without records of another, for any results of the parts", async () => {
    const failing = (id: string) =>
      new ChemError.InvalidRequest({ endpoint: "x", attempts: 1, status: 400, message: `no ${id}` })
    const fate = fc.constantFrom("found", "found", "found", "missing", "poisonous")
    const identifier = fc.integer({ min: 1, max: 30 }).map((n) => `DTXSID00${n}`)
    const part = fc.record({
      size: fc.integer({ min: 1, max: 6 }),
      many: fc.boolean(),
      fates: fc.array(fate, { minLength: 30, maxLength: 30 }),
      reversed: fc.boolean()
    })
    const property = fc.asyncProperty(
      fc.array(identifier, { maxLength: 40 }),
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.record({ batchSize: fc.integer({ min: 1, max: 8 }), concurrency: fc.integer({ min: 1, max: 3 }) }),
      async (ids, script, options) => {
        const fateOf = (one: (typeof script)[number], id: string) => one.fates[Number(id.slice(8)) - 1]
        const textOf = (at: number, id: string) => `{"part":${at},"of":"${id}"}`
        const lookups = Object.fromEntries(
          script.map((one, at): [string, Lookup.Lookup<RawRecord.RawRecord>] => [
            `part${at}`,
            {
              ...Details.byDtxsid(),
              size: one.size,
              multiplicity: one.many ? "many" : "one",
              requestBatch: (asked) =>
                Effect.suspend(() => {
                  const poison = asked.find((id) => fateOf(one, id) === "poisonous")
                  if (poison !== undefined) return Effect.fail(failing(poison))
                  const records = asked
                    .filter((id) => fateOf(one, id) === "found")
                    .map((id) => ({ key: id, record: RawRecord.fromText(textOf(at, id)) }))
                  return Effect.succeed({ records: one.reversed ? records.reverse() : records })
                })
            }
          ])
        )
        const ledger = Ledger.make()
        const outcomes = await Enrich.outcomes(Identifiers.fromIterable(ids), lookups, {
          ...options,
          ledger
        }).pipe(Stream.runCollect, Effect.provide(idle), Effect.runPromise)
        const fieldOf = (at: number, id: string): unknown => {
          const one = script[at]
          if (one === undefined || fateOf(one, id) === "missing") return null
          const record = { part: at, of: id }
          return one.many ? [record] : record
        }
        expect(outcomes.map(({ id }) => id)).toEqual([...new Set(ids)])
        expect(Ledger.sum(ledger)).toBe(ids.length)
        for (const outcome of outcomes) {
          const id = String(outcome.id)
          const fates = script.map((one) => fateOf(one, id))
          if (fates.includes("poisonous")) expect(outcome._tag).toBe("Failed")
          if (outcome._tag === "Missing") expect(new Set(fates)).toEqual(new Set(["missing"]))
          if (outcome._tag === "Found") {
            const fields = script.map((_, at) => [`part${at}`, fieldOf(at, id)])
            expect(outcome.records.map(RawRecord.parse).map(Result.getOrThrow)).toEqual([
              { query: id, ...Object.fromEntries(fields) }
            ])
          }
          if (outcome._tag === "Failed" && outcome.error._tag === "Incomplete") {
            const failed = Object.keys(outcome.error.errors)
            const came = script.flatMap((_, at) =>
              failed.includes(`part${at}`) ? [] : [[`part${at}`, fieldOf(at, id)]]
            )
            const records = (outcome.records ?? []).filter(RawRecord.isRawRecord)
            expect(records.map(RawRecord.parse).map(Result.getOrThrow)).toEqual(
              came.length === 0 ? [] : [{ query: id, ...Object.fromEntries(came) }]
            )
          }
        }
      }
    )
    await fc.assert(property)
  })
})
