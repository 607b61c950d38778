/**
 * Reads the body of a successful response: JSON that a schema checks (`json`), or an image or a text (`file`). `isNothing` and `textsIn`
 * are for readers of JSON that services send in several forms.
 *
 * If a reader fails, the response is a `MalformedResponse`, and the client retries it. So reading is part of the
 * call. The readers of single endpoints are in `calls/internal`.
 */
import { type Dialect, Quote } from "@chemstream/api"
import { Options, type Outcome } from "@chemstream/batch"
import { Result, Schema, SchemaIssue } from "effect"
import { Base64 } from "effect/encoding"
import { SchemaJITCompiler } from "effect/schema"
import { withoutRest } from "./internal/schemaWithoutRest.ts"

/** Why a body was refused. `path` is the place in the value; it may be empty. */
export interface BodyFault {
  readonly path: string
  readonly reason: string
  /** The dialect of the service, if the body shows that the client has another. */
  readonly dialect?: Dialect.Name
}

/**
 * Reads the bytes of a whole decoded body. The reader may keep and change them. `truncated` says why the service has
 * more records than the body; undefined when it sent all.
 */
export type BodyReader<A> = (
  body: Uint8Array,
  truncated?: Outcome.Truncation | undefined
) => Result.Result<A, BodyFault>

/**
 * Reads JSON and checks it against a schema. Returns the parsed value with all its fields, so the schema must not
 * transform.
 */
export const json = <A>(schema: Schema.ConstraintDecoder<A>): BodyReader<A> => {
  const compiled = withoutRest(Options.argument("schema", schemaKind, schema))
  // Compiles the schema, unless a content security policy forbids that.
  SchemaJITCompiler.enable(compiled.ast)
  const isValid = Schema.is(compiled)
  const explain = Schema.decodeUnknownResult(schema)
  const decoder = new TextDecoder()
  return (body) => {
    const text = decoder.decode(body)
    const parsed = parseJson(text)
    if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
    const value = parsed.success
    if (isValid(value)) return Result.succeed(value as A)
    return Result.match(explain(value), {
      onSuccess: () => Result.succeed(value as A),
      onFailure: (error) => Result.fail(firstIssue(error))
    })
  }
}

const schemaKind = /* @__PURE__ */ Options.kind<Schema.Constraint>("a schema of Effect", Schema.isSchema)

/** Whether a body is empty or `null`. Services send both if they have no record. */
export const isNothing = (body: Uint8Array): boolean =>
  Options.argument("body", bytesKind, body).every((byte) => byte <= 0x20) ||
  (body.length < 16 && new TextDecoder().decode(body).trim() === "null")

const bytesKind = /* @__PURE__ */ Options.kind<Uint8Array>("a Uint8Array", ArrayBuffer.isView)

/**
 * Returns the texts of a list that services send in three forms: one text with commas, a list of texts, and a list of
 * texts with commas.
 *
 * @example
 * ```ts
 * import { BodyReader } from "@chemstream/client"
 *
 * BodyReader.textsIn(["A, B", "C"]) // => ["A", "B", "C"]
 * ```
 */
export const textsIn = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).flatMap((part: unknown) =>
    typeof part === "string"
      ? part
          .split(",")
          .map((text) => text.trim())
          .filter((text) => text !== "")
      : []
  )

/** A file as a record: its kind, its number of bytes, and its content as base64 or text. */
export interface FileRecord {
  readonly mediaType: string
  readonly size: number
  readonly base64?: string
  readonly text?: string
}

/** How the bytes of an image begin, as text with one character for each byte. */
const signatures: ReadonlyArray<readonly [mediaType: string, start: RegExp]> = [
  ["image/png", /^.PNG\r\n/],
  ["image/svg+xml", /^\s*(<[?!][\s\S]*?)?<svg[\s>]/]
]

/** Reads an image or a text into a record. Undefined: the body is empty. A page or a JSON text is refused. */
export const file = (kind: "bytes" | "text"): BodyReader<FileRecord | undefined> => {
  const isText = Options.argument("kind", fileKind, kind) === "text"
  return (body) => {
    if (body.length === 0) return Result.succeed(undefined)
    const start = String.fromCharCode(...body.subarray(0, 1024))
    if (isText) {
      return /^\s*[{[<]/.test(start)
        ? unexpectedFile("a text", start)
        : Result.succeed({ mediaType: "text/plain", size: body.length, text: new TextDecoder().decode(body) })
    }
    const [mediaType] = signatures.find(([, signature]) => signature.test(start)) ?? []
    return mediaType === undefined
      ? unexpectedFile("an image", start)
      : Result.succeed({ mediaType, size: body.length, base64: Base64.encode(body) })
  }
}

const fileKind = /* @__PURE__ */ Options.oneOf(["bytes", "text"])

const unexpectedFile = (wanted: string, start: string): Result.Result<never, BodyFault> =>
  Result.fail({ path: "", reason: `the body is not ${wanted}, but starts with ${Quote.value(start)}` })

/** Parses JSON. Fails with the beginning of another text. */
const parseJson = (text: string): Result.Result<unknown, BodyFault> =>
  Result.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => ({
      path: "",
      reason:
        text.trim() === ""
          ? "the body is empty"
          : `the body is not JSON, but starts with ${Quote.value(text)}`
    })
  })

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns the first reason why a value does not fit its schema, with its place, e.g. `[3].dtxsid`. */
const firstIssue = (error: Schema.SchemaError): BodyFault => {
  const issue = formatIssues(error.issue).issues[0]
  const path = (issue?.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment))
  return {
    path: path
      .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
      .join("")
      .replace(/^\./, ""),
    reason: issue?.message ?? error.message
  }
}
