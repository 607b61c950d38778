/** What each failure of a call means for its values, its run and the service: the table of docs/decisions/0031-one-model-of-not-now.md. */
import type { Availability } from "@chemstream/batch"
import { ChemError } from "@chemstream/client"
import { describe, expect, it } from "vitest"

const common = { endpoint: "details.byDtxsid", attempts: 1, message: "" }

const invalid = (more: object) => new ChemError.InvalidRequest({ ...common, ...more })
const notFound = (more: object = {}) =>
  new ChemError.NotFound({ ...common, status: 404, suggestions: [], ...more })
const limited = (more: object = {}) => new ChemError.RateLimited({ ...common, status: 429, ...more })
const failed = (status: number, more: object = {}) =>
  new ChemError.ServiceFailure({ ...common, status, ...more })
const late = (phase: ChemError.RequestTimeout["phase"]) => new ChemError.RequestTimeout({ ...common, phase })
const malformed = (more: object = {}) =>
  new ChemError.MalformedResponse({ ...common, status: 200, path: "", ...more })
const cutOff = (phase: ChemError.ConnectionFailed["phase"], code?: string) =>
  new ChemError.ConnectionFailed({
    ...common,
    address: "http://localhost",
    phase,
    ...(code === undefined ? {} : { code })
  })

/** A failure, its signal, its verdict if the service has ever responded or not, and whether a retry can help. */
type Row = readonly [string, ChemError.ChemError, Availability.Signal, string, string, boolean]

const rows: ReadonlyArray<Row> = [
  [
    "a refused key",
    new ChemError.Unauthorized({ ...common, status: 401 }),
    "responded",
    "stop",
    "stop",
    false
  ],
  ["an unknown value", notFound(), "responded", "missing", "missing", false],
  ["a 404 of a gateway", notFound({ gateway: true }), "unclear", "isolate", "isolate", false],
  ["a refused value", invalid({ status: 400 }), "responded", "isolate", "isolate", false],
  ["a refusal by a gateway", invalid({ status: 403, gateway: true }), "refused", "isolate", "isolate", false],
  ["an unknown path", invalid({ status: 404 }), "unclear", "isolate", "isolate", false],
  [
    "a missing endpoint",
    invalid({ status: 404, isEndpointMissing: true, gateway: true }),
    "responded",
    "stop",
    "stop",
    false
  ],
  [
    "a redirect",
    invalid({ status: 302, redirect: "http://elsewhere", gateway: true }),
    "elsewhere",
    "isolate",
    "stop",
    false
  ],
  ["a refused content type", invalid({ status: 415 }), "responded", "stop", "stop", false],
  [
    "a request of another dialect",
    invalid({ status: 400, dialect: "ctx" }),
    "responded",
    "stop",
    "stop",
    false
  ],
  ["a request that the dialect does not have", invalid({ attempts: 0 }), "unsent", "stop", "stop", false],
  [
    "a batch that is too large",
    new ChemError.BatchTooLarge({ ...common, status: 413, batchSize: 5 }),
    "responded",
    "halve",
    "halve",
    false
  ],
  ["too many requests", limited(), { throttled: 0 }, "isolate", "isolate", true],
  [
    "too many requests, with a time",
    limited({ retryAfter: 7 }),
    { throttled: 7 },
    "isolate",
    "isolate",
    true
  ],
  ["a failure of the service", failed(500), "failed", "isolate", "isolate", true],
  ["a failure with a time", failed(500, { retryAfter: 7 }), "failed", "isolate", "isolate", true],
  ["a lasting failure of a batch", failed(500, { permanent: true }), "failed", "isolate", "isolate", false],
  ["a method that does not exist", failed(501), "failed", "isolate", "isolate", false],
  ["a failure of a gateway", failed(502), "unavailable", "isolate", "isolate", true],
  ["maintenance", failed(503), "unavailable", "isolate", "isolate", true],
  ["maintenance, with a time", failed(503, { retryAfter: 7 }), { throttled: 7 }, "isolate", "isolate", true],
  ["a gateway that waited in vain", failed(504), "overdue", "isolate", "isolate", true],
  ["no connection in time", late("connect"), "unreachable", "isolate", "stop", true],
  ["no response in time", late("headers"), "overdue", "halve", "halve", true],
  ["no complete response in time", late("body"), "overdue", "halve", "halve", true],
  ["a refused connection", cutOff("connect", "ECONNREFUSED"), "unreachable", "isolate", "stop", true],
  ["a failure without a code", cutOff("connect"), "unreachable", "isolate", "stop", true],
  ["an unknown host", cutOff("connect", "ENOTFOUND"), "unreachable", "isolate", "stop", false],
  [
    "a certificate of another host",
    cutOff("connect", "HOSTNAME_MISMATCH"),
    "unreachable",
    "isolate",
    "stop",
    false
  ],
  ["an address without TLS", cutOff("connect", "EPROTO"), "unreachable", "isolate", "stop", false],
  ["a failure of TLS", cutOff("connect", "ERR_SSL_WRONG_VERSION"), "unreachable", "isolate", "stop", false],
  ["an old certificate", cutOff("connect", "CERT_HAS_EXPIRED"), "unreachable", "isolate", "stop", false],
  [
    "an unknown authority",
    cutOff("connect", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
    "unreachable",
    "isolate",
    "stop",
    false
  ],
  ["a proxy without a password", cutOff("connect", "PROXY_407"), "unreachable", "isolate", "stop", false],
  ["a proxy that failed", cutOff("connect", "PROXY_502"), "unreachable", "isolate", "stop", true],
  [
    "bytes that are not HTTP",
    cutOff("connect", "HPE_INVALID_CONSTANT"),
    "unreachable",
    "isolate",
    "stop",
    false
  ],
  [
    "bytes that are not HTTP any more",
    cutOff("body", "HPE_INVALID_CHUNK_SIZE"),
    "unreachable",
    "halve",
    "halve",
    true
  ],
  ["a response that was cut off", cutOff("body", "ECONNRESET"), "unreachable", "halve", "halve", true],
  ["a malformed response", malformed(), "failed", "isolate", "isolate", true],
  ["a web page", malformed({ page: "Sign in" }), "elsewhere", "isolate", "stop", true],
  ["a response of another dialect", malformed({ dialect: "ctx" }), "responded", "stop", "stop", false],
  [
    "a wait in vain",
    ChemError.unavailable("details.byDtxsid", { message: "down" } as never),
    "unsent",
    "stop",
    "stop",
    true
  ]
]

describe("the meaning of an error", () => {
  it.each(rows)("is that of the table: %s", (_, error, signal, reached, unreached, isRetryable) => {
    expect(ChemError.signal(error)).toEqual(signal)
    expect(ChemError.verdict(error, true)).toBe(reached)
    expect(ChemError.verdict(error, false)).toBe(unreached)
    expect(error.retryable).toBe(isRetryable)
    expect(ChemError.isChemError(error)).toBe(true)
  })

  it.each(rows)("of a request that was not sent says nothing about the service: %s", (_, error) => {
    const { _tag, ...fields } = error as unknown as { readonly _tag: string }
    const Unsent = error.constructor as new (fields: object) => ChemError.ChemError
    expect(ChemError.signal(new Unsent({ ...fields, attempts: 0, message: "" }))).toBe("unsent")
  })

  it.each<[string, ChemError.ChemError, number | undefined, number | undefined]>([
    ["429 with a time", limited({ retryAfter: 7 }), 7, 7],
    ["429 without a time", limited(), 0, undefined],
    ["503 with a time", failed(503, { retryAfter: 7 }), 7, 7],
    ["503 without a time", failed(503), undefined, undefined],
    ["500 with a time", failed(500, { retryAfter: 7 }), undefined, 7],
    ["another error of the status 503", malformed({ status: 503, retryAfter: 7 }), undefined, undefined]
  ])("has the pause of all requests, and the wait of its own: %s", (_, error, pause, wait) => {
    expect(ChemError.pauseOf(error)).toBe(pause)
    expect(ChemError.retryAfter(error)).toBe(wait)
  })

  it("has the most values of a batch, if it says so", () => {
    expect(ChemError.limit(new ChemError.BatchTooLarge({ ...common, batchSize: 5, limit: 3 }))).toBe(3)
    expect(ChemError.limit(notFound())).toBeUndefined()
  })

  it("has the time until which the service asks to wait, if there is one", () => {
    expect(ChemError.unavailable("a", { message: "down", until: 5 } as never)).toMatchObject({
      endpoint: "a",
      attempts: 0,
      message: "down",
      until: 5
    })
    expect(ChemError.unavailable("a", { message: "down" } as never)).not.toHaveProperty("until")
  })

  it.each([
    [1, "1 record of the response lacks an identifier"],
    [2, "2 records of the response lack an identifier"]
  ])("counts the records without an identifier: %i", (count, message) => {
    expect(ChemError.unidentified("a", 3, count)).toMatchObject({
      attempts: 3,
      status: 200,
      path: "",
      message: expect.stringContaining(message)
    })
  })

  it("names an identifier of each side if none matches", () => {
    const { attempts, message } = ChemError.unmatched("a", "x", "y")
    expect(attempts).toBe(1)
    expect(message).toContain("y was requested, and the first record has ")
    expect(message).toContain("x")
  })

  it.each([
    ["error", () => ChemError.signal({} as never)],
    ["error", () => ChemError.verdict(new Error("") as never, true)],
    ["error", () => ChemError.pauseOf(undefined as never)],
    ["error", () => ChemError.unavailable("a", {} as never)],
    ["endpoint", () => ChemError.unavailable(5 as never, { message: "" } as never)],
    ["attempts", () => ChemError.malformed("a", -1, "")],
    ["path", () => ChemError.malformed("a", 1, "", 5 as never)],
    ["count", () => ChemError.unidentified("a", 1, 0)]
  ])("refuses a wrong argument by its name: %s", (name, use) => {
    expect(use).toThrow(`The argument ${name} `)
  })

  it.each([
    ["ECONNRESET", true, false],
    ["EPIPE", true, false],
    ["UND_ERR_SOCKET", true, false],
    ["ECONNREFUSED", false, false],
    ["HPE_INVALID_VERSION", false, true],
    ["NOT_HPE_", false, false]
  ])("tells a closed connection and bytes that are not HTTP by the code %s", (code, reset, isNotHttp) => {
    expect(ChemError.isReset(code)).toBe(reset)
    expect(ChemError.isNotHttp(code)).toBe(isNotHttp)
  })
})
