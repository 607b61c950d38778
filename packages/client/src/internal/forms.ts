/**
 * The forms in which a dialect sends requests: which of them the service takes, and a batch as one request a value.
 */
import { Effect, Result, Schema } from "effect"
import { type BodyReader, json } from "../BodyReader.ts"
import type { ChemError } from "../ChemError.ts"
import { dialects, type Form, names } from "../Dialect.ts"
import type * as Endpoint from "../Endpoint.ts"

/** The value of a response, and what its body says of the form of the request. */
export interface Answered<A> {
  readonly value: A
  /** Whether the service has another form. */
  readonly isRefusal: boolean
  /** Whether it has no record. */
  readonly isEmpty: boolean
}

/** Whether the service refuses this form of a request, rather than what is asked. */
export const isRefused = (error: ChemError, { refusedBy }: Form): boolean =>
  (error._tag === "InvalidRequest" || (error._tag === "NotFound" && error.status === 404)) &&
  error.status === refusedBy

/** Reads the response to a request of this form. */
export const answered = <A>(
  endpoint: Endpoint.Name,
  { cutAt, refusedBy }: Form,
  read: BodyReader<A>
): BodyReader<Answered<A>> => {
  const isSilent = names.some((name) => dialects[name].endpoints[endpoint]?.isSilent)
  return (body, truncated) => {
    const isCut = cutAt !== undefined && countOf(body) === cutAt
    return Result.map(read(body, truncated ?? (isCut ? "capped" : undefined)), (value) => ({
      value,
      isRefusal: refusedBy === "object" && firstOf(body) === openingBrace,
      isEmpty: isSilent && body.length < longestEmpty && !/\[\s*[^\s\]]/.test(new TextDecoder().decode(body))
    }))
  }
}

/** A body of empty lists for the largest batch is shorter than this, in bytes. */
const longestEmpty = 100_000

const openingBrace = 0x7b

const firstOf = (body: Uint8Array): number | undefined => body.find((byte) => byte > 0x20)

const records = json(Schema.Array(Schema.Unknown))

const countOf = (body: Uint8Array): number =>
  Result.getOrElse(
    Result.map(records(body), ({ length }) => length),
    () => 0
  )

/** Requests in flight for the values of one batch. */
const singlesInFlight = 4

/** Sends a request for each value of a batch, and reads their bodies as that of the batch: an object by value. */
export const asked = <A, E>(
  find: (value: unknown) => Effect.Effect<ReadonlyArray<string>, E>,
  values: ReadonlyArray<unknown>,
  read: BodyReader<A>
): Effect.Effect<A, E> =>
  Effect.flatMap(
    Effect.forEach(
      new Set(values),
      (value) => Effect.map(find(value), (found) => [String(value), found] as const),
      { concurrency: singlesInFlight }
    ),
    (entries) =>
      Effect.orDie(
        Effect.fromResult(read(new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)))))
      )
  )
