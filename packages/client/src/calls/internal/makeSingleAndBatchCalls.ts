/**
 * Makes the calls of an endpoint for one value, and for a batch of values.
 *
 * A call takes the fields of the key, then the required parameters, then the options. It parses them, so that a
 * malformed value fails without a request.
 */
import { type InvalidIdentifier, type Key, Operation, type Row } from "@chemstream/api"
import { Effect, Result } from "effect"
import type { BodyReader } from "../../BodyReader.ts"
import { NotFound } from "../../errors/ChemError.ts"
import { withRequestCount } from "../../pipeline/CallObserver.ts"
import type { Get, MakeGet } from "./batchedGet.ts"
import { type CallOperation, type Failure, withValid } from "./callOperation.ts"
import { checkOptions, eachOf, fieldText, optionSet, refuse } from "./checkArguments.ts"
import { readersOf } from "./endpointReaders.ts"

type Checked<A> = Result.Result<A, InvalidIdentifier.InvalidIdentifier>

type Fields = Readonly<Record<string, unknown>>

/** The options of a call: the projection, and the optional parameters of the query. */
type Options = Fields | undefined

export type AnyCall = (...args: ReadonlyArray<never>) => Effect.Effect<unknown, Failure>

/** The calls of an endpoint by their names in its group: that of the endpoint, and with `Batch` that of its batch. */
export const make = (callOperation: CallOperation, row: Row.Row): Readonly<Record<string, AnyCall>> => {
  const name = Operation.methodOf(row.name)
  const batch = batchCall(callOperation, row)
  return {
    [name]: singleCall(callOperation, row),
    ...(batch === undefined ? {} : { [`${name}Batch`]: batch })
  } as Readonly<Record<string, AnyCall>>
}

/** Makes the call for one value: the fields of its key, the required parameters, the options. */
const singleCall = (callOperation: CallOperation, row: Row.Row) => {
  const request = requestSingle(callOperation, row)
  const size = Object.keys(row.key?.fields ?? {}).length
  const required = requiredParameters(row)
  return (...args: ReadonlyArray<unknown>): Effect.Effect<unknown, Failure> => {
    const { [size + required.length]: options = {} } = args
    // The check of the options refuses other values.
    const parameters =
      typeof options === "object"
        ? { ...Object.fromEntries(required.map((name, at) => [name, args[size + at]])), ...options }
        : (options as never)
    return request(args.slice(0, size), parameters)
  }
}

const requiredParameters = (row: Row.Row): ReadonlyArray<string> =>
  Object.entries(row.query ?? {}).flatMap(([name, schema]) =>
    schema.ast.context?.isOptional === true ? [] : [name]
  )

/** Requests one value: the fields of its key, and all parameters by name. */
export const requestSingle = (callOperation: CallOperation, row: Row.Row) => {
  const operation = Operation.single(row)
  const required = requiredParameters(row)
  const mayBeEmpty = row.get.answer === "either" || row.get.alsoSent !== undefined || row.miss === "nothing"
  const request = (keyFields: ReadonlyArray<unknown>, options?: Options): Effect.Effect<unknown, Failure> => {
    const parameters = Result.all(required.map((name) => parameterOf(name, options?.[name])))
    return withValid(Result.all({ key: parseKey(row.key, keyFields), parameters }), ({ key, parameters }) => {
      const query: Fields = {
        ...optionsOf(row, options),
        ...Object.fromEntries(required.map((name, at) => [name, parameters[at]]))
      }
      const call = callOperation(
        operation,
        Operation.partsOf(row, key, query),
        readersOf(row, formOf(options)).single()
      )
      return mayBeEmpty ? orNotFound(operation.name, subject(row, key, parameters), call) : call
    })
  }
  return withOptions(row, request)
}

/** Checks the options of a call, its second argument. */
const withOptions =
  <A>(row: Row.Row, call: (values: A, options?: Options) => Effect.Effect<unknown, Failure>) =>
  (values: A, given?: Options): Effect.Effect<unknown, Failure> => {
    const fields = Operation.optionFields(row)
    // A call without options ignores what is none, e.g. the index that `Effect.forEach` gives.
    const options = typeof given === "object" || Object.keys(fields).length > 0 ? given : undefined
    return Effect.andThen(checkOptions(optionSet(fields), options), call(values, options))
  }

/** Makes the call for a batch. Undefined: the endpoint has none. */
export const batchCall = (callOperation: CallOperation, row: Row.Row) => {
  const operation = Operation.batch(row)
  if (operation === undefined) return undefined
  return withOptions(row, (values: ReadonlyArray<unknown>, options) =>
    withValid(elementsOf(operation, values), (payload) =>
      callOperation(
        operation,
        { payload, query: row.batch?.hasForms ? optionsOf(row, options) : {} },
        readersOf(row, formOf(options)).batch()
      )
    )
  )
}

/** Returns the parsed values of a batch, as its body has them. */
const elementsOf = ({ key, name }: Operation.Operation, values: ReadonlyArray<unknown>) =>
  eachOf(name, values, (value) =>
    key === undefined
      ? Result.succeed(value)
      : Result.map(parseKey(key, [value]), (fields) => Object.values(fields)[0])
  )

/** Gets the records of one value in a batch with the values of other callers. */
export const getCall = (callOperation: CallOperation, makeGet: MakeGet, row: Row.Row) => {
  const operation = Operation.batch(row) as Operation.Operation
  const key = row.key as Key.Key
  const field = row.recordKey ?? key.name
  const get: Get<string, string, unknown> = makeGet({
    endpoint: operation.name,
    largest: operation.batch?.limit ?? 1,
    call: (ids, projection, read: BodyReader<ReadonlyArray<unknown>>) =>
      Effect.suspend(() =>
        callOperation(
          operation,
          {
            payload: ids.map((id) => Object.values(key.toFields(id))[0]),
            query: row.batch?.hasForms ? { projection } : {}
          },
          read
        )
      ),
    read: (form) => readersOf(row, form).batch(),
    multiplicity: row.multiplicity,
    keyOf: (record) => {
      const value = (record as Fields)[field]
      return typeof value === "string" ? Result.getOrElse(key.parse(value), () => value) : undefined
    }
  })
  return withOptions(row, (id: string, options) =>
    withValid(Result.flatMap(fieldText(key, id, 0), key.parse), (parsed) =>
      get(parsed, formOf(options) ?? row.form ?? "")
    )
  )
}

/** Returns the fields of a key. An endpoint without a key has none. */
export const parseKey = (key: Key.Key | undefined, values: ReadonlyArray<unknown>): Checked<Fields> =>
  key === undefined
    ? Result.succeed({})
    : Result.all(Array.from(Object.keys(key.fields), (_, at) => fieldText(key, values[at], at))).pipe(
        Result.flatMap((texts) => key.parse(texts.join(","))),
        Result.map(key.toFields)
      )

const parameterOf = (name: string, value: unknown): Checked<unknown> => {
  if (typeof value === "symbol") return refuse(name, value, "it is not a text")
  if (typeof value !== "string") return Result.succeed(value)
  const text = value.trim()
  return text === "" ? refuse(name, value, "it is empty") : Result.succeed(text)
}

const formOf = (options: Options): string | undefined => options?.["projection"] as string | undefined

/** The options of a request. A form that the contract does not name is the endpoint's own, and is not sent. */
const optionsOf = (row: Row.Row, options: Options): Fields =>
  Object.fromEntries(
    Object.entries(options ?? {}).filter(
      ([name, value]) =>
        name !== "projection" || row.forms === undefined || Object.hasOwn(row.forms, String(value))
    )
  )

/** A value in a message: a number with the name of its kind, and its parameters. */
const subject = (row: Row.Row, key: Fields, parameters: ReadonlyArray<unknown>): string => {
  const values = Object.entries(key).map(([name, value]) =>
    typeof value === "number" ? `${name} ${value}` : String(value)
  )
  return [values.length === 0 ? row.what : values.join(", "), ...parameters].join(" in ")
}

/** Fails with `NotFound` if the response has no record. */
const orNotFound = (
  endpoint: string,
  what: string,
  call: Effect.Effect<unknown, Failure>
): Effect.Effect<unknown, Failure> =>
  withRequestCount((attempts) =>
    Effect.flatMap(call, (value) =>
      value === undefined
        ? Effect.fail(
            new NotFound({
              endpoint,
              attempts: attempts(),
              status: 200,
              suggestions: [],
              message: `not found: the service has no data of ${what}`
            })
          )
        : Effect.succeed(value)
    )
  )
