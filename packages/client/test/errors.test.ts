import type { AddressInfo } from "node:net"
import { connect, createServer, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { Worker } from "node:worker_threads"
import {
  CallObserver,
  type ChemClient,
  type ChemError,
  type InvalidOption,
  RetryPolicy
} from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Effect, Inspectable, type Layer, type Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { describe, expect, it } from "vitest"
import * as Certificate from "./loopbackCertificate.ts"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, key, settings, withClient, withService } from "./testClient.ts"

type AnyTransport = Layer.Layer<HttpClient.HttpClient, InvalidOption.InvalidOption>

const transports: ReadonlyArray<[string, AnyTransport]> = [
  ["fetch", FetchHttpClient.layer],
  ["Transport.layer", Transport.layer({ proxy: false, connectTimeout: "20 seconds" })]
]

const callError = (url: string, more: Partial<ChemClient.Settings>, transport?: AnyTransport) =>
  Effect.flip(
    withClient(
      settings(url, more),
      (client) => client.details.byDtxsidBatch([bisphenolA, "DTXSID3039242"]),
      transport
    )
  )

/** Returns the error of a call with this response. */
const errorOf = (
  responder: Scripted.Responder,
  more: Partial<ChemClient.Settings> = {},
  transport?: AnyTransport
): Promise<ChemError.ChemError> =>
  withService([responder], ({ url }) => callError(url, more, transport)) as Promise<ChemError.ChemError>

/** Returns the error of a call to this address. */
const errorAt = (url: string, transport: AnyTransport): Promise<ChemError.ChemError> =>
  Effect.runPromise(callError(url, {}, transport)) as Promise<ChemError.ChemError>

const quickRetries = RetryPolicy.make({ baseDelay: 1, maxDelay: 2 })

describe.each(transports)("a failure over %s", (_, transport) => {
  it.each<[string, Scripted.Responder, object]>([
    [
      "problem details 401",
      Scripted.problem(401, "who are you"),
      { _tag: "Unauthorized", status: 401, retryable: false }
    ],
    ["problem details 403", Scripted.problem(403, "no"), { _tag: "Unauthorized", status: 403 }],
    [
      "JSON of another shape as 403",
      Scripted.reply(403, '{"message":"Forbidden"}'),
      { _tag: "Unauthorized" }
    ],
    [
      "a page as 403",
      Scripted.reply(403, "<html><title>Request Rejected</title></html>", { "content-type": "text/html" }),
      {
        _tag: "InvalidRequest",
        status: 403,
        gateway: true,
        message: "a gateway in front of the service rejected the request (403): Request Rejected"
      }
    ],
    [
      "problem details 404",
      Scripted.problem(404, "none"),
      { _tag: "NotFound", suggestions: [], retryable: false }
    ],
    [
      "problem details 404 for an unknown path",
      Scripted.problem(404, "No static resource ctx/chemical."),
      { _tag: "InvalidRequest", status: 404, message: expect.stringContaining("check the base URL") }
    ],
    [
      "a page as 404",
      Scripted.reply(404, "<html><title>Not Found</title></html>", { "content-type": "text/html" }),
      { _tag: "InvalidRequest", status: 404, message: expect.stringContaining("check the base URL") }
    ],
    [
      "a search miss: 400 with suggestions",
      Scripted.problem(400, "Searched by Synonym: Found 0 results for 'x'.", {
        suggestions: ["apfds", "pfds"]
      }),
      { _tag: "NotFound", status: 400, suggestions: ["apfds", "pfds"] }
    ],
    [
      "a search miss whose only suggestion is null",
      Scripted.problem(400, "Found 0 results for 'x'.", { suggestions: [null] }),
      { _tag: "NotFound", suggestions: [] }
    ],
    [
      "problem details 400",
      Scripted.problem(400, "bad word"),
      { _tag: "InvalidRequest", status: 400, retryable: false }
    ],
    [
      "413 for a large batch",
      Scripted.problem(413, "limit 1"),
      {
        _tag: "BatchTooLarge",
        batchSize: 2,
        message: "the service takes fewer than 2 values in one call (413): limit 1; use a smaller batch size"
      }
    ],
    [
      "400 for a large batch",
      Scripted.problem(400, "System supports only '1' dtxsid at one time, '2' are submitted."),
      { _tag: "BatchTooLarge", status: 400 }
    ],
    [
      "400 for a large batch in the text of later versions",
      Scripted.problem(400, "Batch exceeded maximum configured size (1)"),
      { _tag: "BatchTooLarge", status: 400 }
    ],
    [
      "a 400 that names another limit",
      Scripted.problem(400, "The value exceeds the maximum length, the limit is 20 characters"),
      { _tag: "InvalidRequest", status: 400 }
    ],
    [
      "the older shape of errors",
      Scripted.reply(500, '{"timestamp":"2024","status":500,"error":"Internal Server Error","path":"/x"}'),
      {
        _tag: "ServiceFailure",
        status: 500,
        message: "the service failed (500): Internal Server Error",
        retryable: true
      }
    ],
    [
      "an HTML page of a gateway",
      Scripted.reply(502, "<html><head><title>502 Bad Gateway</title></head><body>x</body></html>", {}),
      { _tag: "ServiceFailure", status: 502, message: "the service failed (502): 502 Bad Gateway" }
    ],
    [
      "an empty body",
      Scripted.reply(503, "", {}),
      { _tag: "ServiceFailure", message: "the service failed (503)" }
    ],
    ["501", Scripted.reply(501, "", {}), { _tag: "ServiceFailure", retryable: false }],
    ["408", Scripted.reply(408, "", {}), { _tag: "RequestTimeout", retryable: true }],
    ["425", Scripted.reply(425, "", {}), { _tag: "ServiceFailure", retryable: true }],
    [
      "429 with seconds to wait",
      Scripted.reply(429, "", { "retry-after": "7" }),
      { _tag: "RateLimited", retryAfter: 7000, retryable: true }
    ],
    [
      "429 with two waits, as of a gateway and a service",
      Scripted.reply(429, "", { "retry-after": "7, 30" }),
      { _tag: "RateLimited", retryAfter: 30_000 }
    ],
    [
      "429 with digits that are neither a wait nor a date",
      Scripted.reply(429, "", { "retry-after": "5 7" }),
      { _tag: "RateLimited", message: expect.not.stringContaining("retry after") }
    ],
    [
      "429 with a past date",
      Scripted.reply(429, "", { "retry-after": "Thu, 01 Jan 2015 00:00:00 GMT" }),
      { _tag: "RateLimited", retryAfter: 0, retryable: true }
    ],
    [
      "429 with a wait of a year",
      Scripted.reply(429, "", { "retry-after": "31536000" }),
      {
        _tag: "RateLimited",
        retryAfter: 31_536_000_000,
        message: "the service throttled the request (429); retry after 365 days"
      }
    ],
    ...(
      [
        [599, "599 s"],
        [600, "10 min"],
        [172_799, "2880 min"],
        [172_800, "2 days"],
        [8_640_000_000, "100000 days"]
      ] as const
    ).map(([seconds, wait]): [string, Scripted.Responder, object] => [
      `429 with a wait of ${seconds} s`,
      Scripted.reply(429, "", { "retry-after": String(seconds) }),
      { message: `the service throttled the request (429); retry after ${wait}` }
    ]),
    ...([300, 301, 399] as const).map((status): [string, Scripted.Responder, object] => [
      `${status} without an address`,
      Scripted.reply(status, "", {}),
      {
        _tag: "InvalidRequest",
        redirect: "",
        message: `the service redirects (${status}); check the base URL`
      }
    ]),
    [
      "300 with an address",
      Scripted.reply(300, "", { location: "http://elsewhere" }),
      { redirect: "http://elsewhere", message: expect.stringContaining("(300) to http://elsewhere; no ") }
    ],
    [
      "another status with an address",
      Scripted.reply(400, "no", { location: "http://elsewhere" }),
      { _tag: "InvalidRequest", message: "a gateway in front of the service rejected the request (400): no" }
    ],
    [
      "a redirect, which is not followed",
      Scripted.reply(307, "", { location: "http://elsewhere" }),
      {
        _tag: "InvalidRequest",
        redirect: "http://elsewhere",
        message:
          "the service redirects (307) to http://elsewhere; no service responds there: check the base URL, or sign in to the network"
      }
    ],
    [
      "a 200 that is an HTML page",
      Scripted.reply(200, "<html>maintenance</html>", {}),
      { _tag: "MalformedResponse", path: "" }
    ],
    [
      "a 200 that is empty",
      Scripted.reply(200, ""),
      { _tag: "MalformedResponse", status: 200, retryable: true }
    ],
    ["a 200 with truncated JSON", Scripted.reply(200, '[{"dtxsid":"DTX'), { _tag: "MalformedResponse" }],
    [
      "a 200 with an error object",
      Scripted.reply(200, '{"error":"slow down"}'),
      { _tag: "MalformedResponse" }
    ],
    [
      "a 200 with a field of another type",
      Scripted.reply(200, '[{"dtxsid":"DTXSID7020182"},{"dtxsid":5}]'),
      { _tag: "MalformedResponse", path: "[1].dtxsid" }
    ]
  ])("is classified, with endpoint and attempts: %s", async (_, responder, expected) => {
    expect(await errorOf(responder, {}, transport)).toMatchObject({
      endpoint: "details.byDtxsidBatch",
      attempts: 1,
      ...expected
    })
  })

  it("is ConnectionFailed with address and reason when nothing listens", async () => {
    const port = await freePort()
    const error = await errorAt(`http://127.0.0.1:${port}`, transport)
    expect(error).toMatchObject({
      _tag: "ConnectionFailed",
      phase: "connect",
      code: "ECONNREFUSED",
      retryable: true
    })
    expect(error.message).toContain(`http://127.0.0.1:${port} (ECONNREFUSED: nothing listens`)
  })

  it("is ConnectionFailed when the host name cannot be resolved", async () => {
    const error = await errorAt("http://no-such-host.invalid", transport)
    expect(error).toMatchObject({ _tag: "ConnectionFailed", phase: "connect" })
    // Without a network, some resolvers return ENOTFOUND and some EAI_AGAIN.
    expect([
      ["ENOTFOUND", false],
      ["EAI_AGAIN", true]
    ]).toContainEqual([(error as ChemError.ConnectionFailed).code, error.retryable])
    expect(error.message).toMatch(/there is no such host|could not be resolved/)
  })

  it("is ConnectionFailed and not retryable when the certificate is not trusted", () =>
    withServer(
      createTlsServer(Certificate).on("tlsClientError", () => {}),
      async (port) => {
        expect(await errorAt(`https://127.0.0.1:${port}`, transport)).toMatchObject({
          _tag: "ConnectionFailed",
          phase: "connect",
          code: "DEPTH_ZERO_SELF_SIGNED_CERT",
          retryable: false,
          message: expect.stringContaining("no trusted TLS connection")
        })
      }
    ))

  it("is ConnectionFailed and not retryable when the service has no TLS", () =>
    withServer(
      createServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      async (port) => {
        expect(await errorAt(`https://127.0.0.1:${port}`, transport)).toMatchObject({
          _tag: "ConnectionFailed",
          retryable: false,
          message: expect.stringContaining("check that the address is an https:// one")
        })
      }
    ))

  it("is ConnectionFailed when the connection is reset before a response", () =>
    withServer(
      createServer((socket) => socket.once("data", () => socket.resetAndDestroy())),
      async (port) => {
        const error = await errorAt(`http://127.0.0.1:${port}`, transport)
        expect(error).toMatchObject({ _tag: "ConnectionFailed", phase: "connect", retryable: true })
        expect(error.message).toContain("was closed before a response")
      }
    ))

  it("is ConnectionFailed when the response is cut off", async () => {
    for (const cut of ["closed", "reset"] as const) {
      expect(await errorOf(Scripted.cutOff('[{"dtxsid":"DTXSID7', cut), {}, transport)).toMatchObject({
        _tag: "ConnectionFailed",
        phase: "body",
        retryable: true
      })
    }
  })

  it("is RequestTimeout of the headers when no response arrives in time", async () => {
    expect(await errorOf(Scripted.silence, { timeouts: { headers: 50 } }, transport)).toMatchObject({
      _tag: "RequestTimeout",
      phase: "headers",
      retryable: true
    })
  })

  it("is RequestTimeout of the body when a response does not finish", async () => {
    expect(await errorOf(stalledBody, { timeouts: { body: 50 } }, transport)).toMatchObject({
      _tag: "RequestTimeout",
      phase: "body",
      retryable: true
    })
  })
})

describe("the reason of a refusal", () => {
  const json = (body: object) => JSON.stringify(body)
  const words = "word ".repeat(50).trim()
  it.each<[string, string, string]>([
    ["the detail before other fields", json({ message: "m", error: "e", title: "t", detail: "d" }), ": d"],
    ["the title before an error", json({ message: "m", error: "e", title: "t" }), ": t"],
    ["the error before a message", json({ message: "m", error: "e" }), ": e"],
    ["the message", json({ message: "m" }), ": m"],
    ["the first field that has a text", json({ detail: "", title: 5, error: null, message: "m" }), ": m"],
    ["the title with the texts of a list", json({ title: "t", violations: ["a", 5, "b"] }), ": t: a: b"],
    ["the texts of an object by field", json({ violations: { x: "a", y: null } }), ": a"],
    ["no text of violations that are a text", json({ title: "t", violations: "a" }), ": t"],
    ["a document without a text", json({ status: 400 }), ': {"status":400}'],
    ["a list as it is", '["a"]', ': ["a"]'],
    ["a plain text in one line", " a\n  b\t", ": a b"],
    ["an empty body as nothing", "", ""],
    ["white space as nothing", " \n ", ""],
    ["200 characters", "x".repeat(200), `: ${"x".repeat(200)}`],
    ["no more than 200 characters", words, `: ${words.slice(0, 200)}…`],
    ["the title of a page", "\n<html><title lang='en'>No\nroute</title>x", ": No route"],
    [
      "the words of a page without a title",
      "<p>No</p><script>x()</script><STYLE a>b{}</style><br>route</p>",
      ": No route"
    ],
    ["a sign that opens no page", "a <b> c", ": a <b> c"]
  ])("is %s", async (_, body, reason) => {
    const error = await errorOf(Scripted.reply(400, body))
    const sender = body.startsWith("{") ? "the service" : "a gateway in front of the service"
    expect(error.message).toBe(`${sender} rejected the request (400)${reason}`)
    expect("gateway" in error).toBe(!body.startsWith("{"))
  })

  it.each([
    [65_536, "the service rejected the request (400): d"],
    [65_537, 'a gateway in front of the service rejected the request (400): {"detail":"d","more":"xxx']
  ])("is read from the first 64 KiB of a body: %i bytes", async (size, start) => {
    const body = JSON.stringify({ detail: "d", more: "" })
    const padded = body.replace('""', `"${"x".repeat(size - body.length)}"`)
    expect((await errorOf(Scripted.reply(400, padded))).message.startsWith(start)).toBe(true)
  })

  const spring = { timestamp: "2026", status: 500, error: "Internal Server Error" }
  it.each<[string, object, boolean, number?]>([
    ["a time and an error", spring, true],
    ["no time", { ...spring, timestamp: undefined }, false],
    ["a detail", { ...spring, detail: "d" }, false],
    ["a message", { ...spring, message: "m" }, false],
    ["another status", spring, false, 502]
  ])(
    "lacks for good in a repeated 500 to a batch with %s: %o",
    async (_, body, isPermanent, status = 500) => {
      const error = await errorOf(Scripted.reply(status, json(body)), {
        retry: RetryPolicy.make({ attempts: 2, baseDelay: 1 })
      })
      expect(error).toMatchObject({ _tag: "ServiceFailure", attempts: 2 })
      expect("permanent" in error && error.permanent === true).toBe(isPermanent)
    }
  )

  it("may have suggestions, of which texts are kept, in one line, and the first five shown", async () => {
    const suggestions = ["a", 5, null, "b\nc", "d", "e", "f", "g"]
    const error = await errorOf(Scripted.problem(400, "Found 0 results for 'x'.", { suggestions }))
    expect(error).toMatchObject({ _tag: "NotFound", suggestions: ["a", "b c", "d", "e", "f", "g"] })
    expect(error.message).toBe("not found (400): Found 0 results for 'x'. Did you mean a, b c, d, e, f?")
    for (const none of ["a", { a: "b" }])
      expect(await errorOf(Scripted.problem(400, "no", { suggestions: none }))).toMatchObject({
        _tag: "InvalidRequest"
      })
  })

  it.each([
    ["found 0 results for 'x'", "NotFound"],
    ["DTXSID with value DTXSID7020182 not found", "NotFound"],
    ["dtxcid with value x not found", "NotFound"],
    ["List name with value x not found", "NotFound"],
    ["the DTXSID with value x not found", "InvalidRequest"],
    ["DTXAID with value x not found", "InvalidRequest"]
  ])("of a 400 says whether the value is unknown: %s", async (detail, tag) => {
    expect((await errorOf(Scripted.problem(400, detail)))._tag).toBe(tag)
    expect((await errorOf(Scripted.problem(422, detail)))._tag).toBe("InvalidRequest")
  })
})

describe("a page in place of data", () => {
  it.each([
    ["<!DOCTYPE html><title>Sign in</title>", "Sign in"],
    ["\n<HTML><body>Sign in", "Sign in"],
    ["<head><title></title>", ""],
    ["<body>", ""],
    ["<!-- a --><p>b</p>", "b"],
    ["<?xml version='1.0'?><html><title>c</title>", "c"],
    ["\ufeff<html><title>d</title>", "d"],
    ["<p>e</p>", undefined],
    ["e <html>", undefined]
  ])("%j has the title %j", async (body, title) => {
    const error = await errorOf(Scripted.reply(200, body))
    expect(error).toMatchObject({ _tag: "MalformedResponse", path: "" })
    expect("page" in error ? error.page : undefined).toBe(title)
    const shown = title === "" ? "" : ` ("${title}")`
    if (title !== undefined)
      expect(error.message).toBe(
        `a web page${shown} came instead of the data (200); check the base URL, or sign in to the network`
      )
    else expect(error.message).toContain("the response is malformed (200): the body is not JSON")
  })
})

describe("a connection that is never accepted", () => {
  it("is RequestTimeout of the phase connect, before the timeout of the headers", () =>
    Effect.gen(function* () {
      const port = yield* fullBacklog
      const error = yield* callError(
        `http://127.0.0.1:${port}`,
        { timeouts: { headers: 60_000 } },
        Transport.layer({ proxy: false, connectTimeout: 100 })
        // The default of undici is 10 seconds.
      ).pipe(Effect.timeout("7 seconds"))
      expect(error).toMatchObject({ _tag: "RequestTimeout", phase: "connect", retryable: true })
      expect(error.message).toContain(`no connection to http://127.0.0.1:${port}`)
    }).pipe(Effect.scoped, Effect.runPromise))
})

describe("a failure over any transport", () => {
  it("is MalformedResponse when a body exceeds the limit, with or without a Content-Length", async () => {
    const body = `["${"x".repeat(5000)}"]`
    const chunked: Scripted.Responder = (response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.write(body.slice(0, 100))
      response.end(body.slice(100))
    }
    for (const responder of [Scripted.reply(200, body), chunked]) {
      expect(await errorOf(responder, { maxBodyBytes: 5000 })).toMatchObject({
        _tag: "MalformedResponse",
        message: expect.stringContaining("longer than the limit of 5000 bytes")
      })
    }
  })

  it("reads only the beginning of a huge error page", async () => {
    let bytesSent = 0
    const endless: Scripted.Responder = (response) => {
      response.writeHead(500, { "content-type": "text/plain" })
      const more = (): void => {
        while (bytesSent < 200_000_000 && response.write("words ".repeat(10_000))) bytesSent += 60_000
        if (bytesSent < 200_000_000) response.once("drain", more)
        else response.end()
      }
      more()
    }
    expect(await errorOf(endless)).toMatchObject({ _tag: "ServiceFailure", status: 500 })
    expect(bytesSent).toBeLessThan(20_000_000)
  })

  it("never shows the key", async () => {
    for (const responder of [Scripted.problem(401, "no"), Scripted.reply(200, "x"), Scripted.cutOff("[")]) {
      const error = await errorOf(responder)
      expect(
        `${error.message}${JSON.stringify(error)}${Inspectable.toStringUnknown(error)}${error.stack}`
      ).not.toContain(key)
    }
  })
})

describe("a retry", () => {
  it("follows each retryable error until the call succeeds, and is told to the observer", () =>
    withService(
      [
        Scripted.reply(503, "", {}),
        Scripted.reply(200, "<html>"),
        Scripted.cutOff("["),
        Scripted.reply(200, "[]")
      ],
      (service) =>
        Effect.gen(function* () {
          const events: Array<string> = []
          const records = yield* withClient(settings(service.url, { retry: quickRetries }), (client) =>
            client.details.byDtxsidBatch([bisphenolA])
          ).pipe(
            Effect.provideService(CallObserver.CallObserver, {
              onRequest: () => events.push("request"),
              onRetry: (error) => events.push(error._tag),
              onBody: (_, bytes) => events.push(`${bytes} bytes`)
            })
          )
          expect(records).toEqual([])
          expect(events).toEqual([
            ...["request", "0 bytes", "ServiceFailure"],
            ...["request", "6 bytes", "MalformedResponse"],
            ...["request", "ConnectionFailed"],
            ...["request", "2 bytes"]
          ])
        })
    ))

  it("is not made after the last attempt, and the error has the number of attempts", () =>
    withService([Scripted.reply(503, "", {}), Scripted.cutOff("["), Scripted.reply(500, "", {})], (service) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          withClient(
            settings(service.url, { retry: RetryPolicy.make({ ...quickRetries, attempts: 4 }) }),
            (client) => client.details.byDtxsidBatch([bisphenolA])
          )
        )
        expect(error).toMatchObject({ _tag: "ServiceFailure", attempts: 4 })
        expect(service.requests).toHaveLength(4)
      })
    ))

  it.each([400, 401, 403, 404, 405, 413])("does not follow a response with %i", (status) =>
    withService([Scripted.reply(status, "", {})], (service) =>
      Effect.gen(function* () {
        yield* Effect.flip(
          withClient(settings(service.url, { retry: quickRetries }), (client) =>
            client.details.byDtxsidBatch([bisphenolA])
          )
        )
        expect(service.requests).toHaveLength(1)
      })
    )
  )
})

const stalledBody: Scripted.Responder = (response) => {
  response.writeHead(200, { "content-type": "application/json" })
  response.write("[")
}

const withServer = async (
  server: ReturnType<typeof createServer>,
  body: (port: number) => Promise<void>
): Promise<void> => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    await body((server.address() as AddressInfo).port)
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** The port of a server with a full queue: further connections are never accepted. */
const fullBacklog: Effect.Effect<number, never, Scope.Scope> = Effect.gen(function* () {
  const worker = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Worker(
          `const { parentPort } = require("node:worker_threads")
           const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
             parentPort.postMessage(server.address().port)
             Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
           })`,
          { eval: true }
        )
    ),
    (worker) => Effect.promise(() => worker.terminate())
  )
  const port = yield* Effect.promise(() => new Promise<number>((resolve) => worker.once("message", resolve)))
  // The queue has room for one or two. The third connection fills it, so later ones are never accepted.
  for (const isLast of [false, false, true]) {
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => connect(port, "127.0.0.1").on("error", () => {})),
      (socket) => Effect.sync(() => socket.destroy())
    )
    if (!isLast) yield* Effect.promise(() => new Promise((resolve) => socket.once("connect", resolve)))
  }
  return port
})

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
