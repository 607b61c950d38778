/**
 * Looks up bioactivity data, summaries and activity-exposure-dose data (docs/service.md, section 3.5).
 */
import { AedRecord, BioactivityData, BioactivitySummary } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import * as kinds from "../identifiers/internal/kinds.ts"
import { canonical, keyedReader } from "./internal/keyedReader.ts"
import { lookup, single } from "./internal/lookup.ts"
import { orEmpty, singleReader } from "./internal/singleReader.ts"
import type { Lookup } from "./Lookup.ts"

type Lookups<A> = Lookup<RawRecord.RawRecord<A>>

/** The projection with the fields of a plot. */
export type Projection = typeof BioactivityData.Projection.Type

/** The options of `byDtxsid`. */
export interface Options<P extends Projection | undefined = Projection | undefined> {
  /** `assay-summary-plot` returns the fields of a plot, one substance a call. Default: all data. */
  readonly projection?: P
}

/** A data record, or with a projection a point of a plot. */
export type Data<P extends Projection | undefined> = P extends Projection
  ? BioactivityData.PlotPoint & { readonly dtxsid: string | number }
  : BioactivityData.BioactivityData

/** Looks up the data records of substances (DTXSID), any number for each. */
export const byDtxsid = <P extends Projection | undefined = undefined>(
  options: Options<P> = {}
): Lookups<Data<P>> =>
  (options.projection === undefined
    ? lookup({
        endpoint: "bioactivity.byDtxsidBatch",
        kind: kinds.dtxsid,
        multiplicity: "many",
        request: (payload) => ({ payload }),
        reader: keyedReader("dtxsid", canonical(kinds.dtxsid.parse), BioactivityData.BioactivityData)
      })
    : lookup({
        endpoint: "bioactivity.byDtxsid",
        kind: kinds.dtxsid,
        multiplicity: "many",
        request: single((dtxsid) => ({
          params: { dtxsid },
          query: { projection: "assay-summary-plot" as const }
        })),
        parameters: { projection: options.projection },
        reader: singleReader(BioactivityData.PlotPoint, "dtxsid")
      })) as Lookups<Data<P>>

/** Looks up the data records of assay endpoints, any number for each. */
export const byAeid = (): Lookups<BioactivityData.BioactivityData> =>
  lookup({
    endpoint: "bioactivity.byAeidBatch",
    kind: kinds.aeid,
    multiplicity: "many",
    request: (ids) => ({ payload: ids.map(Number) }),
    reader: keyedReader("aeid", canonical(kinds.aeid.parse), BioactivityData.BioactivityData)
  })

/** Looks up the data records of samples, any number for each. */
export const bySpid = (): Lookups<BioactivityData.BioactivityData> =>
  lookup({
    endpoint: "bioactivity.bySpidBatch",
    kind: kinds.spid,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    reader: keyedReader("spid", canonical(kinds.spid.parse), BioactivityData.BioactivityData)
  })

/** Looks up the data record of each data identifier. */
export const byM4id = (): Lookups<BioactivityData.BioactivityData> =>
  lookup({
    endpoint: "bioactivity.byM4idBatch",
    kind: kinds.m4id,
    multiplicity: "one",
    request: (ids) => ({ payload: ids.map(Number) }),
    reader: keyedReader("m4id", canonical(kinds.m4id.parse), BioactivityData.BioactivityData)
  })

/** Looks up the activity-exposure-dose records of substances, any number for each. */
export const aed = (): Lookups<AedRecord.AedRecord> =>
  lookup({
    endpoint: "bioactivity.aedByDtxsidBatch",
    kind: kinds.dtxsid,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    reader: keyedReader("dtxsid", canonical(kinds.dtxsid.parse), AedRecord.AedRecord)
  })

/** Looks up how active a substance is over all assay endpoints: one record, one substance a call. */
export const summaryByDtxsid = (): Lookups<BioactivitySummary.ChemicalSummary> =>
  lookup({
    endpoint: "bioactivity.summaryByDtxsid",
    kind: kinds.dtxsid,
    multiplicity: "one",
    request: single((dtxsid) => ({ params: { dtxsid } })),
    reader: singleReader(BioactivitySummary.ChemicalSummary, "dtxsid")
  })

/** Looks up how many samples are active in an assay endpoint: one record, one endpoint a call. */
export const summaryByAeid = (): Lookups<BioactivitySummary.EndpointSummary> =>
  lookup({
    endpoint: "bioactivity.summaryByAeid",
    kind: kinds.aeid,
    multiplicity: "one",
    request: single((aeid) => ({ params: { aeid: Number(aeid) } })),
    reader: orEmpty(singleReader(BioactivitySummary.EndpointSummary, "aeid"))
  })

/** Looks up how active a substance is in a tissue: any number of records, one substance a call. */
export const summaryByTissue = (tissue: string): Lookups<BioactivitySummary.TissueSummary> =>
  lookup({
    parameters: { tissue },
    endpoint: "bioactivity.summaryByTissue",
    kind: kinds.dtxsid,
    multiplicity: "many",
    request: single((dtxsid) => ({ query: { dtxsid, tissue } })),
    reader: singleReader(BioactivitySummary.TissueSummary, "dtxsid")
  })
