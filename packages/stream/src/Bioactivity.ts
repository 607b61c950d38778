/**
 * Lookups of bioactivity data, summaries and activity-exposure-dose data (docs/service.md, section 3.5).
 */
import { AedRecord, BioactivityData, BioactivitySummary } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import * as kinds from "./internal/kinds.ts"
import { batch, canonical, keyedBy, shaped, single } from "./internal/lookups.ts"
import type { Lookup } from "./Lookup.ts"

type Raw = RawRecord.RawRecord

/** Which data records are asked for. */
export interface Options {
  /** `assay-summary-plot` for what a plot needs, one substance a call; all data when not given. */
  readonly projection?: "assay-summary-plot" | undefined
}

/** The data records of substances (DTXSID), any number each. */
export const byDtxsid = (options: Options = {}): Lookup<Raw> =>
  options.projection === undefined
    ? batch({
        endpoint: "bioactivity.byDtxsidBatch",
        kind: kinds.dtxsid,
        multiplicity: "many",
        request: (payload) => ({ payload }),
        answer: keyedBy("dtxsid", canonical(kinds.dtxsid.parse), BioactivityData.BioactivityData)
      })
    : single({
        endpoint: "bioactivity.byDtxsid",
        kind: kinds.dtxsid,
        multiplicity: "many",
        request: (dtxsid) => ({ params: { dtxsid }, query: { projection: "assay-summary-plot" as const } }),
        answer: shaped(BioactivityData.PlotPoint, "dtxsid")
      })

/** The data records of assay endpoints, any number each. */
export const byAeid = (): Lookup<Raw> =>
  batch({
    endpoint: "bioactivity.byAeidBatch",
    kind: kinds.aeid,
    multiplicity: "many",
    request: (ids) => ({ payload: ids.map(Number) }),
    answer: keyedBy("aeid", canonical(kinds.aeid.parse), BioactivityData.BioactivityData)
  })

/** The data records of samples, any number each. */
export const bySpid = (): Lookup<Raw> =>
  batch({
    endpoint: "bioactivity.bySpidBatch",
    kind: kinds.spid,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    answer: keyedBy("spid", canonical(kinds.spid.parse), BioactivityData.BioactivityData)
  })

/** The data record of each data identifier. */
export const byM4id = (): Lookup<Raw> =>
  batch({
    endpoint: "bioactivity.byM4idBatch",
    kind: kinds.m4id,
    multiplicity: "one",
    request: (ids) => ({ payload: ids.map(Number) }),
    answer: keyedBy("m4id", canonical(kinds.m4id.parse), BioactivityData.BioactivityData)
  })

/** The activity-exposure-dose records of substances, any number each. */
export const aed = (): Lookup<Raw> =>
  batch({
    endpoint: "bioactivity.aedByDtxsidBatch",
    kind: kinds.dtxsid,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    answer: keyedBy("dtxsid", canonical(kinds.dtxsid.parse), AedRecord.AedRecord)
  })

/** How active a substance was over all assay endpoints: one record, one substance a call. */
export const summaryByDtxsid = (): Lookup<Raw> =>
  single({
    endpoint: "bioactivity.summaryByDtxsid",
    kind: kinds.dtxsid,
    multiplicity: "one",
    request: (dtxsid) => ({ params: { dtxsid } }),
    answer: shaped(BioactivitySummary.ChemicalSummary, "dtxsid")
  })

/** How many samples were active in an assay endpoint: one record, one endpoint a call. */
export const summaryByAeid = (): Lookup<Raw> =>
  single({
    endpoint: "bioactivity.summaryByAeid",
    kind: kinds.aeid,
    multiplicity: "one",
    request: (aeid) => ({ params: { aeid: Number(aeid) } }),
    answer: shaped(BioactivitySummary.EndpointSummary, "aeid")
  })

/** How active a substance was in a tissue: one record, one substance a call. */
export const summaryByTissue = (tissue: string): Lookup<Raw> =>
  single({
    endpoint: "bioactivity.summaryByTissue",
    kind: kinds.dtxsid,
    multiplicity: "one",
    request: (dtxsid) => ({ query: { dtxsid, tissue } }),
    answer: shaped(BioactivitySummary.TissueSummary, "dtxsid")
  })
