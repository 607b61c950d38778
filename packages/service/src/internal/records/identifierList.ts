/**
 * Responds to a search by formula, mass or compound with identifiers as one JSON array, or refuses a list that is
 * too long.
 */
import { ProblemDetails } from "@chemstream/api"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Identifiers } from "../../Store.ts"
import { json } from "./recordPages.ts"

/** Returns the list, or 400 if it is too long: an incomplete list would be taken for the whole. */
export const list = (
  found: Identifiers
): Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemDetails.BadRequest> =>
  found.isTooLong ? Effect.fail(tooLong) : Effect.succeed(json(found.json))

const tooLong = new ProblemDetails.BadRequest({
  detail:
    "The result has more substances than one response may have. Request a narrower range, or only the count"
})
