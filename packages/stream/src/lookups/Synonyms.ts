/**
 * Lookups of synonyms and alternate identifiers (docs/service.md, section 3.4).
 */
import { SynonymRecord } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { Schema } from "effect"
import * as kinds from "../identifiers/internal/kinds.ts"
import { canonical, keyedBy, lookup, one, shaped } from "./internal/lookups.ts"
import type { Lookup } from "./Lookup.ts"

/** The forms of the answer. */
export interface Forms {
  readonly "chemical-synonym-all": SynonymRecord.SynonymRecord
  readonly "ccd-synonyms": typeof FlatSynonym.Type
}

/** The form of the answer. */
export interface Options<P extends keyof Forms = keyof Forms> {
  /**
   * `chemical-synonym-all`: one record a substance, up to 1000 substances a call. `ccd-synonyms`: one record a synonym,
   * one substance a call; as the service does not say there whose a synonym is, `dtxsid` is put in front. Default: the
   * former.
   */
  readonly projection?: P | undefined
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
export const byDtxsid = <P extends keyof Forms = "chemical-synonym-all">(
  options: Options<P> = {}
): Lookup<RawRecord.RawRecord<Forms[P]>> =>
  (options.projection === "ccd-synonyms"
    ? lookup({
        endpoint: "synonyms.byDtxsid",
        kind: kinds.dtxsid,
        multiplicity: "many",
        request: one((dtxsid) => ({ params: { dtxsid }, query: { projection: "ccd-synonyms" as const } })),
        parameters: { projection: options.projection },
        answer: { ...shaped(SynonymRecord.FlatSynonym, "dtxsid"), schema: FlatSynonym }
      })
    : lookup({
        endpoint: "synonyms.byDtxsidBatch",
        kind: kinds.dtxsid,
        multiplicity: "one",
        request: (payload) => ({ payload }),
        answer: keyedBy("dtxsid", canonical(kinds.dtxsid.parse), SynonymRecord.SynonymRecord)
      })) as Lookup<RawRecord.RawRecord<Forms[P]>>

/** A flat synonym as it is handed out. */
const FlatSynonym = Schema.Struct({ dtxsid: SynonymRecord.fields.dtxsid, ...SynonymRecord.flatFields })
