import { ChemClient, ChemError, RetryPolicy } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Crawl, Details, Identifiers, Ledger, type Lookup, MsReady, Search } from "@chemstream/stream"
import { Effect, Layer, Redacted, Result, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientOf, ok, type Respond } from "./lookupService.ts"

type Raw = RawRecord.RawRecord
type Step = Crawl.Step<Raw, ChemError.ChemError, ChemError.ChemError>

const [a, b, c] = ["DTXSID7020182", "DTXSID3039242", "DTXSID7020637"] as const

/** Returns the steps of a crawl with a scripted service, and its result. */
const crawl = (
  respond: Respond,
  queries: ReadonlyArray<string>,
  settings: Crawl.Settings<Raw, never, never>
): Promise<{ readonly steps: ReadonlyArray<Step>; readonly end: string }> =>
  Effect.gen(function* () {
    const client = yield* clientOf(respond)
    const steps: Array<Step> = []
    const result = yield* Crawl.outcomes(Identifiers.fromIterable(queries), settings).pipe(
      Stream.runForEach((step) => Effect.sync(() => steps.push(step))),
      Effect.result,
      Effect.provide(client)
    )
    return { steps, end: Result.isSuccess(result) ? "success" : result.failure._tag }
  }).pipe(Effect.scoped, Effect.runPromise)

const short = (step: Step): string => {
  const { _tag, id, line } = step.outcome
  return `${step._tag} ${_tag} ${id} ${line}${step._tag === "Query" ? ` -> ${step.discovered.join()}` : ""}`
}

/** A service that finds these substances by a word, and knows the details of all of them but `c`. */
const finding =
  (hits: Readonly<Record<string, string>>): Respond =>
  ({ body, method, url }) => {
    if (method === "POST") {
      const known = (body as ReadonlyArray<string>).filter((dtxsid) => dtxsid !== c)
      return ok(JSON.stringify(known.map((dtxsid) => ({ dtxsid }))))
    }
    const answer = hits[url.slice(url.lastIndexOf("/") + 1)]
    return answer === undefined
      ? {
          status: 400,
          body: '{"status":400,"detail":"Searched by x: Found 0 results for x.","suggestions":[null]}'
        }
      : { status: answer.startsWith("[") ? 200 : 400, body: answer }
  }

const settings = { search: Search.equal(), lookup: Details.byDtxsid() }

describe("Crawl.outcomes", () => {
  it("requests each discovered identifier once, and keeps the identifiers of each query", async () => {
    const searchLedger = Ledger.make()
    const lookupLedger = Ledger.make()
    const { end, steps } = await crawl(
      finding({
        one: `[{"dtxsid":"${a}"},{"dtxsid":"${b}"},{"dtxsid":"${a}"}]`,
        two: `[{"dtxsid":"${b}"},{"dtxsid":null},{"name":"x"},{"dtxsid":"${c}"}]`,
        bad: '{"status":400,"detail":"no"}'
      }),
      ["one", "two", "zero", "bad", "one"],
      {
        ...settings,
        searchOptions: { ledger: searchLedger },
        lookupOptions: { ledger: lookupLedger }
      }
    )
    expect(end).toBe("success")
    expect(steps.map(short)).toEqual([
      `Query Found one 1 -> ${a},${b}`,
      `Query Found two 2 -> ${b},${c}`,
      "Query Missing zero 3 -> ",
      "Query Failed bad 4 -> ",
      `Discovered Found ${a} 1`,
      `Discovered Found ${b} 1`,
      `Discovered Missing ${c} 2`
    ])
    expect(searchLedger).toMatchObject({ read: 5, found: 2, missing: 1, failed: 1, duplicates: 1 })
    expect(lookupLedger).toMatchObject({ read: 4, found: 2, missing: 1, duplicates: 1, batches: 1 })
  })

  it("discovers identifiers in another field, or with a function", async () => {
    const cid = "DTXCID30182"
    const { steps } = await crawl(
      ({ method }) => ok(method === "GET" ? `[{"dtxcid":"${cid}"}]` : `{"${cid}":["${a}"]}`),
      ["one"],
      { search: Search.equal(), lookup: MsReady.byDtxcid(), discover: Crawl.field("dtxcid") }
    )
    expect(steps.map(short)).toEqual([`Query Found one 1 -> ${cid}`, `Discovered Found ${cid} 1`])
    const { steps: chosen } = await crawl(finding({ one: `[{"dtxsid":"${b}"}]` }), ["one"], {
      ...settings,
      discover: () => [a, c]
    })
    expect(chosen.map(short)).toEqual([
      `Query Found one 1 -> ${a},${c}`,
      `Discovered Found ${a} 1`,
      `Discovered Missing ${c} 1`
    ])
  })

  it("reports a discovered identifier that the lookup does not accept, and requests the others", async () => {
    const { steps } = await crawl(
      finding({ one: `[{"dtxsid":"gone"},{"dtxsid":"${a}"}]` }),
      ["one"],
      settings
    )
    expect(steps.map(short)).toEqual([
      `Query Found one 1 -> gone,${a}`,
      "Discovered Invalid gone 1",
      `Discovered Found ${a} 1`
    ])
  })

  it("fails with the error that stops one of its runs, after every outcome before it", async () => {
    const refused = { status: 401, body: "" }
    const options = { searchOptions: { concurrency: 1 }, lookupOptions: { batchSize: 1, concurrency: 1 } }
    const hits = finding({ one: `[{"dtxsid":"${a}"},{"dtxsid":"${b}"}]` })
    const search = await crawl(
      (asked) => (asked.url.endsWith("/two") ? refused : hits(asked)),
      ["one", "two", "three"],
      { ...settings, ...options }
    )
    expect(search.end).toBe("Unauthorized")
    expect(search.steps[0] && short(search.steps[0])).toBe(`Query Found one 1 -> ${a},${b}`)
    const lookup = await crawl(
      (asked) => (JSON.stringify(asked.body ?? null).includes(b) ? refused : hits(asked)),
      ["one"],
      { ...settings, ...options }
    )
    expect(lookup.end).toBe("Unauthorized")
    expect(lookup.steps.map(short)).toEqual([`Query Found one 1 -> ${a},${b}`, `Discovered Found ${a} 1`])
  })
})

/** A client without requests, for lookups that need no service. */
const idle = ChemClient.layer({
  baseUrl: "http://127.0.0.1:1",
  apiKey: Redacted.make("key"),
  retry: RetryPolicy.never
}).pipe(Layer.provide(FetchHttpClient.layer))

describe("a crawl", () => {
  it("requests ahead only what its reader can still take, for any length of the input", async () => {
    let asked = 0
    const queries = Stream.range(1, 100_000).pipe(
      Stream.rechunk(1),
      Stream.map((line) => ({ text: `word ${line}`, line }))
    )
    const search: Lookup.Lookup<Raw> = {
      ...Search.equal(),
      requestBatch: (words) =>
        Effect.sync(() => {
          asked += words.length
          return { records: words.map((key) => ({ key, record: RawRecord.fromText("{}") })) }
        })
    }
    await Crawl.outcomes(queries, { ...settings, search }).pipe(
      // The reader stops. Now every fiber that can run does so, until all wait.
      Stream.mapEffect(() => Effect.forEach(Array.from({ length: 2000 }), () => Effect.yieldNow)),
      Stream.take(1),
      Stream.runDrain,
      Effect.provide(idle),
      Effect.runPromise
    )
    expect(asked).toBeGreaterThan(1)
    expect(asked).toBeLessThanOrEqual(40)
  })

  it("has one outcome for each query and each distinct identifier, a query before its identifiers, and both ledgers add up", async () => {
    const failure = new ChemError.InvalidRequest({ endpoint: "x", attempts: 1, status: 400, message: "no" })
    const dtxsid = (n: number) => `DTXSID00${n}`
    /** The result of a query: substances by number, nothing, or a failure. */
    const find = fc.oneof(
      { weight: 4, arbitrary: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }) },
      { weight: 1, arbitrary: fc.constantFrom("missing" as const, "failed" as const) }
    )
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 }),
      fc.array(find, { minLength: 10, maxLength: 10 }),
      fc.array(fc.constantFrom("found", "found", "missing", "failed"), { minLength: 12, maxLength: 12 }),
      fc.record({ batchSize: fc.integer({ min: 1, max: 4 }), concurrency: fc.integer({ min: 1, max: 3 }) }),
      fc.boolean(),
      async (queries, finds, fates, options, ordered) => {
        const search: Lookup.Lookup<Raw> = {
          ...Search.equal(),
          requestBatch: (words) =>
            Effect.forEach(words, (word) => {
              const found = finds[Number(word)]
              if (found === undefined || found === "missing") return Effect.succeed([])
              if (found === "failed") return Effect.fail(failure)
              return Effect.succeed(
                found.map((n) => ({ key: word, record: RawRecord.fromText(`{"dtxsid":"${dtxsid(n)}"}`) }))
              )
            }).pipe(Effect.map((records) => ({ records: records.flat() })))
        }
        const fateOf = (id: string) => fates[Number(id.slice(8)) - 1]
        const lookup: Lookup.Lookup<Raw> = {
          ...Details.byDtxsid(),
          requestBatch: (ids) =>
            ids.some((id) => fateOf(id) === "failed")
              ? Effect.fail(failure)
              : Effect.succeed({
                  records: ids
                    .filter((id) => fateOf(id) === "found")
                    .map((id) => ({ key: id, record: RawRecord.fromText("{}") }))
                })
        }
        const searchLedger = Ledger.make()
        const lookupLedger = Ledger.make()
        const steps = await Crawl.outcomes(Identifiers.fromIterable(queries.map(String)), {
          search,
          lookup,
          searchOptions: { ...options, ordered, ledger: searchLedger },
          lookupOptions: { ...options, ordered, ledger: lookupLedger }
        }).pipe(Stream.runCollect, Effect.provide(idle), Effect.runPromise)

        const asked = steps.flatMap((step) => (step._tag === "Query" ? [step] : []))
        const led = steps.flatMap((step) => (step._tag === "Discovered" ? [step.outcome] : []))
        const inOrder = (ids: ReadonlyArray<string | undefined>) => (ordered ? ids : [...ids].sort())
        const distinct = [...new Set(queries.map(String))]
        expect(inOrder(asked.map(({ outcome }) => outcome.id))).toEqual(inOrder(distinct))
        for (const { discovered, outcome } of asked) {
          const found = finds[Number(outcome.id)]
          expect(discovered).toEqual(Array.isArray(found) ? [...new Set(found.map(dtxsid))] : [])
        }
        const leads = asked.flatMap((query) => query.discovered)
        expect(inOrder(led.map(({ id }) => id))).toEqual(inOrder([...new Set(leads)]))
        expect(
          led.every(({ _tag, id }) => _tag === "Failed" || _tag.toLowerCase() === fateOf(String(id)))
        ).toBe(true)
        expect([searchLedger.read, Ledger.sum(searchLedger)]).toEqual([queries.length, queries.length])
        expect([lookupLedger.read, Ledger.sum(lookupLedger)]).toEqual([leads.length, leads.length])
        const known = new Set<string>()
        for (const step of steps) {
          if (step._tag === "Query") for (const lead of step.discovered) known.add(lead)
          else expect(known.has(String(step.outcome.id))).toBe(true)
        }
      }
    )
    await fc.assert(property)
  })
})
