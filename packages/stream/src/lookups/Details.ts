// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `details` (docs/service.md, section 3.1): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { Details } from "@chemstream/api"
import { type FormsOf, lookupOf } from "./internal/endpointLookup.ts"
import { type PageOf, type PagesOf, type PagesOptions, pagesOf } from "./internal/endpointPages.ts"
import type { LookupOfMany, LookupOfOne } from "./Lookup.ts"

/** The record of `byDtxsid` and `byDtxcid`, by projection. */
export type Forms = FormsOf<typeof Details.byDtxsid>

/** The options of `byDtxsid` and `byDtxcid`. */
export interface Options<P extends keyof Forms = keyof Forms> {
  /** The projection of the records: Fields of the response. Default: `chemicaldetailall`. */
  readonly projection?: P | undefined
}

/**
 * Looks up the chemical detail records of substances: up to 1000 substances in a request.
 *
 * @example
 * ```ts
 * import { Details } from "@chemstream/stream"
 *
 * Details.byDtxsid().size // => 1000
 * ```
 */
export const byDtxsid: <P extends keyof Forms = "chemicaldetailall">(
  options?: Options<P>
) => P extends "ccdassaydetails" ? LookupOfMany<Forms[P]> : LookupOfOne<Forms[P]> = lookupOf(Details.byDtxsid)

/**
 * Looks up the chemical detail records of compounds: up to 1000 compounds in a request.
 *
 * @example
 * ```ts
 * import { Details } from "@chemstream/stream"
 *
 * Details.byDtxcid().size // => 1000
 * ```
 */
export const byDtxcid: <P extends keyof Forms = "chemicaldetailall">(
  options?: Options<P>
) => P extends "ccdassaydetails" ? LookupOfMany<Forms[P]> : LookupOfOne<Forms[P]> = lookupOf(Details.byDtxcid)

/** The projections of `all`. */
export type AllProjection = "standard-2" | "all-ids"

/** The options of `all`. */
export type AllOptions<P extends AllProjection = AllProjection> = PagesOptions<P>

/** A page of `all`. To resume a run, begin with the page after the last one that you processed. */
export type Page<P extends AllProjection = AllProjection> = PageOf<typeof Details.all, P>

const pagesOfAll: PagesOf<typeof Details.all> = pagesOf(Details.all)

/**
 * Streams all chemicals, record by record, from the page `page` until an empty page. One page is in memory at
 * a time; the next is requested when it is consumed.
 *
 * A `page` that is not a whole number from 1 fails with `InvalidIdentifier` before the first request. A page
 * that starts like the page before it fails with `MalformedResponse`, because the service ignores the page
 * number and would send the same page forever.
 *
 * @example
 * ```ts
 * import { Details } from "@chemstream/stream"
 * import { Stream } from "effect"
 *
 * const some = Details.all({ projection: "all-ids" }).pipe(Stream.take(1000))
 * ```
 */
export const all: PagesOf<typeof Details.all>["all"] = pagesOfAll.all

/**
 * Requests one page of all chemicals. Default: the first page. `next` is the number or cursor of the page
 * after it.
 */
export const page: PagesOf<typeof Details.all>["page"] = pagesOfAll.page

/**
 * Streams the pages of all chemicals, as `all` streams their records. To resume a run, begin with the page
 * after the last one that you processed.
 */
export const pages: PagesOf<typeof Details.all>["pages"] = pagesOfAll.pages
