/**
 * Calls an operation of the contract with a checked request: makes a `Call` of it (`pipelineCall.ts`), and runs it.
 *
 * It checks the size of batches, sends no request for an empty one, and refuses values that no path can carry.
 */
import { type Dialect, InvalidIdentifier, Operation, Quote, Rows } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Effect, Predicate, Result, Schema, SchemaIssue } from "effect"
import type { BodyReader } from "../../BodyReader.ts"
import { requestSingles } from "../../dialect/internal/batchAsSingles.ts"
import * as missingEndpoint from "../../dialect/internal/missingEndpoint.ts"
import {
  type FormResponse,
  isFormRefused,
  readForm,
  readProjection
} from "../../dialect/internal/requestForm.ts"
import * as wrongDialect from "../../dialect/internal/wrongDialect.ts"
import { BatchTooLarge, type ChemError } from "../../errors/ChemError.ts"
import type { Run } from "../../pipeline/internal/pipelineCall.ts"
import type * as Endpoint from "../Endpoint.ts"
import { isPartial } from "./partialBody.ts"
import { parameterName } from "./requestEncoding.ts"
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
      const parts = addControl(request, difference)
      const values = operation.batch === undefined ? undefined : valuesIn(request.payload)
      const problem =
        unsendableValue(operation, parts.params) ??
        checkBatchSize(operation, values, difference, valuesIn(parts.payload))
      if (problem !== undefined) return Effect.fail(problem)
      if (values?.length === 0) return Effect.succeed(Result.getOrThrow(read(emptyBody(parts.payload))))
      const { single } = difference
      if (single !== undefined && values !== undefined) {
        const one = Operation.single(operation.row)
        return requestSingles(
          (value) => callOperation(one, { params: single(value, parts.payload) }, identifiers),
          values,
          read
        )
      }
      const call = sendForms({ operation, parts, values, difference, read })
      return withDialectHint(
        { operation, query: parts.query, values },
        withMissingEndpoint(operation, parts.params, call)
      )
    })
  return callOperation
}

/** A checked request of an endpoint, and how to send it. */
interface Sendable<A> {
  readonly operation: Operation.Operation
  readonly parts: Operation.Values
  readonly values: ReadonlyArray<unknown> | undefined
  readonly difference: Dialect.Difference
  readonly read: BodyReader<A>
}

/** Sends a request in the forms of the dialect, until the service accepts one. Later requests start with that form. */
const makeSendForms = (
  send: Send,
  run: Run,
  pageParameter: string
): (<A>(sendable: Sendable<A>) => Effect.Effect<A, ChemError>) => {
  const acceptedForms = new Map<string, number>()
  return <A>({ difference, operation, parts, read, values }: Sendable<A>) => {
    const { name } = operation
    const { forms = asInContract, lines, projections = {} } = difference
    const encoding = { lines: lines ? values?.map(String) : undefined, projections }
    const request = renameParameters(parts, pageParameter)
    const sendForm = (
      at: number,
      otherForms = forms.length - 1
    ): Effect.Effect<FormResponse<A>, ChemError> => {
      const form = forms[at] ?? {}
      const call = run({
        endpoint: name,
        batchSize: values?.length ?? 1,
        request: at === 0 ? request : { ...request, form: at },
        isPartial: (body) => isPartial(operation, values, body),
        read: readForm(form, readProjection(parts.query, read)),
        send: send(operation, parts, { ...encoding, form })
      })
      if (otherForms === 0) return call
      const sendNext = Effect.suspend(() => {
        const next = (at + 1) % forms.length
        acceptedForms.set(name, next)
        return sendForm(next, otherForms - 1)
      })
      return call.pipe(
        Effect.flatMap((response) => (response.isRefusal ? sendNext : Effect.succeed(response))),
        Effect.catchIf(
          (error) => isFormRefused(error, form),
          () => sendNext
        )
      )
    }
    return Effect.map(sendForm(acceptedForms.get(name) ?? 0), ({ value }) => value)
  }
}

const addControl = (parts: Operation.Values, { withControl }: Dialect.Difference): Operation.Values =>
  withControl === undefined ? parts : { ...parts, payload: withControl(parts.payload) }

const asInContract: readonly [Dialect.Form] = [{}]

/** Renames the parameters of a request to the names of the service. */
const renameParameters = (parts: Operation.Values, pageParameter: string): Operation.Values => {
  const { query } = parts
  if (query === undefined) return parts
  const renamed = Object.entries(query).map(([name, value]) => [parameterName(name, pageParameter), value])
  return { ...parts, query: Object.fromEntries(renamed) }
}

/** Calls an endpoint with an unchecked request, after checking it. */
export const raw =
  (callOperation: CallOperation): Endpoint.Raw =>
  (endpoint, request = {} as typeof request, read) =>
    Effect.suspend(() => {
      const operation = Predicate.hasProperty(endpoint, "parts")
        ? (endpoint as Operation.Operation)
        : operationOf(endpoint as string)
      Options.refuseArguments({ read: Options.required(Options.func) }, [read])
      const { name } = operation
      const violation = contractViolation(operation, request)
      return violation === undefined
        ? callOperation(operation, request, read)
        : Effect.fail(
            new InvalidIdentifier.InvalidIdentifier({
              identifier: name,
              value: violation.value,
              reason: "malformed",
              message: `the request of ${name} is malformed: ${violation.message}`
            })
          )
    })

/** Makes a call with a checked value, or fails with the error of the check. */
export const withValid = <A, B>(
  checked: Result.Result<A, InvalidIdentifier.InvalidIdentifier>,
  use: (value: A) => Effect.Effect<B, Failure>
): Effect.Effect<B, Failure> =>
  Result.isSuccess(checked) ? use(checked.success) : Effect.fail(checked.failure)

/** Returns the values of a batch: the payload itself, or the list in it. */
const valuesIn = (payload: unknown): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(payload)) return payload
  return Predicate.isObject(payload) ? Object.values(payload).find(Array.isArray) : undefined
}

const emptyBody = (payload: unknown): Uint8Array =>
  new TextEncoder().encode(Array.isArray(payload) ? "[]" : "{}")

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

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns how a request violates the contract, with the place in it. An empty batch passes, because it is not sent. */
const contractViolation = (
  operation: Operation.Operation,
  request: Operation.Values
): { readonly value: string; readonly message: string } | undefined => {
  const { params, payload, query } = operation.parts()
  const checks: ReadonlyArray<readonly [string, Schema.Top | undefined, unknown]> = [
    ["params", params && Schema.Struct(params), request.params],
    ["query", query && Schema.Struct(query), request.query],
    ...(valuesIn(request.payload)?.length === 0 ? [] : [["payload", payload, request.payload] as const])
  ]
  for (const [name, schema, part] of checks) {
    if (schema === undefined) continue
    const decode = Schema.decodeUnknownResult(Schema.toType(schema) as Schema.ConstraintDecoder<unknown>)
    const checked = decode(part)
    if (Result.isSuccess(checked)) continue
    const issue = formatIssues(checked.failure.issue).issues[0]
    const place = [name, ...(issue?.path ?? [])].map(String).join(".")
    const message = issue?.message ?? checked.failure.message
    return { value: JSON.stringify(part) ?? "", message: `${place}: ${message}` }
  }
  return undefined
}

/** Returns a request of the contract. Throws `InvalidOption` if there is none of this name. */
const operationOf = (name: string): Operation.Operation => {
  const found = Rows.operations.find((operation) => operation.name === name)
  if (found !== undefined) return found
  throw Options.oneOf(Rows.operations.map((operation) => operation.name)).problem(name, "endpoint")
}
