/**
 * Handles the endpoints of bioactivity data, over any `Store`.
 *
 * Data records and AED records are sent as imported, byte for byte. A batch keeps the order of its values, and sorts
 * the records of each value by `m4id` (AED: by `aeid`). A repeated value counts once. Summaries are computed
 * (docs/service.md, section 5.6).
 *
 * An unknown value is 404. In a batch it has no records.
 */
import { type Access, Bioactivity, ProblemDetails, Quote, type Row } from "@chemstream/api"
import { Effect, type Layer, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { contract } from "../internal/http/contract.ts"
import { checkBatchSize } from "../internal/records/batchLimit.ts"
import * as plotPoint from "../internal/records/plotPoint.ts"
import { batchResponse, json, pagesResponse } from "../internal/records/recordPages.ts"
import { Store, start } from "../Store.ts"

/** The handlers of the group. They need a store and the middlewares of the contract. */
export const layer: Layer.Layer<
  HttpApiGroup.Service<"chemical-information", "bioactivity">,
  never,
  Store | Access.ApiKey | Access.RequestCheck
> = HttpApiBuilder.group(
  contract,
  "bioactivity",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* Store
    return handlers.handleAll({
      summaryByTissue: ({ query: { dtxsid, tissue } }) =>
        Effect.map(
          orNotFound(
            Effect.map(Effect.orDie(store.tissueSummaries(dtxsid, tissue, 1)), ([summary]) =>
              Option.fromUndefinedOr(summary)
            ),
            noData(`${dtxsid} in the tissue ${Quote.value(tissue)}`)
          ),
          json
        ),
      summaryByDtxsid: ({ params: { dtxsid } }) =>
        Effect.map(orNotFound(Effect.orDie(store.chemicalSummary(dtxsid)), noData(dtxsid)), json),
      summaryByAeid: ({ params: { aeid } }) =>
        Effect.map(
          orNotFound(Effect.orDie(store.endpointCounts(aeid)), noData(`the assay endpoint ${aeid}`)),
          (counts) => HttpServerResponse.jsonUnsafe({ aeid, ...counts })
        ),
      bySpid: ({ params: { spid } }) =>
        pagesOrNotFound(noData(`the sample ${Quote.value(spid)}`), (from) => store.dataBySpid([spid], from)),
      byM4id: ({ params: { m4id } }) =>
        Effect.map(
          orNotFound(
            Effect.map(Effect.orDie(store.dataByM4id([m4id], start)), ({ records }) =>
              Option.fromUndefinedOr(records[0])
            ),
            `No data record has the m4id ${m4id}`
          ),
          json
        ),
      byDtxsid: ({ params: { dtxsid }, query }) =>
        pagesOrNotFound(
          noData(dtxsid),
          (from) => store.dataByDtxsid([dtxsid], from),
          query.projection === "assay-summary-plot" ? plotPoint.fromRecord : undefined
        ),
      byAeid: ({ params: { aeid } }) =>
        pagesOrNotFound(noData(`the assay endpoint ${aeid}`), (from) => store.dataByAeid([aeid], from)),
      aedByDtxsid: ({ params: { dtxsid } }) =>
        pagesOrNotFound(`No AED data is known for ${dtxsid}`, (from) => store.aed([dtxsid], from)),
      bySpidBatch: ({ payload }) =>
        respondToBatch(Bioactivity.bySpid, payload, (from) => store.dataBySpid(payload, from)),
      byM4idBatch: ({ payload }) => {
        const m4ids = payload.map(Number)
        return respondToBatch(Bioactivity.byM4id, payload, (from) => store.dataByM4id(m4ids, from))
      },
      byDtxsidBatch: ({ payload }) =>
        respondToBatch(Bioactivity.byDtxsid, payload, (from) => store.dataByDtxsid(payload, from)),
      byAeidBatch: ({ payload }) =>
        respondToBatch(Bioactivity.byAeid, payload, (from) => store.dataByAeid(payload, from)),
      aedByDtxsidBatch: ({ payload }) =>
        respondToBatch(Bioactivity.aedByDtxsid, payload, (from) => store.aed(payload, from))
    })
  })
)

/** Responds with the records of one value, or with 404. */
const pagesOrNotFound = (
  detail: string,
  pages: Parameters<typeof pagesResponse>[0],
  project?: Parameters<typeof pagesResponse>[1]
) => orNotFound(pagesResponse(pages, project), detail)

/** Responds with the records of a batch. Refuses a batch that is too large. */
const respondToBatch = (
  row: Row.Row,
  values: ReadonlyArray<unknown>,
  page: Parameters<typeof batchResponse>[0]
) => Effect.andThen(checkBatchSize(row, values), batchResponse(page))

const noData = (subject: string): string => `No bioactivity data is known for ${subject}`

const orNotFound = <A>(
  lookup: Effect.Effect<Option.Option<A>>,
  detail: string
): Effect.Effect<A, ProblemDetails.NotFound> =>
  Effect.flatMap(
    lookup,
    Option.match({
      onNone: () => Effect.fail(new ProblemDetails.NotFound({ detail })),
      onSome: (value) => Effect.succeed(value)
    })
  )
