/**
 * The bioactivity calls over the client that derives from the contract.
 */
import {
  AedRecord,
  Assay,
  BioactivityData,
  BioactivitySummary,
  Dtxsid,
  InvalidIdentifier
} from "@chemstream/api"
import { Effect, Result, Schema } from "effect"
import { NotFound } from "../../errors/ChemError.ts"
import { counted } from "../../pipeline/CallObserver.ts"
import type { Gather } from "../../pipeline/internal/batching.ts"
import type { BioactivityCalls, BioactivityForms } from "../BioactivityCalls.ts"
import { type BodyReader, json } from "../BodyReader.ts"
import type * as Endpoint from "../Endpoint.ts"
import { dtxsidOf, listOf, oneOf, oneOrNothing } from "./readers.ts"
import { type Ask, type Failure, given } from "./request.ts"

export const make = (ask: Ask, gather: Gather): BioactivityCalls => {
  const gathered = gather({
    endpoint: "bioactivity.byDtxsidBatch",
    ask: (payload: ReadonlyArray<Dtxsid.Dtxsid>, _form: "data", read) =>
      ask("bioactivity.byDtxsidBatch", { payload }, read),
    read: () => data,
    multiplicity: "many",
    keyOf: (record) => dtxsidOf(record.dtxsid)
  })
  return {
    ...summaryCalls(ask),
    ...recordCalls(ask),
    ...batchCalls(ask),
    get: (dtxsid) => given(Dtxsid.parse(dtxsid), (parsed) => gathered(parsed, "data"))
  }
}

/** The summaries by tissue, substance and assay endpoint. */
const summaryCalls = (
  ask: Ask
): Pick<BioactivityCalls, "summaryByTissue" | "summaryByDtxsid" | "summaryByAeid"> => ({
  summaryByTissue: (dtxsid, tissue) =>
    given(Result.all({ dtxsid: Dtxsid.parse(dtxsid), tissue: tissueOf(tissue) }), (query) =>
      present(
        "bioactivity.summaryByTissue",
        `${query.dtxsid} in ${query.tissue}`,
        ask("bioactivity.summaryByTissue", { query }, tissueSummary)
      )
    ),
  summaryByDtxsid: (dtxsid) =>
    given(Dtxsid.parse(dtxsid), (parsed) =>
      present(
        "bioactivity.summaryByDtxsid",
        parsed,
        ask("bioactivity.summaryByDtxsid", { params: { dtxsid: parsed } }, chemicalSummary)
      )
    ),
  summaryByAeid: (aeid) =>
    given(aeidOf(aeid), (parsed) =>
      present(
        "bioactivity.summaryByAeid",
        `aeid ${parsed}`,
        ask("bioactivity.summaryByAeid", { params: { aeid: parsed } }, endpointSummary)
      )
    )
})

/** The records of one sample, substance or assay endpoint. */
const recordCalls = (
  ask: Ask
): Pick<BioactivityCalls, "bySpid" | "byM4id" | "byDtxsid" | "byAeid" | "aedByDtxsid"> => ({
  bySpid: (spid) =>
    given(Assay.parseSpid(spid), (parsed) => ask("bioactivity.bySpid", { params: { spid: parsed } }, data)),
  byM4id: (m4id) =>
    given(m4idOf(m4id), (parsed) =>
      present(
        "bioactivity.byM4id",
        `m4id ${parsed}`,
        ask("bioactivity.byM4id", { params: { m4id: parsed } }, oneRecord)
      )
    ),
  byDtxsid: <P extends keyof BioactivityForms>(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) =>
    given(Dtxsid.parse(dtxsid), (parsed) => {
      const form = options?.projection ?? ("data" as P)
      const query = form === "assay-summary-plot" ? { projection: "assay-summary-plot" as const } : {}
      return ask("bioactivity.byDtxsid", { params: { dtxsid: parsed }, query }, forms[form])
    }),
  byAeid: (aeid) =>
    given(aeidOf(aeid), (parsed) => ask("bioactivity.byAeid", { params: { aeid: parsed } }, data)),
  aedByDtxsid: (dtxsid) =>
    given(Dtxsid.parse(dtxsid), (parsed) =>
      ask("bioactivity.aedByDtxsid", { params: { dtxsid: parsed } }, aed)
    )
})

/** The records of many samples, substances or assay endpoints. */
const batchCalls = (
  ask: Ask
): Pick<
  BioactivityCalls,
  "bySpidBatch" | "byM4idBatch" | "byDtxsidBatch" | "byAeidBatch" | "aedByDtxsidBatch"
> => ({
  bySpidBatch: (spids) =>
    given(Result.all(spids.map(Assay.parseSpid)), (payload) =>
      ask("bioactivity.bySpidBatch", { payload }, data)
    ),
  byM4idBatch: (m4ids) =>
    given(Result.all(m4ids.map(m4idOf)), (payload) => ask("bioactivity.byM4idBatch", { payload }, data)),
  byDtxsidBatch: (dtxsids) =>
    given(Result.all(dtxsids.map(Dtxsid.parse)), (payload) =>
      ask("bioactivity.byDtxsidBatch", { payload }, data)
    ),
  byAeidBatch: (aeids) =>
    given(Result.all(aeids.map(aeidOf)), (payload) => ask("bioactivity.byAeidBatch", { payload }, data)),
  aedByDtxsidBatch: (dtxsids) =>
    given(Result.all(dtxsids.map(Dtxsid.parse)), (payload) =>
      ask("bioactivity.aedByDtxsidBatch", { payload }, aed)
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
          message: `${JSON.stringify(tissue)} is not a tissue: it is empty`
        })
      )
    : Result.succeed(tissue.trim())

/** Fails with `NotFound` if the response has no record. */
const present = <A>(
  endpoint: Endpoint.Name,
  what: string,
  asked: Effect.Effect<A | undefined, Failure>
): Effect.Effect<A, Failure> =>
  counted((attempts) =>
    Effect.flatMap(asked, (value) =>
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
