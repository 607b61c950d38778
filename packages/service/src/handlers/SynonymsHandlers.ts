/**
 * Handles the synonym endpoints, over any `Store`.
 *
 * Records are sent as imported, byte for byte. With `ccd-synonyms` the response is a flat list, and each synonym has
 * a quality: `Valid`, `Good`, `Other`, `Alternate CAS-RN`, `Deleted CAS-RN`, `Beilstein` or `PC-Code`. The project
 * chose these words and their order (docs/service.md, section 5.4).
 */
import { type Access, ProblemDetails, Synonyms } from "@chemstream/api"
import { Effect, type Layer, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { contract } from "../internal/http/contract.ts"
import { checkBatchSize } from "../internal/records/batchLimit.ts"
import * as flatSynonyms from "../internal/records/flatSynonyms.ts"
import { json, recordsResponse } from "../internal/records/recordPages.ts"
import { Store } from "../Store.ts"

/** The handlers of the group. They need a store and the middlewares of the contract. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"chemical-information", "synonyms">,
  never,
  Store | Access.ApiKey | Access.RequestCheck
> = HttpApiBuilder.group(
  contract,
  "synonyms",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* Store
    return handlers.handleAll({
      byDtxsid: Effect.fnUntraced(function* ({ params, query }) {
        const record = yield* Effect.orDie(store.synonym(params.dtxsid))
        if (Option.isNone(record)) {
          return yield* new ProblemDetails.NotFound({ detail: `No synonyms are known for ${params.dtxsid}` })
        }
        return query.projection === "ccd-synonyms"
          ? HttpServerResponse.jsonUnsafe(flatSynonyms.fromRecord(record.value))
          : json(record.value)
      }),
      byDtxsidBatch: Effect.fnUntraced(function* ({ payload }) {
        yield* checkBatchSize(Synonyms.byDtxsid, payload)
        return recordsResponse(yield* Effect.orDie(store.synonyms(payload)))
      })
    })
  })
)
