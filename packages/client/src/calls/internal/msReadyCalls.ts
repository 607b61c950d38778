/**
 * The MS-ready calls over the client that derives from the contract.
 */
import { Dtxcid, InvalidIdentifier, MassRange, MolecularFormula } from "@chemstream/api"
import { Result } from "effect"
import type { MsReadyCalls } from "../MsReadyCalls.ts"
import * as MsReadyResponse from "../MsReadyResponse.ts"
import { identifiers } from "./readers.ts"
import { type Ask, given } from "./request.ts"

export const make = (ask: Ask): MsReadyCalls => ({
  byDtxcid: (dtxcid) =>
    given(Dtxcid.parse(dtxcid), (parsed) =>
      ask("msready.byDtxcid", { params: { dtxcid: parsed } }, identifiers)
    ),
  byDtxcidBatch: (dtxcids) =>
    given(Result.all(dtxcids.map(Dtxcid.parse)), (payload) =>
      ask("msready.byDtxcidBatch", { payload }, MsReadyResponse.byDtxcid(payload))
    ),
  byFormula: (formula) =>
    given(MolecularFormula.parse(formula), (parsed) =>
      ask("msready.byFormula", { params: { formula: parsed } }, identifiers)
    ),
  byMass: (start, end) =>
    given(MassRange.make(start, end), (range) =>
      ask("msready.byMass", { params: { ...range } }, identifiers)
    ),
  byMassBatch: (masses, options) =>
    given(Result.all([Result.all(masses.map(massOf)), toleranceOf(options?.error)]), ([checked, error]) =>
      ask(
        "msready.byMassBatch",
        { payload: error === undefined ? { masses: checked } : { masses: checked, error } },
        MsReadyResponse.byMass(checked)
      )
    )
})

const massOf = (mass: number): Result.Result<number, InvalidIdentifier.InvalidIdentifier> =>
  Result.map(MassRange.make(mass, mass), ({ start }) => start)

const toleranceOf = (
  error: number | undefined
): Result.Result<number | undefined, InvalidIdentifier.InvalidIdentifier> =>
  error === undefined || (error >= 0 && error <= MassRange.largestTolerance)
    ? Result.succeed(error)
    : Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "tolerance",
          value: String(error),
          reason: "malformed",
          message: `${error} is not a tolerance: it must be a number of dalton from 0 to ${MassRange.largestTolerance}`
        })
      )
