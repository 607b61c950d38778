/**
 * The endpoints of the contract as types: their names and the parts of their requests.
 *
 * They derive from the rows of `@chemstream/api`, each of which declares an endpoint. Modules such as `DetailCalls` describe the calls.
 */
import type { InvalidIdentifier, Operation, Rows } from "@chemstream/api"
import type { Brand } from "effect"
import type { BodyReader } from "../BodyReader.ts"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"

/** The checks of arguments, for other packages that make calls of rows. */
export { checkOptions, optionSet, rowKind } from "./internal/checkArguments.ts"

/** Where the values of a request go: into its path, its query, or its body. */
export type Parts = Operation.Values

/** The name of an endpoint: group and endpoint, e.g. `details.byDtxsidBatch`. */
export type Name = Rows.OperationName

/** A list may be empty; no request is sent then. */
type Accepted<T> = T extends readonly [infer A, ...ReadonlyArray<infer _>]
  ? ReadonlyArray<A>
  : T extends string | number
    ? T
    : { readonly [K in keyof T]: Accepted<T[K]> }

/** The checked `params`, `query` and `payload` of a request. */
export type Request<N extends Name> = {
  readonly [K in keyof Rows.RequestOf<N>]: Accepted<Rows.RequestOf<N>[K]>
}

/** A request before any check: identifiers are text, numbers are numbers. */
export type Unchecked<N extends Name> = { readonly [K in keyof Request<N>]: Loose<Request<N>[K]> }

/** The same without the brands of checked identifiers. */
type Loose<T> =
  T extends Brand.Brand<string>
    ? T extends string
      ? string
      : number
    : T extends string | number
      ? T
      : { readonly [K in keyof T]: Loose<T[K]> }

/**
 * Calls an endpoint by its name, or an operation of a row, and reads the body with `read`, e.g. to keep records as bytes. Retries, limits
 * and errors are those of the endpoint's method. If `read` refuses a body, the call is retried as a `MalformedResponse`. An identifier must
 * have its canonical spelling, or the call fails with `InvalidIdentifier`. An empty batch sends no request; `read` gets `[]` then, or `{}`
 * for masses.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { Effect, Result } from "effect"
 *
 * const text = Effect.gen(function* () {
 *   const client = yield* ChemClient.ChemClient
 *   return yield* client.raw(
 *     "details.byDtxsidBatch",
 *     { payload: ["DTXSID7020182"], query: { projection: "compact" } },
 *     (body) => Result.succeed(new TextDecoder().decode(body))
 *   )
 * })
 * ```
 */
export type Raw<F extends Mode = Effects> = <const N extends Name | Operation.Operation, A>(
  endpoint: N,
  request: N extends Name ? Unchecked<N> : Parts,
  read: BodyReader<A>
) => One<F, A, ChemError | InvalidIdentifier.InvalidIdentifier>
