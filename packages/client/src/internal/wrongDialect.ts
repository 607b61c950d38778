/**
 * Says which setting to change where the service seems to have another dialect than the client.
 *
 * A failure of an endpoint that has not succeeded yet is suspicious where the dialects send different requests to it. One
 * endpoint does not fail: it answers as if it had nothing, which one request of the other dialect shows.
 */
import { Effect, Predicate } from "effect"
import * as ChemError from "../ChemError.ts"
import * as Dialect from "../Dialect.ts"
import type * as Endpoint from "../Endpoint.ts"

/** A request of which the client wonders whether the service has another dialect. */
export interface Question {
  readonly endpoint: Endpoint.Name
  readonly query: Readonly<Record<string, unknown>> | undefined
  readonly payload: unknown
  /** The values of the batch. */
  readonly values: ReadonlyArray<unknown> | undefined
}

/** The value of a response, and whether it has nothing for any value. */
export interface Answer<A> {
  readonly value: A
  readonly isEmpty: boolean
}

/** Watches the requests of one client. `find` sends the request for one value. */
export const make = (
  { name }: Dialect.Dialect,
  find: (single: Dialect.Single) => Effect.Effect<ReadonlyArray<string>, unknown>
): (<A>(
  question: Question,
  answer: Effect.Effect<Answer<A>, ChemError.ChemError>
) => Effect.Effect<A, ChemError.ChemError>) => {
  const confirmed = new Set<Endpoint.Name>()
  const own = Dialect.dialects[name]
  const others = Dialect.names.filter((other) => other !== name).map((other) => Dialect.dialects[other])

  return (question, answer) => {
    if (confirmed.has(question.endpoint)) return Effect.map(answer, ({ value }) => value)
    const other = others.find((other) => differ(own, other, question))
    if (other === undefined) return Effect.map(answer, ({ value }) => value)
    return answer.pipe(
      Effect.mapError((error) => hinted(error, name, other.name)),
      Effect.flatMap(({ isEmpty, value }) => {
        const { isSilent, single } = other.endpoints[question.endpoint] ?? {}
        if (isSilent && single !== undefined && isEmpty) {
          const found = Effect.orElseSucceed(find(single(question.values?.[0], question.payload)), () => [])
          return Effect.flatMap(found, ({ length }) =>
            length > 0 ? Effect.fail(silent(question, name, other.name)) : Effect.succeed(value)
          )
        }
        confirmed.add(question.endpoint)
        return Effect.succeed(value)
      })
    )
  }
}

/** Whether two dialects send a request to an endpoint in different ways. */
const differ = (own: Dialect.Dialect, other: Dialect.Dialect, question: Question): boolean =>
  [own, other].some((dialect) => {
    const {
      largest = Number.POSITIVE_INFINITY,
      projections = {},
      ...rest
    } = dialect.endpoints[question.endpoint] ?? {}
    const projection = question.query?.["projection"]
    return (
      Object.keys(rest).length > 0 ||
      (question.values?.length ?? 0) > largest ||
      (Predicate.isString(projection) && projection in projections)
    )
  })

const hint = (name: Dialect.Name, other: Dialect.Name): string =>
  `The request was sent in the dialect ${name}. If the service has the other one, set the dialect to ${other}`

const unsupportedMediaType = 415

const hinted = (error: ChemError.ChemError, name: Dialect.Name, other: Dialect.Name): ChemError.ChemError => {
  const message = `${error.message}. ${hint(name, other)}`
  switch (error._tag) {
    case "InvalidRequest":
      if (error.gateway === true) return error
      // A media type that is not taken is not taken for other values either.
      return new ChemError.InvalidRequest({
        ...error,
        ...(error.status === unsupportedMediaType ? { dialect: other } : {}),
        otherDialect: other,
        message
      })
    case "MalformedResponse":
      return new ChemError.MalformedResponse({ ...error, otherDialect: other, message })
    case "ServiceFailure":
      return error.permanent === true
        ? new ChemError.ServiceFailure({ ...error, otherDialect: other, message })
        : error
    default:
      return error
  }
}

const silent = (
  { endpoint, values }: Question,
  name: Dialect.Name,
  other: Dialect.Name
): ChemError.MalformedResponse =>
  new ChemError.MalformedResponse({
    endpoint,
    attempts: 1,
    status: 200,
    path: "",
    dialect: other,
    otherDialect: other,
    message: `the batch has nothing for ${values?.[0]}, and a request for that value alone has something. ${hint(name, other)}`
  })
