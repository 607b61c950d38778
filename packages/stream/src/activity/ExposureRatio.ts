/**
 * Compares the bioactivity of each substance with its exposure: the bioactivity-exposure ratio.
 *
 * It is the lowest administered equivalent dose (AED) of an active concentration, divided by the upper bound of the exposure that SEEM3
 * predicts for the total population: Paul Friedman et al., "Utility of In Vitro Bioactivity as a Lower Bound Estimate of In Vivo
 * Adverse Effect Levels", Toxicol. Sci. 173 (2020) 202-225. Both doses must have the same unit.
 */
import { Options } from "@chemstream/batch"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import * as Bioactivity from "../lookups/Bioactivity.ts"
import * as Exposure from "../lookups/Exposure.ts"
import type * as Lookup from "../lookups/Lookup.ts"
import type * as ActivityRows from "../tables/ActivityRows.ts"
import * as SubstanceFacts from "./internal/substanceFacts.ts"

/** The ratio of a substance. It is null without both doses. */
export interface ExposureRatio {
  readonly dtxsid: string
  readonly ratio: number | null
  /** The lowest dose, the assay endpoint that it is of, and how it was computed, e.g. `pbtk`, and for which percentile of people. */
  readonly aed: number | null
  readonly aedUnit: string | null
  readonly endpoint: string | null
  readonly httkModel: string | null
  readonly percentile: number | null
  /** The upper bound of the predicted exposure (95 %). */
  readonly exposure: number | null
  readonly exposureUnit: string | null
}

/** The predictions of exposure that count. */
const predictor = "SEEM3 Consensus"
const population = "Total"

/** The facts as columns of a table. */
export const facts: ActivityRows.Facts = {
  fields: [
    ...(["dtxsid", "ratio", "aed", "aedUnit", "endpoint", "httkModel"] as const),
    ...(["percentile", "exposure", "exposureUnit"] as const)
  ] satisfies ReadonlyArray<keyof ExposureRatio>,
  types: { ratio: "number", aed: "number", percentile: "number", exposure: "number" },
  note: "ratioNote",
  absent: (id) => `the service has neither equivalent doses (AED) nor a predicted exposure of ${id}`,
  noteOf: (record) => {
    if (RawRecord.value(record, "ratio") !== null) return null
    if (RawRecord.value(record, "aed") === null) return "no equivalent dose (AED)"
    if (RawRecord.value(record, "exposure") === null) return `no exposure predicted by ${predictor}`
    return RawRecord.value(record, "exposure") === 0
      ? "the predicted exposure is 0"
      : "the doses have different units"
  }
}

/** A record of equivalent doses: parallel arrays. */
export interface DoseRecord {
  readonly aenm?: string | null | undefined
  readonly aedVal?: ReadonlyArray<number | null> | null | undefined
  readonly aedValUnit?: ReadonlyArray<string | null> | null | undefined
  readonly httkModel?: ReadonlyArray<string | null> | null | undefined
  readonly interindividualVarPerc?: ReadonlyArray<number | null> | null | undefined
}

/** A record of predicted exposure. */
export interface ExposureRecord {
  readonly demographic?: string | null | undefined
  readonly predictor?: string | null | undefined
  readonly u95?: number | null | undefined
  readonly units?: string | null | undefined
}

/** The records of a substance. */
export interface Records {
  readonly doses: ReadonlyArray<DoseRecord>
  readonly exposures: ReadonlyArray<ExposureRecord>
}

/**
 * Returns the ratio of a substance from its records.
 *
 * @example
 * ```ts
 * import { ExposureRatio } from "@chemstream/stream"
 *
 * const { aed, ratio } = ExposureRatio.of("DTXSID7020182", {
 *   doses: [{ aenm: "ATG_ERa_TRANS_up", aedVal: [4, 0.5], aedValUnit: ["mg/kg/day", "mg/kg/day"] }],
 *   exposures: [{ demographic: "Total", predictor: "SEEM3 Consensus", u95: 0.0025, units: "mg/kg-day" }]
 * })
 * aed // => 0.5
 * ratio // => 200
 * ```
 */
export const of = (dtxsid: string, records: Records): ExposureRatio => {
  const { doses, exposures } = Options.argument("records", Options.object(), records)
  const exposure = Options.argument("exposures", listed, exposures).find(
    (one) => one.predictor === predictor && one.demographic === population && typeof one.u95 === "number"
  )
  const all = Options.argument("doses", listed, doses)
    .flatMap(dosesOf)
    .sort((a, b) => a.aed - b.aed)
  const unit = unitOf(exposure?.units)
  const comparable = all.find(({ aedUnit }) => unit !== undefined && unitOf(aedUnit) === unit)
  const u95 = exposure?.u95 ?? null
  return {
    dtxsid,
    ratio:
      comparable === undefined || u95 === null || u95 <= 0
        ? null
        : Number((comparable.aed / u95).toPrecision(4)),
    ...(comparable ?? all[0] ?? noDose),
    exposure: u95,
    exposureUnit: exposure?.units ?? null
  }
}

const listed = /* @__PURE__ */ Options.list(/* @__PURE__ */ Options.object())

const noDose = { aed: null, aedUnit: null, endpoint: null, httkModel: null, percentile: null }

const dosesOf = ({ aedVal, aedValUnit, aenm, httkModel, interindividualVarPerc }: DoseRecord) =>
  (aedVal ?? []).flatMap((aed, at) =>
    typeof aed === "number" && aed > 0
      ? [
          {
            aed,
            aedUnit: aedValUnit?.[at] ?? null,
            endpoint: aenm ?? null,
            httkModel: httkModel?.[at] ?? null,
            percentile: interindividualVarPerc?.[at] ?? null
          }
        ]
      : []
  )

/** Returns the unit in one spelling: `mg/kg-day` and `mg/kg bw/day` are `mg/kg/day`. */
const unitOf = (unit: string | null | undefined): string | undefined =>
  unit
    ?.toLowerCase()
    .replace(/[\s_-]*bw\b/, "")
    .replace(/[\s-]+(?:per[\s-]+)?/g, "/")
    .replace(/\/d$/, "/day")

/** Looks up the ratio of substances (`ExposureRatio`). A substance without doses and without predictions is missing. */
export const lookup = (): Lookup.LookupOfOne<ExposureRatio> =>
  SubstanceFacts.lookup({
    parts: { doses: Bioactivity.aedByDtxsid(), exposures: Exposure.seemDemographic() },
    requests: 0,
    factsOf: (all: ReadonlyArray<Parts>) =>
      Effect.succeed(
        all.map(({ doses, exposures, query }) =>
          of(query, { doses: doses ?? [], exposures: exposures ?? [] })
        )
      )
  })

/** The records of a substance, by the names of their lookups. */
type Parts = { readonly query: string } & { readonly [Name in keyof Records]?: Records[Name] | null }
