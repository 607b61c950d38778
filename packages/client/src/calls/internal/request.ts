/**
 * Makes a `Call` from the name of an endpoint, a request and a reader, and runs it.
 *
 * It checks the size of batches, sends no request for an empty one, and refuses values that no path can carry.
 */
import { type ChemicalApi, type Dialect, InvalidIdentifier, Search } from "@chemstream/api"
import { Effect, Predicate, Result, Schema, SchemaIssue } from "effect"
import { HttpClientError, type HttpClientResponse } from "effect/http"
import type { HttpApiClient } from "effect/http-api"
import { type Answered, answered, asked, isRefused, projected } from "../../dialect/internal/requestForm.ts"
import * as wrongDialect from "../../dialect/internal/wrongDialect.ts"
import { BatchTooLarge, type ChemError } from "../../errors/ChemError.ts"
import type { Run } from "../../pipeline/internal/call.ts"
import type { BodyReader } from "../BodyReader.ts"
import type * as Endpoint from "../Endpoint.ts"
import { largestBatch } from "../Endpoint.ts"
import { contract, endpointOf, groupOf } from "./contract.ts"
import { isPartial } from "./partialBody.ts"
import { identifiers } from "./readers.ts"
import { parameterName, Sending } from "./wire.ts"

/** The errors of a call. */
export type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** Calls an endpoint. */
export type Ask = <const N extends Endpoint.Name, A>(
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
export const make = (api: Api, run: Run, pageParameter: string, dialect: Dialect.Dialect): Ask => {
  const methods = api as unknown as Readonly<Record<string, Readonly<Record<string, Method>>>>
  /** The accepted form of an endpoint, after others were refused. */
  const taken = new Map<Endpoint.Name, number>()
  const askSingle = ({ endpoint, params }: Dialect.Single): Effect.Effect<ReadonlyArray<string>, Failure> =>
    ask(endpoint as "msready.byMass", { params } as Endpoint.Request<"msready.byMass">, identifiers)
  const watched = wrongDialect.make(dialect)
  const ask: Ask = <N extends Endpoint.Name, A>(name: N, request: Endpoint.Request<N>, read: BodyReader<A>) =>
    Effect.suspend((): Effect.Effect<A, Failure> => {
      const difference: Dialect.Difference = dialect.endpoints[name] ?? {}
      const parts = controlled(request, difference)
      const method = methods[groupOf(name)]?.[endpointOf(name)]
      if (method === undefined) return Effect.die(new Error(`the contract has no endpoint ${name}`))
      const values = valuesIn((request as Parts).payload)
      const added = (valuesIn(parts.payload)?.length ?? 0) - (values?.length ?? 0)
      const problem = unsendable(name, parts.params) ?? tooMany(name, values, difference, added)
      if (problem !== undefined) return Effect.fail(problem)
      if (values?.length === 0) return Effect.succeed(Result.getOrThrow(read(emptyAnswer(parts.payload))))
      const { forms = asInContract, single } = difference
      if (single !== undefined && values !== undefined) {
        return asked((value) => askSingle(single(value, parts.payload)), values, read)
      }
      const accept = accepts[name] ?? "application/json"
      const lines = difference.lines ? values?.map(String) : undefined
      const projections = difference.projections ?? {}
      const send = onlyTransport(method({ ...parts, responseMode: "response-only" }))
      const question = sent(parts, pageParameter)
      const sendFrom = (at: number, others = forms.length - 1): Effect.Effect<Answered<A>, ChemError> => {
        const form = forms[at] ?? {}
        const answer = run({
          endpoint: name,
          batchSize: values?.length ?? 1,
          question: at === 0 ? question : { ...question, form: at },
          isPartial: (body) => isPartial(name, values, body),
          read: answered(form, projected(parts.query, read)),
          send: Effect.provideService(send, Sending, { accept, form, lines, projections })
        })
        if (others === 0) return answer
        const next = Effect.suspend(() => {
          const following = (at + 1) % forms.length
          taken.set(name, following)
          return sendFrom(following, others - 1)
        })
        return answer.pipe(
          Effect.flatMap((got) => (got.isRefusal ? next : Effect.succeed(got))),
          Effect.catchIf(
            (error) => isRefused(error, form),
            () => next
          )
        )
      }
      const answer = Effect.map(sendFrom(taken.get(name) ?? 0), ({ value }) => value)
      return watched({ endpoint: name, query: parts.query, values }, answer)
    })
  return ask
}

const controlled = (parts: Parts, { withControl }: Dialect.Difference): Parts =>
  withControl === undefined ? parts : { ...parts, payload: withControl(parts.payload) }

const asInContract: readonly [Dialect.Form] = [{}]

/** Renames the parameters of a request to the names of the service. */
const sent = (parts: Parts, pageParameter: string): Parts => {
  const { query } = parts
  if (query === undefined) return parts
  const named = Object.entries(query).map(([name, value]) => [parameterName(name, pageParameter), value])
  return { ...parts, query: Object.fromEntries(named) }
}

/** Calls an endpoint with an unchecked request, after checking it. */
export const raw =
  (ask: Ask): Endpoint.Raw =>
  (name, request, read) =>
    Effect.suspend(() => {
      const problem = misfit(name, request)
      return problem === undefined
        ? ask(name, request as never, read)
        : Effect.fail(
            new InvalidIdentifier.InvalidIdentifier({
              identifier: name,
              value: problem.value,
              reason: "malformed",
              message: `${name} cannot be asked for this: ${problem.message}`
            })
          )
    })

/** Calls with checked values, or fails with the error of the check. */
export const given = <A, B>(
  checked: Result.Result<A, InvalidIdentifier.InvalidIdentifier>,
  use: (value: A) => Effect.Effect<B, Failure>
): Effect.Effect<B, Failure> =>
  Result.isSuccess(checked) ? use(checked.success) : Effect.fail(checked.failure)

/** The values of a batch: the payload itself, or its one list. */
const valuesIn = (payload: unknown): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(payload)) return payload
  return Predicate.isObject(payload) ? Object.values(payload).find(Array.isArray) : undefined
}

const emptyAnswer = (payload: unknown): Uint8Array =>
  new TextEncoder().encode(Array.isArray(payload) ? "[]" : "{}")

const tooMany = (
  name: Endpoint.Name,
  values: ReadonlyArray<unknown> | undefined,
  { largest = Number.POSITIVE_INFINITY }: Dialect.Difference,
  added: number
): BatchTooLarge | undefined => {
  if (values === undefined) return undefined
  const limit = Math.min(largestBatch(name), largest) - added
  if (values.length <= limit) return undefined
  return batchTooLarge(name, values.length, limit)
}

/** The error of a batch above the limit. No request was sent. */
export const batchTooLarge = (name: Endpoint.Name, batchSize: number, limit: number): BatchTooLarge =>
  new BatchTooLarge({
    endpoint: name,
    attempts: 0,
    batchSize,
    message: `${batchSize} values in one call: ${name} takes at most ${limit}`
  })

/** Finds a value that no path segment can carry: a dot segment, or half a character. */
const unsendable = (
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
      message: `${JSON.stringify(value)} cannot be the ${key} of ${name}: no URL can carry it`
    })
  }
  return undefined
}

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns how a request violates the contract. An empty batch does not: it is not sent. */
const misfit = (
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
  for (const [schema, given] of checks) {
    if (schema === undefined) continue
    const checked = Schema.decodeUnknownResult(Schema.toType(schema) as Schema.ConstraintDecoder<unknown>)(
      given
    )
    if (Result.isSuccess(checked)) continue
    const issue = formatIssues(checked.failure.issue).issues[0]
    return { value: JSON.stringify(given) ?? "", message: issue?.message ?? checked.failure.message }
  }
  return undefined
}

/** An undecoded request fails only in transport: earlier checks exclude values that the contract cannot encode. */
const onlyTransport = <A>(
  send: Effect.Effect<A, unknown>
): Effect.Effect<A, HttpClientError.HttpClientError> =>
  Effect.catch(send, (error) =>
    HttpClientError.isHttpClientError(error) ? Effect.fail(error) : Effect.die(error)
  )
