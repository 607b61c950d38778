/**
 * Reads a file of JSON records as a stream of raw records.
 *
 * The content decides the format, never the name: NDJSON, a JSON array or one JSON object, plain or compressed.
 * `Import` checks the records.
 */
import { createReadStream } from "node:fs"
import { access, constants, stat } from "node:fs/promises"
import { Ndjson, RawArray, type RawJsonError, RawRecord } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { Effect, Result, type Scope, Stream } from "effect"
import { type Form, Head, longest } from "./fileForm.ts"
import { ImportError } from "./importError.ts"

/** The size of a read, in bytes. */
const chunkBytes = 256 * 1024

/** A record with its line, or its element in an array, from 1. */
export interface LocatedRecord {
  readonly record: RawRecord.RawRecord
  readonly place: { readonly line: number } | { readonly element: number }
}

/** Fails if the file cannot be opened. Reads nothing. */
export const checkReadable = (file: string): Effect.Effect<void, ImportError> =>
  Effect.tryPromise({
    try: async () => {
      await access(file, constants.R_OK)
      if ((await stat(file)).isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" })
    },
    catch: (cause) => unreadable(file, cause)
  })

/** Returns the size of a regular file in bytes. Undefined for other files, e.g. pipes. */
export const sizeOf = (file: string): Effect.Effect<number | undefined> =>
  Effect.tryPromise(() => stat(file)).pipe(
    Effect.map((info) => (info.isFile() ? info.size : undefined)),
    Effect.catch(() => Effect.undefined)
  )

/** Reads the records of a file. `onRead` receives the number of bytes of each read. */
export const open = (
  file: string,
  onRead: (bytes: number) => void
): Effect.Effect<Stream.Stream<LocatedRecord, ImportError>, ImportError, Scope.Scope> =>
  Effect.gen(function* () {
    const text = yield* Effect.acquireRelease(
      Effect.sync(() => decompress(read(file, onRead))),
      (iterator) => Effect.promise(() => iterator.return(undefined))
    )
    const attempt = <A>(step: () => Promise<A>) =>
      Effect.tryPromise({ try: step, catch: (cause) => unreadable(file, cause) })
    const head = new Head()
    const form = yield* attempt(() => readHead(text, head))
    if (form === "too-large") return yield* lineTooLarge(file, 1)
    // A text that begins as one object may still be lines of several.
    if (form === "object") {
      yield* attempt(() => readObject(text, head))
      if (head.size <= longest) {
        const record = RawRecord.fromBytes(withoutByteOrderMark(head.text()))
        if (Result.isSuccess(RawRecord.check(record))) return Stream.succeed({ record, place: { line: 1 } })
      }
    }
    const chunks = Stream.fromAsyncIterable(prepend(head.chunks, text), (cause) => unreadable(file, cause))
    return form === "array"
      ? chunks.pipe(
          RawArray.decode(),
          Stream.zipWithIndex,
          Stream.map(([record, index]): LocatedRecord => ({ record, place: { element: index + 1 } })),
          failWith(file)
        )
      : chunks.pipe(
          Ndjson.decodeNumbered(),
          Stream.map(({ line, record }): LocatedRecord => ({ record, place: { line } })),
          failWith(file)
        )
  })

/** Describes what is wrong with the text of a record. */
export const faultOf = ({ reason, offset }: RawJsonError.RawJsonError): string =>
  `it is not JSON from its byte ${offset + 1} on: ${faults[reason]}`

/** The last sentence about a refused file. */
export const nothingImported = "Nothing was imported."

// Messages about files. The messages of the errors themselves are about HTTP bodies.
const faults: Record<RawJsonError.RawJsonReason, string> = {
  truncated: "it ends within a value (records of several lines must be in an array)",
  unbalanced: "a bracket does not match",
  "missing-comma": "a comma is missing",
  "trailing-data": "text follows it",
  "not-an-array": "it is not an array",
  "not-an-object": "it is not an object",
  "unexpected-byte": "this character is not allowed here",
  "invalid-utf8": "these bytes are not UTF-8 text",
  "too-large": "it is longer than 64 MiB, the limit of a record"
}

async function* read(file: string, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) {
    onRead(chunk.length)
    yield chunk
  }
  return undefined
}

async function* decompress(
  source: AsyncGenerator<Uint8Array, undefined>
): AsyncGenerator<Uint8Array, undefined> {
  const bytes = Stream.fromAsyncIterable(source, (cause) => cause)
  yield* Stream.toAsyncIterable(Compression.decompress()(bytes))
  return undefined
}

async function* prepend(
  head: ReadonlyArray<Uint8Array>,
  rest: AsyncGenerator<Uint8Array, undefined>
): AsyncGenerator<Uint8Array, undefined> {
  yield* head
  return yield* rest
}

// Reads until the form of the text is known. A text without a second line has lines.
const readHead = async (text: AsyncGenerator<Uint8Array, undefined>, head: Head): Promise<Form> => {
  for (;;) {
    const { done, value } = await text.next()
    const form = done === true ? "lines" : head.add(value)
    if (form !== undefined) return form
  }
}

// Reads an object to the end of the text, but not far beyond the longest record.
const readObject = async (text: AsyncGenerator<Uint8Array, undefined>, head: Head): Promise<void> => {
  while (head.size <= longest) {
    const { done, value } = await text.next()
    if (done === true) return
    head.keep(value)
  }
}

const byteOrderMark = Buffer.from("\uFEFF")

const withoutByteOrderMark = (text: Buffer): Buffer =>
  text.subarray(0, 3).equals(byteOrderMark) ? text.subarray(3) : text

const failWith =
  (file: string) =>
  <A>(
    records: Stream.Stream<A, ImportError | Ndjson.NdjsonError | RawJsonError.RawJsonError>
  ): Stream.Stream<A, ImportError> =>
    Stream.mapError(records, (cause) => {
      switch (cause._tag) {
        case "ImportError":
          return cause
        case "NdjsonError":
          return lineTooLarge(file, cause.line, cause)
        case "RawJsonError":
          return new ImportError({
            file,
            reason: "malformed",
            message: `${file}, byte ${cause.offset}: the JSON array is malformed: ${faults[cause.reason]}. ${nothingImported}`,
            offset: cause.offset,
            cause
          })
      }
    })

const lineTooLarge = (file: string, line: number, cause?: unknown): ImportError =>
  new ImportError({
    file,
    reason: "malformed",
    message: `${file}, line ${line}: ${faults["too-large"]}. ${nothingImported}`,
    line,
    cause
  })

const unreadable = (file: string, cause: unknown): ImportError => {
  if (cause instanceof Compression.CompressionError) {
    const message = `${file} is a damaged ${cause.format} file: ${cause.message} ${nothingImported}`
    return new ImportError({ file, reason: "malformed", message, cause })
  }
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  const reason =
    code === "ENOENT"
      ? "there is no such file"
      : code === "EISDIR"
        ? "it is a folder"
        : code === "EACCES"
          ? "this user may not read it"
          : cause instanceof Error
            ? cause.message
            : String(cause)
  return new ImportError({ file, reason: "unreadable", message: `${file} cannot be read: ${reason}.`, cause })
}
