/**
 * A row of the public service: what an endpoint answers to a request, and how the requests of all rows are read.
 */
import { Effect } from "effect"
import type { Store, StoreError } from "../../Store.ts"
import type { Variants } from "../../Variants.ts"
import { type Answer, list, tooMany, unconverted, unreadable } from "./responses.ts"

/** What a request asks a row. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The text of the body; empty where there is none. */
  readonly body: string
}

/** Answers a request. */
export type Row = (asked: Asked) => Answer

/** What the rows answer from. */
export interface Context {
  readonly store: Store["Service"]
  readonly variants: Variants
  readonly pageSize: number
}

/** The result of a store: it fails only by a defect. */
export const read = <A>(query: Effect.Effect<A, StoreError>): Effect.Effect<A> => Effect.orDie(query)

/** A batch of texts in a JSON array, numbers among them as text. */
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
  const value = parsed(body)
  const isScalar = (item: unknown) => typeof item === "string" || typeof item === "number"
  return Array.isArray(value) && value.every(isScalar) ? value.map(String) : undefined
}

/** The value of a JSON text; undefined where it is none. */
export const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** A whole number of 32 bits in a path or a query, or the refusal of what is none. */
export const whole = (name: string, value: string, use: (number: number) => Answer): Answer =>
  /^[+-]?\d+$/.test(value) && Math.abs(Number(value)) < 2 ** 31
    ? use(Number(value))
    : Effect.succeed(unconverted(name, value))
