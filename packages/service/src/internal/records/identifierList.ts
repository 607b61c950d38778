/**
 * The response of a search by formula, mass or compound: identifiers as one JSON array, or the refusal of a list that is
 * longer than is answered.
 */
import { ProblemDetails } from "@chemstream/api"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Identifiers } from "../../Store.ts"
import { json } from "./recordPages.ts"

/** The list, or 400: an answer that leaves some out would be taken for the whole. */
export const list = (
  found: Identifiers
): Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemDetails.BadRequest> =>
  found.isTooLong ? Effect.fail(tooLong) : Effect.succeed(json(found.json))

const tooLong = new ProblemDetails.BadRequest({
  detail:
    "More substances are found than are answered at once: ask for a narrower range, or only for their count"
})
