/** The signs of a dialect in three responses of a service. */
import { ChemClient, type Dialect, DialectProbe } from "@chemstream/client"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { settings, withService } from "./testClient.ts"

const words = ["no such name (chemstream)", "no such name (chemstream) 2"]
const ok = (value: unknown) => Scripted.reply(200, JSON.stringify(value))
const misses = ok(words.map((searchValue) => ({ dtxsid: null, searchValue })))
const oneWord = ok([{ dtxsid: null, searchValue: JSON.stringify(words) }])
const none = Scripted.problem(404, "none")
const unknown = Scripted.problem(400, "DTXSID with value DTXSID9999999999 not found")
const nothing = ok([])
const broken = Scripted.problem(500, "broken")

/** Returns the signs of a service that gives the three requests these responses, or the failure. */
const probe = (dialect: Dialect.Name, responders: ReadonlyArray<Scripted.Responder>) =>
  withService(responders, (service) =>
    DialectProbe.signs.pipe(
      Effect.provide(
        ChemClient.layer(settings(service.url, { dialect })).pipe(Layer.provide(FetchHttpClient.layer))
      ),
      Effect.result,
      Effect.map((result) => ({ result, requests: service.requests }))
    )
  )

describe("the signs of a dialect", () => {
  it.each<[string, Dialect.Name, ReadonlyArray<Scripted.Responder>, ReadonlyArray<Dialect.Name | undefined>]>(
    [
      ["all", "specification", [none, none, misses], ["specification", "specification", "specification"]],
      ["all", "ctx", [unknown, nothing, misses], ["ctx", "ctx", "ctx"]],
      [
        "those of the other dialect",
        "ctx",
        [none, none, Scripted.reply(415, "")],
        Array(3).fill("specification")
      ],
      ["those of the other dialect", "specification", [unknown, nothing, oneWord], Array(3).fill("ctx")],
      [
        "those of a refused batch search",
        "specification",
        [broken, broken, Scripted.problem(400, "no")],
        [undefined, undefined, "ctx"]
      ],
      ["none of failures", "specification", [broken, broken, broken], [undefined, undefined, undefined]],
      [
        "none of a malformed batch search",
        "ctx",
        [broken, broken, ok([{ dtxsid: null }])],
        [undefined, undefined, undefined]
      ],
      [
        "none of an identifier that is found",
        "ctx",
        [ok({}), ok([{}]), misses],
        [undefined, undefined, "ctx"]
      ],
      [
        "none of misses with another status",
        "ctx",
        [nothing, unknown, broken],
        [undefined, undefined, undefined]
      ]
    ]
  )("are %s, in %s (%#)", async (_, dialect, responders, expected) => {
    const { result } = await probe(dialect, responders)
    expect(result).toEqual(
      expect.objectContaining({
        success: [
          { request: "an unknown identifier", dialect: expected[0] },
          { request: "bioactivity of an unknown identifier", dialect: expected[1] },
          { request: "the batch search", dialect: expected[2] }
        ]
      })
    )
  })

  it("come from two requests for the last DTXSID and a batch search of two words", async () => {
    const { requests } = await probe("specification", [none, none, misses])
    expect(requests.map(({ body, method, url }) => `${method} ${url} ${body}`)).toEqual([
      expect.stringMatching(/^GET \/chemical\/detail\/search\/by-dtxsid\/DTXSID\d09999999999/),
      expect.stringMatching(/^GET \/bioactivity\/data\/summary\/search\/by-dtxsid\/DTXSID\d09999999999/),
      `POST /chemical/search/equal/ ${JSON.stringify(words)}`
    ])
  })

  it.each<[string, Scripted.Responder]>([
    ["Unauthorized", Scripted.problem(401, "who are you")],
    ["ConnectionFailed", Scripted.cutOff("{")],
    ["RequestTimeout", Scripted.reply(408, "")],
    ["ServiceUnavailable", Scripted.reply(429, "", { "retry-after": "31536000" })]
  ])("are not known after the failure %s", async (tag, responder) => {
    // A demand to wait fails only the next call.
    const before = tag === "ServiceUnavailable" ? [] : [none, none]
    const { requests, result } = await probe("specification", [...before, responder])
    expect(result).toMatchObject({ failure: { _tag: tag } })
    expect(requests).toHaveLength(before.length + 1)
  })
})
