/** Refuses a batch that is too large, with the same words at all endpoints. */
import { ProblemDetails, type Row } from "@chemstream/api"
import { Effect } from "effect"

/**
 * Fails if a batch has more values than the limit of its endpoint (`batch.limit` of its row, in the package api). Duplicates
 * count. The status is 413, or 400 if the row says so, as for compound identifiers.
 *
 * The problem names the limit and the size of the batch.
 */
export const checkBatchSize = (
  { batch }: Row.Row,
  values: { readonly length: number }
): Effect.Effect<void, ProblemDetails.TooLarge | ProblemDetails.BadRequest> => {
  if (batch === undefined || values.length <= batch.limit) return Effect.void
  const detail = `The list has ${values.length} values. Send at most ${batch.limit} at a time`
  return batch.refusal === 400
    ? new ProblemDetails.BadRequest({ detail })
    : new ProblemDetails.TooLarge({ detail })
}
