/**
 * The synonym calls over the client that derives from the contract.
 */
import { Dtxsid, SynonymRecord } from "@chemstream/api"
import { Effect, Result, Schema } from "effect"
import type { Gather } from "../../pipeline/internal/batching.ts"
import { type BodyReader, json } from "../BodyReader.ts"
import type { SynonymAnswers, SynonymCalls } from "../SynonymCalls.ts"
import { dtxsidOf } from "./readers.ts"
import { type Ask, given } from "./request.ts"

export const make = (ask: Ask, gather: Gather): SynonymCalls => {
  const gathered = gather({
    endpoint: "synonyms.byDtxsidBatch",
    ask: (payload: ReadonlyArray<Dtxsid.Dtxsid>, _form: "all", read) =>
      ask("synonyms.byDtxsidBatch", { payload }, read),
    read: () => records,
    multiplicity: "one",
    keyOf: (record) => dtxsidOf(record.dtxsid)
  })
  return {
    byDtxsid: <P extends SynonymRecord.Projection>(
      dtxsid: string,
      options?: { readonly projection?: P | undefined }
    ) =>
      given(Dtxsid.parse(dtxsid), (parsed) => {
        const projection = options?.projection
        return ask(
          "synonyms.byDtxsid",
          { params: { dtxsid: parsed }, query: projection === undefined ? {} : { projection } },
          readers[projection ?? (SynonymRecord.defaultProjection as P)]
        )
      }),
    byDtxsidBatch: (dtxsids) =>
      given(Result.all(dtxsids.map(Dtxsid.parse)), (payload) =>
        ask("synonyms.byDtxsidBatch", { payload }, records)
      ),
    get: (dtxsid) =>
      given(Dtxsid.parse(dtxsid), (parsed) => Effect.map(gathered(parsed, "all"), ([record]) => record))
  }
}

const records = json(Schema.Array(SynonymRecord.SynonymRecord))

const readers: { readonly [P in SynonymRecord.Projection]: BodyReader<SynonymAnswers[P]> } = {
  "chemical-synonym-all": json(SynonymRecord.SynonymRecord),
  "ccd-synonyms": json(Schema.Array(SynonymRecord.FlatSynonym))
}
