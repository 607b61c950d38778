/**
 * Makes the MS-ready calls that rows do not describe: batches whose response is a map of lists, and masses.
 */
import { Dtxcid, type InvalidIdentifier, MassRange, MsReady, Operation } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Effect, Result } from "effect"
import type { MassCalls } from "../MassCalls.ts"
import * as MsReadyResponse from "../MsReadyResponse.ts"
import { type CallOperation, withValid } from "./callOperation.ts"
import { checkOptions, eachOf, refuse, shown } from "./checkArguments.ts"
import { identifiers } from "./shapeReaders.ts"

const byMass = /* @__PURE__ */ Operation.single(MsReady.byMass)
const byMassBatch = /* @__PURE__ */ Operation.batch(MsReady.byMass) as Operation.Operation
const byDtxcidBatch = /* @__PURE__ */ Operation.batch(MsReady.byDtxcid) as Operation.Operation

const massOptions = /* @__PURE__ */ Options.set<{ readonly error?: number }>()({
  error: Options.kind("a number of dalton", (value) => typeof value === "number")
})

/** Makes the calls. */
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
    Effect.andThen(
      checkOptions(massOptions, options),
      withValid(
        Result.all([eachOf(byMassBatch.name, masses, massOf), toleranceOf(options?.error)]),
        ([checked, error]) =>
          callOperation(
            byMassBatch,
            { payload: error === undefined ? { masses: checked } : { masses: checked, error } },
            MsReadyResponse.byMass(checked)
          )
      )
    )
})

const massOf = (mass: number): Result.Result<number, InvalidIdentifier.InvalidIdentifier> =>
  Result.map(MassRange.make(mass, mass), ({ start }) => start)

const { largestTolerance } = MassRange

const toleranceOf = (
  error: number | undefined
): Result.Result<number | undefined, InvalidIdentifier.InvalidIdentifier> =>
  error === undefined || (error >= 0 && error <= largestTolerance)
    ? Result.succeed(error)
    : refuse("tolerance", error, `it must be a number of dalton from 0 to ${largestTolerance}`)
