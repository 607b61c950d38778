/**
 * Handles summaries of bioactivity data as the public service does. The response for an unknown value is an empty array,
 * never a miss. Errors have no reason.
 */
import { Effect, Option } from "effect"
import type { StoredRecord } from "../../Store.ts"
import { foldTissue } from "../records/dataRecordFacts.ts"
import { either } from "./ctxEndpointHandlers.ts"
import { type Context, type Handler, orDie, wholeNumber } from "./ctxHandler.ts"
import * as records from "./ctxRecords.ts"
import { list, refusal } from "./ctxResponses.ts"
import { textsOf } from "./reshapeRecord.ts"

/** No limit on the records of a substance in a tissue. */
const allRecords = 2 ** 31 - 1

/** Returns the handlers of summaries by endpoint. */
export const handlers = (context: Context) => {
  const { store, variants } = context
  return {
    summaryByTissue: ({ query }) => {
      const [dtxsid, tissue] = [query.get("dtxsid"), query.get("tissue")]
      if (dtxsid === null || tissue === null) {
        return Effect.succeed(variants.tissue === "list" ? list([]) : refusal(400))
      }
      // The public service finds a tissue only if it is sent in lower case.
      if (tissue !== foldTissue(tissue)) return Effect.succeed(list([]))
      return Effect.map(orDie(store.tissueSummaries(dtxsid, tissue, allRecords)), (found) =>
        list(byHitCall(found))
      )
    },
    summaryByDtxsid: ({ params: { dtxsid = "" } }) =>
      Effect.map(orDie(store.chemicalSummary(dtxsid)), (found) =>
        list(Option.toArray(found).map(records.summary))
      ),
    summaryByAeid: ({ params }) =>
      wholeNumber("aeid", params["aeid"] ?? "", (aeid) =>
        Effect.map(orDie(store.endpointCounts(aeid)), (found) =>
          either(
            variants,
            Option.getOrUndefined(Option.map(found, (counts) => JSON.stringify({ aeid, ...counts })))
          )
        )
      )
  } satisfies Record<string, Handler>
}

const byHitCall = (found: ReadonlyArray<StoredRecord>): ReadonlyArray<string> =>
  found
    .map((summary) => new TextDecoder().decode(summary))
    .map((text) => ({ text, hitCall: Number(textsOf(text).get("continuousHitCall") ?? "NaN") }))
    .sort((a, b) => b.hitCall - a.hitCall)
    .map(({ text }) => text)
