/**
 * A call as the pipeline sees it: how it is sent, how its answer is read, and what it is called in messages.
 */
import type { Outcome } from "@chemstream/batch"
import type { Effect } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import type { BodyReader } from "../../calls/BodyReader.ts"
import type { ChemError } from "../../errors/ChemError.ts"

export interface Call<A> {
  /** The endpoint in the contract, e.g. `details.byDtxsid`. */
  readonly endpoint: string
  /** How many values the request carries. */
  readonly batchSize: number
  /** What is asked for: parameters, query and body, as JSON can carry them. Never the key. */
  readonly question: unknown
  /** Sends the request once. */
  readonly send: Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>
  readonly read: BodyReader<A>
  /** Whether the body of a success lacks some of the values that were asked for. */
  readonly isPartial: (body: Uint8Array) => boolean
}

/** The answer to a call: its value, and the body it was read from. */
export interface Answer<A> {
  readonly value: A
  readonly bytes: Uint8Array
  /** The `ETag` of the answer, where it has one. */
  readonly etag: string | undefined
  /** Why the service has more records than the body. */
  readonly truncated: Outcome.Truncation | undefined
}

/** Brings a call to its end. */
export type Run = <A>(call: Call<A>) => Effect.Effect<A, ChemError>
