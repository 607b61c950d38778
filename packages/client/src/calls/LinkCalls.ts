// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `links` (docs/families/links.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { LinkRecords } from "@chemstream/api"
import type { Effects, Mode, One, Records } from "./Mode.ts"

/** The calls of the group `links`. */
export interface LinkCalls<F extends Mode = Effects> {
  /**
   * Gets the link to the GHS classification of a substance (GET). They are pages of PubChem. A single unknown
   * substance has a record without a link.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.links.ghs("DTXSID7020182")
   * })
   * ```
   */
  readonly ghs: (dtxsid: string) => One<F, LinkRecords.GhsLink>

  /**
   * Gets the links to GHS classifications of up to 200 substances in one request (POST). Unknown ones have
   * none, and the order may differ from the request.
   */
  readonly ghsBatch: (dtxsids: ReadonlyArray<string>) => Records<F, LinkRecords.GhsLink>

  /**
   * Gets the link to the Wikipedia article of a substance (GET). A single unknown substance has a record
   * without a link.
   */
  readonly wikipedia: (dtxsid: string) => One<F, LinkRecords.WikipediaLink>

  /**
   * Gets the links to Wikipedia articles of up to 200 substances in one request (POST). Unknown ones have
   * none, and the order may differ from the request.
   */
  readonly wikipediaBatch: (dtxsids: ReadonlyArray<string>) => Records<F, LinkRecords.WikipediaLink>
}
