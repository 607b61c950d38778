/**
 * Handles the summaries of bioactivity data, which are computed from data records (docs/service.md, section 5.6).
 */
import { Bioactivity, Quote } from "@chemstream/api"
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Store } from "../../Store.ts"
import { json } from "../records/jsonResponses.ts"
import { type HandlersOf, noData, orNotFound } from "./endpointHandlers.ts"

/** Returns the handlers of summaries by endpoint. */
export const make = (store: Store["Service"]): HandlersOf<"bioactivity"> => ({
  summaryByTissue: ({ query: { dtxsid, tissue } }) =>
    Effect.map(
      orNotFound(
        Effect.map(Effect.orDie(store.tissueSummaries(dtxsid, tissue, 1)), ([summary]) =>
          Option.fromUndefinedOr(summary)
        ),
        noData(Bioactivity.summaryByTissue, `${dtxsid} in the tissue ${Quote.value(tissue)}`)
      ),
      json
    ),
  summaryByDtxsid: ({ params: { dtxsid } }) =>
    Effect.map(
      orNotFound(Effect.orDie(store.chemicalSummary(dtxsid)), noData(Bioactivity.summaryByDtxsid, dtxsid)),
      json
    ),
  summaryByAeid: ({ params: { aeid } }) =>
    Effect.map(
      orNotFound(
        Effect.orDie(store.endpointCounts(aeid)),
        noData(Bioactivity.summaryByAeid, `the assay endpoint ${aeid}`)
      ),
      (counts) => HttpServerResponse.jsonUnsafe({ aeid, ...counts })
    )
})
