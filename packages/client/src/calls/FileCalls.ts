// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `files` (docs/families/files.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { FileRecords } from "@chemstream/api"
import type { Effects, Mode, One } from "./Mode.ts"

/** The calls of the group `files`. */
export interface FileCalls<F extends Mode = Effects> {
  /**
   * Gets the structure image of a substance (GET). A PNG of 600 × 600 pixels from the public service, an SVG
   * from the bundled database. Fails with `NotFound` if there is none.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* client.files.image("DTXSID7020182")
   * })
   * ```
   */
  readonly image: (dtxsid: string) => One<F, FileRecords.Image>

  /**
   * Gets the structure image of a compound (GET). A PNG of 600 × 600 pixels from the public service, an SVG
   * from the bundled database. Fails with `NotFound` if there is none.
   */
  readonly imageByDtxcid: (dtxcid: string) => One<F, FileRecords.Image>

  /**
   * Gets the structure image of a substance number (GET). A PNG of 600 × 600 pixels from the public service,
   * an SVG from the bundled database. Fails with `NotFound` if there is none.
   */
  readonly imageByGsid: (gsid: number) => One<F, FileRecords.Image>

  /**
   * Gets the molfile of a substance (GET). A V3000 molfile (CTFile formats, Dassault Systèmes). Fails with
   * `NotFound` if there is none.
   */
  readonly mol: (dtxsid: string) => One<F, FileRecords.Text>

  /**
   * Gets the molfile of a compound (GET). A V3000 molfile (CTFile formats, Dassault Systèmes). Fails with
   * `NotFound` if there is none.
   */
  readonly molByDtxcid: (dtxcid: string) => One<F, FileRecords.Text>
}
