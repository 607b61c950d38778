/**
 * `chemstream msready`: the substances of an MS-ready compound, formula or mass.
 */
import { MassRange } from "@chemstream/api"
import { MsReady } from "@chemstream/stream"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { usageFailure } from "../../CommandFailure.ts"
import * as commandGroup from "../../run/commandGroup.ts"
import * as lookupCommand from "../../run/lookupCommand.ts"

const dtxcid = lookupCommand.make({
  name: "dtxcid",
  description: "The substances with the MS-ready form of this compound, one NDJSON line each",
  metavar: "ID",
  values: "Compound identifiers (DTXCID…)",
  largestBatch: MsReady.byDtxcid().size,
  own: {},
  plan: () => Effect.succeed({ lookup: MsReady.byDtxcid(), field: "dtxcid" }),
  examples: [
    {
      command: "chemstream msready dtxcid DTXCID30182",
      description: '{"query":"DTXCID30182","dtxsid":"…"} a substance'
    }
  ]
})

const formula = lookupCommand.make({
  name: "formula",
  description: "The MS-ready substances with this formula, one NDJSON line each",
  metavar: "FORMULA",
  values: "Molecular formulas",
  largestBatch: MsReady.byFormula().size,
  own: {},
  plan: () => Effect.succeed({ lookup: MsReady.byFormula(), field: "molFormula" }),
  examples: [{ command: "chemstream msready formula C15H16O2", description: "One formula" }]
})

const mass = lookupCommand.make({
  name: "mass",
  description: "The MS-ready substances of this monoisotopic mass, one NDJSON line each",
  metavar: "MASS",
  values: "Monoisotopic masses in dalton",
  largestBatch: MsReady.byMass().size,
  own: {
    tolerance: Flag.Finite("tolerance").pipe(
      Flag.withMetavar("DALTON"),
      Flag.withDescription(`Tolerance to both sides [default: ${MassRange.defaultTolerance}]`),
      Flag.filter(
        (value) => value >= 0 && value <= MassRange.largestTolerance,
        () => `a number of dalton from 0 to ${MassRange.largestTolerance}`
      ),
      Flag.optional
    ),
    ppm: Flag.Finite("ppm").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription(
        "Tolerance to both sides in parts per million of the mass, instead of --tolerance"
      ),
      Flag.filter(
        (value) => value > 0 && value <= 1000,
        () => "a number of parts per million above 0, at most 1000"
      ),
      Flag.optional
    ),
    range: Flag.String("range").pipe(
      Flag.withMetavar("A,B"),
      Flag.withDescription("A range of masses from A to B, both included, instead of masses"),
      Flag.optional
    )
  },
  plan: (own) => {
    const range = Option.getOrUndefined(own.range)
    const tolerance = Option.getOrUndefined(own.tolerance)
    const ppm = Option.getOrUndefined(own.ppm)
    if (ppm !== undefined && tolerance !== undefined)
      return Effect.fail(usageFailure("give --ppm or --tolerance, not both"))
    if (range === undefined) {
      return Effect.succeed({
        lookup: MsReady.byMass({ tolerance, ppm }),
        settings: { tolerance: tolerance ?? null, ...(ppm === undefined ? {} : { ppm }) },
        field: "monoisotopicMass"
      })
    }
    if (tolerance !== undefined || ppm !== undefined)
      return Effect.fail(
        usageFailure(`--range has no tolerance: omit ${ppm === undefined ? "--tolerance" : "--ppm"}`)
      )
    const lookup = MsReady.byMassRange()
    const parsed = lookup.parse(range)
    return parsed._tag === "Failure"
      ? Effect.fail(usageFailure(`--range ${parsed.failure.message}`))
      : Effect.succeed({ lookup, value: { option: "--range", text: range } })
  },
  examples: [
    { command: "chemstream msready mass --tolerance 0.002 228.115 194.0804", description: "Two masses" },
    { command: "chemstream msready mass --ppm 5 --input masses.txt", description: "A tolerance in ppm" },
    { command: "chemstream msready mass --range 200.9,200.95", description: "All masses of a range" }
  ]
})

export const msready = commandGroup.make(
  "msready",
  "MS-ready substances by compound, formula or mass",
  [
    { command: "chemstream msready mass --tolerance 0.002 228.115", description: "The candidates for a mass" }
  ],
  [dtxcid, formula, mass]
)
