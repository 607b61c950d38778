/**
 * The identifiers that a search by formula, mass or compound found, as the public service lists them: each once, in the
 * order of their text.
 */
import type { HttpServerResponse } from "effect/http"
import type { Identifiers } from "../../Store.ts"
import { double, object } from "./reshape.ts"
import { json, list, refusal } from "./responses.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The list of some searches together; `after` stands behind the identifiers where there are any. */
export const all = (found: ReadonlyArray<Identifiers>, after: ReadonlyArray<null> = []): Response =>
  refused(found) ?? list(sorted(found, after))

/** The lists of some masses: an object by mass, in no order. */
export const byMass = (masses: ReadonlyArray<number>, found: ReadonlyArray<Identifiers>): Response =>
  refused(found) ??
  json(
    object(
      masses
        .map((mass, n) => [double(mass), `[${sorted(found.slice(n, n + 1)).join(",")}]`] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1))
    )
  )

const sorted = (
  found: ReadonlyArray<Identifiers>,
  after: ReadonlyArray<null> = []
): ReadonlyArray<string> => {
  const texts = found.flatMap(
    ({ json }) => JSON.parse(new TextDecoder().decode(json)) as ReadonlyArray<string>
  )
  const distinct = [...new Set(texts)].sort()
  return (distinct.length === 0 ? [] : [...distinct, ...after]).map((text) => JSON.stringify(text))
}

const refused = (found: ReadonlyArray<Identifiers>): Response | undefined =>
  found.some(({ isTooLong }) => isTooLong)
    ? refusal(400, { detail: "More substances are found than this service answers at once." })
    : undefined
