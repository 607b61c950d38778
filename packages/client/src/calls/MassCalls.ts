/**
 * The calls of MS-ready chemicals by mass, and by a batch of compounds (docs/service.md, section 3.3). `MsReadyCalls`, which is generated,
 * has the others.
 *
 * MS-ready is the form that a mass spectrometer sees: desalted, neutral, without stereochemistry. An unknown value
 * gives an empty list, not `NotFound`. Masses are monoisotopic, in dalton.
 */
import type { Effects, Mode, One, Records } from "./Mode.ts"

/** The calls of MS-ready chemicals by mass, and by a batch of compounds. */
export interface MassCalls<F extends Mode = Effects> {
  /**
   * Gets the DTXSIDs with the MS-ready forms of up to 1000 compounds in one request (POST, docs/service.md 3.3). The keys are the requested
   * DTXCIDs in canonical spelling, in the order of the request.
   *
   * Services respond with a mapping, with a list of records with `dtxcid`, or, for one compound, with a list of
   * DTXSIDs. Any other response is a `MalformedResponse`. The limit is this project's own; a longer list fails with
   * `BatchTooLarge`, without a request. An empty list sends no request.
   */
  readonly byDtxcidBatch: (
    dtxcids: ReadonlyArray<string>
  ) => One<F, ReadonlyMap<string, ReadonlyArray<string>>>

  /**
   * Gets the DTXSIDs with an MS-ready mass from `start` to `end` dalton, inclusive (GET, docs/service.md 3.3).
   *
   * Fails with `InvalidIdentifier`, without a request, if a mass is malformed or the range is reversed.
   */
  readonly byMass: (start: number, end: number) => Records<F, string>

  /**
   * Gets the DTXSIDs of up to 1000 masses in one request (POST, docs/service.md 3.3), within `error` dalton to both
   * sides. Default: 0.005, at most 1. The keys are the requested masses, in the order of the request.
   *
   * The limit is this project's own; a longer list fails with `BatchTooLarge`, without a request. An empty list sends
   * no request. With `error` the limit is 999: the client adds `Dialect.controlMass`, whose key in the response shows
   * the unit that the service uses.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const candidates = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   const byMass = yield* client.msready.byMassBatch([228.115, 150.068], { error: 0.001 })
   *   return byMass.get(228.115) ?? []
   * })
   * ```
   */
  readonly byMassBatch: (
    masses: ReadonlyArray<number>,
    options?: { readonly error?: number | undefined }
  ) => One<F, ReadonlyMap<number, ReadonlyArray<string>>>
}
