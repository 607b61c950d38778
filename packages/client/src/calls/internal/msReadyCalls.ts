/**
 * The MS-ready calls over the client that derives from the contract.
 */
import { Dtxcid, InvalidIdentifier, MassRange, MolecularFormula } from "@chemstream/api"
import { Result } from "effect"
import type { MsReadyCalls } from "../MsReadyCalls.ts"
import * as MsReadyResponse from "../MsReadyResponse.ts"
import { identifiers } from "./readers.ts"
import { type CallEndpoint, withValid } from "./request.ts"

export const make = (callEndpoint: CallEndpoint): MsReadyCalls => ({
  byDtxcid: (dtxcid) =>
    withValid(Dtxcid.parse(dtxcid), (parsed) =>
      callEndpoint("msready.byDtxcid", { params: { dtxcid: parsed } }, identifiers)
    ),
  byDtxcidBatch: (dtxcids) =>
    withValid(Result.all(dtxcids.map(Dtxcid.parse)), (payload) =>
      callEndpoint("msready.byDtxcidBatch", { payload }, MsReadyResponse.byDtxcid(payload))
    ),
  byFormula: (formula) =>
    withValid(MolecularFormula.parse(formula), (parsed) =>
      callEndpoint("msready.byFormula", { params: { formula: parsed } }, identifiers)
    ),
  byMass: (start, end) =>
    withValid(MassRange.make(start, end), (range) =>
      callEndpoint("msready.byMass", { params: { ...range } }, identifiers)
    ),
  byMassBatch: (masses, options) =>
    withValid(Result.all([Result.all(masses.map(massOf)), toleranceOf(options?.error)]), ([checked, error]) =>
      callEndpoint(
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
