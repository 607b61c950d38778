/** Refuses a batch that is too large, with the same words at all endpoints. */
import { BatchLimit, ProblemDetails } from "@chemstream/api"
import { Context, Effect, Option } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

/** The problem of an endpoint for a batch that is too large. */
export type Refusal<Endpoint> = Extract<
  HttpApiEndpoint.Error<Endpoint>["Type"],
  ProblemDetails.TooLarge | ProblemDetails.BadRequest
>

/**
 * Fails if a batch has more values than the limit of its endpoint. Duplicates count. The status is 413, or 400 for
 * compound identifiers.
 *
 * The problem names the limit and the size of the batch.
 */
export const checkBatchSize = <Endpoint extends HttpApiEndpoint.Constraint>(
  endpoint: Endpoint & Annotated,
  values: { readonly length: number }
): Effect.Effect<void, Refusal<Endpoint>> => {
  const limit = Context.getOption(endpoint.annotations, BatchLimit.BatchLimit)
  if (Option.isNone(limit) || values.length <= limit.value.values) return Effect.void
  const detail = `The list has ${values.length} values. Send at most ${limit.value.values} at a time`
  const refusal =
    limit.value.refusal === 413
      ? new ProblemDetails.TooLarge({ detail })
      : new ProblemDetails.BadRequest({ detail })
  return Effect.fail(refusal as Refusal<Endpoint>)
}

interface Annotated {
  readonly annotations: Context.Context<never>
}

/**
 * The number of misses in a batch search that get suggestions, because each may take 10 ms. The others have `[null]`.
 */
export const maxSuggestedMisses = 10
