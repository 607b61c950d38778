import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { createServer, type IncomingMessage, request } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import { connect } from "node:net"
import type { Duplex } from "node:stream"
import type { BodyReader } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { ConfigProvider, Effect, Inspectable, Redacted, Result, type Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { listen } from "./listen.ts"
import * as Certificate from "./loopbackCertificate.ts"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, settings, withClient } from "./testClient.ts"

const record = `{"dtxsid":"${bisphenolA}"}`

interface Proxy {
  readonly port: number
  /** Its requests with their credentials: `CONNECT host:port Basic …` or `GET http://host/… …`. */
  readonly requests: ReadonlyArray<string>
}

/**
 * Starts a proxy that tunnels and forwards. `service` is the port of `service.invalid` on loopback. With `refusal`, it
 * refuses each request with that status.
 */
const makeProxy = (
  options: { readonly service?: number; readonly refusal?: number } = {}
): Effect.Effect<Proxy, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { refusal, service } = options
    const requests: Array<string> = []
    const log = ({ method, url, headers }: IncomingMessage): void => {
      requests.push(`${method} ${url} ${headers["proxy-authorization"] ?? "nobody"}`)
    }
    const server = createServer((incoming, outgoing) => {
      log(incoming)
      if (refusal !== undefined) return void outgoing.writeHead(refusal).end()
      const { "proxy-authorization": _, ...headers } = incoming.headers
      const url = new URL(incoming.url ?? "")
      const forwarded = request(
        {
          host: "127.0.0.1",
          port: service ?? url.port,
          path: url.pathname,
          method: incoming.method,
          headers
        },
        (response) => {
          outgoing.writeHead(response.statusCode ?? 502, response.headers)
          response.pipe(outgoing)
        }
      )
      incoming.pipe(forwarded)
    })
    server.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
      log(incoming)
      client.on("error", () => {})
      if (refusal !== undefined) return void client.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
      const port = service ?? Number(incoming.url?.split(":")[1])
      const tunnel = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection Established\r\n\r\n")
        tunnel.write(head)
        client.pipe(tunnel).pipe(client)
      }).on("error", () => client.destroy())
    })
    return { port: yield* listen(server), requests }
  })

const tlsService: Effect.Effect<number, never, Scope.Scope> = Effect.suspend(() =>
  listen(createHttpsServer(Certificate, (_, response) => response.end(record)))
)

const get = (url: string, transport: Transport.Settings, environment: Record<string, string> = {}) =>
  withClient(settings(url), (client) => client.details.byDtxsid(bisphenolA), Transport.layer(transport)).pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(environment)))
  )

const run = <A, E>(body: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(body))

describe("a proxy", () => {
  it.each<[string, (port: number) => readonly [Transport.Settings, Record<string, string>]]>([
    ["HTTPS_PROXY of the environment", (port: number) => [{}, { HTTPS_PROXY: `127.0.0.1:${port}` }]],
    [
      "https_proxy before HTTPS_PROXY",
      (port: number) => [{}, { https_proxy: `http://127.0.0.1:${port}`, HTTPS_PROXY: "http://127.0.0.1:1" }]
    ],
    ["the settings", (port: number) => [{ proxy: `http://127.0.0.1:${port}` }, {}]],
    [
      "the settings before the environment",
      (port: number) => [
        { proxy: Redacted.make(`http://127.0.0.1:${port}`) },
        { HTTPS_PROXY: "http://127.0.0.1:1", NO_PROXY: "*" }
      ]
    ]
  ])("from %s tunnels to a TLS service, and the client checks the certificate", (_, settingsOf) =>
    run(
      Effect.gen(function* () {
        const proxy = yield* makeProxy({ service: yield* tlsService })
        const [transport, environment] = settingsOf(proxy.port)
        const url = "https://service.invalid"
        const found = yield* get(url, { ...transport, authorities: Certificate.cert }, environment)
        expect(found).toEqual({ dtxsid: bisphenolA })
        expect(proxy.requests).toEqual(["CONNECT service.invalid:443 nobody"])
        expect(yield* Effect.flip(get(url, transport, environment))).toMatchObject({
          _tag: "ConnectionFailed",
          code: "DEPTH_ZERO_SELF_SIGNED_CERT",
          retryable: false
        })
      })
    )
  )

  it("forwards to a service without TLS, and gets the credentials of its address", () =>
    run(
      Effect.gen(function* () {
        const service = yield* Scripted.make(Scripted.reply(200, record))
        const proxy = yield* makeProxy({ service: Number(new URL(service.url).port) })
        const credentials = Buffer.from("me:a p@ss").toString("base64")
        yield* get(
          "http://service.invalid/ctx",
          {},
          { HTTP_PROXY: `http://me:a%20p%40ss@127.0.0.1:${proxy.port}` }
        )
        expect(proxy.requests).toEqual([
          `GET http://service.invalid/ctx/chemical/detail/search/by-dtxsid/${bisphenolA} Basic ${credentials}`
        ])
        expect(service.requests[0]?.headers).not.toHaveProperty("proxy-authorization")
      })
    ))

  it.each<[string, Transport.Settings, Record<string, string>]>([
    ["NO_PROXY names the host", {}, { NO_PROXY: "example.org,service.invalid" }],
    ["no_proxy is a star", {}, { no_proxy: "*" }],
    ["NO_PROXY names the host and its port", {}, { NO_PROXY: "service.invalid:80" }],
    ["NO_PROXY names the host in upper case and after spaces", {}, { NO_PROXY: "a.org  SERVICE.invalid" }],
    ["NO_PROXY names its domain", {}, { NO_PROXY: ".invalid" }],
    ["no_proxy comes before NO_PROXY", {}, { no_proxy: "service.invalid", NO_PROXY: "example.org" }],
    ["the settings disable it", { proxy: false }, {}],
    ["the setting is empty", { proxy: "" }, {}]
  ])("is bypassed when %s", (_, transport, environment) =>
    run(
      Effect.gen(function* () {
        const proxy = yield* makeProxy()
        const HTTP_PROXY = `http://127.0.0.1:${proxy.port}`
        // Only the proxy knows the host name, so a direct connection fails.
        const error = yield* Effect.flip(
          get("http://service.invalid", transport, { HTTP_PROXY, ...environment })
        )
        expect(error).toMatchObject({
          _tag: "ConnectionFailed",
          code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/)
        })
        expect(proxy.requests).toEqual([])
      })
    )
  )

  it("from the environment is bypassed for loopback, from the settings it is not", () =>
    run(
      Effect.gen(function* () {
        const proxy = yield* makeProxy()
        const service = yield* Scripted.make(Scripted.reply(200, record))
        const address = `http://127.0.0.1:${proxy.port}`
        const byName = service.url.replace("127.0.0.1", "localhost")
        for (const url of [service.url, byName]) yield* get(url, {}, { HTTP_PROXY: address })
        expect(proxy.requests).toEqual([])
        yield* get(service.url, { proxy: address })
        expect(proxy.requests).toHaveLength(1)
        expect(service.requests).toHaveLength(3)
      })
    ))

  it.each([
    ["https", 407, false],
    ["http", 407, false],
    ["https", 403, false],
    ["https", 502, true]
  ] as const)(
    "that refuses a call to an %s service with %i is named in the error",
    (scheme, status, retryable) =>
      run(
        Effect.gen(function* () {
          const proxy = yield* makeProxy({ refusal: status })
          const error = yield* Effect.flip(
            get(`${scheme}://127.0.0.1:9`, { proxy: `http://me:secret-of-mine@127.0.0.1:${proxy.port}` })
          )
          expect(error).toMatchObject({
            _tag: "ConnectionFailed",
            phase: "connect",
            code: `PROXY_${status}`,
            retryable,
            message: expect.stringContaining("check the proxy's address and credentials")
          })
          expect(proxy.requests).toHaveLength(1)
          expect(everythingIn(error)).not.toContain("secret-of-mine")
          expect(everythingIn(error)).not.toContain(Buffer.from("me:secret-of-mine").toString("base64"))
        })
      )
  )

  it("that does not listen is named in the error, without its credentials", () =>
    run(
      Effect.gen(function* () {
        const port = yield* Effect.scoped(listen(createServer()))
        const error = yield* Effect.flip(
          get("https://127.0.0.1:9", { proxy: `http://me:secret-of-mine@127.0.0.1:${port}` })
        )
        expect(error).toMatchObject({ _tag: "ConnectionFailed", code: "ECONNREFUSED" })
        expect(error.message).toContain(`nothing listens at 127.0.0.1:${port}`)
        expect(everythingIn(error)).not.toContain("secret-of-mine")
      })
    ))

  it.each<[Transport.Settings, Record<string, string>, string]>([
    [
      { proxy: "socks5://me:secret-of-mine@host" },
      {},
      "The option transport.proxy cannot be used. Give an http:// or https:// address"
    ],
    [
      {},
      { HTTPS_PROXY: "http://me:secret-of-mine@host:port" },
      "The option transport.proxy, from HTTPS_PROXY, cannot be used."
    ],
    [{ proxy: "http://me:secret-of-mine%@host" }, {}, "The option transport.proxy cannot be used."],
    [{ proxy: "http://secret-of-mine%:me@host" }, {}, "The option transport.proxy cannot be used."],
    [
      {},
      { http_proxy: "ftp://me:secret-of-mine@host" },
      "The option transport.proxy, from HTTP_PROXY, cannot be used."
    ]
  ])(
    "with an unusable address is refused, without the address in the error (%#)",
    async (transport, env, words) => {
      const error = await run(Effect.flip(get("http://127.0.0.1:9", transport, env)))
      expect(error).toMatchObject({ _tag: "InvalidOption", option: "transport.proxy" })
      expect(error.message).toContain(words)
      expect(everythingIn(error)).not.toContain("secret-of-mine")
    }
  )
})

describe("the connections", () => {
  it("stay open, and are not more than the limit", () =>
    run(
      Effect.gen(function* () {
        let opened = 0
        const server = createServer((_, response) => response.end(record)).on("connection", () => opened++)
        const port = yield* listen(server)
        yield* withClient(
          settings(`http://127.0.0.1:${port}`),
          (client) =>
            Effect.forEach(Array(30).fill(bisphenolA), (id: string) => client.details.byDtxsid(id), {
              concurrency: 10
            }),
          Transport.layer({ proxy: false, connections: 2 })
        )
        expect(opened).toBe(2)
      })
    ))

  it("may be unused for a part of a millisecond", () =>
    run(
      Effect.gen(function* () {
        const port = yield* listen(createServer((_, response) => response.end(record)))
        const found = yield* get(`http://127.0.0.1:${port}`, { proxy: false, keepAlive: "500 micros" })
        expect(found).toEqual({ dtxsid: bisphenolA })
      })
    ))

  it("close with the layer", () =>
    run(
      Effect.gen(function* () {
        const closed: Array<Promise<unknown>> = []
        const server = createServer((_, response) => response.end(record)).on("connection", (socket) =>
          closed.push(new Promise((resolve) => socket.once("close", resolve)))
        )
        const port = yield* listen(server)
        yield* get(`http://127.0.0.1:${port}`, { proxy: false, keepAlive: "10 minutes" })
        expect(closed).toHaveLength(1)
        yield* Effect.promise(() => Promise.all(closed))
      })
    ))

  it.each<[Transport.Settings, string]>([
    [{ connectTimeout: 0 }, "transport.connectTimeout"],
    [{ connections: 1.5 }, "transport.connections"],
    [{ keepAlive: -1 }, "transport.keepAlive"]
  ])("with %j are refused", async (transport, option) => {
    const error = await run(Effect.flip(get("http://127.0.0.1:9", transport)))
    expect(error).toMatchObject({ _tag: "InvalidOption", option })
  })
})

describe("the connections on Bun", () => {
  beforeEach(() => vi.stubGlobal("Bun", {}))
  afterEach(() => vi.unstubAllGlobals())

  it("are those of fetch", () =>
    run(
      Effect.gen(function* () {
        const port = yield* listen(createServer((_, response) => response.end(record)))
        yield* get(`http://127.0.0.1:${port}`, {})
      })
    ))

  it("have no settings", async () => {
    const error = await run(Effect.flip(get("http://127.0.0.1:9", { connections: 2 })))
    expect(error).toMatchObject({ _tag: "InvalidOption", option: "transport.connections" })
    expect(error.message).toContain("HTTP_PROXY")
  })
})

const everythingIn = (error: Error): string =>
  `${error.message}${JSON.stringify(error)}${Inspectable.toStringUnknown(error)}${error.stack}`

describe("a body of many megabytes", () => {
  // Each record has different bytes, so a misplaced or overwritten chunk is found.
  const records = (seed: number): string =>
    JSON.stringify(
      Array.from({ length: 200 }, (_, n) => ({
        dtxsid: bisphenolA,
        preferredName: `${seed}-${n}-`.repeat(1000)
      }))
    )

  const batch = (url: string) =>
    withClient(
      settings(url),
      (client) => client.raw("details.byDtxsidBatch", request, text),
      Transport.layer()
    )

  const request = { payload: [bisphenolA], query: {} }

  const text: BodyReader.BodyReader<string> = (body) => Result.succeed(new TextDecoder().decode(body))

  it("arrives byte for byte, with many at once and in any pieces", () =>
    run(
      Effect.gen(function* () {
        const bodies = Array.from({ length: 6 }, (_, n) => Buffer.from(records(n)))
        let requests = 0
        const port = yield* listen(
          createServer((_, response) => {
            const body = bodies[requests++] ?? Buffer.alloc(0)
            response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
            const middle = 65_536 * requests + requests
            response.write(body.subarray(0, middle), () => response.end(body.subarray(middle)))
          })
        )
        const url = `http://127.0.0.1:${port}`
        const received = yield* withClient(
          settings(url),
          (client) =>
            Effect.all(
              bodies.map(() => client.raw("details.byDtxsidBatch", request, text)),
              { concurrency: "unbounded" }
            ),
          Transport.layer()
        )
        expect(new Set(received)).toEqual(new Set(bodies.map(String)))
      })
    ))

  it("that is cut off fails the call", () =>
    run(
      Effect.gen(function* () {
        const port = yield* listen(
          createServer((_, response) => {
            response.writeHead(200, { "content-type": "application/json", "content-length": 3_000_000 })
            response.write(Buffer.alloc(1_000_000, "[1,"), () => response.destroy())
          })
        )
        const error = yield* Effect.flip(batch(`http://127.0.0.1:${port}`))
        expect(error).toMatchObject({ _tag: "ConnectionFailed", phase: "body" })
      })
    ))
})

describe("other subscribers of undici", () => {
  it("keep valid chunks, also of a long body", () =>
    Effect.gen(function* () {
      const body = JSON.stringify(Array.from({ length: 20_000 }, () => ({ dtxsid: bisphenolA })))
      const service = yield* Scripted.make((response) =>
        response.writeHead(200, { "content-length": `${body.length}` }).end(body)
      )
      const chunks: Array<Uint8Array> = []
      const channel = "undici:request:bodyChunkReceived"
      const keep = (message: unknown): void => void chunks.push((message as { chunk: Uint8Array }).chunk)
      yield* Effect.acquireRelease(
        Effect.sync(() => subscribe(channel, keep)),
        () => Effect.sync(() => void unsubscribe(channel, keep))
      )
      const records = yield* withClient(
        settings(service.url),
        (client) => client.details.byDtxsidBatch([bisphenolA]),
        Transport.layer({ proxy: false })
      )
      expect(records).toHaveLength(20_000)
      expect(chunks.length).toBeGreaterThan(1)
      expect(Buffer.concat(chunks).toString()).toBe(body)
    }).pipe(Effect.scoped, Effect.runPromise))
})
