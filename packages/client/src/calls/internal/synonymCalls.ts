/**
 * The synonym calls over the client that derives from the contract.
 */
import { Dtxsid, SynonymRecord } from "@chemstream/api"
import { Effect, Result, Schema } from "effect"
import type { MakeGet } from "../../pipeline/internal/batching.ts"
import { type BodyReader, json } from "../BodyReader.ts"
import type { SynonymCalls, SynonymForms } from "../SynonymCalls.ts"
import { dtxsidOf } from "./readers.ts"
import { type CallEndpoint, withValid } from "./request.ts"

export const make = (callEndpoint: CallEndpoint, makeGet: MakeGet): SynonymCalls => {
  const getRecords = makeGet({
    endpoint: "synonyms.byDtxsidBatch",
    call: (payload: ReadonlyArray<Dtxsid.Dtxsid>, _form: "all", read) =>
      callEndpoint("synonyms.byDtxsidBatch", { payload }, read),
    read: () => records,
    multiplicity: "one",
    keyOf: (record) => dtxsidOf(record.dtxsid)
  })
  return {
    byDtxsid: <P extends SynonymRecord.Projection>(
      dtxsid: string,
      options?: { readonly projection?: P | undefined }
    ) =>
      withValid(Dtxsid.parse(dtxsid), (parsed) => {
        const projection = options?.projection
        return callEndpoint(
          "synonyms.byDtxsid",
          { params: { dtxsid: parsed }, query: projection === undefined ? {} : { projection } },
          readers[projection ?? (SynonymRecord.defaultProjection as P)]
        )
      }),
    byDtxsidBatch: (dtxsids) =>
      withValid(Result.all(dtxsids.map(Dtxsid.parse)), (payload) =>
        callEndpoint("synonyms.byDtxsidBatch", { payload }, records)
      ),
    get: (dtxsid) =>
      withValid(Dtxsid.parse(dtxsid), (parsed) => Effect.map(getRecords(parsed, "all"), ([record]) => record))
  }
}

const records = json(Schema.Array(SynonymRecord.SynonymRecord))

const readers: { readonly [P in SynonymRecord.Projection]: BodyReader<SynonymForms[P]> } = {
  "chemical-synonym-all": json(SynonymRecord.SynonymRecord),
  "ccd-synonyms": json(Schema.Array(SynonymRecord.FlatSynonym))
}
