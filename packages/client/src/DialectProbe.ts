/**
 * Finds the dialect of a service by three requests without data, to which each dialect responds in its own way.
 *
 * The requests have the dialect of the client. The caller decides what the signs mean.
 */
import { Dialect, Dtxsid } from "@chemstream/api"
import { Effect, Result } from "effect"
import { ChemClient } from "./ChemClient.ts"
import type { Failure } from "./calls/internal/callOperation.ts"

/** The sign in one response. */
export interface Sign {
  /** What was requested to tell the dialect. */
  readonly request: "an unknown identifier" | "bioactivity of an unknown identifier" | "the batch search"
  /** The dialect that sends this response. Undefined: every dialect may send it. */
  readonly dialect: Dialect.Name | undefined
}

/** An identifier that no service knows: the last DTXSID. */
const unknown = Dtxsid.fromNumber(9_999_999_999)

/** A word that no service knows. */
const word = "no such name (chemstream)"

/**
 * Requests an identifier and a name that do not exist. Fails if a request gets no response, or the key is refused.
 */
export const signs: Effect.Effect<ReadonlyArray<Sign>, Failure, ChemClient> = Effect.gen(function* () {
  const { bioactivity, details, dialect, search } = yield* ChemClient
  const detail = yield* resultOf(details.byDtxsid(unknown))
  const summary = yield* resultOf(bioactivity.summaryByDtxsid(unknown))
  const batch = yield* resultOf(search.equalBatch([word, `${word} 2`]))
  const other = Dialect.names.find((name) => name !== dialect)
  const isBatchRefused = Result.isFailure(batch) && isRefusal(batch.failure)
  return [
    { request: "an unknown identifier", dialect: ofMiss(detail, { 400: "ctx", 404: "specification" }) },
    {
      request: "bioactivity of an unknown identifier",
      dialect: ofMiss(summary, { 200: "ctx", 404: "specification" })
    },
    {
      request: "the batch search",
      dialect: isBatchRefused ? other : Result.isSuccess(batch) ? dialect : undefined
    }
  ]
})

const resultOf = <A>(call: Effect.Effect<A, Failure>): Effect.Effect<Result.Result<A, Failure>, Failure> =>
  Effect.flatMap(Effect.result(call), (result) =>
    Result.isFailure(result) && isFatal(result.failure) ? Effect.fail(result.failure) : Effect.succeed(result)
  )

const isFatal = ({ _tag }: Failure): boolean =>
  ["ConnectionFailed", "RequestTimeout", "ServiceUnavailable", "Unauthorized"].includes(_tag)

const isRefusal = (error: Failure): boolean =>
  error._tag === "InvalidRequest" || (error._tag === "MalformedResponse" && error.dialect !== undefined)

/** Returns the dialect whose services answer a miss with this status. */
const ofMiss = (
  result: Result.Result<unknown, Failure>,
  byStatus: Readonly<Record<number, Dialect.Name>>
): Dialect.Name | undefined =>
  Result.isFailure(result) && result.failure._tag === "NotFound" ? byStatus[result.failure.status] : undefined
