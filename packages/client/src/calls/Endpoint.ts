/**
 * The endpoints of the contract as types: their names, and what a request to each carries.
 *
 * Derived from the `HttpApi` of `@chemstream/api`. What a request means, and the readable answer, is in the module of the
 * endpoint's calls, e.g. `DetailCalls`.
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

/** A list may be empty: then nothing is sent. */
type Accepted<T> = T extends readonly [infer A, ...ReadonlyArray<infer _>]
  ? ReadonlyArray<A>
  : T extends string | number
    ? T
    : { readonly [K in keyof T]: Accepted<T[K]> }

/**
 * The most values that one call of an endpoint takes: 1 where it is no batch endpoint.
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

/** What a request to an endpoint carries: its checked `params`, `query` and `payload`. */
export type Request<N extends Name> = { readonly [K in keyof Parts<N>]: Parts<N>[K] }

/** The same before any check: identifiers as text, numbers as numbers. */
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
 * Calls an endpoint by its name and reads the body of the answer with `read`: for records that pass on as the bytes they
 * came in. Everything else is as in the endpoint's own method: retries, limits, errors; an answer that `read` refuses is a
 * `MalformedResponse`, and is retried as one. An identifier must be in canonical spelling, else `InvalidIdentifier`; a
 * batch without values is not sent, and `read` is given the empty answer (`[]`, for masses `{}`).
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
