// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `synonyms` (docs/service.md, section 3.4): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { Synonyms } from "@chemstream/api"
import { type FormsOf, lookupOf } from "./internal/endpointLookup.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** The record of `byDtxsid`, by projection. */
export type Forms = FormsOf<typeof Synonyms.byDtxsid>

/** The options of `byDtxsid`. */
export interface Options<P extends keyof Forms = keyof Forms> {
  /** The projection of the records: Form of the response. Default: `chemical-synonym-all`. */
  readonly projection?: P | undefined
}

/**
 * Looks up the synonyms of substances: up to 1000 substances in a request.
 *
 * @example
 * ```ts
 * import { Synonyms } from "@chemstream/stream"
 *
 * Synonyms.byDtxsid().size // => 1000
 * ```
 */
export const byDtxsid: <P extends keyof Forms = "chemical-synonym-all">(
  options?: Options<P>
) => P extends "ccd-synonyms" ? LookupOfMany<Forms[P]> : LookupOfOne<Forms[P]> = lookupOf(Synonyms.byDtxsid)
