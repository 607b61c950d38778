/**
 * The endpoints of MS-ready chemicals: by compound, formula and mass (docs/service.md, section 3.3).
 *
 * MS-ready is the form that a mass spectrometer sees: desalted, neutral, without stereochemistry. The response to an
 * unknown value is an empty list.
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `recordKey: null`, records that do not
 * name their value; `scalar`, the name of a bare value; `special`, why a service needs code of its own.
 */
import { Schema } from "effect"
import { controlMass } from "../dialect/internal/publicService.ts"
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as MassRange from "../masses/MassRange.ts"
import { dtxsidList } from "../records/internal/dtxsidList.ts"

/** The family of MS-ready searches. */
export const family = Family.make({
  word: "msready",
  title: "MS-ready substances",
  description: "MS-ready substances by compound, formula or mass",
  examples: [
    {
      command: "chemstream msready mass --tolerance 0.002 228.115",
      description: "The candidates for a mass"
    }
  ]
})

/** The batch size where each value is a request of its own. A killed run loses at most this many responses. */
const singlesAtOnce = 50

/** The common part of the rows. */
const substances = {
  section: "3.3",
  recordKey: null,
  multiplicity: "many",
  scalar: "dtxsid",
  miss: "empty",
  record: () => dtxsidList.value
} as const

/**
 * The substances with the MS-ready form of a compound. The batch limit is this project's own.
 *
 * The form of the response to a batch is not documented: it may be a map from compounds to their substances, or a
 * list. The contract accepts both, and this project's service sends the map.
 */
export const byDtxcid = Row.make({
  ...substances,
  name: "msready.byDtxcid",
  what: "substances with the MS-ready form of this compound",
  key: Key.dtxcid,
  get: {
    path: "/chemical/msready/search/by-dtxcid/{dtxcid}",
    answer: "list",
    title: "MS-ready substances of a DTXCID"
  },
  batch: {
    path: "/chemical/msready/search/by-dtxcid/",
    limit: 1000,
    documented: false,
    response: () =>
      Schema.Union([Schema.Record(Schema.String, dtxsidList.list), Schema.Array(Schema.Unknown)]),
    title: "MS-ready substances of a batch of DTXCIDs",
    // The batch response is one list of substances. It does not say which compound each belongs to.
    differences: { ctx: { largest: singlesAtOnce, single: (dtxcid) => ({ dtxcid }) } }
  },
  command: {
    words: ["msready", "dtxcid"],
    description: "The substances with the MS-ready form of this compound, one NDJSON line each",
    examples: [
      {
        command: "chemstream msready dtxcid DTXCID30182",
        description: '{"query":"DTXCID30182","dtxsid":"…"} a substance'
      }
    ]
  },
  special: "a map of lists, and an index of MS-ready forms"
})

/** The MS-ready substances with a formula. */
export const byFormula = Row.make({
  ...substances,
  name: "msready.byFormula",
  what: "MS-ready substances with this formula",
  key: Key.formula,
  get: {
    path: "/chemical/msready/search/by-formula/{formula}",
    answer: "list",
    title: "MS-ready substances by formula"
  },
  command: {
    words: ["msready", "formula"],
    description: "The MS-ready substances with this formula, one NDJSON line each",
    examples: [{ command: "chemstream msready formula C15H16O2", description: "One formula" }]
  },
  special: "an index of formulas"
})

interface MassBatch {
  readonly masses: ReadonlyArray<number>
  readonly error?: number
}

/** Returns the range of a mass, rounded to remove the noise of binary fractions, e.g. 228.11999999999998. */
const around = (mass: number, error = MassRange.defaultTolerance): Readonly<Record<string, number>> => ({
  start: Math.max(0, Number((mass - error).toFixed(9))),
  end: Math.min(MassRange.largestMass, Number((mass + error).toFixed(9)))
})

/**
 * The MS-ready substances with a monoisotopic mass in a range, both ends included, in dalton; and those of each mass
 * of a batch, within a tolerance. The batch limit is this project's own.
 *
 * The keys of the response to a batch are the masses as text, and a whole mass gains a decimal ("228.0"): match them
 * as numbers.
 */
export const byMass = Row.make({
  ...substances,
  name: "msready.byMass",
  what: "MS-ready substances in this mass range",
  key: Key.massRange,
  get: {
    path: "/chemical/msready/search/by-mass/{start}/{end}",
    answer: "list",
    title: "MS-ready substances in a mass range"
  },
  batch: {
    path: "/chemical/msready/search/by-mass/",
    key: Key.mass,
    limit: 1000,
    documented: false,
    payload: () =>
      Schema.Struct({
        masses: Schema.NonEmptyArray(MassRange.Mass),
        error: Schema.optionalKey(
          Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: MassRange.largestTolerance })).annotate(
            {
              description: `Tolerance to both sides, in dalton. Default: ${MassRange.defaultTolerance}`
            }
          )
        )
      }),
    response: () => Schema.Record(Schema.String, dtxsidList.list),
    title: "MS-ready substances of a batch of masses",
    differences: {
      // The public service would read the tolerance as ppm.
      specification: {
        withControl: (payload) => ({
          ...(payload as MassBatch),
          masses: (payload as MassBatch).masses.concat(
            (payload as MassBatch).error === undefined ? [] : controlMass
          )
        })
      },
      // The batch takes a tolerance in whole ppm and truncates one in dalton to 0. A batch without tolerance is refused.
      ctx: {
        largest: singlesAtOnce,
        refusal: /\berror\b.*\bnull\b/i,
        single: (mass, payload) => around(Number(mass), (payload as MassBatch).error)
      }
    }
  },
  command: {
    words: ["msready", "mass"],
    description: "The MS-ready substances of this monoisotopic mass, one NDJSON line each",
    examples: [
      { command: "chemstream msready mass --tolerance 0.002 228.115 194.0804", description: "Two masses" },
      { command: "chemstream msready mass --ppm 5 --input masses.txt", description: "A tolerance in ppm" },
      { command: "chemstream msready mass --range 200.9,200.95", description: "All masses of a range" }
    ]
  },
  special: "masses, with a tolerance whose unit depends on the dialect"
})
