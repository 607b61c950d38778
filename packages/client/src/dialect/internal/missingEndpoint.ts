/**
 * Recognises a service that does not have an endpoint of the public service: one of the contract, or an older one.
 *
 * The public service never responds to an unknown value of these endpoints with a 404, so a 404 is about the path.
 * `errors/internal/responseErrors.ts` reads the 404s of other endpoints.
 */
import { Operation } from "@chemstream/api"
import { Effect } from "effect"
import * as ChemError from "../../errors/ChemError.ts"

type Call<A> = Effect.Effect<A, ChemError.ChemError>

/** Characters that gateways refuse in a path. Such a refusal says nothing about the endpoint. */
const refused = /[/\\%?#;]/

/** Watches the requests of one client. An endpoint that has responded before is there. */
export const make = (): (<A>(
  operation: Operation.Operation,
  params: Readonly<Record<string, unknown>> | undefined,
  call: Call<A>
) => Call<A>) => {
  const present = new Set<string>()
  return (operation, params, call) => {
    const { name, row } = operation
    if (row.dialect === undefined || row.miss === "404") return call
    const isPlain = !Object.values(params ?? {}).some((value) => refused.test(String(value)))
    return call.pipe(
      Effect.mapError((error) =>
        isAboutPath(error) ? pathError(error, operation, isPlain && !present.has(name)) : error
      ),
      Effect.tap(Effect.sync(() => present.add(name)))
    )
  }
}

type Refusal = ChemError.InvalidRequest | ChemError.NotFound

const isAboutPath = (error: ChemError.ChemError): error is Refusal =>
  (error._tag === "InvalidRequest" || error._tag === "NotFound") &&
  (error.status === 404 || error.status === 405)

/** `isMissing`: whether every later request will fail alike. If not, the response is about this path alone. */
const pathError = (
  { attempts, endpoint, gateway, message, status = 404 }: Refusal,
  { path, row }: Operation.Operation,
  isMissing: boolean
): ChemError.InvalidRequest =>
  new ChemError.InvalidRequest({
    endpoint,
    attempts,
    status,
    ...(gateway === true ? { gateway } : {}),
    ...(isMissing
      ? {
          isEndpointMissing: true,
          message: `the service has no endpoint ${row.name} (${status}: ${path}). Use a service that has ${Operation.groupOf(row.name)}, or check the base URL`
        }
      : { message })
  })
