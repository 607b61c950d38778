/** Responses as they can arrive on a connection, from real sockets. */
import { subscribe } from "node:diagnostics_channel"
import { createServer as createHttpServer, request as httpRequest } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import { connect, createServer, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { Transport } from "@chemstream/client/node"
import { ConfigProvider, Effect, type Layer, type Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { describe, expect, it } from "vitest"
import { listen } from "./listen.ts"
import * as Certificate from "./loopbackCertificate.ts"
import { bisphenolA, key, settings, withClient } from "./testClient.ts"

const record = `{"dtxsid":"${bisphenolA}"}`
const list = JSON.stringify(
  Array.from({ length: 9000 }, (_, n) => ({ dtxsid: bisphenolA, preferredName: `${n}` }))
)

/** The sockets of the client by their ports, in this process. */
const clientSockets = new Map<number | undefined, Socket>()
subscribe("net.client.socket", (message) => {
  const { socket } = message as { readonly socket: Socket }
  socket.once("connect", () => clientSockets.set(socket.localPort, socket))
})

/** A service that sends these pieces to each request, and then closes the connection if it should. `later`: those after the first. */
const raw = (pieces: ReadonlyArray<string | Uint8Array>, closes = true, later = pieces) =>
  listen(
    createServer((socket) => {
      let text = ""
      let next = pieces
      socket.on("data", async (part) => {
        text += part
        const [head = "", body] = text.split("\r\n\r\n")
        if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return
        text = ""
        const other = clientSockets.get(socket.remotePort)
        const sent = next
        next = later
        for (const piece of sent) {
          // Each piece arrives by itself.
          const end = (other?.bytesRead ?? 0) + Buffer.byteLength(piece)
          socket.write(piece)
          do await new Promise<void>((resolve) => setImmediate(resolve))
          while (other !== undefined && !other.destroyed && other.bytesRead < end)
        }
        if (closes) socket.end()
      })
    })
  )

const head = (
  headers: Readonly<Record<string, string | number>>,
  status = "200 OK",
  version = "1.1"
): string =>
  `HTTP/${version} ${status}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`

const transport = Transport.layer({ proxy: false })

const details = <E>(url: string, layer: Layer.Layer<HttpClient.HttpClient, E>, more = {}) =>
  withClient(settings(url, more), (client) => client.details.byDtxsid(bisphenolA), layer)

const run = <A, E>(body: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(body))

const responding = (pieces: ReadonlyArray<string | Uint8Array>, more = {}) =>
  Effect.flatMap(raw(pieces), (port) => details(`http://127.0.0.1:${port}`, transport, more))

const encoded = (encoding: string, body: Uint8Array, status = "200 OK") => [
  head(
    { "content-type": "application/json", "content-encoding": encoding, "content-length": body.length },
    status
  ),
  body
]

describe("an encoded response", () => {
  const bodies: ReadonlyArray<readonly [string, Uint8Array]> = [
    ["br", brotliCompressSync(record)],
    ["zstd", zstdCompressSync(record)],
    ["gzip", gzipSync(record)],
    ["GZIP", Buffer.concat([gzipSync(record.slice(0, 9)), gzipSync(record.slice(9))])],
    ["x-gzip", gzipSync(record)],
    ["deflate", deflateSync(record)],
    ["deflate", deflateRawSync(record)],
    ["gzip, br", brotliCompressSync(gzipSync(record))],
    ["br, zstd, gzip", gzipSync(zstdCompressSync(brotliCompressSync(record)))],
    ["identity", Buffer.from(record)],
    // Without a name, the first bytes decide.
    ["identity", gzipSync(record)],
    ["identity", deflateSync(record)],
    ["identity", zstdCompressSync(record)],
    // A gateway that names an encoding and does not use it.
    ["br", Buffer.from(record)]
  ]
  it.each(bodies)("is decoded: %s (%#)", (encoding, body) =>
    run(
      Effect.gen(function* () {
        expect(yield* responding(encoded(encoding, body))).toEqual({ dtxsid: bisphenolA })
      })
    )
  )

  it.each([
    ["Node's fetch", FetchHttpClient.layer],
    ["the transport", transport]
  ])("is decoded when its first byte looks like JSON, by %s", (_, layer) =>
    run(
      Effect.gen(function* () {
        const body = brotliCompressSync(list)
        expect(String.fromCharCode(body[0] ?? 0)).toBe("[")
        const port = yield* raw(encoded("br", body))
        const found = yield* withClient(
          settings(`http://127.0.0.1:${port}`),
          (client) => client.details.byDtxsidBatch([bisphenolA]),
          layer as Layer.Layer<HttpClient.HttpClient>
        )
        expect(found).toHaveLength(9000)
      })
    )
  )

  it("is decoded in an error", () =>
    run(
      Effect.gen(function* () {
        const body = brotliCompressSync(JSON.stringify({ title: "no", detail: `bad key ${key}` }))
        const error = yield* Effect.flip(responding(encoded("br", body, "400 Bad")))
        expect(error.message).toContain("rejected the request (400): bad key [redacted]")
      })
    ))

  it.each(["compress", "dcz", "aes128gcm", "x\u0001y"])("is named if it cannot be decoded: %j", (encoding) =>
    run(
      Effect.gen(function* () {
        const body = Buffer.from([0, 1, 2, 3, 255])
        const pieces = [head({ "content-encoding": encoding.replace("\u0001", "-") }), body]
        const error = yield* Effect.flip(responding(pieces))
        expect(error).toMatchObject({ _tag: "MalformedResponse" })
        expect(error.message).toContain(
          `content encoding "${encoding.replace("\u0001", "-")}", which this client cannot decode and did not ask for`
        )
      })
    )
  )

  it("is named by the first 40 characters of its name", () =>
    run(
      Effect.gen(function* () {
        const name = `x-${"y".repeat(39)}`
        const error = yield* Effect.flip(responding(encoded(name, Buffer.from([0, 255]))))
        expect(error.message).toContain(`content encoding "${name.slice(0, -1)}", which`)
      })
    ))

  it.each([0x09, 0x0a, 0x0d, 0x20])(
    "is text, whatever its encoding is called, with the character %i",
    (code) =>
      run(
        Effect.gen(function* () {
          const text = Buffer.from(record.replace(":", `:${String.fromCharCode(code)}`))
          expect(yield* responding(encoded("compress", text))).toEqual({ dtxsid: bisphenolA })
        })
      )
  )

  it.each([0x00, 0x08, 0x0b, 0x0c, 0x0e, 0x1f])("is no text with the control character %i", (code) =>
    run(
      Effect.gen(function* () {
        const bytes = Buffer.from(record.replace(":", `:${String.fromCharCode(code)}`))
        const error = yield* Effect.flip(responding(encoded("compress", bytes)))
        expect(error.message).toContain('content encoding "compress"')
      })
    )
  )

  it("is no text if it is not UTF-8", () =>
    run(
      Effect.gen(function* () {
        const bytes = Buffer.concat([Buffer.from('{"dtxsid":"'), Buffer.of(0xe9), Buffer.from('"}')])
        const error = yield* Effect.flip(responding(encoded("compress", bytes)))
        expect(error.message).toContain('content encoding "compress"')
      })
    ))

  it("is decoded if all of its bytes are characters, and one is a control character", () =>
    run(
      Effect.gen(function* () {
        const body = deflateRawSync("a a a 0")
        expect(body.every((byte) => byte < 0x80)).toBe(true)
        const error = yield* Effect.flip(responding(encoded("deflate", body, "400 Bad")))
        expect(error.message).toContain("rejected the request (400): a a a 0")
      })
    ))

  it.each(
    Object.entries({
      zstd: [0x28, 0xb5, 0x2f, 0xfd],
      gzip: [0x1f, 0x8b],
      zlib: [0x78, 0x9c]
    }).flatMap(([name, magic]) => magic.map((_, at) => [name, at, magic.with(at, 0x97)] as const))
  )("is not %s if byte %i of its first bytes differs", (_, __, magic) =>
    run(
      Effect.gen(function* () {
        // No encoding is named, so the bytes stay as they are.
        const body = Buffer.from([...magic, 0, 1, 2, 255])
        const pieces = [head({ "content-length": body.length }), body]
        const error = yield* Effect.flip(responding(pieces))
        expect(error).toMatchObject({ _tag: "MalformedResponse" })
        expect(error.message).toContain("the body is not JSON")
      })
    )
  )

  it.each(["gzip", "br", "zstd"] as const)("is cut off if its end is missing: %s", (encoding) =>
    run(
      Effect.gen(function* () {
        const whole = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync }[encoding](list)
        const error = yield* Effect.flip(responding(encoded(encoding, whole.subarray(0, whole.length >> 1))))
        expect(error).toMatchObject({ _tag: "ConnectionFailed", phase: "body", retryable: true })
        expect(error.message).toContain("the compressed body is incomplete or damaged")
      })
    )
  )

  it.each<readonly [string, (bytes: Uint8Array) => Uint8Array]>([
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
    ["gzip", gzipSync],
    ["gzip, zstd", (bytes) => zstdCompressSync(gzipSync(bytes))]
  ])("is bounded by the limit of bodies, however long it becomes: %s", (encoding, compress) =>
    run(
      Effect.gen(function* () {
        const bomb = compress(Buffer.alloc(50_000_000, " "))
        const error = yield* Effect.flip(responding(encoded(encoding, bomb), { maxBodyBytes: 1_000_000 }))
        expect(error).toMatchObject({ _tag: "MalformedResponse" })
        expect(error.message).toContain("longer than the limit of 1000000 bytes")
      })
    )
  )

  it("is not encoded without end: more than four encodings are named", () =>
    run(
      Effect.gen(function* () {
        const names = Array.from({ length: 6 }, () => "gzip").join(", ")
        const body = Array.from({ length: 6 }).reduce<Uint8Array>(
          (inner) => gzipSync(inner),
          Buffer.from(record)
        )
        const error = yield* Effect.flip(responding(encoded(names, body)))
        expect(error.message).toContain('content encoding "gzip", which this client cannot decode')
      })
    ))

  it("is requested from other hosts, and not from this machine", () =>
    run(
      Effect.gen(function* () {
        const asked: Array<string | undefined> = []
        const port = yield* listen(
          createHttpServer((request, response) => {
            asked.push(request.headers["accept-encoding"])
            response.end(record)
          })
        )
        const proxied = Transport.layer({ proxy: `http://127.0.0.1:${port}` })
        yield* details("http://service.invalid", proxied)
        yield* details(`http://127.0.0.1:${port}`, transport)
        expect(asked).toEqual(["gzip, deflate, br, zstd", undefined])
      })
    ))
})

describe("a response", () => {
  const complete = head({ "content-length": record.length }) + record
  const interim = "HTTP/1.1 100 Continue\r\n\r\n"
  const hints = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n"

  it.each<readonly [string, ReadonlyArray<string>]>([
    ["100 Continue", [interim, complete]],
    ["100 Continue in the same packet", [interim + complete]],
    ["100 Continue in pieces", [interim.slice(0, 13), interim.slice(13, 24), interim.slice(24) + complete]],
    ["100 Continue with headers, twice", [`HTTP/1.1 100 Go on\r\nx-a: b\r\n\r\n${interim}`, complete]],
    ["100 Continue twice, each by itself", [interim, interim, complete]],
    ["early hints", [hints, complete]],
    ["102 and early hints in the same packet", [`HTTP/1.1 102 Processing\r\n\r\n${hints}${complete}`]],
    ["100 Continue and early hints", [interim, hints, complete]]
  ])("after %s is read, and so is the next one of the connection", (_, pieces) =>
    run(
      Effect.gen(function* () {
        for (const later of [pieces, [complete]]) {
          const port = yield* raw(pieces, false, later)
          const found = yield* withClient(
            settings(`http://127.0.0.1:${port}`),
            (client) =>
              Effect.forEach([1, 2, 3], () => client.details.byDtxsidBatch([bisphenolA]).pipe(Effect.flip)),
            Transport.layer({ proxy: false, connections: 1 })
          )
          // A batch gets a list, so the record is malformed, after it was received.
          expect(found.map(({ _tag }) => _tag)).toEqual(Array(3).fill("MalformedResponse"))
        }
      })
    )
  )

  it("whose body has the text of an interim response at the start of a packet stays unchanged", () =>
    run(
      Effect.gen(function* () {
        const text = `${interim}and more`
        const error = yield* Effect.flip(
          responding([head({ "content-length": text.length }, "400 Bad"), text])
        )
        expect(error.message).toContain("HTTP/1.1 100 Continue and more")
      })
    ))

  it.each([
    ["an SSH server", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["a mail server", "220 mail.test ESMTP\r\n"],
    ["a page without headers", "<html>hello</html>"],
    ["bytes", "\u0015\u0003\u0001\u0000\u0002\u0002F"]
  ])("of %s is not HTTP, and the error says so", (_, greeting) =>
    run(
      Effect.gen(function* () {
        const error = yield* Effect.flip(responding([greeting]))
        expect(error).toMatchObject({ _tag: "ConnectionFailed", phase: "connect", retryable: false })
        expect(error.message).toContain("the response is not HTTP")
        expect(error.message).toContain("check the address, its port")
      })
    )
  )

  it.each<readonly [string, ReadonlyArray<string>]>([
    ["HTTP/1.0 without a length", [head({}, "200 OK", "1.0"), record]],
    ["no length, up to the end of the connection", [head({ connection: "close" }), record]],
    [
      "chunks and trailers",
      [
        head({ "transfer-encoding": "chunked", trailer: "x-sum" }),
        `5\r\n${record.slice(0, 5)}\r\n${(record.length - 5).toString(16)};a=b\r\n${record.slice(5)}\r\n0\r\nx-sum: 1\r\n\r\n`
      ]
    ],
    ["a byte order mark", [head({}), `\ufeff${record}`]],
    ["another charset in its type", [head({ "content-type": "application/json; charset=latin1" }), record]]
  ])("with %s is read", (_, pieces) =>
    run(
      Effect.gen(function* () {
        expect(yield* responding(pieces)).toEqual({ dtxsid: bisphenolA })
      })
    )
  )

  it.each<readonly [string, ReadonlyArray<string>, string]>([
    ["shorter than its length", [head({ "content-length": 500 }), record], "was cut off during the response"],
    [
      "in chunks without an end",
      [head({ "transfer-encoding": "chunked" }), `5\r\n${record.slice(0, 5)}\r\n`],
      "was cut off during the response"
    ]
  ])("%s is cut off", (_, pieces, message) =>
    run(
      Effect.gen(function* () {
        const error = yield* Effect.flip(responding(pieces))
        expect(error).toMatchObject({ _tag: "ConnectionFailed", phase: "body", retryable: true })
        expect(error.message).toContain(message)
      })
    )
  )
})

describe("a redirect", () => {
  /** A server that redirects each request to another one, which gets the requests. */
  const redirecting = (
    contentType: string,
    location = (target: string) => `${target}/api/chemical`,
    status = 301
  ) =>
    Effect.gen(function* () {
      const requests: Array<{ readonly url?: string | undefined; readonly headers: object }> = []
      const target = yield* listen(
        createHttpServer(({ headers, url }, response) => {
          requests.push({ headers, url })
          response.writeHead(401, { "content-type": contentType }).end("{}")
        })
      )
      const at = `http://127.0.0.1:${target}`
      const port = yield* listen(
        createHttpServer((_, response) => response.writeHead(status, { location: location(at) }).end())
      )
      const error = yield* Effect.flip(details(`http://127.0.0.1:${port}`, transport))
      return { error, requests, at }
    })

  it("says whether a service responds at its target, which never gets the key", () =>
    run(
      Effect.gen(function* () {
        const { at, error, requests } = yield* redirecting("application/problem+json")
        expect(error).toMatchObject({
          _tag: "InvalidRequest",
          redirect: `${at}/api/chemical`,
          message: `the service redirects (301) to ${at}/api/chemical; a service responds there: use ${at}/api/chemical as the base URL`
        })
        expect(requests).toMatchObject([{ url: "/api/chemical" }])
        expect(JSON.stringify(requests)).not.toContain(key)
      })
    ))

  it.each<[string, string, string | undefined]>([
    ["another scheme and host", "https://other.invalid/a/ENDPOINT", "https://other.invalid/a"],
    ["slashes at its end", "http://other.invalid/ENDPOINT//", "http://other.invalid"],
    ["a query", "http://other.invalid/v2/ENDPOINT?a=b#c", "http://other.invalid/v2"],
    ["another endpoint", "http://other.invalid/sign/in/", "http://other.invalid/sign/in"],
    ["no host", "/v2/ENDPOINT", "BASE/v2"],
    ["no path", "http://other.invalid", "http://other.invalid"],
    ["another protocol", "ftp://other.invalid/a", undefined],
    ["an impossible address", "http://", undefined]
  ])("names the base URL without the endpoint: with %s", (_, location, baseUrl) =>
    run(
      Effect.gen(function* () {
        const endpoint = `chemical/detail/search/by-dtxsid/${bisphenolA}`
        const headers = { location: location.replace("ENDPOINT", endpoint) }
        const port = yield* listen(createHttpServer((_, response) => response.writeHead(308, headers).end()))
        const base = `http://127.0.0.1:${port}`
        for (const path of ["", "/v1", "/v1/"]) {
          // No other host is requested.
          const only = Transport.layer({ proxy: base })
          const error = yield* Effect.flip(details(`${base}${path}`, only))
          expect(error).toMatchObject({
            _tag: "InvalidRequest",
            status: 308,
            redirect: baseUrl?.replace("BASE", base) ?? ""
          })
        }
      })
    )
  )

  it("of a status that is no redirect is not requested", () =>
    run(
      Effect.gen(function* () {
        for (const status of [201, 299, 400, 503]) {
          const { error, requests } = yield* redirecting("application/json", undefined, status)
          expect(requests).toEqual([])
          expect(error).not.toHaveProperty("redirect")
        }
      })
    ))

  it("to a page is no base URL", () =>
    run(
      Effect.gen(function* () {
        const { error } = yield* redirecting("text/html")
        expect(error.message).toContain("no service responds there: check the base URL")
      })
    ))

  it("with the key in its target is not requested", () =>
    run(
      Effect.gen(function* () {
        const { error, requests } = yield* redirecting("application/json", (at) => `${at}/login?of=${key}`)
        expect(error.message).toContain("no service responds there")
        expect(requests).toEqual([])
      })
    ))
})

describe("a TLS connection", () => {
  it("that no trusted authority has signed names NODE_EXTRA_CA_CERTS and the certificates of the system", () =>
    run(
      Effect.gen(function* () {
        const port = yield* listen(createHttpsServer(Certificate, (_, response) => response.end(record)))
        const error = yield* Effect.flip(details(`https://127.0.0.1:${port}`, transport))
        expect(error).toMatchObject({ _tag: "ConnectionFailed", retryable: false })
        expect(error.message).toContain("NODE_EXTRA_CA_CERTS")
        expect(error.message).toContain("NODE_OPTIONS=--use-system-ca")
      })
    ))

  it("to a service without TLS does not advise about authorities", () =>
    run(
      Effect.gen(function* () {
        const port = yield* listen(createHttpServer())
        const error = yield* Effect.flip(details(`https://127.0.0.1:${port}`, transport))
        expect(error.message).toContain("check that the address is an https:// one")
        expect(error.message).not.toContain("NODE_EXTRA_CA_CERTS")
      })
    ))
})

describe("a proxy", () => {
  const withEnvironment = (environment: Record<string, string>) =>
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(environment)))

  /** A proxy that forwards nothing and counts its requests. */
  const counting = Effect.gen(function* () {
    const requests: Array<string> = []
    const port = yield* listen(
      createHttpServer((request, response) => {
        requests.push(request.url ?? "")
        response.end(record)
      })
    )
    return { requests, address: `http://127.0.0.1:${port}` }
  })

  it.each([
    ["127.0.0.2", "127.0.0.0/8", 0],
    ["127.0.0.2", "10.0.0.0/8, 127.0.0.2/32", 0],
    ["127.0.0.2", "127.0.0.3/32,fe80::/10", 1],
    ["127.0.0.2", "::1/128 fe80::/64,127.0.0.2/32", 0],
    ["127.0.0.2", "[fe80::]/10 127.0.0.3/32", 1],
    ["127.0.0.2", "127.0.0.2/0", 0],
    ["127.0.0.2", "example.org", 1]
  ])("for %s with NO_PROXY=%s gets %i requests", (host, NO_PROXY, count) =>
    run(
      Effect.gen(function* () {
        const { address, requests } = yield* counting
        yield* details(`http://${host}:9`, Transport.layer()).pipe(
          Effect.ignore,
          withEnvironment({ HTTP_PROXY: address, NO_PROXY })
        )
        expect(requests).toHaveLength(count)
      })
    )
  )

  it.each(["10.0.0.0/33", "10.0.0.0/", "host/8", "::1/129", "10.0.0.0/8x"])(
    "is not used if NO_PROXY has an impossible network: %s",
    (NO_PROXY) =>
      run(
        Effect.gen(function* () {
          const error = yield* Effect.flip(
            details("http://127.0.0.2:9", Transport.layer()).pipe(
              withEnvironment({ HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY })
            )
          )
          expect(error).toMatchObject({ _tag: "InvalidOption" })
          expect(error.message).toContain("NO_PROXY")
          expect(error.message).toContain(JSON.stringify(NO_PROXY))
        })
      )
  )

  it.each(["http", "https"])("with TLS of its own passes requests on to an %s service", (scheme) =>
    run(
      Effect.gen(function* () {
        const service = yield* listen(
          scheme === "https"
            ? createHttpsServer(Certificate, (_, response) => response.end(record))
            : createHttpServer((_, response) => response.end(record))
        )
        const server = createHttpsServer(Certificate, (incoming, outgoing) => {
          const forwarded = httpRequest(
            { host: "127.0.0.1", port: service, path: "/", headers: {} },
            (response) => {
              response.pipe(outgoing)
            }
          )
          incoming.pipe(forwarded)
        })
        server.on("connect", (_, client) => {
          client.write("HTTP/1.1 200 OK\r\n\r\n")
          const tunnel = connect(service, "127.0.0.1").on("error", () => {})
          client
            .on("error", () => {})
            .pipe(tunnel)
            .pipe(client)
        })
        const port = yield* listen(server)
        const proxy = `https://127.0.0.1:${port}`
        const trusting = Transport.layer({ proxy, authorities: Certificate.cert })
        expect(yield* details(`${scheme}://service.invalid`, trusting)).toEqual({ dtxsid: bisphenolA })
        const error = yield* Effect.flip(details(`${scheme}://service.invalid`, Transport.layer({ proxy })))
        expect(error).toMatchObject({ _tag: "ConnectionFailed", retryable: false })
        expect(error.message).toContain("NODE_EXTRA_CA_CERTS")
      })
    )
  )

  it("passes on a 100 Continue and the response after it", () =>
    run(
      Effect.gen(function* () {
        const port = yield* raw([
          `HTTP/1.1 100 Continue\r\n\r\n`,
          head({ "content-length": record.length }) + record
        ])
        const layer = Transport.layer({ proxy: `http://127.0.0.1:${port}` })
        expect(yield* details("http://service.invalid", layer)).toEqual({ dtxsid: bisphenolA })
        const secure = yield* listen(
          createTlsServer(Certificate, (socket) => {
            socket
              .on("error", () => {})
              .once("data", () => {
                socket.write(
                  `HTTP/1.1 100 Continue\r\n\r\n${head({ "content-length": record.length })}${record}`
                )
              })
          })
        )
        const direct = Transport.layer({ proxy: false, authorities: Certificate.cert })
        expect(yield* details(`https://127.0.0.1:${secure}`, direct)).toEqual({ dtxsid: bisphenolA })
      })
    ))
})
