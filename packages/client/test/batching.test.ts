import { Dtxcid, Dtxsid } from "@chemstream/api"
import { CallObserver, type ChemClient, RetryPolicy } from "@chemstream/client"
import { Effect, Fiber, Logger, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { settings, withClient, withService } from "./testClient.ts"

type Client = ChemClient.ChemClient["Service"]

const sids = (size: number): ReadonlyArray<string> =>
  Array.from({ length: size }, (_, i) => Dtxsid.fromNumber(i + 1))

const idsOf = ({ body }: Scripted.Request): ReadonlyArray<string> => JSON.parse(body)

/** Responds with a record for each requested identifier, except those in `without`. */
const echo =
  (key: "dtxsid" | "dtxcid", ...without: ReadonlyArray<string>): Scripted.Responder =>
  (response, request) =>
    Scripted.reply(
      200,
      JSON.stringify(
        idsOf(request)
          .filter((id) => !without.includes(id))
          .toReversed()
          .map((id) => ({ dtxsid: "DTXSID000", [key]: id, n: 1 }))
      )
    )(response, request)

const all = <A, E>(calls: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.all(calls.map(Effect.result), { concurrency: "unbounded" })

const [a, b, c] = sids(3) as [string, string, string]

describe("the get methods", () => {
  it("make 10 requests of 1,000 for 10,000 substances, and each caller gets its own record", () =>
    withService([echo("dtxsid")], (service) =>
      Effect.gen(function* () {
        const ids = sids(10_000)
        const records = yield* withClient(settings(service.url), ({ details }) =>
          Effect.forEach(ids, (id) => details.get(id), { concurrency: "unbounded" })
        )
        expect(records.map(({ dtxsid }) => dtxsid)).toEqual(ids)
        expect(service.requests.map((request) => idsOf(request).length)).toEqual(Array(10).fill(1000))
        expect(new Set(service.requests.flatMap(idsOf)).size).toBe(10_000)
      })
    ))

  it.each<[string, "details" | "synonyms" | "bioactivity", string]>([
    ["details", "details", "/chemical/detail/search/by-dtxsid/?projection=chemicaldetailall"],
    ["synonyms", "synonyms", "/chemical/synonym/search/by-dtxsid/"],
    ["bioactivity data", "bioactivity", "/bioactivity/data/search/by-dtxsid/"]
  ])("get %s for a thousand fibers with one request", (_, group, url) =>
    withService([echo("dtxsid")], (service) =>
      Effect.gen(function* () {
        const results = yield* withClient(settings(service.url), (client) =>
          all(sids(1000).map((id): Effect.Effect<unknown, unknown> => client[group].get(id)))
        )
        expect(results.filter(Result.isSuccess)).toHaveLength(1000)
        expect(service.requests.map((request) => request.url)).toEqual([url])
      })
    )
  )

  it("return all data records of a substance to its caller", () =>
    withService(
      [
        Scripted.reply(
          200,
          JSON.stringify([
            { dtxsid: a, m4id: 1 },
            { dtxsid: b, m4id: 2 },
            { dtxsid: a, m4id: 3 }
          ])
        )
      ],
      ({ url }) =>
        Effect.gen(function* () {
          const results = yield* withClient(settings(url), ({ bioactivity }) =>
            Effect.all([bioactivity.get(a), bioactivity.get(b)], { concurrency: 2 })
          )
          expect(results.map((records) => records.map(({ m4id }) => m4id))).toEqual([[1, 3], [2]])
        })
    ))

  it("send equal identifiers once, in any spelling", () =>
    withService([echo("dtxsid")], (service) =>
      Effect.gen(function* () {
        const results = yield* withClient(settings(service.url), ({ details }) =>
          all([a, b, a, ` ${a.toLowerCase()} `].map((id) => details.get(id)))
        )
        expect(results.map((result) => Result.getOrThrow(result).dtxsid)).toEqual([a, b, a, a])
        expect(service.requests.map(idsOf)).toEqual([[a, b]])
      })
    ))

  it("send each kind of identifier and each projection in its own batch", () =>
    withService(
      [(response, request) => echo(request.url.includes("dtxcid") ? "dtxcid" : "dtxsid")(response, request)],
      (service) =>
        Effect.gen(function* () {
          const cid = Dtxcid.fromNumber(182)
          yield* withClient(settings(service.url), ({ details }) =>
            Effect.all(
              [
                details.get(a),
                details.get(` ${cid.toLowerCase()}`),
                details.get(b, { projection: "compact" }),
                details.get(c, { projection: "compact" })
              ],
              { concurrency: "unbounded" }
            )
          )
          const requests = service.requests.map(({ body, url }) => `${url} ${body}`)
          expect(requests.sort()).toEqual([
            `/chemical/detail/search/by-dtxcid/?projection=chemicaldetailall ["${cid}"]`,
            `/chemical/detail/search/by-dtxsid/?projection=chemicaldetailall ["${a}"]`,
            `/chemical/detail/search/by-dtxsid/?projection=compact ["${b}","${c}"]`
          ])
        })
    ))

  it("send no more than the endpoint takes, even with a larger size", () =>
    withService([echo("dtxsid")], (service) =>
      Effect.gen(function* () {
        yield* withClient(settings(service.url, { batching: { size: 5000 } }), ({ details }) =>
          all(sids(1001).map((id) => details.get(id)))
        )
        expect(service.requests.map((request) => idsOf(request).length)).toEqual([1000, 1])
      })
    ))

  it("obey a smaller size and window", () =>
    withService([echo("dtxsid")], (service) =>
      Effect.gen(function* () {
        yield* withClient(settings(service.url, { batching: { size: 2, window: 0 } }), ({ details }) =>
          all(sids(5).map((id) => details.get(id)))
        )
        expect(service.requests.map((request) => idsOf(request).length).sort()).toEqual([1, 2, 2])
      })
    ))

  it("fail with NotFound only for the caller whose record is missing", () =>
    withService([echo("dtxsid", b)], ({ url }) =>
      Effect.gen(function* () {
        const results = yield* withClient(settings(url), ({ details }) =>
          all([a, b, c].map((id) => details.get(id)))
        )
        expect(results.map(Result.isSuccess)).toEqual([true, false, true])
        expect(results[1]).toMatchObject({
          failure: {
            _tag: "NotFound",
            endpoint: "details.byDtxsidBatch",
            attempts: 1,
            message: `not found: the service has no record of ${b} (requested in a batch of 3)`
          }
        })
      })
    ))

  it("log each surplus record", () =>
    withService(
      [Scripted.reply(200, JSON.stringify([{ dtxsid: a }, { dtxsid: b }, { dtxsid: a }]))],
      ({ url }) =>
        Effect.gen(function* () {
          const messages: Array<unknown> = []
          const logger = Logger.make(
            ({ logLevel, message }) => void messages.push(logLevel, ...[message].flat())
          )
          const record = yield* Effect.provide(
            withClient(settings(url), ({ synonyms }) => synonyms.get(a)),
            Logger.layer([logger])
          )
          expect(record).toEqual({ dtxsid: a })
          expect(messages).toEqual(
            [
              `the response has a record of ${b}, which was not requested`,
              `the response has more than one record of ${a}`
            ].flatMap((message) => ["Warn", `synonyms.byDtxsidBatch: ${message}`])
          )
        })
    ))

  it("do not report a substance as missing while a record has no identifier", () =>
    withService(
      [
        Scripted.reply(503, ""),
        Scripted.reply(200, JSON.stringify([{ dtxsid: a, dtxcid: null }, { dtxcid: "x" }, { dtxsid: null }])),
        Scripted.reply(200, JSON.stringify([{ dtxcid: "x" }, { dtxsid: null }]))
      ],
      ({ url }) =>
        Effect.gen(function* () {
          const retry = RetryPolicy.make({ attempts: 2, baseDelay: 1 })
          const results = yield* withClient(settings(url, { retry }), ({ bioactivity }) =>
            all([a, b].map((id) => bioactivity.get(id)))
          )
          expect(results[0]).toMatchObject({ _tag: "Success" })
          expect(results[1]).toMatchObject({
            failure: {
              _tag: "MalformedResponse",
              endpoint: "bioactivity.byDtxsidBatch",
              attempts: 1,
              message: "2 records of the response lack an identifier; one may belong to this one"
            }
          })
        })
    ))

  it("fail with MalformedResponse when no record was requested", () =>
    withService([Scripted.reply(200, JSON.stringify([{ dtxsid: c }]))], ({ url }) =>
      Effect.gen(function* () {
        const [result] = yield* withClient(settings(url), ({ details }) => all([details.get(a)]))
        expect(result).toMatchObject({ failure: { _tag: "MalformedResponse" } })
      })
    ))

  it.each([400, 500])("fail only for the caller whose value the service refuses (%i)", (status) => {
    const bad = sids(50)[17] as string
    return withService(
      [
        (response, request) =>
          (idsOf(request) as ReadonlyArray<string>).includes(bad)
            ? Scripted.problem(status, "not this one")(response, request)
            : echo("dtxsid")(response, request)
      ],
      (service) =>
        Effect.gen(function* () {
          const retry = RetryPolicy.make({ attempts: 2, baseDelay: 1 })
          const results = yield* withClient(settings(service.url, { retry }), ({ details }) =>
            all(sids(50).map((id) => details.get(id)))
          )
          expect(results.map(Result.isFailure)).toEqual(sids(50).map((id) => id === bad))
          expect(service.requests.length).toBeLessThan(2 + 2 * Math.ceil(Math.log2(50)))
        })
    )
  })

  it("fail for all callers of a failed batch, after the attempts of the policy", () =>
    withService([Scripted.reply(503, "", {})], (service) =>
      Effect.gen(function* () {
        const retry = RetryPolicy.make({ attempts: 2, baseDelay: 1 })
        const results = yield* withClient(settings(service.url, { retry }), ({ details }) =>
          all([a, b].map((id) => details.get(id)))
        )
        for (const result of results) {
          expect(result).toMatchObject({ failure: { _tag: "ServiceFailure", attempts: 2 } })
        }
        expect(service.requests).toHaveLength(2)
      })
    ))

  it("halve a batch that is too large for the service, and remember the size", () =>
    withService(
      [
        (response, request) =>
          idsOf(request).length > 2
            ? Scripted.problem(413, "at most 2")(response, request)
            : echo("dtxsid")(response, request)
      ],
      (service) =>
        Effect.gen(function* () {
          yield* withClient(settings(service.url), ({ details }) =>
            Effect.gen(function* () {
              const first = yield* all(sids(4).map((id) => details.get(id)))
              const second = yield* all(sids(4).map((id) => details.get(id)))
              expect([...first, ...second].every(Result.isSuccess)).toBe(true)
            })
          )
          expect(service.requests.map((request) => idsOf(request).length)).toEqual([4, 2, 2, 2, 2])
        })
    ))

  it("return to large batches after one was refused as too large", () => {
    let refusals = 3
    return withService(
      [
        (response, request) =>
          idsOf(request).length > 1 && refusals-- > 0
            ? Scripted.problem(413, "not now")(response, request)
            : echo("dtxsid")(response, request)
      ],
      (service) =>
        Effect.gen(function* () {
          yield* withClient(settings(service.url, { batching: { size: 8, window: 0 } }), ({ details }) =>
            Effect.gen(function* () {
              for (let round = 0; round < 40; round++) yield* all(sids(8).map((id) => details.get(id)))
            })
          )
          const sizes = service.requests.map((request) => idsOf(request).length)
          expect(sizes.slice(0, 4)).toEqual([8, 4, 2, 1])
          expect(sizes.slice(-10)).toEqual(Array(10).fill(8))
        })
    )
  })

  it.each(["the limit is 3 words", "exceeds what is allowed", "maximum length of a value: 12"])(
    "do not halve batches after a 400 with the text: %s",
    (text) => {
      let requests = 0
      return withService(
        [
          (response, request) =>
            (++requests === 1 ? Scripted.problem(400, text) : echo("dtxsid"))(response, request)
        ],
        (service) =>
          Effect.gen(function* () {
            yield* withClient(settings(service.url), ({ details }) =>
              Effect.gen(function* () {
                const first = yield* all(sids(4).map((id) => details.get(id)))
                expect(first.every(Result.isSuccess)).toBe(true)
                yield* all(sids(4).map((id) => details.get(id)))
              })
            )
            expect(service.requests.map((request) => idsOf(request).length).at(-1)).toBe(4)
          })
      )
    }
  )

  it("fail with BatchTooLarge when the service refuses even one identifier", () =>
    withService([Scripted.problem(413, "no")], (service) =>
      Effect.gen(function* () {
        const results = yield* withClient(settings(service.url), ({ details }) =>
          all([a, b].map((id) => details.get(id)))
        )
        expect(results).toMatchObject([
          { failure: { _tag: "BatchTooLarge" } },
          { failure: { _tag: "BatchTooLarge" } }
        ])
        expect(service.requests).toHaveLength(3)
      })
    ))

  it("continue for the other callers when one is interrupted before or after the request", () =>
    Effect.gen(function* () {
      const release = Promise.withResolvers<void>()
      const arrived = Promise.withResolvers<void>()
      const delayedResponse: Scripted.Responder = (response, request) => {
        arrived.resolve()
        void release.promise.then(() => echo("dtxsid")(response, request))
      }
      const service = yield* Scripted.make(delayedResponse)
      yield* withClient(settings(service.url, { batching: { window: 20 } }), ({ details }) =>
        Effect.gen(function* () {
          const early = yield* Effect.forkChild(details.get(a), { startImmediately: true })
          const late = yield* Effect.forkChild(details.get(b), { startImmediately: true })
          const patient = yield* Effect.forkChild(details.get(c), { startImmediately: true })
          yield* Fiber.interrupt(early)
          yield* Effect.promise(() => arrived.promise)
          yield* Fiber.interrupt(late)
          release.resolve()
          expect((yield* Fiber.join(patient)).dtxsid).toBe(c)
        })
      )
      expect(service.requests.map(idsOf)).toEqual([[b, c]])
    }).pipe(Effect.scoped, Effect.runPromise))

  it("report the request once to the observers of all callers", () =>
    withService([echo("dtxsid")], ({ url }) =>
      Effect.gen(function* () {
        const events: Array<string> = []
        const withObserver = (name: string) =>
          Effect.provideService(CallObserver.CallObserver, {
            onRequest: (endpoint) => events.push(`${name} ${endpoint}`),
            onRetry: () => {},
            onBody: () => {}
          })
        const calls = ({ details }: Client) => [
          Effect.all([details.get(a), details.get(b)], { concurrency: 2 }).pipe(withObserver("one")),
          details.get(c).pipe(withObserver("two"))
        ]
        yield* withClient(settings(url), (client) => all<unknown, unknown>(calls(client)))
        expect(events.sort()).toEqual(["one details.byDtxsidBatch", "two details.byDtxsidBatch"])
      })
    ))
})

describe("an observer that is an instance of a class", () => {
  class Counter implements CallObserver.CallObserver {
    readonly #events: Array<string> = []
    onRequest(endpoint: string): void {
      this.#events.push(`request ${endpoint}`)
    }
    onRetry(): void {
      this.#events.push("retry")
    }
    onBody(endpoint: string): void {
      this.#events.push(`body ${endpoint}`)
    }
    onCached(endpoint: string, how: string): void {
      this.#events.push(`${how} ${endpoint}`)
    }
    get events(): string {
      return this.#events.join(", ")
    }
  }

  it.each<[string, (client: Client) => Effect.Effect<unknown, unknown>, string]>([
    ["details.get", ({ details }) => details.get(a), "details.byDtxsidBatch"],
    ["synonyms.get", ({ synonyms }) => synonyms.get(a), "synonyms.byDtxsidBatch"],
    ["bioactivity.get", ({ bioactivity }) => bioactivity.get(a), "bioactivity.byDtxsidBatch"],
    ["details.byDtxsidBatch", ({ details }) => details.byDtxsidBatch([a]), "details.byDtxsidBatch"],
    ["details.all", ({ details }) => Stream.runDrain(details.all()), "details.all"]
  ])("gets the requests, retries and bodies of %s", (_, call, endpoint) =>
    withService(
      [
        Scripted.reply(503, ""),
        (response, request) =>
          request.body === ""
            ? Scripted.reply(200, "[]")(response, request)
            : echo("dtxsid")(response, request)
      ],
      ({ url }) =>
        Effect.gen(function* () {
          const counter = new Counter()
          yield* withClient(
            settings(url, { retry: RetryPolicy.make({ attempts: 2, baseDelay: 1 }) }),
            call
          ).pipe(Effect.provideService(CallObserver.CallObserver, counter))
          const one = `request ${endpoint}, body ${endpoint}`
          expect(counter.events).toBe(`${one}, retry, ${one}`)
        })
    )
  )
})

describe("the settings of batching", () => {
  it.each([{ window: -1 }, { window: Number.NaN }, { size: 0 }, { size: 1.5 }])("refuse %j", (batching) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        withClient(settings("http://127.0.0.1:9", { batching }), () => Effect.void)
      )
      expect(error).toMatchObject({ _tag: "InvalidOption", option: `batching.${Object.keys(batching)[0]}` })
    }).pipe(Effect.runPromise)
  )
})
