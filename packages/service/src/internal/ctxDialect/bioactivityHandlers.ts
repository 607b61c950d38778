/**
 * Handles bioactivity data as the public service does. The response for an unknown value is an empty array, never a
 * miss. Errors have no reason.
 */
import { Dialect } from "@chemstream/api"
import { Effect, Option } from "effect"
import { type Cursor, type Page, type StoredRecord, type StoreError, start } from "../../Store.ts"
import { foldTissue } from "../records/assayFacts.ts"
import { pagesResponse } from "../records/recordPages.ts"
import { batch, type Context, type Handler, orDie, wholeNumber } from "./handler.ts"
import * as records from "./records.ts"
import { textsOf } from "./reshape.ts"
import { emptyBody, type HandlerResponse, json, list, refusal } from "./responses.ts"

/** Reads a page of the records of some values. */
type Find<A> = (values: ReadonlyArray<A>, from: Cursor) => Effect.Effect<Page, StoreError>

const encoder = new TextEncoder()

/** No limit on the records of a substance in a tissue. */
const allRecords = 2 ** 31 - 1

/** Returns the handlers of bioactivity data by endpoint. */
export const handlers = (context: Context) => {
  const { store, variants } = context
  const data = records.data(variants)
  const { all, many, manyNumbers, one } = responders(context)
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
    summaryByAeid: ({ params: { aeid = "" } }) =>
      wholeNumber("aeid", aeid, (aeid) =>
        Effect.map(orDie(store.endpointCounts(aeid)), (found) =>
          one(Option.getOrUndefined(Option.map(found, (counts) => JSON.stringify({ aeid, ...counts }))))
        )
      ),
    bySpid: ({ params: { spid = "" } }) => all(store.dataBySpid, [spid], data),
    byM4id: ({ params: { m4id = "" } }) =>
      wholeNumber("m4id", m4id, (m4id) =>
        Effect.map(orDie(store.dataByM4id([m4id], start)), ({ records: [record] }) =>
          one(record === undefined ? undefined : data(record))
        )
      ),
    byDtxsid: ({ params: { dtxsid = "" }, query }) =>
      all(
        store.dataByDtxsid,
        [dtxsid],
        query.get("projection") === Dialect.plotProjection ? records.plotPoint : data
      ),
    byAeid: ({ params: { aeid = "" } }) =>
      wholeNumber("aeid", aeid, (aeid) => all(store.dataByAeid, [aeid], data)),
    aedByDtxsid: ({ params: { dtxsid = "" } }) => all(store.aed, [dtxsid], records.singleAed),
    bySpidBatch: many((spids) => all(store.dataBySpid, spids, data)),
    byM4idBatch: manyNumbers(store.dataByM4id),
    byDtxsidBatch: many((dtxsids) => all(store.dataByDtxsid, dtxsids, data)),
    byAeidBatch: manyNumbers(store.dataByAeid),
    aedByDtxsidBatch: many((dtxsids) => all(store.aed, dtxsids, records.aed))
  } satisfies Record<string, Handler>
}

/** Makes the three forms of responses: all records of some values, one record, a batch. */
const responders = (context: Context) => {
  const { variants } = context
  const data = records.data(variants)

  const all = <A>(find: Find<A>, values: ReadonlyArray<A>, shape: records.Reshape): HandlerResponse =>
    Effect.map(
      pagesResponse(
        (from) => find(values, from),
        (stored) => encoder.encode(shape(stored))
      ),
      Option.getOrElse(() => list([]))
    )
  /** Responds with one record, in the form of the release. */
  const one = (text: string | undefined) => {
    if (variants.single === "array") return list(text === undefined ? [] : [text])
    return text === undefined ? emptyBody : json(text)
  }
  const many = (respond: (values: ReadonlyArray<string>) => HandlerResponse): Handler =>
    batch(context, undefined, (values) =>
      variants.dataLimit === "500" && values.length > Dialect.bioactivityBatchLimit
        ? Effect.succeed(refusal(500))
        : respond([...new Set(values)].sort())
    )
  const manyNumbers = (find: Find<number>): Handler =>
    many((values) =>
      values.every((value) => /^\d+$/.test(value))
        ? all(
            find,
            values.map(Number).sort((a, b) => a - b),
            data
          )
        : Effect.succeed(refusal(500))
    )
  return { all, many, manyNumbers, one }
}

const byHitCall = (found: ReadonlyArray<StoredRecord>): ReadonlyArray<string> =>
  found
    .map((summary) => new TextDecoder().decode(summary))
    .map((text) => ({ text, hitCall: Number(textsOf(text).get("continuousHitCall") ?? "NaN") }))
    .sort((a, b) => b.hitCall - a.hitCall)
    .map(({ text }) => text)
