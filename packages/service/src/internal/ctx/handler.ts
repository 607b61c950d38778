/**
 * Defines a row of the public service, the handler of one endpoint, and reads the requests of rows.
 */
import { Effect } from "effect"
import type { Store, StoreError } from "../../Store.ts"
import type { Variants } from "../../Variants.ts"
import { type Answer, list, tooMany, unconverted, unreadable } from "./responses.ts"

/** A request to a row. */
export interface RowRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The text of the body. Empty without a body. */
  readonly body: string
}

/** Handles a request. */
export type Row = (request: RowRequest) => Answer

/** The data and settings of rows. */
export interface Context {
  readonly store: Store["Service"]
  readonly variants: Variants
  readonly pageSize: number
}

/** Reads from the store. A failure is a defect. */
export const read = <A>(query: Effect.Effect<A, StoreError>): Effect.Effect<A> => Effect.orDie(query)

/** Makes the row of a batch: a JSON array of texts and numbers. */
export const batch =
  (
    { variants }: Context,
    most: { readonly values: number; readonly kind: string } | undefined,
    answer: (values: ReadonlyArray<string>) => Answer
  ): Row =>
  ({ body }) => {
    const values = valuesOf(body)
    if (values === undefined) return Effect.succeed(unreadable)
    if (values.length === 0) return Effect.succeed(variants.emptyBatch === "list" ? list([]) : unreadable)
    return most !== undefined && values.length > most.values
      ? Effect.succeed(tooMany(variants.tooMany, most.kind, values.length, most.values))
      : answer(values)
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

/** Uses a whole number of 32 bits in a path or a query, or refuses the value. */
export const wholeNumber = (name: string, value: string, use: (number: number) => Answer): Answer =>
  /^[+-]?\d+$/.test(value) && Math.abs(Number(value)) < 2 ** 31
    ? use(Number(value))
    : Effect.succeed(unconverted(name, value))
