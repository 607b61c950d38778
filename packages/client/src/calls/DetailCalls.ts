// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `details` (docs/service.md, section 3.1).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { Details, Row } from "@chemstream/api"
import type { Effects, Many, Mode, One, Records } from "./Mode.ts"
import type { Page } from "./Pages.ts"

/** The forms of chemical detail records, by projection. */
export type DetailForms = Row.RecordsByForm<typeof Details.byDtxsid>

/** The forms of all chemicals, by projection. */
export type AllForms = Row.RecordsByForm<typeof Details.all>

/** The calls of the group `details`. */
export interface DetailCalls<F extends Mode = Effects> {
  /**
   * Gets the chemical detail record of a substance (GET, docs/service.md 3.1). Masses are in dalton; the
   * description of each other field has its unit. Fails with `NotFound` if there is none.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.details.byDtxsid("DTXSID7020182")
   * })
   * ```
   */
  readonly byDtxsid: <P extends keyof DetailForms = "chemicaldetailall">(
    dtxsid: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, DetailForms[P]>

  /**
   * Gets the chemical detail records of up to 1000 substances in one request (POST, docs/service.md 3.1).
   * Unknown ones have none, and the order may differ from the request.
   */
  readonly byDtxsidBatch: <P extends keyof DetailForms = "chemicaldetailall">(
    dtxsids: ReadonlyArray<string>,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, DetailForms[P]>

  /**
   * Gets the chemical detail records of a DTXSID or DTXCID in a batch with the calls of other fibers
   * (`Settings.batching`): a thousand fibers make one request. Each kind of identifier and each projection has
   * its own requests. Fails with `NotFound` if the response has no record of this identifier. If the request
   * fails, all its callers fail.
   */
  readonly get: <P extends keyof DetailForms = "chemicaldetailall">(
    id: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, DetailForms[P]>

  /**
   * Gets the chemical detail record of a compound (GET, docs/service.md 3.1). Masses are in dalton; the
   * description of each other field has its unit. Fails with `NotFound` if there is none.
   */
  readonly byDtxcid: <P extends keyof DetailForms = "chemicaldetailall">(
    dtxcid: string,
    options?: { readonly projection?: P | undefined }
  ) => One<F, DetailForms[P]>

  /**
   * Gets the chemical detail records of up to 1000 compounds in one request (POST, docs/service.md 3.1).
   * Unknown ones have none, and the order may differ from the request.
   */
  readonly byDtxcidBatch: <P extends keyof DetailForms = "chemicaldetailall">(
    dtxcids: ReadonlyArray<string>,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, DetailForms[P]>

  /**
   * Streams all chemicals, record by record, from the page `page` until an empty page (GET, docs/service.md
   * 3.1). One page is in memory at a time; the next is requested when it is consumed. Fails with
   * `InvalidIdentifier`, without a request, if the page is not a whole number from 1.
   *
   * Fails with `MalformedResponse` if a page repeats the one before it. The service then has another name for
   * the page (`Settings.pageParameter`) and would repeat that page forever.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect, Stream } from "effect"
   *
   * const records = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return client.details.all({ projection: "all-ids" })
   * }).pipe(Stream.unwrap)
   * ```
   */
  readonly all: <P extends keyof AllForms = "standard-2">(options?: {
    readonly projection?: P | undefined
    readonly page?: number | undefined
  }) => Many<F, AllForms[P]>

  /**
   * Gets one page of all chemicals, with the number or cursor of the next one (GET, docs/service.md 3.1). A
   * page past the end is empty. Default: the first page.
   *
   * Pages are large: 10,000 records. Fails with `InvalidIdentifier`, without a request, if the page is not a
   * whole number from 1.
   */
  readonly page: <P extends keyof AllForms = "standard-2">(
    page?: number,
    options?: { readonly projection?: P | undefined }
  ) => One<F, Page<AllForms[P]>>

  /** Streams the pages of all chemicals from the page `page`, as `all` streams their records. */
  readonly pages: <P extends keyof AllForms = "standard-2">(options?: {
    readonly projection?: P | undefined
    readonly page?: number | undefined
  }) => Many<F, Page<AllForms[P]>>
}
