/**
 * Reads the body of a response up to a limit of bytes, and decodes it, e.g. from gzip. `ChemClient` has the limit (`maxBodyBytes`).
 *
 * Only some HTTP clients decode a body, and leave the headers as they were. So the bytes decide: a body that begins as text
 * is decoded. Otherwise the encodings of `content-encoding` are undone, the last one first. gzip, zlib and zstd are
 * recognised without a header, too. An encoding that this runtime does not know is named in the error.
 */
import { Effect, Stream } from "effect"
import { type Headers, HttpClientError, type HttpClientResponse } from "effect/http"

/** The largest number of encodings of a body, one within the other. */
const mostEncodings = 4

/** The number of bytes that decide whether a body is text. */
const inspectedBytes = 64

/** The body of a response. */
export interface Body {
  readonly bytes: Uint8Array
  /** Whether the body exceeded the limit. */
  readonly isCut: boolean
  /** The encoding that could not be undone. Absent: the body is decoded. */
  readonly encoding?: string
}

/** The encodings that can be undone. */
type Encoding = "gzip" | "deflate" | "deflate-raw" | "br" | "zstd"

/** The encodings by their names in `content-encoding`. */
const named: Readonly<Record<string, Encoding>> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate-raw",
  br: "br",
  zstd: "zstd"
}

/** Reads the body. `headers`: those of the response, because some HTTP clients rebuild them at every access. */
export const readBody = (
  response: HttpClientResponse.HttpClientResponse,
  headers: Headers.Headers,
  limit: number
): Effect.Effect<Body, HttpClientError.HttpClientError> =>
  Effect.flatMap(readEncoded(response, headers, limit), (body) =>
    decode(response, body, encodingsOf(headers["content-encoding"]), limit)
  )

/** Reads the bytes as they were sent. */
const readEncoded = (
  response: HttpClientResponse.HttpClientResponse,
  headers: Headers.Headers,
  limit: number
): Effect.Effect<Body, HttpClientError.HttpClientError> => {
  const length = Number(headers["content-length"] ?? Number.NaN)
  // A body of known small length is read at once, which is faster than by chunk.
  return length <= limit && headers["content-encoding"] === undefined
    ? Effect.map(response.arrayBuffer, (buffer) => ({ bytes: new Uint8Array(buffer), isCut: false }))
    : Effect.catchIf(
        collect(response.stream, limit),
        (error) => error.reason._tag === "EmptyBodyError",
        () => Effect.succeed({ bytes: new Uint8Array(), isCut: false })
      )
}

/** Returns the names in `content-encoding`, in the order in which they were applied. */
const encodingsOf = (header = ""): ReadonlyArray<string> =>
  header
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")

/** Undoes the encodings of a body. */
const decode = Effect.fnUntraced(function* (
  response: HttpClientResponse.HttpClientResponse,
  encoded: Body,
  encodings: ReadonlyArray<string>,
  limit: number
): Effect.fn.Return<Body, HttpClientError.HttpClientError> {
  let body = encoded
  const names = [...encodings]
  for (let count = 0; body.bytes.length > 0 && !isText(body.bytes); count++) {
    const name = names.pop()
    const encoding = encodingOf(body.bytes) ?? (name === undefined ? undefined : named[name])
    if (encoding === undefined && name === undefined) break
    const undo = encoding === undefined || count === mostEncodings ? undefined : decoder(encoding)
    if (undo === undefined) return { ...body, encoding: name ?? String(encoding) }
    // The end is missing, so it cannot be decoded.
    if (body.isCut) return { bytes: new Uint8Array(), isCut: true }
    body = yield* collect(transform(response, body.bytes, undo), limit)
  }
  return body
})

/** Whether a body begins as text: UTF-8 without control characters. */
const isText = (bytes: Uint8Array): boolean => {
  const start = bytes.subarray(0, inspectedBytes)
  if (start.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)) return false
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Returns the encoding that the first bytes show. Brotli and raw deflate have no such bytes. */
const encodingOf = (bytes: Uint8Array): Encoding | undefined => {
  const [first, second = 1, third, fourth] = bytes
  if (first === 0x1f && second === 0x8b) return "gzip"
  if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd) return "zstd"
  return first === 0x78 && ((first << 8) | second) % 31 === 0 ? "deflate" : undefined
}

/** Decodes a stream of bytes. */
type Decoder = ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>

/** The parts of Node that this module uses. In a browser, `fetch` decodes. */
interface NodeModules {
  readonly getBuiltinModule?: (name: string) => Readonly<Record<string, unknown>> | undefined
}

/** The functions of `node:zlib` by encoding. */
const nodeDecoders: Readonly<Record<Encoding, string>> = {
  gzip: "createGunzip",
  deflate: "createInflate",
  "deflate-raw": "createInflateRaw",
  br: "createBrotliDecompress",
  zstd: "createZstdDecompress"
}

/**
 * Returns a decoder, or undefined if this runtime has none. Node's `DecompressionStream` knows neither zstd nor gzip of several
 * members, so its zlib is used where there is one.
 */
const decoder = (encoding: Encoding): (() => Decoder) | undefined => {
  const { process } = globalThis as { readonly process?: NodeModules }
  const create = process?.getBuiltinModule?.("node:zlib")?.[nodeDecoders[encoding]] as
    | (() => unknown)
    | undefined
  const { Duplex } = (process?.getBuiltinModule?.("node:stream") ?? {}) as {
    readonly Duplex?: { readonly toWeb: (stream: unknown) => Decoder }
  }
  if (create !== undefined && Duplex !== undefined) return () => Duplex.toWeb(create())
  return encoding === "br" || encoding === "zstd" ? undefined : () => new DecompressionStream(encoding)
}

const transform = (
  response: HttpClientResponse.HttpClientResponse,
  bytes: Uint8Array,
  undo: () => Decoder
): Stream.Stream<Uint8Array, HttpClientError.HttpClientError> =>
  Stream.fromReadableStream({
    evaluate: () => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(undo()),
    onError: (cause) =>
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.DecodeError({ request: response.request, response, cause })
      })
  })

/** Joins chunks until the limit. */
const collect = <E>(chunks: Stream.Stream<Uint8Array, E>, limit: number): Effect.Effect<Body, E> =>
  Effect.suspend(() => {
    const parts: Array<Uint8Array> = []
    let size = 0
    return chunks.pipe(
      Stream.takeUntil((chunk) => {
        parts.push(chunk)
        size += chunk.length
        return size > limit
      }),
      Stream.runDrain,
      Effect.map(() => ({ bytes: concat(parts, Math.min(size, limit)), isCut: size > limit }))
    )
  })

const concat = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    const part = chunk.subarray(0, size - offset)
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
