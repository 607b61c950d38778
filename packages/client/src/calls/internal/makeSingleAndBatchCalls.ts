/**
 * Makes the calls of an endpoint for one value, and for a batch of values.
 *
 * A call takes the fields of the key, then the required parameters, then the options. It parses them, so that a
 * malformed value fails without a request.
 */
import { Operation, type Row } from "@chemstream/api"
import { Effect, Result } from "effect"
import { NotFound } from "../../errors/ChemError.ts"
import { withRequestCount } from "../../pipeline/CallObserver.ts"
import { type CallOperation, type Failure, withValid } from "./callOperation.ts"
import { eachOf } from "./checkArguments.ts"
import { readersOf } from "./endpointReaders.ts"
import {
  type Fields,
  formOf,
  type Options,
  optionsOf,
  parameterOf,
  parseKey,
  requiredParameters,
  withOptions
} from "./requestArguments.ts"

/** A call with any arguments. */
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
