/** Responds to a search by formula, mass or compound with a JSON array of identifiers. */
import { ProblemDetails } from "@chemstream/api"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Identifiers } from "../../Store.ts"
import { json } from "./recordPages.ts"

/**
 * Responds with the list, or with 400 if it is too long: a client would take an incomplete list for a complete one.
 */
export const list = (
  found: Identifiers
): Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemDetails.BadRequest> =>
  found.isTooLong ? Effect.fail(tooLong) : Effect.succeed(json(found.json))

const tooLong = new ProblemDetails.BadRequest({
  detail:
    "The result has more substances than a response may have. Request a narrower range, or only the count"
})
