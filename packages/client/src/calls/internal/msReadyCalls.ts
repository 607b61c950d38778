/**
 * The MS-ready calls that rows do not describe: batches whose response is a map of lists, and masses.
 */
import { Dtxcid, InvalidIdentifier, MassRange, MsReady, Operation } from "@chemstream/api"
import { Result } from "effect"
import type { MassCalls } from "../MassCalls.ts"
import * as MsReadyResponse from "../MsReadyResponse.ts"
import { identifiers } from "./readers.ts"
import { type CallOperation, withValid } from "./request.ts"
import { eachOf, shown } from "./untyped.ts"

const byMass = /* @__PURE__ */ Operation.single(MsReady.byMass)
const byMassBatch = /* @__PURE__ */ Operation.batch(MsReady.byMass) as Operation.Operation
const byDtxcidBatch = /* @__PURE__ */ Operation.batch(MsReady.byDtxcid) as Operation.Operation

export const make = (callOperation: CallOperation): MassCalls => ({
  byDtxcidBatch: (dtxcids) =>
    withValid(
      eachOf(byDtxcidBatch.name, dtxcids, (text) => Dtxcid.parse(shown(text))),
      (payload) => callOperation(byDtxcidBatch, { payload }, MsReadyResponse.byDtxcid(payload))
    ),
  byMass: (start, end) =>
    withValid(MassRange.make(start, end), (range) =>
      callOperation(byMass, { params: { ...range } }, identifiers)
    ),
  byMassBatch: (masses, options) =>
    withValid(
      Result.all([eachOf(byMassBatch.name, masses, massOf), toleranceOf(options?.error)]),
      ([checked, error]) =>
        callOperation(
          byMassBatch,
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
