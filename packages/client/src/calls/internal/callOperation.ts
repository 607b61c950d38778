/**
 * Calls an operation of the contract with a checked request, as the dialect of the service wants it.
 *
 * It checks the size of batches, sends no request for an empty one, and refuses values that no path can carry. `sendForms.ts` sends the
 * request in the form that the service accepts. `rawCall.ts` checks requests of programs first.
 */
import { type Dialect, InvalidIdentifier, Operation, Quote } from "@chemstream/api"
import { Effect, Predicate, Result } from "effect"
import type { BodyReader } from "../../BodyReader.ts"
import { requestSingles } from "../../dialect/internal/batchAsSingles.ts"
import * as missingEndpoint from "../../dialect/internal/missingEndpoint.ts"
import * as wrongDialect from "../../dialect/internal/wrongDialect.ts"
import { BatchTooLarge, type ChemError } from "../../errors/ChemError.ts"
import type { Run } from "../../pipeline/internal/pipelineCall.ts"
import { makeSendForms } from "./sendForms.ts"
import type { Send } from "./sendRequest.ts"
import { identifiers } from "./shapeReaders.ts"

/** The errors of a call. */
export type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** Sends a checked request of an operation. */
export type CallOperation = <A>(
  operation: Operation.Operation,
  request: Operation.Values,
  read: BodyReader<A>
) => Effect.Effect<A, Failure>

/** Calls the endpoints of a service with this dialect and page parameter. */
export const make = (
  send: Send,
  run: Run,
  pageParameter: string,
  dialect: Dialect.Dialect
): CallOperation => {
  const sendForms = makeSendForms(send, run, pageParameter)
  const withDialectHint = wrongDialect.make(dialect)
  const withMissingEndpoint = missingEndpoint.make()
  const callOperation: CallOperation = <A>(
    operation: Operation.Operation,
    request: Operation.Values,
    read: BodyReader<A>
  ) =>
    Effect.suspend((): Effect.Effect<A, Failure> => {
      const difference = Operation.difference(operation, dialect.name)
      const sent = addControl(request, difference)
      const values = operation.batch === undefined ? undefined : valuesIn(request.payload)
      const problem =
        unsendableValue(operation, sent.params) ??
        checkBatchSize(operation, values, difference, valuesIn(sent.payload))
      if (problem !== undefined) return Effect.fail(problem)
      if (values?.length === 0) return Effect.succeed(Result.getOrThrow(read(emptyBody(sent.payload))))
      const { single } = difference
      if (single !== undefined && values !== undefined) {
        const one = Operation.single(operation.row)
        return requestSingles(
          (value) => callOperation(one, { params: single(value, sent.payload) }, identifiers),
          values,
          read
        )
      }
      const call = sendForms({ operation, request: sent, values, difference, read })
      return withDialectHint(
        { operation, query: sent.query, values },
        withMissingEndpoint(operation, sent.params, call)
      )
    })
  return callOperation
}

/** Adds the control value of the dialect, whose key in the response shows which service responded. */
const addControl = (request: Operation.Values, { withControl }: Dialect.Difference): Operation.Values =>
  withControl === undefined ? request : { ...request, payload: withControl(request.payload) }

/** Makes a call with a checked value, or fails with the error of the check. */
export const withValid = <A, B>(
  checked: Result.Result<A, InvalidIdentifier.InvalidIdentifier>,
  use: (value: A) => Effect.Effect<B, Failure>
): Effect.Effect<B, Failure> =>
  Result.isSuccess(checked) ? use(checked.success) : Effect.fail(checked.failure)

/** Returns the values of a batch: the payload itself, or the list in it. */
export const valuesIn = (payload: unknown): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(payload)) return payload
  return Predicate.isObject(payload) ? Object.values(payload).find(Array.isArray) : undefined
}

const emptyBody = (payload: unknown): Uint8Array =>
  new TextEncoder().encode(Array.isArray(payload) ? "[]" : "{}")

/** Returns the error of a batch above the limit. `sent`: its values with a control value, if it has one. */
const checkBatchSize = (
  { batch, name }: Operation.Operation,
  values: ReadonlyArray<unknown> | undefined,
  { largest = Number.POSITIVE_INFINITY }: Dialect.Difference,
  sent: ReadonlyArray<unknown> | undefined
): BatchTooLarge | undefined => {
  if (batch === undefined || values === undefined) return undefined
  // A control value takes a place, too.
  const limit = Math.min(batch.limit, largest) - ((sent ?? values).length - values.length)
  return values.length <= limit ? undefined : batchTooLarge(name, values.length, limit)
}

/** The error of a batch above the limit. No request was sent. */
export const batchTooLarge = (name: string, batchSize: number, limit: number): BatchTooLarge =>
  new BatchTooLarge({
    endpoint: name,
    attempts: 0,
    batchSize,
    limit,
    message: `${name} takes at most ${limit} values in one call, not ${batchSize}; split the batch`
  })

/** Finds a value that no path segment can carry: a dot segment, or half a character. */
const unsendableValue = (
  { name }: Operation.Operation,
  params: Operation.Values["params"]
): InvalidIdentifier.InvalidIdentifier | undefined => {
  for (const [key, value] of Object.entries(params ?? {})) {
    if (typeof value !== "string") continue
    if (value !== "." && value !== ".." && value.isWellFormed()) continue
    return new InvalidIdentifier.InvalidIdentifier({
      identifier: key,
      value,
      reason: "malformed",
      message: `${Quote.value(value)} cannot be the ${key} of ${name}: a URL cannot contain it`
    })
  }
  return undefined
}
