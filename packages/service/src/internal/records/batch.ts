/**
 * The refusal of a batch that is larger than its endpoint takes: one rule and one wording for all batch endpoints.
 */
import { BatchLimit, ProblemDetails } from "@chemstream/api"
import { Context, Effect, Option } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

/** The problem that an endpoint declares for a batch that is too large. */
export type Refusal<Endpoint> = Extract<
  HttpApiEndpoint.Error<Endpoint>["Type"],
  ProblemDetails.TooLarge | ProblemDetails.BadRequest
>

/**
 * Fails with the status of the endpoint's limit (413, or 400 for compound identifiers) when the batch holds more values
 * than that, duplicates counted. The problem says the limit and the number that was sent.
 */
export const withinLimit = <Endpoint extends HttpApiEndpoint.Constraint>(
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

/** For how many misses of a batch search there are suggestions, as each takes up to 10 ms. The rest have none (`[null]`). */
export const suggestedMisses = 10
