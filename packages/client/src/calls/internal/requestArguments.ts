/** Reads the arguments of a call into the parts of its request, and refuses wrong ones without a request. */
import { type InvalidIdentifier, type Key, Operation, type Row } from "@chemstream/api"
import { Effect, Result } from "effect"
import type { Failure } from "./callOperation.ts"
import { checkOptions, fieldText, optionSet, refuse } from "./checkArguments.ts"

type Checked<A> = Result.Result<A, InvalidIdentifier.InvalidIdentifier>

/** Values by name: of a key, or of a query. */
export type Fields = Readonly<Record<string, unknown>>

/** The options of a call: the projection, and the optional parameters of the query. */
export type Options = Fields | undefined

/** The names of the parameters of the query that a call must give, e.g. `tissue`. */
export const requiredParameters = (row: Row.Row): ReadonlyArray<string> =>
  Object.entries(row.query ?? {}).flatMap(([name, schema]) =>
    schema.ast.context?.isOptional === true ? [] : [name]
  )

/** Checks the options of a call, its second argument. */
export const withOptions =
  <A>(row: Row.Row, call: (values: A, options?: Options) => Effect.Effect<unknown, Failure>) =>
  (values: A, given?: Options): Effect.Effect<unknown, Failure> => {
    const fields = Operation.optionFields(row)
    // A call without options ignores what is none, e.g. the index that `Effect.forEach` gives.
    const options = typeof given === "object" || Object.keys(fields).length > 0 ? given : undefined
    return Effect.andThen(checkOptions(optionSet(fields), options), call(values, options))
  }

/** Returns the fields of a key. An endpoint without a key has none. */
export const parseKey = (key: Key.Key | undefined, values: ReadonlyArray<unknown>): Checked<Fields> =>
  key === undefined
    ? Result.succeed({})
    : Result.all(Array.from(Object.keys(key.fields), (_, at) => fieldText(key, values[at], at))).pipe(
        Result.flatMap((texts) => key.parse(texts.join(","))),
        Result.map(key.toFields)
      )

/** Returns the value of a required parameter, without spaces around it. Refuses an empty one. */
export const parameterOf = (name: string, value: unknown): Checked<unknown> => {
  if (typeof value === "symbol") return refuse(name, value, "it is not a text")
  if (typeof value !== "string") return Result.succeed(value)
  const text = value.trim()
  return text === "" ? refuse(name, value, "it is empty") : Result.succeed(text)
}

/** Returns the form of the records that a call asks for with its `projection`, e.g. `compact`. Undefined: that of the endpoint. */
export const formOf = (options: Options): string | undefined => options?.["projection"] as string | undefined

/** The options of a request. A form that the contract does not name is the endpoint's own, and is not sent. */
export const optionsOf = (row: Row.Row, options: Options): Fields =>
  Object.fromEntries(
    Object.entries(options ?? {}).filter(
      ([name, value]) =>
        name !== "projection" || row.forms === undefined || Object.hasOwn(row.forms, String(value))
    )
  )
