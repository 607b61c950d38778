import { RetryPolicy, type SearchResponse } from "@chemstream/client"
import { Cause, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { encodeReserved } from "../src/calls/internal/requestEncoding.ts"
import * as Scripted from "./scriptedService.ts"
import { settings, withClient, withService } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

const hit = (searchValue: string, dtxsid = "DTXSID7020182") => ({
  dtxsid,
  searchName: "Synonym",
  searchValue
})

/** A miss of batch search, as recorded. */
const miss = (searchValue: string, suggestions: ReadonlyArray<string | null> = [null]) => ({
  dtxsid: null,
  searchName: null,
  searchValue,
  rank: null,
  searchMsgs: [`Searched by Synonym: Found 0 results for '${searchValue}'.`],
  suggestions,
  isDuplicate: false
})

const respondWith = (responder: unknown): Scripted.Responder => Scripted.reply(200, JSON.stringify(responder))

const notFound = Scripted.problem(400, "Searched by Synonym: Found 0 results for 'x'.", {
  suggestions: ["y", null]
})

const page = (status: number): Scripted.Responder =>
  Scripted.reply(status, "<html><title>Bad Request</title></html>", { "content-type": "text/html" })

/** Responds to a single search with `refusal`, and to a batch search with `batch`. */
const gateway =
  (refusal: Scripted.Responder, batch: Scripted.Responder): Scripted.Responder =>
  (response, request) =>
    (request.method === "POST" ? batch : refusal)(response, request)

const equal = (responder: Scripted.Responder, word: string) =>
  withService([responder], (service) =>
    Effect.map(
      Effect.result(withClient(settings(service.url), ({ search }) => search.equal(word))),
      (result) => ({
        result,
        requests: service.requests.map(({ body, method, url }) => `${method} ${url} ${body}`)
      })
    )
  )

describe("a word in a path", () => {
  it("is encoded, except the unreserved characters of RFC 3986", async () => {
    const word = "a-._~ /?#[]@!$&'()*+,;=:%\"<>\\^`{|}β′"
    const { requests } = await equal(respondWith([]), word)
    expect(requests).toEqual([
      "GET /chemical/search/equal/a-._~%20%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%3A%25%22%3C%3E%5C%5E%60" +
        "%7B%7C%7D%CE%B2%E2%80%B2 "
    ])
  })

  it("is not encoded twice", () => {
    expect(encodeReserved(encodeURIComponent("(%21)'"))).toBe("%28%2521%29%27")
  })

  it("does not change the characters of the base URL", () =>
    withService([respondWith([])], (service) =>
      Effect.gen(function* () {
        yield* withClient(settings(`${service.url}/api(1)/it's`), ({ search }) => search.equal("(a)"))
        expect(service.requests[0]?.url).toBe("/api(1)/it's/chemical/search/equal/%28a%29")
      })
    ))
})

describe("a word that no path can carry", () => {
  it.each([".", ".."])("(%s) is searched by batch search", async (word) => {
    const { result, requests } = await equal(respondWith([hit(word)]), word)
    expect(result).toMatchObject({ success: { hits: [hit(word)] } })
    expect(requests).toEqual([`POST /chemical/search/equal/ ["${word}"]`])
  })
})

describe("a word whose encoded slash a gateway refuses", () => {
  const word = "10:2/12:2 diPAP"

  it.each([
    ["an HTML 400", page(400)],
    ["an HTML 404", page(404)],
    ["an HTML 403", page(403)],
    ["an empty 400", Scripted.reply(400, "", {})]
  ])("with %s is found by batch search", async (_, refusal) => {
    const { result, requests } = await equal(gateway(refusal, respondWith([hit(word)])), word)
    expect(result).toMatchObject({ success: { hits: [hit(word)] } })
    expect(requests).toEqual([
      "GET /chemical/search/equal/10%3A2%2F12%3A2%20diPAP ",
      `POST /chemical/search/equal/ ["${word}"]`
    ])
  })

  it("fails with NotFound and suggestions when batch search misses it", async () => {
    const { result } = await equal(gateway(page(400), respondWith([miss(word, ["diPAP", null])])), word)
    expect(result).toMatchObject({
      failure: {
        _tag: "NotFound",
        suggestions: ["diPAP"],
        attempts: 1,
        message: expect.stringContaining(word)
      }
    })
  })

  it("is malformed when batch search responds about another word", async () => {
    const { result } = await equal(gateway(page(400), respondWith([hit("another")])), word)
    expect(result).toMatchObject({ failure: { _tag: "MalformedResponse", endpoint: "search.equalBatch" } })
  })

  it.each([404, 405, 413])(
    "fails with the first refusal when batch search is refused with %i",
    async (status) => {
      const { result } = await equal(gateway(page(400), page(status)), word)
      expect(result).toMatchObject({ failure: { endpoint: "search.equal", status: 400, gateway: true } })
    }
  )

  it("is not searched again when the service responds with a miss", async () => {
    const { result, requests } = await equal(notFound, word)
    expect(result).toMatchObject({ failure: { _tag: "NotFound", suggestions: ["y"] } })
    expect(requests).toHaveLength(1)
  })

  it("is not searched again when the key is refused", async () => {
    const { result, requests } = await equal(Scripted.problem(403, "no"), word)
    expect(result).toMatchObject({ failure: { _tag: "Unauthorized" } })
    expect(requests).toHaveLength(1)
  })
})

describe("a plain word that a gateway refuses", () => {
  it("fails with that refusal", async () => {
    const { result, requests } = await equal(page(400), "Bisphenol A")
    expect(result).toMatchObject({ failure: { _tag: "InvalidRequest", gateway: true } })
    expect(requests).toHaveLength(1)
  })
})

describe("a search of many words", () => {
  it("returns one result for each word, in their order", () =>
    withService(
      [
        (response, request) => {
          if (request.url.endsWith("/a")) return respondWith([hit("A")])(response, request)
          if (request.url.endsWith("/none")) return respondWith([])(response, request)
          if (request.url.endsWith("/b")) return notFound(response, request)
          return Scripted.reply(500, "", {})(response, request)
        }
      ],
      (service) =>
        Effect.gen(function* () {
          const results = yield* withClient(settings(service.url), ({ search }) =>
            search.equalMany(["a", "b", "c", "", "a", "none"])
          )
          expect(results).toMatchObject([
            { _tag: "Found", word: "a", hits: [hit("A")] },
            { _tag: "Missing", word: "b", suggestions: ["y"] },
            { _tag: "Failed", word: "c", error: { _tag: "ServiceFailure" } },
            { _tag: "Failed", word: "", error: { _tag: "InvalidIdentifier" } },
            { _tag: "Found", word: "a" },
            { _tag: "Missing", word: "none", suggestions: [] }
          ])
          expect(service.requests.every(({ method }) => method === "GET")).toBe(true)
        })
    ))

  it("reports a page of a gateway as a failure, not as a miss", () =>
    withService([page(404)], ({ url }) =>
      Effect.gen(function* () {
        const results = yield* withClient(settings(url), ({ search }) => search.equalMany(["a"]))
        expect(results).toMatchObject([{ _tag: "Failed", error: { status: 404, gateway: true } }])
      })
    ))

  it.each([
    [{ concurrency: 3 }, [0, 0, 0, 100, 100, 100, 200, 200, 200]],
    [{ concurrency: Number.POSITIVE_INFINITY }, Array(9).fill(0)],
    [undefined, [0, 0, 0, 0, 100, 100, 100, 100, 200]]
  ])("keeps to the concurrency: %j", (options, times) =>
    Effect.gen(function* () {
      const service = Virtual.make(({ url }) =>
        Effect.as(Effect.sleep(100), { status: 200, body: JSON.stringify([hit(url)]) })
      )
      const words = Array.from({ length: 9 }, (_, i) => `word${i}`)
      const searching = yield* Effect.forkChild(
        withClient(
          settings("http://127.0.0.1:1"),
          ({ search }) => search.equalMany(words, options),
          service.layer
        )
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(searching)
      expect(service.times).toEqual(times)
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
  )

  it("sends no further word after the key is refused", () =>
    withService([respondWith([hit("a")]), Scripted.problem(401, "no")], (service) =>
      Effect.gen(function* () {
        const results = yield* withClient(settings(service.url), ({ search }) =>
          search.equalMany(["a", "b", "c", "d"], { concurrency: 1 })
        )
        expect(results.map(({ _tag }) => _tag)).toEqual(["Found", "Failed", "Failed", "Failed"])
        expect(results[3]).toMatchObject({ word: "d", error: { _tag: "Unauthorized" } })
        expect(service.requests).toHaveLength(2)
      })
    ))
})

describe("a batch search", () => {
  const batch = (responder: unknown, words: ReadonlyArray<string>) =>
    withService([respondWith(responder)], (service) =>
      Effect.map(
        Effect.result(withClient(settings(service.url), ({ search }) => search.equalBatch(words))),
        (result) => ({ result, requests: service.requests.map(({ body }) => JSON.parse(body)) })
      )
    )

  it("returns results in the order of the words, whatever the order of the response", async () => {
    const { result } = await batch(
      [miss("c", ["d"]), hit("B"), hit("A"), hit("b", "DTXSID2")],
      ["a", "b", "c"]
    )
    const expected: ReadonlyArray<SearchResponse.FoundOrMissing> = [
      { _tag: "Found", word: "a", hits: [hit("A")] },
      { _tag: "Found", word: "b", hits: [hit("B"), hit("b", "DTXSID2")] },
      { _tag: "Missing", word: "c", suggestions: ["d"] }
    ]
    expect(result).toMatchObject({ success: expected })
  })

  it.each([
    ["case", "BISPHENOL A", "Bisphenol A"],
    ["composition", "Cafe\u0301ine", "Caféine"],
    ["Greek letters", "beta-Carotene", "β-Carotene"],
    ["primes", "4,4'-Bisphenol", "4,4′-Bisphenol"],
    ["hyphens for spaces", "jwh-007", "JWH 007"],
    ["upper case of another length", "Weiß-Öl", "WEISS ÖL"],
    ["leading zeros of a CAS number", "0000080-05-7", "80-05-7"],
    ["spaces", " a  b", "a b"]
  ])("matches words that differ in %s", async (_, word, searchValue) => {
    const { result } = await batch([hit(searchValue)], [word])
    expect(result).toMatchObject({ success: [{ _tag: "Found", word }] })
  })

  it("does not match CAS numbers, EC numbers or InChIKeys without their hyphens", async () => {
    const words = ["80-05-7", "201-245-8", "IISBACLAFKSPIT-UHFFFAOYSA-N"]
    for (const word of words) {
      const { result } = await batch([hit(word.replace(/-/g, " "))], [word])
      expect(result).toMatchObject({ failure: { _tag: "MalformedResponse" } })
    }
  })

  it("gives each of two words with one search form its copy of the hits", async () => {
    const { result } = await batch(
      [hit("JWH 007"), miss("X"), { ...hit("JWH 007"), isDuplicate: true }],
      ["jwh-007", "x", "jwh 007"]
    )
    expect(result).toMatchObject({
      success: [
        { _tag: "Found", word: "jwh-007", hits: [{ searchValue: "JWH 007" }] },
        { _tag: "Missing", word: "x" },
        { _tag: "Found", word: "jwh 007", hits: [{ searchValue: "JWH 007" }] }
      ]
    })
  })

  it("gives each word its own hits if the response has the words as sent", async () => {
    const { result } = await batch([hit("a b", "DTXSID2"), miss("a-b")], ["a-b", "a b"])
    expect(result).toMatchObject({
      success: [
        { _tag: "Missing", word: "a-b" },
        { _tag: "Found", word: "a b", hits: [{ dtxsid: "DTXSID2" }] }
      ]
    })
  })

  it("returns hits under the spelling sent and under the search form", async () => {
    const { result } = await batch([hit("A-B"), hit("A B", "DTXSID2")], ["a-b"])
    expect(result).toMatchObject({ success: [{ hits: [hit("A-B"), hit("A B", "DTXSID2")] }] })
  })

  it("counts a compound without a substance as a hit", async () => {
    const record = { ...hit("a"), dtxsid: null, dtxcid: "DTXCID30182" }
    const { result } = await batch([record], ["a"])
    expect(result).toMatchObject({ success: [{ _tag: "Found", hits: [record] }] })
  })

  it("sends a duplicate word once, and returns its result twice", async () => {
    const { result, requests } = await batch([hit("A"), hit("A")], ["a", "A", "a"])
    expect(requests).toEqual([["a", "A"]])
    expect(result).toMatchObject({
      success: [
        { word: "a", hits: [hit("A")] },
        { word: "A", hits: [hit("A")] },
        { word: "a", hits: [hit("A")] }
      ]
    })
  })

  it.each<[string, unknown, string, string, ReadonlyArray<string>?]>([
    ["a record of another word", [hit("a"), hit("x")], "[1].searchValue", '"x", which was not requested'],
    ["no record of a word", [hit("a")], "", 'no record of "b"'],
    ["a record without its word", [hit("a"), { dtxsid: "d" }], "[1].searchValue", "does not name its word"],
    [
      "a word that is both found and missing",
      [hit("a"), miss("a"), hit("b")],
      "",
      '"a" is both found and missing'
    ],
    ["one record for two words with one search form", [hit("c d")], "", 'no record of "c-d"', ["c d", "c-d"]],
    [
      "two records for one of two words with one search form",
      [hit("c-d"), hit("c-d")],
      "",
      'no record of "c d"',
      ["c d", "c-d"]
    ],
    ...[
      [hit("c d"), hit("c d"), hit("c d", "DTXSID2")],
      [hit("c d", "DTXSID2"), hit("c d"), hit("c d")]
    ].map((records): [string, unknown, string, string, ReadonlyArray<string>] => [
      "two copies of one record and one of another",
      records,
      "",
      'no record of "c-d"',
      ["c d", "c-d"]
    ]),
    [
      "an extra record in the search form of two words",
      [hit("c-d e"), hit("c d-e"), hit("c d e")],
      "[2].searchValue",
      '"c d e", which was not requested',
      ["c-d e", "c d-e"]
    ]
  ])("is malformed with %s", async (_, responder, path, message, words = ["a", "b"]) => {
    const { result } = await batch(responder, words)
    expect(result).toMatchObject({
      failure: { _tag: "MalformedResponse", path, message: expect.stringContaining(message) }
    })
  })

  it("is retried when the response is misaligned", () =>
    withService([respondWith([hit("x")]), respondWith([hit("a")])], (service) =>
      Effect.gen(function* () {
        const retry = RetryPolicy.make({ attempts: 2, baseDelay: 1 })
        const results = yield* withClient(settings(service.url, { retry }), ({ search }) =>
          search.equalBatch(["a"])
        )
        expect(results).toMatchObject([{ _tag: "Found" }])
        expect(service.requests).toHaveLength(2)
      })
    ))

  it("sends at most 200 words, 100 to the public service, and at most `largest`", () =>
    withService(
      [
        (response, request) =>
          respondWith(JSON.parse(request.body).map((word: string) => hit(word)))(response, request)
      ],
      (service) =>
        Effect.gen(function* () {
          const words = Array.from({ length: 201 }, (_, i) => `word ${i}`)
          const ask = (size: number, options?: object, largest?: number) =>
            Effect.result(
              withClient(settings(service.url, options), ({ search }) =>
                search.equalBatch(words.slice(0, size), { largest })
              )
            )
          const tooLarge = { failure: { _tag: "BatchTooLarge", attempts: 0 } }
          expect(yield* ask(200)).toMatchObject({ _tag: "Success" })
          expect(yield* ask(201)).toMatchObject(tooLarge)
          expect(yield* ask(201, {}, 1000)).toMatchObject(tooLarge)
          expect(yield* ask(101, {}, 100)).toMatchObject(tooLarge)
          expect(yield* ask(101, { dialect: "ctx" })).toMatchObject(tooLarge)
          expect(service.requests).toHaveLength(1)
        })
    ))
})

describe("a concurrency", () => {
  it.each([Number.NaN, 0, -1])("of %d is refused, and sends no request", (concurrency) =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(
          withClient(settings(service.url), ({ search }) => search.equalMany(["a", "b"], { concurrency }))
        )
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
          _tag: "InvalidOption",
          message: `The option concurrency is ${concurrency}. Give a whole number of at least 1.`
        })
        expect(service.requests).toEqual([])
      })
    )
  )
})
