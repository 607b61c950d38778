import { inspect } from "node:util"
import { ChemClient, ChemError, PromiseClient, RetryPolicy } from "@chemstream/client"
import { Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { describe, expect, expectTypeOf, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, key, settings, withClient, withService } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

/** The rejection of a call of a promise client that sends with this `fetch`. */
const rejectionWith = async (
  fetch: typeof globalThis.fetch,
  more: Partial<ChemClient.Settings> = {}
): Promise<unknown> => {
  const layer = ChemClient.layer(settings("http://127.0.0.1:9", more)).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch))
  )
  await using client = await PromiseClient.fromLayer(layer)
  return await client.details.byDtxsid(bisphenolA).then(
    () => undefined,
    (error: unknown) => error
  )
}

describe("the errors of calls", () => {
  const call = { endpoint: "details.byDtxsid", attempts: 1, message: "refused", status: 500 }
  const all = [
    new ChemError.Unauthorized(call),
    new ChemError.NotFound({ ...call, suggestions: [] }),
    new ChemError.InvalidRequest(call),
    new ChemError.BatchTooLarge({ ...call, batchSize: 1 }),
    new ChemError.RateLimited(call),
    new ChemError.ServiceFailure(call),
    new ChemError.RequestTimeout({ ...call, phase: "body" }),
    new ChemError.ConnectionFailed({ ...call, address: "http://host", phase: "connect" }),
    new ChemError.MalformedResponse({ ...call, path: "" }),
    new ChemError.ServiceUnavailable(call)
  ] satisfies ReadonlyArray<ChemError.ChemError>

  it.each(all.map((error) => [error._tag, error] as const))("have one base class: %s", (tag, error) => {
    expect(error).toBeInstanceOf(ChemError.CallError)
    expect(error).toBeInstanceOf(Error)
    expect(ChemError.isChemError(error)).toBe(true)
    expect(error).toMatchObject({ _tag: tag, name: tag, endpoint: "details.byDtxsid", attempts: 1 })
    expect(error.message).toBe("refused")
  })

  it("are told from other values", () => {
    const [first] = all
    const others = [
      undefined,
      null,
      "RateLimited",
      { ...first },
      new Error("refused"),
      { _tag: "RateLimited" }
    ]
    expect(others.map(ChemError.isChemError)).toEqual(others.map(() => false))
    const narrow = (error: unknown) => {
      if (ChemError.isChemError(error)) expectTypeOf(error).toEqualTypeOf<ChemError.ChemError>()
      if (error instanceof ChemError.CallError) expectTypeOf(error.retryable).toEqualTypeOf<boolean>()
    }
    narrow(first)
  })
})

describe("the cause of an error", () => {
  it("is the error of the transport, with its code", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" })
    const error = await rejectionWith(() => Promise.reject(new TypeError("fetch failed", { cause: refused })))
    expect(error).toMatchObject({
      _tag: "ConnectionFailed",
      code: "ECONNREFUSED",
      cause: {
        name: "TypeError",
        message: "fetch failed",
        cause: { message: "connect ECONNREFUSED 127.0.0.1:9", code: "ECONNREFUSED" }
      }
    })
  })

  it("has that of the first address, if the transport has tried several", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED ::1:9"), { code: "ECONNREFUSED" })
    const all = new AggregateError([refused, new Error("connect ETIMEDOUT 10.0.0.1:9")], "all failed")
    const cause = { message: "all failed", cause: { message: refused.message, code: "ECONNREFUSED" } }
    expect(await rejectionWith(() => Promise.reject(all))).toMatchObject({ code: "ECONNREFUSED", cause })
    const own = new AggregateError([refused], "all failed", { cause: new Error("no route") })
    expect(await rejectionWith(() => Promise.reject(own))).toMatchObject({
      cause: { message: "all failed", cause: { message: "no route" } }
    })
  })

  it("is not enumerable, so that it is in no log or file of the error's fields", async () => {
    const error = (await rejectionWith(() => Promise.reject(new Error("broken")))) as Error
    expect(error.cause).toMatchObject({ message: "broken" })
    expect(Object.keys(error)).not.toContain("cause")
    expect(JSON.stringify(error)).not.toContain("broken")
  })

  it("is that of the last attempt", async () => {
    let attempts = 0
    const error = await rejectionWith(() => Promise.reject(new Error(`attempt ${++attempts}`)), {
      retry: { attempts: 3, baseDelay: 0 }
    })
    expect(error).toMatchObject({ attempts: 3, cause: { message: "attempt 3" } })
  })

  it.each([
    ["in its message", () => new Error(`header x-api-key: ${key}`)],
    ["in the message of its own cause", () => new Error("failed", { cause: new Error(`sent ${key}`) })],
    [
      "in its fields",
      () => Object.assign(new Error("failed"), { request: { headers: { "x-api-key": key } } })
    ],
    ["in errors of several addresses", () => new AggregateError([new Error(key)], "all failed")],
    ["as a text", () => `no ${key}`]
  ])("never has the key: %s", async (_, failure) => {
    const error = await rejectionWith(() => Promise.reject(failure()))
    expect(error).toMatchObject({ _tag: "ConnectionFailed" })
    expect((error as Error).cause).toBeDefined()
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(key)
  })

  /** An error with causes: `count` errors in all, the last one with this code. */
  const chain = (count: number, code?: string): Error => {
    let error: Error | undefined
    for (let left = count; left > 0; left--) {
      const options = error === undefined ? {} : { cause: error }
      error = Object.assign(new Error(`error ${left}`, options), error === undefined && { code })
    }
    return error as Error
  }
  const messagesOf = (error: unknown): ReadonlyArray<string> =>
    error instanceof Error ? [error.message, ...messagesOf(error.cause)] : []

  it("has at most seven levels, also if it is its own cause", async () => {
    const loop = new Error("round and round")
    loop.cause = loop
    const looping = (await rejectionWith(() => Promise.reject(loop))) as Error
    expect(messagesOf(looping.cause)).toEqual(Array(7).fill(loop.message))
    for (const count of [6, 7, 8]) {
      const { cause } = (await rejectionWith(() => Promise.reject(chain(count)))) as Error
      expect(messagesOf(cause)).toHaveLength(Math.min(count, 7))
    }
  })

  it("gives the error its code from the first five levels", async () => {
    expect(await rejectionWith(() => Promise.reject(chain(5, "EPIPE")))).toMatchObject({ code: "EPIPE" })
    expect(await rejectionWith(() => Promise.reject(chain(6, "EPIPE")))).not.toHaveProperty("code")
  })

  it("is a copy with the name, the stack and a code that is a text", async () => {
    const failure = Object.assign(new Error("broken"), { name: "OwnError", code: "E1", errno: -5 })
    failure.stack = `OwnError: broken with ${key}`
    const { cause } = (await rejectionWith(() => Promise.reject(failure))) as { readonly cause?: Error }
    expect(cause).toMatchObject({ name: "OwnError", code: "E1", stack: "OwnError: broken with [redacted]" })
    expect(Object.keys(cause ?? {})).toEqual(["code"])
    const numeric = Object.assign(new Error("broken"), { code: 5 })
    const other = (await rejectionWith(() => Promise.reject(numeric))) as Error
    expect(other.cause).not.toHaveProperty("code")
    expect(other).not.toHaveProperty("code")
  })
})

describe("a failure of the connection", () => {
  const unreachable = "cannot reach the service at http://127.0.0.1:9"
  const closed = "the connection to http://127.0.0.1:9 was closed before a response"
  const service = "check the address and that the service runs"
  const scheme = "check the address, its port, and whether it is an https:// one"
  const certificate = "check that the address is an https:// one, and the service's certificate"
  const authority =
    "if you trust its authority, name the file of its certificate in NODE_EXTRA_CA_CERTS, or use the certificates of the system with NODE_OPTIONS=--use-system-ca"
  const proxy = "check the proxy's address and credentials"
  const failed = (code: string, more: object = {}) => Object.assign(new Error("failed"), { code, ...more })
  const refused = { code: "ECONNREFUSED", port: 9 }

  it.each<[string, unknown, string]>([
    ["without a code", new Error("broken"), `${unreachable}; ${service}`],
    ["with an empty code", failed(""), `${unreachable}; ${service}`],
    ["that is a text", "broken", `${unreachable}; ${service}`],
    ["ESOMETHING", failed("ESOMETHING"), `${unreachable} (ESOMETHING); ${service}`],
    [
      "ECONNREFUSED",
      failed("ECONNREFUSED"),
      `${unreachable} (ECONNREFUSED: nothing listens there); ${service}`
    ],
    [
      "ECONNREFUSED at an address",
      failed("", { errors: [failed("ECONNREFUSED", { ...refused, address: "::1" })] }),
      `${unreachable} (ECONNREFUSED: nothing listens at ::1:9); ${service}`
    ],
    [
      "ECONNREFUSED at an address without a port",
      failed("ECONNREFUSED", { address: "::1" }),
      `${unreachable} (ECONNREFUSED: nothing listens at ::1); ${service}`
    ],
    [
      "of several addresses, of which none is listed",
      failed("", { errors: [], cause: failed("EAI_AGAIN") }),
      `${unreachable} (EAI_AGAIN: the host name could not be resolved); ${service}`
    ],
    ["ENOTFOUND", failed("ENOTFOUND"), `${unreachable} (ENOTFOUND: there is no such host); ${service}`],
    ...["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].map((code): [string, unknown, string] => [
      code,
      failed(code),
      `${closed} (${code}: the other side closed the connection); check the service and the network`
    ]),
    [
      "of the parser of HTTP",
      Object.assign(new Error("bad"), { name: "HTTPParserError" }),
      `${unreachable} (HPE_INVALID_RESPONSE: the response is not HTTP); ${scheme}`
    ],
    [
      "of the parser of HTTP with a code",
      Object.assign(failed("HPE_INVALID_HEADER"), { name: "HTTPParserError" }),
      `${unreachable} (HPE_INVALID_HEADER: the response is not HTTP); ${scheme}`
    ],
    [
      "of a port that fetch refuses",
      new TypeError("fetch failed", { cause: new Error("bad port") }),
      `${unreachable} (BAD_PORT: fetch never connects to a port of another protocol); ${scheme}`
    ],
    [
      "of a proxy that needs credentials",
      failed("UND_ERR_ABORTED", { message: "Proxy Authentication Required (407)" }),
      `${unreachable} (PROXY_407: the proxy refused the connection); ${proxy}`
    ],
    [
      "of a proxy that refuses",
      failed("UND_ERR_ABORTED", { message: "Proxy response (502) !== 200 when HTTP Tunneling" }),
      `${unreachable} (PROXY_502: the proxy refused the connection); ${proxy}`
    ],
    ...[
      "EPROTO",
      "UND_ERR_PRX_TLS",
      "HOSTNAME_MISMATCH",
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "ERR_SSL_X",
      "CERT_HAS_EXPIRED",
      "UNABLE_TO_GET_CRL"
    ].map((code): [string, unknown, string] => [
      code,
      failed(code),
      `${unreachable} (${code}: no trusted TLS connection); ${certificate}`
    ]),
    ...[
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "SELF_SIGNED_CERT_IN_CHAIN",
      "UNABLE_TO_GET_ISSUER_CERT",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
    ].map((code): [string, unknown, string] => [
      code,
      failed(code),
      `${unreachable} (${code}: no trusted TLS connection); ${authority}`
    ])
  ])("says what to do: %s", async (_, failure, message) => {
    expect(await rejectionWith(() => Promise.reject(failure))).toMatchObject({
      _tag: "ConnectionFailed",
      phase: "connect",
      address: "http://127.0.0.1:9",
      message
    })
  })

  it.each(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"])("is a timeout of the phase connect: %s", async (code) => {
    expect(await rejectionWith(() => Promise.reject(failed(code)))).toMatchObject({
      _tag: "RequestTimeout",
      phase: "connect",
      message: `no connection to http://127.0.0.1:9 within the timeout (${code}); check the address and the network`
    })
  })

  it.each([
    ["", undefined],
    [" (Z_DATA_ERROR: the compressed body is incomplete or damaged)", "Z_DATA_ERROR"],
    [
      " (ZSTD_error_checksum_wrong: the compressed body is incomplete or damaged)",
      "ZSTD_error_checksum_wrong"
    ],
    [
      " (ERR__ERROR_FORMAT_PADDING_1: the compressed body is incomplete or damaged)",
      "ERR__ERROR_FORMAT_PADDING_1"
    ],
    [
      " (ERR_TRAILING_JUNK_AFTER_STREAM_END: the compressed body is incomplete or damaged)",
      "ERR_TRAILING_JUNK_AFTER_STREAM_END"
    ],
    [
      " (UND_ERR_RES_CONTENT_LENGTH_MISMATCH: the body has another length than announced)",
      "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"
    ],
    [" (ECONNRESET: the other side closed the connection)", "ECONNRESET"],
    [" (ETIMEDOUT)", "ETIMEDOUT"]
  ])("within a response says that it was cut off%s", async (reason, code) => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error("failed"), { code }))
    })
    const error = await rejectionWith(() => Promise.resolve(new Response(body)))
    expect(error).toMatchObject({
      _tag: "ConnectionFailed",
      phase: "body",
      ...(code === undefined ? {} : { code }),
      message: `the connection to http://127.0.0.1:9 was cut off during the response${reason}; check the service and the network`
    })
    expect(Object.keys(error as object).includes("code")).toBe(code !== undefined)
  })
})

describe("a mistake in the fetch of a program", () => {
  it.each([
    ["ReferenceError", () => new ReferenceError("headres is not defined")],
    ["TypeError", () => new TypeError("Cannot read properties of undefined (reading 'get')")],
    ...[
      "response.jsn is not a function",
      "Reply is not a constructor",
      "headers is not iterable",
      "x is not defined",
      "Cannot set properties of null",
      "Cannot access 'x' before initialization",
      "Cannot destructure property 'a' of 'b'"
    ].map((message): [string, () => Error] => ["TypeError", () => new TypeError(message)]),
    ["SyntaxError", () => new SyntaxError("Unexpected token")],
    ["RangeError", () => new RangeError("Invalid status code")]
  ])("is rejected as it is, and not repeated: %s", async (_, make) => {
    let sent = 0
    const mistake = make()
    const error = await rejectionWith(
      () => {
        sent++
        throw mistake
      },
      { retry: { attempts: 3, baseDelay: 0 } }
    )
    expect(error).toBe(mistake)
    expect(sent).toBe(1)
  })

  it.each([
    ["of a browser without a connection", () => new TypeError("Failed to fetch")],
    ["of Safari", () => new TypeError("Load failed")],
    ["of another kind with such a message", () => new Error("Cannot read the file")],
    ["of a range, with a code", () => Object.assign(new RangeError("too long"), { code: "ERR_X" })],
    ["that is a text like that of a mistake", () => "x is not a function"],
    ["of a proxy of the program", () => new Error("the tunnel is closed")]
  ])("is not the failure %s", async (_, make) => {
    expect(await rejectionWith(() => Promise.reject(make()))).toMatchObject({ _tag: "ConnectionFailed" })
  })
})

describe("the retries of a client", () => {
  const failures = (retry: RetryPolicy.Retries) =>
    withService(
      Array.from({ length: 6 }, () => Scripted.problem(500, "broken")),
      (service) =>
        Effect.gen(function* () {
          const call = withClient(settings(service.url, { retry }), (client) =>
            Effect.flip(client.details.byDtxsid(bisphenolA))
          )
          const error = yield* call
          expect(error).toMatchObject({ _tag: "ServiceFailure", attempts: service.requests.length })
          return service.requests.length
        })
    )

  it.each([
    [1, 1],
    [{ attempts: 3, baseDelay: 0 }, 3],
    [{ attempts: undefined, baseDelay: 0, maxElapsed: undefined }, 5],
    [Schedule.recurs(1), 2],
    [(_: ChemError.ChemError, { attempt }: RetryPolicy.State) => (attempt < 4 ? 0 : undefined), 4]
  ] as const)("%j make %i requests", async (retry, requests) => {
    expect(await failures(retry as RetryPolicy.Retries)).toBe(requests)
  })

  it.each([
    ["a schedule", Schedule.spaced("20 millis")],
    ["numbers", { baseDelay: "20 millis", maxDelay: "20 millis" }],
    ["a function", () => "20 millis"]
  ] as const)("wait as %s says after a 429 without a time", async (_, retry) => {
    const service = Virtual.make(({ index }) => Effect.succeed(index < 3 ? { status: 429 } : Virtual.record))
    const call = withClient(
      settings("http://127.0.0.1:9", { retry }),
      (client) => client.details.byDtxsid(bisphenolA),
      service.layer
    )
    await Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(call, { startImmediately: true })
      for (let step = 0; step < 10; step++) yield* TestClock.adjust(20)
      yield* Fiber.join(fiber)
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
    expect(service.times).toHaveLength(4)
    expect(Math.max(...service.times)).toBeLessThanOrEqual(200)
  })

  it("have the defaults where a number is not given", () => {
    expect(RetryPolicy.complete({})).toEqual(RetryPolicy.defaultPolicy)
    expect(RetryPolicy.complete(2)).toEqual({ ...RetryPolicy.defaultPolicy, attempts: 2 })
  })

  it.each([[0], ["3"], [{ attempts: 0 }], [{ tries: 3 }], [[3]]])("are refused: %j", async (retry) => {
    const client = PromiseClient.createClient({
      baseUrl: "http://127.0.0.1:9",
      apiKey: Redacted.make(key),
      retry: retry as number
    })
    await expect(client).rejects.toMatchObject({
      _tag: "InvalidOption",
      option: expect.stringMatching(/^retry/)
    })
  })
})
