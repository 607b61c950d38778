/**
 * How the body of a success becomes a value: the point where a caller chooses typed records or raw bytes.
 *
 * A reader that fails makes the answer a `MalformedResponse`, which the client's policy retries: so it belongs to
 * the call, not to what happens afterwards.
 */
import type { Dialect } from "@chemstream/api"
import type { Outcome } from "@chemstream/batch"
import { Result, Schema, SchemaIssue } from "effect"
import { SchemaJITCompiler } from "effect/schema"

/** Why a body is not what was asked for; `path` leads to the place in the value and may be empty. */
export interface BodyFault {
  readonly path: string
  readonly reason: string
  /** The dialect of the service, where the body shows that it is not that of the client. */
  readonly dialect?: Dialect.Name
}

/**
 * Reads the bytes of a body, complete and after content decoding. They are the reader's own, to keep and to change.
 * `truncated` says why the service has more records than the body; undefined when it sent all.
 */
export type BodyReader<A> = (
  body: Uint8Array,
  truncated?: Outcome.Truncation | undefined
) => Result.Result<A, BodyFault>

/** The longest excerpt of a body, in characters, that a problem quotes. */
const longestExcerpt = 80

/**
 * Reads JSON and checks it against a schema. The value handed out is the one that was parsed: nothing is dropped
 * and no key moves, so the schema must not transform.
 */
export const json = <A>(schema: Schema.ConstraintDecoder<A>): BodyReader<A> => {
  const checked = withoutRest(schema)
  // Checks by code made for the schema, where the surroundings allow that (no content security policy against it).
  SchemaJITCompiler.enable(checked.ast)
  const fits = Schema.is(checked)
  const explain = Schema.decodeUnknownResult(schema)
  const decoder = new TextDecoder()
  return (body) => {
    const text = decoder.decode(body)
    const parsed = parseJson(text)
    if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
    const value = parsed.success
    if (fits(value)) return Result.succeed(value as A)
    return Result.match(explain(value), {
      onSuccess: () => Result.succeed(value as A),
      onFailure: (error) => Result.fail(firstIssue(error))
    })
  }
}

/**
 * The schema without "and any other field": with it, all keys of each record would be listed only to be let through,
 * half of the time a check takes.
 */
const withoutRest = (schema: Schema.Constraint): Schema.Constraint => {
  const { ast } = schema
  if (ast.checks !== undefined || ast.encoding !== undefined) return schema
  const parts = schema as {
    readonly schema?: Schema.Top
    readonly records?: ReadonlyArray<Schema.Top>
    readonly value?: Schema.Top
    readonly members?: ReadonlyArray<Schema.Top>
  }
  switch (ast._tag) {
    case "Objects":
      return parts.schema !== undefined && parts.records?.every(isAnything) ? parts.schema : schema
    case "Arrays":
      return parts.value === undefined || ast.elements.length > 0 || ast.rest.length !== 1
        ? schema
        : Schema.Array(withoutRest(parts.value) as Schema.Top)
    case "Union":
      return parts.members === undefined
        ? schema
        : Schema.Union(
            parts.members.map((member) => withoutRest(member) as Schema.Top),
            ast.options
          )
    default:
      return schema
  }
}

const isAnything = ({ ast }: Schema.Top): boolean =>
  ast._tag === "Objects" &&
  ast.indexSignatures.every(({ parameter, type }) => parameter._tag === "String" && type._tag === "Unknown")

const parseJson = (text: string): Result.Result<unknown, BodyFault> =>
  Result.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => ({
      path: "",
      reason:
        text.trim() === ""
          ? "the body is empty"
          : `the body is not JSON, it begins with ${JSON.stringify(text.slice(0, longestExcerpt))}`
    })
  })

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

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
