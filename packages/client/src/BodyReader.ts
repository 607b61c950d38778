/**
 * How the body of a success becomes a value: the point where a caller chooses typed records or raw bytes.
 *
 * A reader that fails makes the answer a `MalformedResponse`, which the client's policy retries: so it belongs to
 * the call, not to what happens afterwards.
 */
import { Result, Schema, SchemaIssue } from "effect"

/** Why a body is not what was asked for; `path` leads to the place in the value and may be empty. */
export interface BodyProblem {
  readonly path: string
  readonly reason: string
}

/** Reads the bytes of a body, complete and after content decoding. */
export type BodyReader<A> = (body: Uint8Array) => Result.Result<A, BodyProblem>

/** The longest excerpt of a body, in characters, that a problem quotes. */
const longestExcerpt = 80

/**
 * Reads JSON and checks it against a schema. The value handed out is the one that was parsed: nothing is dropped
 * and no key moves, so the schema must not transform.
 */
export const json = <A>(schema: Schema.ConstraintDecoder<A>): BodyReader<A> => {
  const check = Schema.decodeUnknownResult(schema)
  const decoder = new TextDecoder()
  return (body) => {
    const text = decoder.decode(body)
    const parsed = parseJson(text)
    if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
    return Result.match(check(parsed.success), {
      onSuccess: () => Result.succeed(parsed.success as A),
      onFailure: (error) => Result.fail(firstIssue(error))
    })
  }
}

const parseJson = (text: string): Result.Result<unknown, BodyProblem> =>
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

const firstIssue = (error: Schema.SchemaError): BodyProblem => {
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
