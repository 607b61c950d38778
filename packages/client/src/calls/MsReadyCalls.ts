/**
 * The calls of MS-ready chemicals (docs/service.md, section 3.3): by compound, formula and mass.
 *
 * MS-ready is the form a mass spectrometer sees: desalted, neutral, without stereochemistry. A value the service does not
 * know has no substances: it is an empty list, not `NotFound`. Masses are monoisotopic, in dalton.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The calls of MS-ready chemicals. */
export interface MsReadyCalls<F extends Mode = Effects> {
  /**
   * The DTXSIDs whose MS-ready form is that of this compound (GET, docs/service.md 3.3).
   *
   * Fails with `InvalidIdentifier` (and no request) when the DTXCID is malformed.
   */
  readonly byDtxcid: (dtxcid: string) => One<F, ReadonlyArray<string>, Failure>

  /**
   * The same for up to 1000 compounds in one call (POST, docs/service.md 3.3), by compound: every DTXCID asked for is a
   * key, in canonical spelling, in the order asked.
   *
   * Whether the answer is a mapping or a list is not documented: a mapping is read, and a list of records with
   * `dtxcid`, or of bare DTXSIDs when one compound was asked for. Anything else cannot be told apart: `MalformedResponse`.
   * The limit is this project's own. Fails with `BatchTooLarge` (and no request) over it. No compounds, no request.
   */
  readonly byDtxcidBatch: (
    dtxcids: ReadonlyArray<string>
  ) => One<F, ReadonlyMap<string, ReadonlyArray<string>>, Failure>

  /**
   * The DTXSIDs whose MS-ready form has this molecular formula (GET, docs/service.md 3.3).
   *
   * Fails with `InvalidIdentifier` (and no request) when it is no formula.
   */
  readonly byFormula: (formula: string) => One<F, ReadonlyArray<string>, Failure>

  /**
   * The DTXSIDs with an MS-ready mass from `start` to `end` dalton, both included (GET, docs/service.md 3.3).
   *
   * Fails with `InvalidIdentifier` (and no request) when a mass is none or the range is reversed.
   */
  readonly byMass: (start: number, end: number) => One<F, ReadonlyArray<string>, Failure>

  /**
   * The DTXSIDs of each of up to 1000 masses, within a tolerance of `error` dalton to both sides (0.005 when not given, at
   * most 1) (POST, docs/service.md 3.3), by mass: every mass asked for is a key, in the order asked.
   *
   * The limit is this project's own. Fails with `BatchTooLarge` (and no request) over it. No masses, no request. With `error`
   * there are at most 999: one mass is added (`Dialect.controlMass`), whose key shows how the service reads the tolerance.
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
  ) => One<F, ReadonlyMap<number, ReadonlyArray<string>>, Failure>
}
