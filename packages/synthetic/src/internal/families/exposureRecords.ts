/**
 * Generates the exposure of a substance: functional uses, kinetic parameters, and predicted exposures, as those of the models
 * SEEM (Systematic Empirical Evaluation of Models).
 */
import type { ExposureRecords } from "@chemstream/api"
import { exp10, round } from "../numbers/exactMath.ts"
import { choose, type Random } from "../numbers/seededRandom.ts"
import type { Substance } from "../substances/numberedSubstance.ts"
import { source } from "./generatedSource.ts"

const categories = [
  "Antioxidant",
  "Fragrance",
  "Monomers",
  "Pesticide",
  "Plasticizer",
  "Solvent",
  "Surfactant"
]

/** The largest number of functional uses of a substance. Half of the substances have none. */
const mostUses = 60

/** Returns the functional uses of a substance. */
export const functionalUses = (
  random: Random,
  { dtxsid, index }: Substance
): ReadonlyArray<ExposureRecords.FunctionalUse> => {
  const part = random.unit()
  const length = random.integerBelow(2) === 0 ? 0 : 1 + Math.floor(part * part * part * (mostUses - 1))
  return Array.from({ length }, (_, n) => {
    const category = choose(random, categories)
    const document = random.integerBelow(1_000_000)
    return {
      id: index * mostUses + n,
      dtxsid,
      datatype: choose(random, ["Function", "Composition"]),
      docid: document,
      doctitle: `Generated document ${document}`,
      docdate: null,
      reportedfunction: category.toLowerCase(),
      functioncategory: choose(random, [category, category, null])
    }
  })
}

const parameters = [
  { parameter: "Clint", units: "uL/min/million hepatocytes", isMeasured: true, exponent: 1 },
  { parameter: "Fup", units: null, isMeasured: true, exponent: -1 },
  { parameter: "Vd", units: "L/kg", isMeasured: false, exponent: 0 },
  { parameter: "TK.Half.Life", units: "hours", isMeasured: false, exponent: 1 },
  { parameter: "Days.Css", units: "days", isMeasured: false, exponent: 0.5 },
  ...["3compartmentss", "PBTK"].flatMap((model) =>
    ["50%", "95%"].map((percentile) => ({
      parameter: "Css",
      units: "mg/L",
      isMeasured: false,
      exponent: percentile === "95%" ? 0.5 : 0,
      model,
      percentile
    }))
  )
]

const species = ["Human", "Rat"]

/** Returns the kinetic parameters of a substance: for a third of the substances with a structure. */
export const kinetics = (
  random: Random,
  { dtxsid, index, structure }: Substance
): ReadonlyArray<ExposureRecords.ToxicokineticParameter> =>
  structure === null || random.integerBelow(3) > 0
    ? []
    : species.flatMap((animal, s) =>
        parameters.map(({ exponent, isMeasured, parameter, units, ...prediction }, n) => {
          const value = round(exp10(exponent + 0.5 * random.normal()), 5)
          const [measured, predicted] = isMeasured ? [value, null] : [null, value]
          return {
            id: (index * species.length + s) * parameters.length + n,
            dtxsid,
            parameter,
            measuredText: textOf(measured),
            measured,
            predictedText: textOf(predicted),
            predicted,
            units,
            model: "NA",
            reference: source,
            percentile: "NA",
            species: animal,
            dataSourceSpecies: animal,
            ...prediction
          }
        })
      )

const textOf = (value: number | null): string => (value === null ? "NA" : String(value))

/** Returns the production volume and pathways of a substance. */
export const pathways = (random: Random, { dtxsid }: Substance): ExposureRecords.ExposurePathways => ({
  dtxsid,
  productionVolume: round(exp10(6 * random.unit()), 2),
  units: "kg/day",
  stockholmConvention: 0,
  probabilityDietary: round(random.unit(), 4),
  probabilityResidential: round(random.unit(), 4),
  probabilityPesticde: round(random.unit(), 4),
  probabilityIndustrial: round(random.unit(), 4)
})

const demographics = [
  "Total",
  "Male",
  "Female",
  "Age 6-11",
  "Age 12-19",
  "Age 20-65",
  "Age 66+",
  "BMI <= 30",
  "BMI > 30",
  "Repro. Age Females"
]

/**
 * Returns the predicted exposures of a substance: that of all people, which is the median of its detail record, and those of parts
 * of the population.
 */
export const predictions = (
  random: Random,
  { dtxsid, index }: Substance,
  medianText: string
): ReadonlyArray<ExposureRecords.ExposurePrediction> =>
  ["SEEM3 Consensus", ...demographics].map((name, n) => {
    const isConsensus = n === 0
    const text = isConsensus ? medianText : (Number(medianText) * (0.5 + random.unit())).toExponential(3)
    const [l95, u95] = [0.01, 100].map((factor) => (Number(text) * factor).toExponential(3)) as [
      string,
      string
    ]
    return {
      id: index * (demographics.length + 1) + n,
      dtxsid,
      demographic: isConsensus ? "Total" : name,
      predictor: isConsensus ? name : "SEEM2 Heuristic",
      median: Number(text),
      medianText: text,
      l95: Number(l95),
      l95Text: l95,
      u95: Number(u95),
      u95Text: u95,
      units: "mg/kg/day",
      ad: 1,
      reference: source
    }
  })
