/** Defines the handler of an endpoint of the public service, and reads the values of its requests: batches and numbers. */
import { Effect } from "effect"
import type { Store, StoreError } from "../../Store.ts"
import type { Variants } from "../../Variants.ts"
import { conversionFailed, type HandlerResponse, list, tooMany, unreadable } from "./ctxResponses.ts"

/** A request to an endpoint: the values of its path, its query and its body. */
export interface HandlerRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The body as text. Empty without a body. */
  readonly body: string
}

/** Handles a request. */
export type Handler = (request: HandlerRequest) => HandlerResponse

/** The store and the settings of handlers. */
export interface Context {
  readonly store: Store["Service"]
  readonly variants: Variants
  /** The number of records in a page. Default: that of the public service. */
  readonly pageSize: number | undefined
}

/** Queries the store. A failure becomes a defect. */
export const orDie = <A>(query: Effect.Effect<A, StoreError>): Effect.Effect<A> => Effect.orDie(query)

/** Makes the handler of a batch: a JSON array of strings and numbers. */
export const batch =
  (
    { variants }: Context,
    limit: { readonly values: number; readonly kind: string } | undefined,
    respond: (values: ReadonlyArray<string>) => HandlerResponse
  ): Handler =>
  ({ body }) => {
    const values = valuesOf(body)
    if (values === undefined) return Effect.succeed(unreadable)
    if (values.length === 0) return Effect.succeed(variants.emptyBatch === "list" ? list([]) : unreadable)
    return limit !== undefined && values.length > limit.values
      ? Effect.succeed(tooMany(variants.tooMany, limit.kind, values.length, limit.values))
      : respond(values)
  }

const valuesOf = (body: string): ReadonlyArray<string> | undefined => {
  const value = parseJson(body)
  const isScalar = (item: unknown) => typeof item === "string" || typeof item === "number"
  return Array.isArray(value) && value.every(isScalar) ? value.map(String) : undefined
}

/** Parses a JSON text. Undefined: it is malformed. */
export const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Parses a whole number of 32 bits in a path or a query. Refuses any other value. */
export const wholeNumber = (
  name: string,
  value: string,
  use: (number: number) => HandlerResponse
): HandlerResponse =>
  /^[+-]?\d+$/.test(value) && Math.abs(Number(value)) < 2 ** 31
    ? use(Number(value))
    : Effect.succeed(conversionFailed(name, value))
