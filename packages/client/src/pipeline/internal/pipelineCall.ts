/** A call as the steps of `pipeline.ts` pass it on: how to send it, how to read the response, and its name in messages. */
import type { Outcome } from "@chemstream/batch"
import type { Effect } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import type { BodyReader } from "../../BodyReader.ts"
import type { ChemError } from "../../errors/ChemError.ts"

/** A call. `A` is the type of the value in its response. */
export interface Call<A> {
  /** The endpoint in the contract, e.g. `details.byDtxsid`. */
  readonly endpoint: string
  /** The number of values in the request. */
  readonly batchSize: number
  /** Parameters, query and body, as JSON values. Never the key. */
  readonly request: unknown
  /** Sends the request once. */
  readonly send: Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>
  readonly read: BodyReader<A>
  /** Whether the body of a success lacks requested values. */
  readonly isPartial: (body: Uint8Array) => boolean
}

/** The response to a call: its value, and the body with it. */
export interface CallResponse<A> {
  readonly value: A
  readonly bytes: Uint8Array
  /** The `ETag` of the response, if any. */
  readonly etag: string | undefined
  /** Why the service has more records than the body. */
  readonly truncated: Outcome.Truncation | undefined
}

/** Runs a call through all steps. */
export type Run = <A>(call: Call<A>) => Effect.Effect<A, ChemError>
