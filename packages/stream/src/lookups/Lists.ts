// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `lists` (docs/families/lists.md). */
import { type ListRecords, Lists } from "@chemstream/api"
import { rowLookup } from "./internal/rowLookup.ts"
import { pagesOf, type RowPages } from "./internal/rowPages.ts"
import type { ScalarRecord } from "./internal/scalarRecord.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** The record of a lookup, in each projection. */
export interface Forms {
  readonly chemicallistall: ListRecords.List
  readonly chemicallistname: ListRecords.ListName & { readonly listName: string | number }
  readonly chemicallistwithdtxsids: ListRecords.ListWithMembers & { readonly listName: string | number }
}

/** The options of a lookup. */
export interface Options<P extends keyof Forms = keyof Forms> {
  /**
   * The projection of the records: chemicallistname for the names alone, chemicallistwithdtxsids for the
   * members too. Default: `chemicallistall`.
   */
  readonly projection?: P | undefined
}

/** The record of a lookup of lists, in each projection. */
export interface OfForms {
  readonly chemicallistall: ListRecords.List
  readonly chemicallistname: ListRecords.ListName & { readonly dtxsid: string | number }
}

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
export const all: RowPages<typeof Lists.all>["all"] = pagesOf(Lists.all).all

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
) => LookupOfOne<Forms[P]> = rowLookup(Lists.byName)

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
) => LookupOfMany<Forms[P]> = rowLookup(Lists.byType)

/** Finds the substances: one record `{"query","dtxsid"}` for each. */
export const members: () => LookupOfMany<Substance> = rowLookup(Lists.members)

/**
 * Finds the substances of a list with a name or identifier that contains a word: one record
 * `{"query","dtxsid"}` for each.
 */
export const membersContain: () => LookupOfMany<Substance> = rowLookup(Lists.membersContain)

/** Finds the substances of a list with exactly a name or identifier: one record `{"query","dtxsid"}` for each. */
export const membersEqual: () => LookupOfMany<Substance> = rowLookup(Lists.membersEqual)

/**
 * Finds the substances of a list with a name or identifier that starts with a word: one record
 * `{"query","dtxsid"}` for each.
 */
export const membersStartWith: () => LookupOfMany<Substance> = rowLookup(Lists.membersStartWith)

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
) => LookupOfMany<OfForms[P]> = rowLookup(Lists.of)

/** Streams types of lists, in one request. */
export const types: RowPages<typeof Lists.types>["all"] = pagesOf(Lists.types).all
