/**
 * The maximum number of values in one call of a batch endpoint (docs/service.md, section 4), as an annotation.
 *
 * The client never sends more (its `callOperation.ts` has the message), and the service refuses more. The numbers stand in `rows/`, in the
 * row of each endpoint.
 */
import { Context } from "effect"
import { InvalidOption } from "../InvalidOption.ts"

/** The limit of a batch endpoint. */
export interface Limit {
  /** The maximum number of values in one call. */
  readonly values: number
  /** The status of the response to a larger batch: 413, but 400 for compound identifiers. */
  readonly refusal: 400 | 413
  /** Whether the number is documented. If not, it is this project's own. */
  readonly documented: boolean
}

/** The annotation that holds the limit. Endpoints without it take a single value. */
export class BatchLimit extends Context.Service<BatchLimit, Limit>()("@chemstream/api/BatchLimit") {}

/**
 * Returns the limit of a batch endpoint.
 *
 * @example
 * ```ts
 * import { BatchLimit, ChemicalApi } from "@chemstream/api"
 *
 * const { byDtxsidBatch } = ChemicalApi.ChemicalApi.groups.details.endpoints
 * BatchLimit.of(byDtxsidBatch).values // => 1000
 * ```
 */
export const of = (endpoint: { readonly annotations: Context.Context<never> }): Limit => {
  const annotations = endpoint?.annotations
  const limit = Context.isContext(annotations) ? Context.getOrUndefined(annotations, BatchLimit) : undefined
  if (limit === undefined) throw new InvalidOption("endpoint", "the endpoint of a batch", endpoint)
  return limit
}
