/**
 * Lookups of synonyms and alternate identifiers (docs/service.md, section 3.4).
 */
import { SynonymRecord } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { Schema } from "effect"
import * as kinds from "./internal/kinds.ts"
import { batch, canonical, keyedBy, shaped, single } from "./internal/lookups.ts"
import type { Lookup } from "./Lookup.ts"

/** The form of the answer. */
export interface Options {
  /**
   * `chemical-synonym-all`: one record a substance, up to 1000 substances a call. `ccd-synonyms`: one record a synonym,
   * one substance a call; as the service does not say there whose a synonym is, `dtxsid` is put in front. The former when
   * not given.
   */
  readonly projection?: (typeof SynonymRecord.projections)[number] | undefined
}

/**
 * Synonyms by substance identifier.
 *
 * @example
 * ```ts
 * import { Synonyms } from "@chemstream/stream"
 *
 * Synonyms.byDtxsid().size // => 1000
 * Synonyms.byDtxsid({ projection: "ccd-synonyms" }).size // => 1
 * ```
 */
export const byDtxsid = (options: Options = {}): Lookup<RawRecord.RawRecord> =>
  options.projection === "ccd-synonyms"
    ? single({
        endpoint: "synonyms.byDtxsid",
        kind: kinds.dtxsid,
        multiplicity: "many",
        request: (dtxsid) => ({ params: { dtxsid }, query: { projection: "ccd-synonyms" as const } }),
        answer: { ...shaped(SynonymRecord.FlatSynonym, "dtxsid"), schema: FlatSynonym }
      })
    : batch({
        endpoint: "synonyms.byDtxsidBatch",
        kind: kinds.dtxsid,
        multiplicity: "one",
        request: (payload) => ({ payload }),
        answer: keyedBy("dtxsid", canonical(kinds.dtxsid.parse), SynonymRecord.SynonymRecord)
      })

/** A flat synonym as it is handed out. */
const FlatSynonym = Schema.Struct({ dtxsid: SynonymRecord.fields.dtxsid, ...SynonymRecord.flatFields })
