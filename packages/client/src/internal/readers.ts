/**
 * Readers of answers that the contract leaves in more than one shape, and the rule for answers to a batch.
 */
import { Dtxcid, Dtxsid, type InvalidIdentifier } from "@chemstream/api"
import { Result, Schema } from "effect"
import { type BodyProblem, type BodyReader, json } from "../BodyReader.ts"

/** A reader whose value is looked at further: normalised, or refused. */
export const refine =
  <A, B>(read: BodyReader<A>, next: (value: A) => Result.Result<B, BodyProblem>): BodyReader<B> =>
  (body) =>
    Result.flatMap(read(body), next)

/** A single value, or an array of one; `undefined` for an empty array: there is none. */
export const oneOf = <A>(schema: Schema.ConstraintDecoder<A>): BodyReader<A | undefined> =>
  refine(json(Schema.Union([Schema.Array(schema), schema])), (value) => {
    if (!Array.isArray(value)) return Result.succeed(value as A)
    const values: ReadonlyArray<A> = value
    return values.length > 1
      ? Result.fail({ path: "", reason: `an array of ${values.length} where one record was asked for` })
      : Result.succeed(values[0])
  })

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
export const unasked: BodyProblem = {
  path: "",
  reason: "nothing in the answer is about a value that was asked for"
}
