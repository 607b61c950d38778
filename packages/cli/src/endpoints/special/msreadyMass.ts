/** The options of `chemstream msready mass`: a tolerance on masses, or a range instead of them. */
import { MassRange, MsReady as MsReadyRows } from "@chemstream/api"
import { MsReady } from "@chemstream/stream"
import { Effect } from "effect"
import type { Command } from "effect/cli"
import { type CommandFailure, usageFailure } from "../../CommandFailure.ts"
import { optionalNumber, optionalText } from "../../flags/flagTypes.ts"
import type { CommandTask } from "../../run/lookupCommand.ts"

export const largestBatch = MsReadyRows.byMass.batch.limit

export const own = {
  tolerance: optionalNumber(
    "tolerance",
    "DALTON",
    `Tolerance to both sides [default: ${MassRange.defaultTolerance}]`,
    (value) => value >= 0 && value <= MassRange.largestTolerance,
    `a number of dalton from 0 to ${MassRange.largestTolerance}`
  ),
  ppm: optionalNumber(
    "ppm",
    "N",
    "Tolerance to both sides in parts per million of the mass, instead of --tolerance",
    (value) => value > 0 && value <= 1000,
    "a number of parts per million above 0, at most 1000"
  ),
  range: optionalText("range", "A,B", "A range of masses from A to B, both included, instead of masses")
}

/** Looks up masses with a tolerance, or the one range of `--range`. */
export const taskOf = (
  given: Command.Command.Config.Infer<typeof own>
): Effect.Effect<CommandTask, CommandFailure> => {
  const { ppm, range, tolerance } = given
  if (ppm !== undefined && tolerance !== undefined) return usageFailure("give --ppm or --tolerance, not both")
  if (range === undefined) {
    return Effect.succeed({
      lookup: MsReady.byMass({ tolerance, ppm }),
      settings: { tolerance: tolerance ?? null, ...(ppm === undefined ? {} : { ppm }) },
      field: "monoisotopicMass"
    })
  }
  if (tolerance !== undefined || ppm !== undefined)
    return usageFailure(`--range has no tolerance: omit ${ppm === undefined ? "--tolerance" : "--ppm"}`)
  const lookup = MsReady.byMassRange()
  const parsed = lookup.parse(range)
  return parsed._tag === "Failure"
    ? usageFailure(`--range ${parsed.failure.message}`)
    : Effect.succeed({ lookup, value: { option: "--range", text: range } })
}
