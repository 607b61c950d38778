/**
 * Names the setting to change if the service seems to have another dialect.
 *
 * It suspects the dialect if the endpoint has never succeeded, and the dialects differ in their requests to it.
 */
import { Dialect } from "@chemstream/api"
import { Effect, Predicate } from "effect"
import type * as Endpoint from "../../calls/Endpoint.ts"
import * as ChemError from "../../errors/ChemError.ts"

/** A request that may have the wrong dialect. */
export interface EndpointRequest {
  readonly endpoint: Endpoint.Name
  readonly query: Readonly<Record<string, unknown>> | undefined
  /** The values of the batch. */
  readonly values: ReadonlyArray<unknown> | undefined
}

/** Watches the requests of one client. */
export const make = ({
  name
}: Dialect.Dialect): (<A>(
  request: EndpointRequest,
  call: Effect.Effect<A, ChemError.ChemError>
) => Effect.Effect<A, ChemError.ChemError>) => {
  const succeeded = new Set<Endpoint.Name>()
  const ownDialect = Dialect.dialects[name]
  const others = Dialect.names.filter((other) => other !== name).map((other) => Dialect.dialects[other])

  return (request, call) => {
    const { endpoint } = request
    const other = others.find((other) => differ(ownDialect, other, request))
    if (other === undefined) return call
    // Some responses prove the other dialect at any time, because a gateway may mix both services.
    const isSuspicious = (error: ChemError.ChemError): boolean =>
      !succeeded.has(endpoint) || ("dialect" in error && error.dialect !== undefined)
    return call.pipe(
      Effect.mapError((error) => (isSuspicious(error) ? addHint(error, name, other, endpoint) : error)),
      Effect.tap(Effect.sync(() => succeeded.add(endpoint)))
    )
  }
}

/** Whether two dialects send a request to an endpoint in different ways. */
const differ = (ownDialect: Dialect.Dialect, other: Dialect.Dialect, request: EndpointRequest): boolean =>
  [ownDialect, other].some((dialect) => {
    const {
      largest = Number.POSITIVE_INFINITY,
      projections = {},
      ...rest
    } = dialect.endpoints[request.endpoint] ?? {}
    const projection = request.query?.["projection"]
    return (
      Object.keys(rest).length > 0 ||
      (request.values?.length ?? 0) > largest ||
      (Predicate.isString(projection) && projection in projections)
    )
  })

const hint = (name: Dialect.Name, other: Dialect.Name): string =>
  `The request was sent in the dialect ${name}. If the service has the other one, set the dialect to ${other}`

const unsupportedMediaType = 415

const addHint = (
  error: ChemError.ChemError,
  name: Dialect.Name,
  { endpoints, name: other }: Dialect.Dialect,
  endpoint: Endpoint.Name
): ChemError.ChemError => {
  const message = `${error.message}. ${hint(name, other)}`
  switch (error._tag) {
    case "InvalidRequest":
      if (error.gateway === true) return error
      // A 415 is about the media type, not about the values, so it proves the other dialect.
      return new ChemError.InvalidRequest({
        ...error,
        ...(error.status === unsupportedMediaType || endpoints[endpoint]?.refusal?.test(error.message)
          ? { dialect: other }
          : {}),
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
