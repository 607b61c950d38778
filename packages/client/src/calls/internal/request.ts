/**
 * Makes a `Call` from the name of an endpoint, a request and a reader, and runs it.
 *
 * It checks the size of batches, sends no request for an empty one, and refuses values that no path can carry.
 */
import { type ChemicalApi, type Dialect, InvalidIdentifier, Quote, Search } from "@chemstream/api"
import { Effect, Predicate, Result, Schema, SchemaIssue } from "effect"
import { HttpClientError, type HttpClientResponse } from "effect/http"
import type { HttpApiClient } from "effect/http-api"
import {
  type FormResponse,
  isFormRefused,
  readForm,
  readProjection,
  requestSingles
} from "../../dialect/internal/requestForm.ts"
import * as wrongDialect from "../../dialect/internal/wrongDialect.ts"
import { BatchTooLarge, type ChemError } from "../../errors/ChemError.ts"
import type { Run } from "../../pipeline/internal/call.ts"
import type { BodyReader } from "../BodyReader.ts"
import type * as Endpoint from "../Endpoint.ts"
import { largestBatch } from "../Endpoint.ts"
import { contract, endpointOf, groupOf } from "./contract.ts"
import { isPartial } from "./partialBody.ts"
import { identifiers } from "./readers.ts"
import { parameterName, RequestEncoding } from "./requestEncoding.ts"

/** The errors of a call. */
export type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** Calls an endpoint. */
export type CallEndpoint = <const N extends Endpoint.Name, A>(
  endpoint: N,
  request: Endpoint.Request<N>,
  read: BodyReader<A>
) => Effect.Effect<A, Failure>

/** The client that derives from the contract. */
export type Api = HttpApiClient.ForApi<typeof ChemicalApi.ChemicalApi>

/** The parts of a request. */
interface Parts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly payload?: unknown
}

/** Any method of the client. */
type Method = (
  request: Parts & { readonly responseMode: "response-only" }
) => Effect.Effect<HttpClientResponse.HttpClientResponse, unknown>

/** The media types of endpoints that respond with something other than JSON. */
const accepts: Readonly<Partial<Record<Endpoint.Name, string>>> = {
  "search.countByExactFormula": Search.countType,
  "search.countByMsreadyFormula": Search.countType
}

/** Calls the endpoints of a service with this dialect and page parameter. */
export const make = (api: Api, run: Run, pageParameter: string, dialect: Dialect.Dialect): CallEndpoint => {
  const methods = api as unknown as Readonly<Record<string, Readonly<Record<string, Method>>>>
  const sendForms = makeSendForms(run, pageParameter)
  const withDialectHint = wrongDialect.make(dialect)
  const callSingle = ({ endpoint, params }: Dialect.Single): Effect.Effect<ReadonlyArray<string>, Failure> =>
    callEndpoint(endpoint as "msready.byMass", { params } as Endpoint.Request<"msready.byMass">, identifiers)
  const callEndpoint: CallEndpoint = <N extends Endpoint.Name, A>(
    name: N,
    request: Endpoint.Request<N>,
    read: BodyReader<A>
  ) =>
    Effect.suspend((): Effect.Effect<A, Failure> => {
      const difference: Dialect.Difference = dialect.endpoints[name] ?? {}
      const parts = addControl(request, difference)
      const method = methods[groupOf(name)]?.[endpointOf(name)]
      if (method === undefined) return Effect.die(new Error(`the contract has no endpoint ${name}`))
      const values = valuesIn((request as Parts).payload)
      const extraValues = (valuesIn(parts.payload)?.length ?? 0) - (values?.length ?? 0)
      const problem =
        unsendableValue(name, parts.params) ?? checkBatchSize(name, values, difference, extraValues)
      if (problem !== undefined) return Effect.fail(problem)
      if (values?.length === 0) return Effect.succeed(Result.getOrThrow(read(emptyBody(parts.payload))))
      const { single } = difference
      if (single !== undefined && values !== undefined) {
        return requestSingles((value) => callSingle(single(value, parts.payload)), values, read)
      }
      const call = sendForms({ name, parts, values, difference, method, read })
      return withDialectHint({ endpoint: name, query: parts.query, values }, call)
    })
  return callEndpoint
}

/** A checked request of an endpoint, and how to send it. */
interface Sendable<A> {
  readonly name: Endpoint.Name
  readonly parts: Parts
  readonly values: ReadonlyArray<unknown> | undefined
  readonly difference: Dialect.Difference
  readonly method: Method
  readonly read: BodyReader<A>
}

/** Sends a request in the forms of the dialect, until the service accepts one. Later requests start with that form. */
const makeSendForms = (
  run: Run,
  pageParameter: string
): (<A>(sendable: Sendable<A>) => Effect.Effect<A, ChemError>) => {
  const acceptedForms = new Map<Endpoint.Name, number>()
  return <A>({ difference, method, name, parts, read, values }: Sendable<A>) => {
    const { forms = asInContract, lines, projections = {} } = difference
    const encoding = {
      accept: accepts[name] ?? "application/json",
      lines: lines ? values?.map(String) : undefined,
      projections
    }
    const send = transportErrors(method({ ...parts, responseMode: "response-only" }))
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
        isPartial: (body) => isPartial(name, values, body),
        read: readForm(form, readProjection(parts.query, read)),
        send: Effect.provideService(send, RequestEncoding, { ...encoding, form })
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

const addControl = (parts: Parts, { withControl }: Dialect.Difference): Parts =>
  withControl === undefined ? parts : { ...parts, payload: withControl(parts.payload) }

const asInContract: readonly [Dialect.Form] = [{}]

/** Renames the parameters of a request to the names of the service. */
const renameParameters = (parts: Parts, pageParameter: string): Parts => {
  const { query } = parts
  if (query === undefined) return parts
  const renamed = Object.entries(query).map(([name, value]) => [parameterName(name, pageParameter), value])
  return { ...parts, query: Object.fromEntries(renamed) }
}

/** Calls an endpoint with an unchecked request, after checking it. */
export const raw =
  (callEndpoint: CallEndpoint): Endpoint.Raw =>
  (name, request, read) =>
    Effect.suspend(() => {
      const violation = contractViolation(name, request)
      return violation === undefined
        ? callEndpoint(name, request as never, read)
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
  name: Endpoint.Name,
  values: ReadonlyArray<unknown> | undefined,
  { largest = Number.POSITIVE_INFINITY }: Dialect.Difference,
  extraValues: number
): BatchTooLarge | undefined => {
  if (values === undefined) return undefined
  const limit = Math.min(largestBatch(name), largest) - extraValues
  if (values.length <= limit) return undefined
  return batchTooLarge(name, values.length, limit)
}

/** The error of a batch above the limit. No request was sent. */
export const batchTooLarge = (name: Endpoint.Name, batchSize: number, limit: number): BatchTooLarge =>
  new BatchTooLarge({
    endpoint: name,
    attempts: 0,
    batchSize,
    message: `${name} takes at most ${limit} values in one call, not ${batchSize}; split the batch`
  })

/** Finds a value that no path segment can carry: a dot segment, or half a character. */
const unsendableValue = (
  name: Endpoint.Name,
  params: Parts["params"]
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

/** Returns how a request violates the contract. An empty batch passes, because it is not sent. */
const contractViolation = (
  name: Endpoint.Name,
  request: Parts
): { readonly value: string; readonly message: string } | undefined => {
  const { params, payload, query } = contract(name)
  const payloads = [...payload.values()].flatMap(({ schemas }) => schemas)
  const checks: ReadonlyArray<readonly [Schema.Top | undefined, unknown]> = [
    [params, request.params],
    [query, request.query],
    ...(valuesIn(request.payload)?.length === 0 ? [] : payloads.map((one) => [one, request.payload] as const))
  ]
  for (const [schema, part] of checks) {
    if (schema === undefined) continue
    const checked = Schema.decodeUnknownResult(Schema.toType(schema) as Schema.ConstraintDecoder<unknown>)(
      part
    )
    if (Result.isSuccess(checked)) continue
    const issue = formatIssues(checked.failure.issue).issues[0]
    return { value: JSON.stringify(part) ?? "", message: issue?.message ?? checked.failure.message }
  }
  return undefined
}

/**
 * Fails only with errors of the transport. Any other error is a defect, because earlier checks refuse values that
 * cannot be encoded.
 */
const transportErrors = <A>(
  send: Effect.Effect<A, unknown>
): Effect.Effect<A, HttpClientError.HttpClientError> =>
  Effect.catch(send, (error) =>
    HttpClientError.isHttpClientError(error) ? Effect.fail(error) : Effect.die(error)
  )
