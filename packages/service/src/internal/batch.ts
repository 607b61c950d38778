/**
 * The refusal of a batch that is larger than its endpoint takes: one rule and one wording for all batch endpoints.
 */
import { BatchLimit, Problem } from "@chemstream/api"
import { Context, Effect, Option } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

/** The problem that an endpoint declares for a batch that is too large. */
export type Refusal<Endpoint> = Extract<
  HttpApiEndpoint.Error<Endpoint>["Type"],
  Problem.TooLarge | Problem.BadRequest
>

/**
 * Fails with the status of the endpoint's limit (413, or 400 for compound identifiers) when the batch holds more values
 * than that, duplicates counted. The problem says the limit and the number that was sent.
 */
export const withinLimit = <Endpoint extends HttpApiEndpoint.Constraint>(
  endpoint: Endpoint & Annotated,
  values: { readonly length: number }
): Effect.Effect<void, Refusal<Endpoint>> => {
  const refusal = overLimit(endpoint, values.length)
  return refusal === undefined ? Effect.void : Effect.fail(refusal as Refusal<Endpoint>)
}

/** The refusal of that many values; none when they are within the limit of the endpoint, or it has none. */
export const overLimit = (
  endpoint: Annotated,
  values: number
): Problem.TooLarge | Problem.BadRequest | undefined => {
  const limit = Context.getOption(endpoint.annotations, BatchLimit.BatchLimit)
  if (Option.isNone(limit) || values <= limit.value.values) return undefined
  const detail = `The list holds ${values} values; send at most ${limit.value.values} at a time`
  return limit.value.refusal === 413 ? new Problem.TooLarge({ detail }) : new Problem.BadRequest({ detail })
}

interface Annotated {
  readonly annotations: Context.Context<never>
}
