/**
 * Stores records as frames in a file, and restores them. A frame is one byte for the kind, four for the length, then the text.
 * Lines cannot store them, because a raw record may have line breaks between its tokens.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as RawRecord from "../../../raw/RawRecord.ts"
import { feed } from "../../../streams/internal/pushParser.ts"
import { isRaw, type Weight } from "../recordFields.ts"
import { failure, TransformError } from "../transformError.ts"

/** A record that can be stored in a file and restored. */
export interface StoredRecord<A> {
  readonly record: A
  /** Whether JSON stores it exactly. */
  readonly text: Weight["text"]
  /** Its position in the input. Undefined: it was restored. */
  readonly index: number | undefined
}

// The kinds of frames.
const RAW = 0
const VALUE = 1
const VALUE_WITH_NEGATIVE_ZERO = 2
/** The number of bytes before the text. */
const HEAD = 5

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** Writes each chunk of records as one array of bytes. Fails with `not-json` if a record cannot be restored exactly. */
export const encodeFrames =
  (transform: string) =>
  <A, E>(self: Stream.Stream<StoredRecord<A>, E>): Stream.Stream<Uint8Array, E | TransformError> =>
    Stream.mapArrayEffect(self, (items) => {
      const texts: Array<Uint8Array> = []
      let size = 0
      for (const item of items) {
        const text = textOf(transform, item)
        if (text instanceof TransformError) return Effect.fail(text)
        texts.push(text)
        size += HEAD + text.length
      }
      const bytes = new Uint8Array(size)
      const view = new DataView(bytes.buffer)
      let at = 0
      for (const [i, text] of texts.entries()) {
        const { record, text: exactness } = items[i] as StoredRecord<A>
        bytes[at] = isRaw(record) ? RAW : exactness === "exact" ? VALUE : VALUE_WITH_NEGATIVE_ZERO
        view.setUint32(at + 1, text.length)
        bytes.set(text, at + HEAD)
        at += HEAD + text.length
      }
      return Effect.succeed([bytes] as const)
    })

/** Restores records from chunks of bytes. Fails with `files` if the last one is truncated. */
export const decodeFrames =
  <A>(transform: string) =>
  <E, R>(self: Stream.Stream<Uint8Array, E, R>): Stream.Stream<StoredRecord<A>, E | TransformError, R> =>
    self.pipe(
      feed<Uint8Array, StoredRecord<A>, TransformError>(() => {
        // The unread bytes of earlier chunks, and the number of bytes that complete the next frame, if known.
        let parts: Array<Uint8Array> = []
        let size = 0
        let nextSize = HEAD
        return {
          push: (chunk, out) => {
            parts.push(chunk)
            size += chunk.length
            if (size < nextSize) return undefined
            const bytes = parts.length === 1 ? chunk : concat(parts, size)
            const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
            let at = 0
            nextSize = HEAD
            while (bytes.length - at >= HEAD) {
              const end = at + HEAD + view.getUint32(at + 1)
              if (end > bytes.length) {
                nextSize = end - at
                break
              }
              out.push(recordAt(bytes, at, end))
              at = end
            }
            size = bytes.length - at
            parts = size === 0 ? [] : [bytes.subarray(at)]
            return undefined
          },
          end: () => (size === 0 ? undefined : truncatedFile(transform))
        }
      })
    )

const recordAt = <A>(bytes: Uint8Array, at: number, end: number): StoredRecord<A> => {
  const kind = bytes[at]
  if (kind === RAW) {
    return { record: RawRecord.make(bytes, at + HEAD, end) as A, text: "exact", index: undefined }
  }
  const record = JSON.parse(decoder.decode(bytes.subarray(at + HEAD, end))) as A
  return { record, text: kind === VALUE ? "exact" : "negative-zero", index: undefined }
}

const concat = (parts: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const textOf = <A>(
  transform: string,
  { record, text, index }: StoredRecord<A>
): Uint8Array | TransformError => {
  if (isRaw(record)) return RawRecord.toBytes(record)
  if (text === "lossy") return notJson(transform, index)
  try {
    return encoder.encode(text === "exact" ? JSON.stringify(record) : JSON.stringify(record, signedZero))
  } catch (cause) {
    // Nested too deeply, or longer than the longest string of the engine.
    return notJson(transform, index, cause)
  }
}

// JSON has -0, but `JSON.stringify` does not write it. TypeScript does not yet know `JSON.rawJSON`.
const rawJson = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON
const signedZero = (_: string, value: unknown): unknown => (Object.is(value, -0) ? rawJson("-0") : value)

const notJson = (transform: string, index: number | undefined, cause?: unknown): TransformError =>
  failure(
    transform,
    "not-json",
    `record ${index ?? ""} does not fit in memory, and a temporary file cannot hold it exactly as JSON. Sort before decoding dates and classes, or raise maxBytes`,
    { index, cause }
  )

const truncatedFile = (transform: string): TransformError =>
  failure(
    transform,
    "files",
    `a temporary file is truncated. Check whether another program changes the temporary folder, and start again`
  )
