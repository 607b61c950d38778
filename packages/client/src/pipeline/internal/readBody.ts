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
  Effect.flatMap(readPacked(response, headers, limit), (body) => {
    const format = packing(body.bytes)
    return format === undefined ? Effect.succeed(body) : unpack(response, format, body, limit)
  })

const readPacked = (
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

const packing = (bytes: Uint8Array): "gzip" | "deflate" | undefined => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip"
  return bytes[0] === 0x78 && ((bytes[0] << 8) | (bytes[1] ?? 1)) % 31 === 0 ? "deflate" : undefined
}

const unpack = (
  response: HttpClientResponse.HttpClientResponse,
  format: "gzip" | "deflate",
  packed: Body,
  limit: number
): Effect.Effect<Body, HttpClientError.HttpClientError> => {
  const source = new Blob([packed.bytes as Uint8Array<ArrayBuffer>]).stream()
  const unpacked = Stream.fromReadableStream({
    evaluate: () => source.pipeThrough(new DecompressionStream(format)),
    onError: (cause) =>
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.DecodeError({ request: response.request, response, cause })
      })
  })
  return collect(unpacked, limit)
}

const collect = <E>(chunks: Stream.Stream<Uint8Array, E>, limit: number): Effect.Effect<Body, E> =>
  Effect.suspend(() => {
    const collected: Array<Uint8Array> = []
    let size = 0
    return chunks.pipe(
      Stream.takeUntil((chunk) => {
        collected.push(chunk)
        size += chunk.length
        return size > limit
      }),
      Stream.runDrain,
      Effect.map(() => ({ bytes: concat(collected, Math.min(size, limit)), isCut: size > limit }))
    )
  })

const concat = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    const fitting = chunk.subarray(0, size - at)
    bytes.set(fitting, at)
    at += fitting.length
  }
  return bytes
}
