/**
 * The endpoints of the contract as types: their names and the parts of their requests.
 *
 * They derive from the `HttpApi` of `@chemstream/api`. Modules such as `DetailCalls` describe the calls.
 */
import { BatchLimit, type ChemicalApi, type InvalidIdentifier } from "@chemstream/api"
import { type Brand, Context, type Schema } from "effect"
import type { ChemError } from "../errors/ChemError.ts"
import type { BodyReader } from "./BodyReader.ts"
import { contract } from "./internal/contract.ts"
import type { Effects, Mode, One } from "./Mode.ts"

type Groups = ChemicalApi.Groups

/** The name of a group of endpoints, e.g. `details`. */
export type Group = ChemicalApi.GroupName

/** The name of an endpoint: group and endpoint, e.g. `details.byDtxsidBatch`. */
export type Name = ChemicalApi.EndpointName

type Parts<N extends Name> = N extends `${infer G extends Group}.${infer E}`
  ? E extends keyof Groups[G]["endpoints"]
    ? PartsOf<Groups[G]["endpoints"][E]>
    : never
  : never

type PartsOf<E> = E extends {
  readonly "~Params": infer Params
  readonly "~Query": infer Query
  readonly "~Payload": infer Payload
}
  ? Part<"params", Params> & Part<"query", Query> & Part<"payload", Payload>
  : never

type Part<K extends string, S> = [S] extends [never]
  ? unknown
  : S extends Schema.Top
    ? { readonly [P in K]: Accepted<S["Type"]> }
    : never

/** A list may be empty; no request is sent then. */
type Accepted<T> = T extends readonly [infer A, ...ReadonlyArray<infer _>]
  ? ReadonlyArray<A>
  : T extends string | number
    ? T
    : { readonly [K in keyof T]: Accepted<T[K]> }

/**
 * Returns the largest batch of an endpoint. 1: it takes no batches.
 *
 * @example
 * ```ts
 * import { Endpoint } from "@chemstream/client"
 *
 * Endpoint.largestBatch("details.byDtxsidBatch") // => 1000
 * ```
 */
export const largestBatch = (name: Name): number =>
  Context.getOrUndefined(contract(name).annotations, BatchLimit.BatchLimit)?.values ?? 1

/** The checked `params`, `query` and `payload` of a request. */
export type Request<N extends Name> = { readonly [K in keyof Parts<N>]: Parts<N>[K] }

/** A request before any check: identifiers are text, numbers are numbers. */
export type Unchecked<N extends Name> = { readonly [K in keyof Parts<N>]: Loose<Parts<N>[K]> }

type Loose<T> =
  T extends Brand.Brand<string>
    ? T extends string
      ? string
      : number
    : T extends string | number
      ? T
      : { readonly [K in keyof T]: Loose<T[K]> }

/**
 * Calls an endpoint by its name and reads the body with `read`, e.g. to keep records as bytes. Retries, limits and
 * errors are those of the endpoint's method. If `read` refuses a body, the call is retried as a `MalformedResponse`.
 * An identifier must have its canonical spelling, or the call fails with `InvalidIdentifier`. An empty batch sends no
 * request; `read` gets `[]` then, or `{}` for masses.
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
export type Raw<F extends Mode = Effects> = <const N extends Name, A>(
  endpoint: N,
  request: Unchecked<N>,
  read: BodyReader<A>
) => One<F, A, ChemError | InvalidIdentifier.InvalidIdentifier>
