/** Refuses a batch that is too large, with one rule and one wording for all endpoints. */
import { BatchLimit, ProblemDetails } from "@chemstream/api"
import { Context, Effect, Option } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

/** The problem of an endpoint for a batch that is too large. */
export type Refusal<Endpoint> = Extract<
  HttpApiEndpoint.Error<Endpoint>["Type"],
  ProblemDetails.TooLarge | ProblemDetails.BadRequest
>

/**
 * Fails with the status of the endpoint's limit (413, or 400 for compound identifiers) if the batch is larger,
 * counting duplicates.
 *
 * The problem states the limit and the number of values sent.
 */
export const checkBatchSize = <Endpoint extends HttpApiEndpoint.Constraint>(
  endpoint: Endpoint & Annotated,
  values: { readonly length: number }
): Effect.Effect<void, Refusal<Endpoint>> => {
  const limit = Context.getOption(endpoint.annotations, BatchLimit.BatchLimit)
  if (Option.isNone(limit) || values.length <= limit.value.values) return Effect.void
  const detail = `The list holds ${values.length} values; send at most ${limit.value.values} at a time`
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
 * The number of misses of a batch search with suggestions, which take up to 10 ms each. The others have none
 * (`[null]`).
 */
export const maxSuggestedMisses = 10
