/**
 * Readers of answers that the contract leaves in more than one shape, and the rule for answers to a batch.
 */
import { Dtxcid, Dtxsid, type InvalidIdentifier } from "@chemstream/api"
import type { Outcome } from "@chemstream/batch"
import { Predicate, Result, Schema } from "effect"
import { type BodyFault, type BodyReader, json } from "../BodyReader.ts"

/** A reader whose value is looked at further: normalised, or refused. */
export const refine =
  <A, B>(
    read: BodyReader<A>,
    next: (value: A, truncated: Outcome.Truncation | undefined) => Result.Result<B, BodyFault>
  ): BodyReader<B> =>
  (body, truncated) =>
    Result.flatMap(read(body, truncated), (value) => next(value, truncated))

/** Reads identifiers, and leaves out the nulls that some services put into the list. */
export const identifiers: BodyReader<ReadonlyArray<string>> = refine(
  json(Schema.Array(Schema.NullOr(Schema.String))),
  (list) => Result.succeed(list.filter(Predicate.isNotNull))
)

/** An array of values, or a single value as an array of one; `undefined` for an empty array: there is none. */
export const listOf = <A>(schema: Schema.ConstraintDecoder<A>): BodyReader<ReadonlyArray<A> | undefined> =>
  refine(json(Schema.Union([Schema.Array(schema), schema])), (value) => {
    if (!Array.isArray(value)) return Result.succeed([value as A])
    return Result.succeed(value.length === 0 ? undefined : (value as ReadonlyArray<A>))
  })

/** A single value, or an array of one; `undefined` for an empty array: there is none. */
export const oneOf = <A>(schema: Schema.ConstraintDecoder<A>): BodyReader<A | undefined> =>
  refine(listOf(schema), (values) =>
    values !== undefined && values.length > 1
      ? Result.fail({ path: "", reason: `an array of ${values.length} where one record was asked for` })
      : Result.succeed(values?.[0])
  )

/** As `oneOf`, and `undefined` for an empty body, which some services send where they have nothing. */
export const oneOrNothing = <A>(schema: Schema.ConstraintDecoder<A>): BodyReader<A | undefined> => {
  const read = oneOf(schema)
  return (body, truncated) => (isBlank(body) ? Result.succeed(undefined) : read(body, truncated))
}

const isBlank = (body: Uint8Array): boolean => body.every((byte) => byte <= 0x20)

/** An identifier as it is asked for: a service may spell it otherwise. `undefined` for what is no text. */
const canonical =
  (parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>) =>
  (value: unknown): string | undefined =>
    typeof value === "string" ? Result.getOrElse(parse(value), () => value) : undefined

/** A DTXSID of an answer. */
export const dtxsidOf: (value: unknown) => string | undefined = canonical(Dtxsid.parse)

/** A DTXCID of an answer. */
export const dtxcidOf: (value: unknown) => string | undefined = canonical(Dtxcid.parse)

/**
 * Refuses an answer that is to another question: one that is about something, but about nothing that was asked for.
 * `keys` are those of the answer, `undefined` where a part of it carries none.
 */
export const isAbout = (
  asked: { readonly has: (key: string) => boolean },
  keys: ReadonlyArray<string | undefined>
): boolean => keys.length === 0 || keys.some((key) => key !== undefined && asked.has(key))

/** The problem of such an answer. */
export const unasked: BodyFault = {
  path: "",
  reason: "nothing in the answer is about a value that was asked for"
}
