/**
 * Names the setting to change if the service seems to have another dialect.
 *
 * It suspects the dialect if the endpoint has never succeeded, and the dialects differ in their requests to it.
 */
import { Dialect, Operation } from "@chemstream/api"
import { Effect, Predicate } from "effect"
import * as ChemError from "../../errors/ChemError.ts"

/** A request that may have the wrong dialect. */
export interface EndpointRequest {
  readonly operation: Operation.Operation
  readonly query: Readonly<Record<string, unknown>> | undefined
  /** The values of the batch. */
  readonly values: ReadonlyArray<unknown> | undefined
}

/** Watches the requests of one client: adds the hint to their errors until the endpoint has succeeded once. */
export const make = ({
  name
}: Dialect.Dialect): (<A>(
  request: EndpointRequest,
  call: Effect.Effect<A, ChemError.ChemError>
) => Effect.Effect<A, ChemError.ChemError>) => {
  const succeeded = new Set<string>()
  const others = Dialect.names.filter((other) => other !== name)

  return (request, call) => {
    const { operation } = request
    const other = others.find((other) => differ([name, other], request))
    if (other === undefined) return call
    // Some responses prove the other dialect at any time, because a gateway may mix both services.
    const isSuspicious = (error: ChemError.ChemError): boolean =>
      !succeeded.has(operation.name) || ("dialect" in error && error.dialect !== undefined)
    return call.pipe(
      Effect.mapError((error) => (isSuspicious(error) ? addHint(error, name, other, operation) : error)),
      Effect.tap(Effect.sync(() => succeeded.add(operation.name)))
    )
  }
}

/** Whether two dialects send a request to an endpoint in different ways. An endpoint of one dialect has one way. */
const differ = (dialects: ReadonlyArray<Dialect.Name>, request: EndpointRequest): boolean =>
  request.operation.row.dialect === undefined &&
  dialects.some((dialect) => {
    // The size of batches and the names of projections matter only to some requests. Any other difference matters to each.
    const {
      largest = Number.POSITIVE_INFINITY,
      projections = {},
      ...rest
    } = Operation.difference(request.operation, dialect)
    const projection = request.query?.["projection"]
    return (
      Object.keys(rest).length > 0 ||
      (request.values?.length ?? 0) > largest ||
      (Predicate.isString(projection) && projection in projections)
    )
  })

/** The end of a message that names the setting. */
const hint = (name: Dialect.Name, other: Dialect.Name): string =>
  `The request was sent in the dialect ${name}. If the service has the other one, set the dialect to ${other}`

const unsupportedMediaType = 415

/** Adds the hint to an error that another dialect explains. */
const addHint = (
  error: ChemError.ChemError,
  name: Dialect.Name,
  other: Dialect.Name,
  operation: Operation.Operation
): ChemError.ChemError => {
  const message = `${error.message}. ${hint(name, other)}`
  switch (error._tag) {
    case "InvalidRequest":
      if (error.gateway === true) return error
      // A 415 is about the media type, not about the values, so it proves the other dialect.
      return new ChemError.InvalidRequest({
        ...error,
        ...(error.status === unsupportedMediaType ||
        Operation.difference(operation, other).refusal?.test(error.message)
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
