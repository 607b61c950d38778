/**
 * Lists the identifiers of a search by formula, mass or compound as the public service does: without duplicates,
 * sorted as text.
 */
import type { HttpServerResponse } from "effect/http"
import type { Identifiers } from "../../Store.ts"
import { json, list, refusal } from "./ctxResponses.ts"
import { double, object } from "./reshapeRecord.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Joins the lists of several searches. `suffix` follows the identifiers; an empty list stays empty. */
export const joined = (found: ReadonlyArray<Identifiers>, suffix: ReadonlyArray<null> = []): Response =>
  tooManyRefusal(found) ?? list(sortedTexts(found, suffix))

/** Lists the identifiers of each mass, as an object with a list by mass. */
export const byMass = (masses: ReadonlyArray<number>, found: ReadonlyArray<Identifiers>): Response =>
  tooManyRefusal(found) ??
  json(
    object(
      masses
        .map((mass, n) => [double(mass), `[${sortedTexts(found.slice(n, n + 1)).join(",")}]`] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1))
    )
  )

const sortedTexts = (
  found: ReadonlyArray<Identifiers>,
  suffix: ReadonlyArray<null> = []
): ReadonlyArray<string> => {
  const texts = found.flatMap(
    (identifiers) => JSON.parse(new TextDecoder().decode(identifiers.json)) as ReadonlyArray<string>
  )
  const distinct = [...new Set(texts)].sort()
  return (distinct.length === 0 ? [] : [...distinct, ...suffix]).map((text) => JSON.stringify(text))
}

const tooManyRefusal = (found: ReadonlyArray<Identifiers>): Response | undefined =>
  found.some(({ isTooLong }) => isTooLong)
    ? refusal(400, { detail: "The result has more substances than this service returns at once." })
    : undefined
