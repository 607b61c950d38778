/**
 * Reads the body of a response up to a limit, decompressed.
 *
 * Only some HTTP clients decompress what a gateway compressed, with the same headers. So the first bytes decide: gzip
 * and zlib are decompressed; JSON starts with neither.
 */
import { Effect, Stream } from "effect"
import { type Headers, HttpClientError, type HttpClientResponse } from "effect/http"

export interface Body {
  readonly bytes: Uint8Array
  /** Whether the body exceeded the limit. */
  readonly isCut: boolean
}

/** Reads the body. `headers`: those of the response, because some HTTP clients rebuild them at every access. */
export const readBody = (
  response: HttpClientResponse.HttpClientResponse,
  headers: Headers.Headers,
  limit: number
): Effect.Effect<Body, HttpClientError.HttpClientError> =>
  Effect.flatMap(readCompressed(response, headers, limit), (body) => {
    const format = compressionOf(body.bytes)
    return format === undefined ? Effect.succeed(body) : decompress(response, format, body, limit)
  })

const readCompressed = (
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

const compressionOf = (bytes: Uint8Array): "gzip" | "deflate" | undefined => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip"
  return bytes[0] === 0x78 && ((bytes[0] << 8) | (bytes[1] ?? 1)) % 31 === 0 ? "deflate" : undefined
}

const decompress = (
  response: HttpClientResponse.HttpClientResponse,
  format: "gzip" | "deflate",
  compressed: Body,
  limit: number
): Effect.Effect<Body, HttpClientError.HttpClientError> => {
  const source = new Blob([compressed.bytes as Uint8Array<ArrayBuffer>]).stream()
  const decompressed = Stream.fromReadableStream({
    evaluate: () => source.pipeThrough(new DecompressionStream(format)),
    onError: (cause) =>
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.DecodeError({ request: response.request, response, cause })
      })
  })
  return collect(decompressed, limit)
}

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
