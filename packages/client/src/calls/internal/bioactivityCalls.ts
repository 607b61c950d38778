/**
 * The bioactivity calls over the client that derives from the contract.
 */
import {
  AedRecord,
  Assay,
  BioactivityData,
  BioactivitySummary,
  Dtxsid,
  InvalidIdentifier,
  Quote
} from "@chemstream/api"
import { Effect, Result, Schema } from "effect"
import { NotFound } from "../../errors/ChemError.ts"
import { withRequestCount } from "../../pipeline/CallObserver.ts"
import type { MakeGet } from "../../pipeline/internal/batching.ts"
import type { BioactivityCalls, BioactivityForms } from "../BioactivityCalls.ts"
import { type BodyReader, json } from "../BodyReader.ts"
import type * as Endpoint from "../Endpoint.ts"
import { dtxsidOf, listOf, oneOf, oneOrNothing } from "./readers.ts"
import { type CallEndpoint, type Failure, withValid } from "./request.ts"

export const make = (callEndpoint: CallEndpoint, makeGet: MakeGet): BioactivityCalls => {
  const getRecords = makeGet({
    endpoint: "bioactivity.byDtxsidBatch",
    call: (payload: ReadonlyArray<Dtxsid.Dtxsid>, _form: "data", read) =>
      callEndpoint("bioactivity.byDtxsidBatch", { payload }, read),
    read: () => data,
    multiplicity: "many",
    keyOf: (record) => dtxsidOf(record.dtxsid)
  })
  return {
    ...summaryCalls(callEndpoint),
    ...recordCalls(callEndpoint),
    ...batchCalls(callEndpoint),
    get: (dtxsid) => withValid(Dtxsid.parse(dtxsid), (parsed) => getRecords(parsed, "data"))
  }
}

/** The summaries by tissue, substance and assay endpoint. */
const summaryCalls = (
  callEndpoint: CallEndpoint
): Pick<BioactivityCalls, "summaryByTissue" | "summaryByDtxsid" | "summaryByAeid"> => ({
  summaryByTissue: (dtxsid, tissue) =>
    withValid(Result.all({ dtxsid: Dtxsid.parse(dtxsid), tissue: tissueOf(tissue) }), (query) =>
      orNotFound(
        "bioactivity.summaryByTissue",
        `${query.dtxsid} in ${query.tissue}`,
        callEndpoint("bioactivity.summaryByTissue", { query }, tissueSummary)
      )
    ),
  summaryByDtxsid: (dtxsid) =>
    withValid(Dtxsid.parse(dtxsid), (parsed) =>
      orNotFound(
        "bioactivity.summaryByDtxsid",
        parsed,
        callEndpoint("bioactivity.summaryByDtxsid", { params: { dtxsid: parsed } }, chemicalSummary)
      )
    ),
  summaryByAeid: (aeid) =>
    withValid(aeidOf(aeid), (parsed) =>
      orNotFound(
        "bioactivity.summaryByAeid",
        `aeid ${parsed}`,
        callEndpoint("bioactivity.summaryByAeid", { params: { aeid: parsed } }, endpointSummary)
      )
    )
})

/** The records of one sample, substance or assay endpoint. */
const recordCalls = (
  callEndpoint: CallEndpoint
): Pick<BioactivityCalls, "bySpid" | "byM4id" | "byDtxsid" | "byAeid" | "aedByDtxsid"> => ({
  bySpid: (spid) =>
    withValid(Assay.parseSpid(spid), (parsed) =>
      callEndpoint("bioactivity.bySpid", { params: { spid: parsed } }, data)
    ),
  byM4id: (m4id) =>
    withValid(m4idOf(m4id), (parsed) =>
      orNotFound(
        "bioactivity.byM4id",
        `m4id ${parsed}`,
        callEndpoint("bioactivity.byM4id", { params: { m4id: parsed } }, oneRecord)
      )
    ),
  byDtxsid: <P extends keyof BioactivityForms>(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) =>
    withValid(Dtxsid.parse(dtxsid), (parsed) => {
      const form = options?.projection ?? ("data" as P)
      const query = form === "assay-summary-plot" ? { projection: "assay-summary-plot" as const } : {}
      return callEndpoint("bioactivity.byDtxsid", { params: { dtxsid: parsed }, query }, forms[form])
    }),
  byAeid: (aeid) =>
    withValid(aeidOf(aeid), (parsed) =>
      callEndpoint("bioactivity.byAeid", { params: { aeid: parsed } }, data)
    ),
  aedByDtxsid: (dtxsid) =>
    withValid(Dtxsid.parse(dtxsid), (parsed) =>
      callEndpoint("bioactivity.aedByDtxsid", { params: { dtxsid: parsed } }, aed)
    )
})

/** The records of many samples, substances or assay endpoints. */
const batchCalls = (
  callEndpoint: CallEndpoint
): Pick<
  BioactivityCalls,
  "bySpidBatch" | "byM4idBatch" | "byDtxsidBatch" | "byAeidBatch" | "aedByDtxsidBatch"
> => ({
  bySpidBatch: (spids) =>
    withValid(Result.all(spids.map(Assay.parseSpid)), (payload) =>
      callEndpoint("bioactivity.bySpidBatch", { payload }, data)
    ),
  byM4idBatch: (m4ids) =>
    withValid(Result.all(m4ids.map(m4idOf)), (payload) =>
      callEndpoint("bioactivity.byM4idBatch", { payload }, data)
    ),
  byDtxsidBatch: (dtxsids) =>
    withValid(Result.all(dtxsids.map(Dtxsid.parse)), (payload) =>
      callEndpoint("bioactivity.byDtxsidBatch", { payload }, data)
    ),
  byAeidBatch: (aeids) =>
    withValid(Result.all(aeids.map(aeidOf)), (payload) =>
      callEndpoint("bioactivity.byAeidBatch", { payload }, data)
    ),
  aedByDtxsidBatch: (dtxsids) =>
    withValid(Result.all(dtxsids.map(Dtxsid.parse)), (payload) =>
      callEndpoint("bioactivity.aedByDtxsidBatch", { payload }, aed)
    )
})

const data = json(Schema.Array(BioactivityData.BioactivityData))
const aed = json(Schema.Array(AedRecord.AedRecord))
// Services respond to these four with an object or with an array (docs/service.md, section 3.5).
const chemicalSummary = oneOf(BioactivitySummary.ChemicalSummary)
const endpointSummary = oneOrNothing(BioactivitySummary.EndpointSummary)
const tissueSummary = listOf(BioactivitySummary.TissueSummary)
const oneRecord = oneOrNothing(BioactivityData.BioactivityData)

const forms: { readonly [P in keyof BioactivityForms]: BodyReader<ReadonlyArray<BioactivityForms[P]>> } = {
  data,
  "assay-summary-plot": json(Schema.Array(BioactivityData.PlotPoint))
}

const aeidOf = (aeid: number): Result.Result<Assay.Aeid, InvalidIdentifier.InvalidIdentifier> =>
  Assay.parseAeid(String(aeid))

const m4idOf = (m4id: number): Result.Result<Assay.M4id, InvalidIdentifier.InvalidIdentifier> =>
  Assay.parseM4id(String(m4id))

const tissueOf = (tissue: string): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
  tissue.trim() === ""
    ? Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "tissue",
          value: tissue,
          reason: "malformed",
          message: `${Quote.value(tissue)} is not a tissue: it is empty`
        })
      )
    : Result.succeed(tissue.trim())

/** Fails with `NotFound` if the response has no record. */
const orNotFound = <A>(
  endpoint: Endpoint.Name,
  what: string,
  call: Effect.Effect<A | undefined, Failure>
): Effect.Effect<A, Failure> =>
  withRequestCount((attempts) =>
    Effect.flatMap(call, (value) =>
      value === undefined
        ? Effect.fail(
            new NotFound({
              endpoint,
              attempts: attempts(),
              status: 200,
              suggestions: [],
              message: `not found: the service has no data of ${what}`
            })
          )
        : Effect.succeed(value)
    )
  )
