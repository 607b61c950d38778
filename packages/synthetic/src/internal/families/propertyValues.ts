/**
 * Generates the predicted and the measured properties of a substance.
 *
 * A property has one value, from which those of the models and the measurements differ a little. Models have no value
 * without a structure.
 */
import type { PropertyRecords } from "@chemstream/api"
import { round } from "../numbers/exactMath.ts"
import { choose, type Random } from "../numbers/seededRandom.ts"
import type { Substance } from "../substances/numberedSubstance.ts"
import { source } from "./generatedSource.ts"

interface Property {
  readonly name: string
  readonly unit: string
  /** The range of the values of substances, and the deviation of measurements. */
  readonly least: number
  readonly most: number
  readonly deviation: number
}

const properties: ReadonlyArray<Property> = [
  { name: "Boiling Point", unit: "°C", least: 60, most: 450, deviation: 8 },
  { name: "Melting Point", unit: "°C", least: -60, most: 280, deviation: 10 },
  { name: "Flash Point", unit: "°C", least: 0, most: 250, deviation: 8 },
  { name: "Density", unit: "g/cm^3", least: 0.7, most: 1.8, deviation: 0.03 },
  { name: "Surface Tension", unit: "dyn/cm", least: 20, most: 60, deviation: 2 },
  { name: "Viscosity", unit: "log10 cP", least: -0.5, most: 3, deviation: 0.2 },
  { name: "Vapor Pressure", unit: "log10 mmHg", least: -10, most: 2, deviation: 0.4 },
  { name: "Water Solubility", unit: "log10 mol/L", least: -8, most: 1, deviation: 0.4 },
  { name: "Henry's Law Constant", unit: "log10 atm-m3/mole", least: -12, most: -1, deviation: 0.4 },
  { name: "LogKow: Octanol-Water", unit: "Log10 unitless", least: -2, most: 8, deviation: 0.3 },
  { name: "LogKoa: Octanol-Air", unit: "Log10 unitless", least: 2, most: 13, deviation: 0.4 },
  { name: "LogD7.4", unit: "Log10 unitless", least: -3, most: 8, deviation: 0.3 },
  { name: "pKa Acidic Apparent", unit: "Log10 unitless", least: 0, most: 14, deviation: 0.3 },
  { name: "pKa Basic Apparent", unit: "Log10 unitless", least: 0, most: 12, deviation: 0.3 },
  { name: "Index of Refraction", unit: "Dimensionless", least: 1.3, most: 1.8, deviation: 0.01 },
  { name: "Molar Refractivity", unit: "cm^3", least: 20, most: 150, deviation: 1 },
  { name: "Molar Volume", unit: "cm^3", least: 60, most: 450, deviation: 4 },
  { name: "Polarizability", unit: "Å^3", least: 8, most: 60, deviation: 0.5 },
  { name: "Dielectric Constant", unit: "Dimensionless", least: 1.8, most: 40, deviation: 1 },
  { name: "Thermal Conductivity", unit: "mW/(m*K)", least: 100, most: 180, deviation: 4 }
]

const models = ["GEN_1", "GEN_2"]

/** The largest number of measurements of a substance. Half of the substances have none. */
const mostMeasurements = 30

/** The records of the properties of a substance. */
export interface Properties {
  readonly predicted: ReadonlyArray<PropertyRecords.Predicted>
  readonly experimental: ReadonlyArray<PropertyRecords.Experimental>
}

/** Returns the records of a substance. */
export const propertiesOf = (random: Random, substance: Substance): Properties => {
  const { dtxcid, dtxsid, index, structure } = substance
  const values = properties.map(({ least, most }) => least + (most - least) * random.unit())
  const sample = (n: number): number =>
    round((values[n] ?? 0) + (properties[n]?.deviation ?? 0) * random.normal(), 4)
  const shared = { dtxsid, dtxcid, smiles: structure?.smiles ?? null }
  const predicted = properties.flatMap(({ name, unit }, n) =>
    models.map((model, m) => ({
      id: index * properties.length * models.length + n * models.length + m,
      ...shared,
      canonQsarSmiles: structure?.msReadySmiles ?? "N/A",
      genericSubstanceUpdatedAt: "2026-01-01T00:00:00",
      propName: name,
      propCategory: "Physchem",
      propDescription: `${name} of a substance that does not exist`,
      modelName: `${model}_${n}`,
      modelId: n * models.length + m,
      sourceName: source,
      sourceDescription: `Model ${model} of <b>generated</b> values`,
      propValueExperimental: null,
      propValueExperimentalString: null,
      propValue: structure === null ? null : sample(n),
      propUnit: unit,
      propValueString: null,
      propValueError: structure === null ? "The substance has no structure" : null,
      ...domainOf(random),
      hasQmrf: false,
      qmrfUrl: null
    }))
  )
  const measurements =
    random.integerBelow(2) === 0 ? 0 : 1 + Math.floor(random.unit() * random.unit() * mostMeasurements)
  const experimental = Array.from({ length: measurements }, (_, number) => {
    const n = random.integerBelow(properties.length)
    return measurement(random, { id: index * mostMeasurements + number, ...shared }, n, sample(n))
  })
  return { predicted, experimental }
}

const domainOf = (random: Random) => {
  const isInside = random.integerBelow(5) > 0
  const conclusion = isInside ? "Inside" : "Outside"
  return {
    adMethod: "Generated Applicability Domain",
    adValue: isInside ? 1 : 0,
    adConclusion: conclusion,
    adReasoning: `${conclusion} of the applicability domain`,
    adMethodGlobal: null,
    adValueGlobal: null,
    adConclusionGlobal: null,
    adReasoningGlobal: null
  }
}

const measurement = (
  random: Random,
  shared: PropertyRecords.Experimental,
  n: number,
  propValue: number
): PropertyRecords.Experimental => {
  const { name, unit } = properties[n] as Property
  return {
    ...shared,
    propName: name,
    dataset: `generated_${n}`,
    propValue,
    propUnit: unit,
    propValueId: shared.id ?? null,
    propValueOriginal: `${propValue} ${unit}`,
    propValueText: null,
    expDetailsTemperatureC: choose(random, [null, 20, 25]),
    expDetailsPressureMmhg: choose(random, [null, 760]),
    expDetailsPh: choose(random, [null, null, 7]),
    expDetailsResponseSite: null,
    expDetailsSpeciesLatin: null,
    expDetailsSpeciesCommon: null,
    expDetailsSpeciesSupercategory: null,
    sourceName: source,
    sourceDescription: "Measurements of substances that do not exist",
    publicSourceName: null,
    publicSourceDescription: null,
    publicSourceUrl: null,
    directUrl: null,
    lsName: null,
    lsCitation: null,
    lsDoi: null,
    briefCitation: null,
    publicSourceOriginalName: null,
    publicSourceOriginalDescription: null,
    publicSourceOriginalUrl: null
  }
}
