/**
 * The endpoints of the chemical detail record, over any `Store`.
 *
 * Records pass from the store to the answer as bytes; nothing is decoded or encoded. The key and the form of the
 * request are checked before a handler runs, by the middlewares of the contract.
 */
import { type Access, BatchLimit, Details, Problem } from "@chemstream/api"
import { Effect, type Layer, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { contract } from "./internal/contract.ts"
import { project, projectAll } from "./internal/projection.ts"
import { Store } from "./Store.ts"

/** The handlers, to be provided with a store and with the middlewares of the contract. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"chemical-information", "details">,
  never,
  Store | Access.ApiKey | Access.RequestCheck
> = HttpApiBuilder.group(
  contract,
  "details",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* Store
    const limit = BatchLimit.of(Details.byDtxsidBatch)
    return handlers.handleAll({
      byDtxsid: Effect.fnUntraced(function* ({ params, query }) {
        const record = yield* Effect.orDie(store.detail(params.dtxsid))
        if (Option.isNone(record)) {
          return yield* new Problem.NotFound({ detail: `No chemical is known by ${params.dtxsid}` })
        }
        return json(project(record.value, query.projection))
      }),
      byDtxsidBatch: Effect.fnUntraced(function* ({ payload, query }) {
        if (payload.length > limit) {
          return yield* new Problem.TooLarge({
            detail: `The list holds ${payload.length} identifiers; send at most ${limit} at a time`
          })
        }
        return json(projectAll(yield* Effect.orDie(store.details(payload)), query.projection))
      })
    })
  })
)

const json = (text: Uint8Array): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(text, { contentType: "application/json" })
