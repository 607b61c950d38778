/**
 * Looks up synonyms and alternate identifiers (docs/service.md, section 3.4).
 */
import { SynonymRecord } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { Schema } from "effect"
import * as kinds from "../identifiers/internal/kinds.ts"
import { canonical, keyedReader } from "./internal/keyedReader.ts"
import { lookup, single } from "./internal/lookup.ts"
import { singleReader } from "./internal/singleReader.ts"
import type { Lookup } from "./Lookup.ts"

/** The record of each projection. */
export interface Forms {
  readonly "chemical-synonym-all": SynonymRecord.SynonymRecord
  readonly "ccd-synonyms": typeof FlatSynonym.Type
}

/** The names of the projections. */
export const projections = ["chemical-synonym-all", "ccd-synonyms"] as const satisfies ReadonlyArray<
  keyof Forms
>

/** The options of the lookup. */
export interface Options<P extends keyof Forms = keyof Forms> {
  /**
   * The projection of the records.
   *
   * - `chemical-synonym-all`: one record for each substance, up to 1000 substances a call.
   * - `ccd-synonyms`: one record for each synonym, one substance a call. The service does not name the
   *   substance there, so `dtxsid` is added.
   *
   * Default: `chemical-synonym-all`.
   */
  readonly projection?: P | undefined
}

/**
 * Looks up synonyms by substance identifier (DTXSID).
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
        request: single((dtxsid) => ({ params: { dtxsid }, query: { projection: "ccd-synonyms" as const } })),
        parameters: { projection: options.projection },
        reader: { ...singleReader(SynonymRecord.FlatSynonym, "dtxsid"), schema: FlatSynonym }
      })
    : lookup({
        endpoint: "synonyms.byDtxsidBatch",
        kind: kinds.dtxsid,
        multiplicity: "one",
        request: (payload) => ({ payload }),
        reader: keyedReader("dtxsid", canonical(kinds.dtxsid.parse), SynonymRecord.SynonymRecord)
      })) as Lookup<RawRecord.RawRecord<Forms[P]>>

/** A flat synonym with the identifier of its substance. */
const FlatSynonym = Schema.Struct({ dtxsid: SynonymRecord.fields.dtxsid, ...SynonymRecord.flatFields })
