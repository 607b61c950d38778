// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/** The lookups of the group `lists` (docs/families/lists.md). */
import { Lists } from "@chemstream/api"
import { type FormsOf, lookupOf } from "./internal/endpointLookup.ts"
import { type PagesOf, pagesOf } from "./internal/endpointPages.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** The record of a lookup, in each projection. */
export type Forms = FormsOf<typeof Lists.byName>

/** The options of a lookup. */
export interface Options<P extends keyof Forms = keyof Forms> {
  /**
   * The projection of the records: chemicallistname for the names alone, chemicallistwithdtxsids for the
   * members too. Default: `chemicallistall`.
   */
  readonly projection?: P | undefined
}

/** The record of a lookup of lists, in each projection. */
export type OfForms = FormsOf<typeof Lists.of>

/** The options of a lookup of lists. */
export interface OfOptions<P extends keyof OfForms = keyof OfForms> {
  /** The projection of the records: chemicallistname for the names alone. Default: `chemicallistall`. */
  readonly projection?: P | undefined
}

/** A substance that matches a requested value. */
export type Substance = ScalarRecord<"dtxsid", string>

/** A requested value with `type`. */
export type Type = ScalarRecord<"type", string>

/** Streams lists of substances, in one request. */
export const all: PagesOf<typeof Lists.all>["all"] = pagesOf(Lists.all).all

/**
 * Looks up the descriptions of lists, one a call.
 *
 * @example
 * ```ts
 * import { Lists } from "@chemstream/stream"
 *
 * Lists.byName().size // => 1
 * ```
 */
export const byName: <P extends keyof Forms = "chemicallistall">(
  options?: Options<P>
) => LookupOfOne<Forms[P]> = lookupOf(Lists.byName)

/**
 * Looks up the lists of types of lists, any number for each, one a call.
 *
 * @example
 * ```ts
 * import { Lists } from "@chemstream/stream"
 *
 * Lists.byType().size // => 1
 * ```
 */
export const byType: <P extends keyof Forms = "chemicallistall">(
  options?: Options<P>
) => LookupOfMany<Forms[P]> = lookupOf(Lists.byType)

/** Finds the substances: one record `{"query","dtxsid"}` for each. */
export const members: () => LookupOfMany<Substance> = lookupOf(Lists.members)

/**
 * Finds the substances of a list with a name or identifier that contains a word: one record
 * `{"query","dtxsid"}` for each.
 */
export const membersContain: () => LookupOfMany<Substance> = lookupOf(Lists.membersContain)

/** Finds the substances of a list with exactly a name or identifier: one record `{"query","dtxsid"}` for each. */
export const membersEqual: () => LookupOfMany<Substance> = lookupOf(Lists.membersEqual)

/**
 * Finds the substances of a list with a name or identifier that starts with a word: one record
 * `{"query","dtxsid"}` for each.
 */
export const membersStartWith: () => LookupOfMany<Substance> = lookupOf(Lists.membersStartWith)

/**
 * Looks up the lists of substances, any number for each, one a call.
 *
 * @example
 * ```ts
 * import { Lists } from "@chemstream/stream"
 *
 * Lists.of().size // => 1
 * ```
 */
export const of: <P extends keyof OfForms = "chemicallistall">(
  options?: OfOptions<P>
) => LookupOfMany<OfForms[P]> = lookupOf(Lists.of)

/** Streams types of lists, in one request. */
export const types: PagesOf<typeof Lists.types>["all"] = pagesOf(Lists.types).all
