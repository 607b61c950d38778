/**
 * Which dialect a service shows: three requests that every service answers without data, each in its own way.
 *
 * The requests are sent in the dialect of the client. What the answers mean for a run is left to the caller.
 */
import { Dialect, Dtxsid } from "@chemstream/api"
import { Effect, Result } from "effect"
import { ChemClient } from "../ChemClient.ts"
import type { Failure } from "../calls/internal/request.ts"

/** What one response shows. */
export interface Sign {
  /** What was looked at. */
  readonly of: "an unknown identifier" | "bioactivity of an unknown identifier" | "the batch search"
  /** The dialect that answers so; undefined where the response shows neither. */
  readonly dialect: Dialect.Name | undefined
}

/** An identifier that no service knows: the last one of its kind. */
const unknown = Dtxsid.fromNumber(9_999_999_999)

/** A word that no service knows. */
const word = "no such name (chemstream)"

/**
 * Asks the service what it has under an identifier and a name that do not exist. Fails where a request brings no response
 * at all, or the key is refused.
 */
export const signs: Effect.Effect<ReadonlyArray<Sign>, Failure, ChemClient> = Effect.gen(function* () {
  const { bioactivity, details, dialect, search } = yield* ChemClient
  const detail = yield* settled(details.byDtxsid(unknown))
  const summary = yield* settled(bioactivity.summaryByDtxsid(unknown))
  const batch = yield* settled(search.equalBatch([word, `${word} 2`]))
  const other = Dialect.names.find((name) => name !== dialect)
  const refused = Result.isFailure(batch) && isRefusal(batch.failure)
  return [
    { of: "an unknown identifier", dialect: ofMiss(detail, { 400: "ctx", 404: "specification" }) },
    {
      of: "bioactivity of an unknown identifier",
      dialect: ofMiss(summary, { 200: "ctx", 404: "specification" })
    },
    { of: "the batch search", dialect: refused ? other : Result.isSuccess(batch) ? dialect : undefined }
  ]
})

const settled = <A>(call: Effect.Effect<A, Failure>): Effect.Effect<Result.Result<A, Failure>, Failure> =>
  Effect.flatMap(Effect.result(call), (result) =>
    Result.isFailure(result) && isSilence(result.failure)
      ? Effect.fail(result.failure)
      : Effect.succeed(result)
  )

const isSilence = ({ _tag }: Failure): boolean =>
  ["ConnectionFailed", "RequestTimeout", "ServiceUnavailable", "Unauthorized"].includes(_tag)

const isRefusal = (error: Failure): boolean =>
  error._tag === "InvalidRequest" || (error._tag === "MalformedResponse" && error.dialect !== undefined)

const ofMiss = (
  result: Result.Result<unknown, Failure>,
  byStatus: Readonly<Record<number, Dialect.Name>>
): Dialect.Name | undefined =>
  Result.isFailure(result) && result.failure._tag === "NotFound" ? byStatus[result.failure.status] : undefined
