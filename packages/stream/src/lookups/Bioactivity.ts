/**
 * Lookups of bioactivity data, summaries and activity-exposure-dose data (docs/service.md, section 3.5).
 */
import { AedRecord, BioactivityData, BioactivitySummary } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import * as kinds from "../identifiers/internal/kinds.ts"
import { canonical, keyedBy, lookup, one, orNothing, shaped } from "./internal/lookups.ts"
import type { Lookup } from "./Lookup.ts"

type Lookups<A> = Lookup<RawRecord.RawRecord<A>>

/** The projection for what a plot needs. */
export type Projection = typeof BioactivityData.Projection.Type

/** Which data records are asked for. */
export interface Options<P extends Projection | undefined = Projection | undefined> {
  /** `assay-summary-plot` for what a plot needs, one substance a call. Default: all data. */
  readonly projection?: P
}

/** A data record, or a point of a plot where its projection is asked for. */
export type Data<P extends Projection | undefined> = P extends Projection
  ? BioactivityData.PlotPoint & { readonly dtxsid: string | number }
  : BioactivityData.BioactivityData

/** The data records of substances (DTXSID), any number each. */
export const byDtxsid = <P extends Projection | undefined = undefined>(
  options: Options<P> = {}
): Lookups<Data<P>> =>
  (options.projection === undefined
    ? lookup({
        endpoint: "bioactivity.byDtxsidBatch",
        kind: kinds.dtxsid,
        multiplicity: "many",
        request: (payload) => ({ payload }),
        answer: keyedBy("dtxsid", canonical(kinds.dtxsid.parse), BioactivityData.BioactivityData)
      })
    : lookup({
        endpoint: "bioactivity.byDtxsid",
        kind: kinds.dtxsid,
        multiplicity: "many",
        request: one((dtxsid) => ({
          params: { dtxsid },
          query: { projection: "assay-summary-plot" as const }
        })),
        parameters: { projection: options.projection },
        answer: shaped(BioactivityData.PlotPoint, "dtxsid")
      })) as Lookups<Data<P>>

/** The data records of assay endpoints, any number each. */
export const byAeid = (): Lookups<BioactivityData.BioactivityData> =>
  lookup({
    endpoint: "bioactivity.byAeidBatch",
    kind: kinds.aeid,
    multiplicity: "many",
    request: (ids) => ({ payload: ids.map(Number) }),
    answer: keyedBy("aeid", canonical(kinds.aeid.parse), BioactivityData.BioactivityData)
  })

/** The data records of samples, any number each. */
export const bySpid = (): Lookups<BioactivityData.BioactivityData> =>
  lookup({
    endpoint: "bioactivity.bySpidBatch",
    kind: kinds.spid,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    answer: keyedBy("spid", canonical(kinds.spid.parse), BioactivityData.BioactivityData)
  })

/** The data record of each data identifier. */
export const byM4id = (): Lookups<BioactivityData.BioactivityData> =>
  lookup({
    endpoint: "bioactivity.byM4idBatch",
    kind: kinds.m4id,
    multiplicity: "one",
    request: (ids) => ({ payload: ids.map(Number) }),
    answer: keyedBy("m4id", canonical(kinds.m4id.parse), BioactivityData.BioactivityData)
  })

/** The activity-exposure-dose records of substances, any number each. */
export const aed = (): Lookups<AedRecord.AedRecord> =>
  lookup({
    endpoint: "bioactivity.aedByDtxsidBatch",
    kind: kinds.dtxsid,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    answer: keyedBy("dtxsid", canonical(kinds.dtxsid.parse), AedRecord.AedRecord)
  })

/** How active a substance was over all assay endpoints: one record, one substance a call. */
export const summaryByDtxsid = (): Lookups<BioactivitySummary.ChemicalSummary> =>
  lookup({
    endpoint: "bioactivity.summaryByDtxsid",
    kind: kinds.dtxsid,
    multiplicity: "one",
    request: one((dtxsid) => ({ params: { dtxsid } })),
    answer: shaped(BioactivitySummary.ChemicalSummary, "dtxsid")
  })

/** How many samples were active in an assay endpoint: one record, one endpoint a call. */
export const summaryByAeid = (): Lookups<BioactivitySummary.EndpointSummary> =>
  lookup({
    endpoint: "bioactivity.summaryByAeid",
    kind: kinds.aeid,
    multiplicity: "one",
    request: one((aeid) => ({ params: { aeid: Number(aeid) } })),
    answer: orNothing(shaped(BioactivitySummary.EndpointSummary, "aeid"))
  })

/** How active a substance was in a tissue, any number of records, one substance a call. */
export const summaryByTissue = (tissue: string): Lookups<BioactivitySummary.TissueSummary> =>
  lookup({
    parameters: { tissue },
    endpoint: "bioactivity.summaryByTissue",
    kind: kinds.dtxsid,
    multiplicity: "many",
    request: one((dtxsid) => ({ query: { dtxsid, tissue } })),
    answer: shaped(BioactivitySummary.TissueSummary, "dtxsid")
  })
