/**
 * Handles MS-ready chemicals, which are found by indexes of formulas, masses and structures.
 *
 * An unknown value has an empty list (docs/service.md, section 3.3). A batch returns an object with a list for each
 * value. The substances of a mass range are sorted by mass, then by identifier. All other lists are sorted by
 * identifier.
 */
import { MassRange, MolecularFormula, MsReady, ProblemDetails } from "@chemstream/api"
import { Effect, Result } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Identifiers, Store } from "../../Store.ts"
import { checkBatchSize } from "../records/checkBatchSize.ts"
import { json, listResponse } from "../records/jsonResponses.ts"
import type { HandlersOf } from "./endpointHandlers.ts"

/** Returns the handlers of the group by endpoint. */
export const make = (store: Store["Service"]): HandlersOf<"msready"> => ({
  byDtxcid: Effect.fnUntraced(function* ({ params }) {
    return yield* singleList(yield* Effect.orDie(store.msreadyByDtxcid([params.dtxcid])))
  }),
  byDtxcidBatch: Effect.fnUntraced(function* ({ payload }) {
    yield* checkBatchSize(MsReady.byDtxcid, payload)
    const dtxcids = [...new Set(payload)]
    return yield* listsByKey(dtxcids, yield* Effect.orDie(store.msreadyByDtxcid(dtxcids)))
  }),
  byFormula: Effect.fnUntraced(function* ({ params }) {
    const formula = Result.getOrThrow(MolecularFormula.parse(params.formula))
    return yield* listResponse(yield* Effect.orDie(store.msreadyByFormula(formula)))
  }),
  byMass: Effect.fnUntraced(function* ({ params }) {
    const range = Effect.fromResult(MassRange.make(params.start, params.end))
    const ranges = [yield* Effect.mapError(range, badRequest)]
    return yield* singleList(yield* Effect.orDie(store.msreadyByMass(ranges)))
  }),
  byMassBatch: Effect.fnUntraced(function* ({ payload }) {
    yield* checkBatchSize(MsReady.byMass, payload.masses)
    const masses = [...new Set(payload.masses)]
    const ranges = yield* Effect.forEach(masses, (mass) =>
      Effect.mapError(Effect.fromResult(MassRange.around(mass, payload.error)), badRequest)
    )
    return yield* listsByKey(masses.map(keyOf), yield* Effect.orDie(store.msreadyByMass(ranges)))
  })
})

const badRequest = ({ message }: { readonly message: string }): ProblemDetails.BadRequest =>
  new ProblemDetails.BadRequest({ detail: message })

/** Returns a mass as a key of the response to a batch. Whole numbers get a decimal (docs/service.md, section 3.3). */
const keyOf = (mass: number): string => (Number.isInteger(mass) ? `${mass}.0` : String(mass))

const singleList = ([found]: ReadonlyArray<Identifiers>) => listResponse(found as Identifiers)

const listsByKey = (
  keys: ReadonlyArray<string>,
  found: ReadonlyArray<Identifiers>
): Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemDetails.TooLarge> => {
  if (found.some(({ isTooLong }) => isTooLong)) {
    const detail =
      "The result has more substances than a response may have. Send fewer values, or a smaller tolerance"
    return new ProblemDetails.TooLarge({ detail })
  }
  const parts = found.flatMap((identifiers, i) => [
    encoder.encode(`${i === 0 ? "{" : ","}${JSON.stringify(keys[i])}:`),
    identifiers.json
  ])
  return Effect.succeed(json(Buffer.concat([...parts, encoder.encode("}")])))
}

const encoder = new TextEncoder()
