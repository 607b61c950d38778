// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `lists` (docs/families/lists.md): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { Lists } from "@chemstream/api"
import { type FormsOf, lookupOf } from "./internal/endpointLookup.ts"
import { type PagesOf, pagesOf } from "./internal/endpointPages.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** The record of `byName` and `byType`, by projection. */
export type Forms = FormsOf<typeof Lists.byName>

/** The options of `byName` and `byType`. */
export interface Options<P extends keyof Forms = keyof Forms> {
  /**
   * The projection of the records: chemicallistname for the names alone, chemicallistwithdtxsids for the
   * members too. Default: `chemicallistall`.
   */
  readonly projection?: P | undefined
}

/** The record of `of`, by projection. */
export type OfForms = FormsOf<typeof Lists.of>

/** The options of `of`. */
export interface OfOptions<P extends keyof OfForms = keyof OfForms> {
  /** The projection of the records: chemicallistname for the names alone. Default: `chemicallistall`. */
  readonly projection?: P | undefined
}

/** A requested value, and a substance that matches it. */
export type Substance = ScalarRecord<"dtxsid", string>

/** A requested value, and its `type`. */
export type Type = ScalarRecord<"type", string>

/** Streams the lists of substances, from one response. */
export const all: PagesOf<typeof Lists.all>["all"] = pagesOf(Lists.all).all

/**
 * Looks up the descriptions of lists: one request for each.
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
 * Looks up the lists of types of lists, any number for each: one request for each.
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
 * Looks up the lists of substances, any number for each: one request for each.
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

/** Streams the types of lists, from one response. */
export const types: PagesOf<typeof Lists.types>["all"] = pagesOf(Lists.types).all
