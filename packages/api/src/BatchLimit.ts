/**
 * How many values one call of a batch endpoint takes (specification, section 8), as an annotation of the endpoint:
 * the client never sends more, the service refuses more.
 */
import { Context } from "effect"

/** The annotation: the largest number of values in one call. Endpoints without it take a single value. */
export class BatchLimit extends Context.Service<BatchLimit, number>()("@chemstream/api/BatchLimit") {}

/**
 * The limit of a batch endpoint.
 *
 * @example
 * ```ts
 * import { BatchLimit, Details } from "@chemstream/api"
 *
 * BatchLimit.of(Details.byDtxsidBatch) // => 1000
 * ```
 */
export const of = (endpoint: { readonly annotations: Context.Context<never> }): number =>
  Context.getUnsafe(endpoint.annotations, BatchLimit)
