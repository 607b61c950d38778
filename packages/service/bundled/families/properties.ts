/**
 * The example records of properties and of fate. Those of real substances are molar masses, computed from formulas, and
 * melting and boiling points of common knowledge. All others are made up.
 */
import { type DetailRecord, Fate, Properties, type PropertyRecords } from "@chemstream/api"
import { bundled } from "./bundledSubstance.ts"
import { exampleA, exampleB, madeUp, source } from "./examples.ts"
import type { RecordsByRow } from "./recordsByRow.ts"

/** Melting and boiling points at normal pressure, in °C, rounded. */
const meltingAndBoilingPoints: ReadonlyArray<readonly [name: string, melting: number, boiling: number]> = [
  ["Water", 0, 100],
  ["Ethanol", -114, 78],
  ["Benzene", 5.5, 80],
  ["Toluene", -95, 111],
  ["1,4-Dioxane", 12, 101]
]

/** The bundled substances whose molar mass is among the predicted properties. */
const withMolarMass = [...meltingAndBoilingPoints.map(([name]) => name), "Bisphenol A"]

const units = {
  "Boiling Point": "°C",
  "Melting Point": "°C",
  "LogKow: Octanol-Water": "Log10 unitless",
  "Water Solubility": "mol/L"
}

const measured: ReadonlyArray<PropertyRecords.Experimental> = [
  ...meltingAndBoilingPoints.flatMap(([name, melting, boiling], n) => {
    const { dtxcid, dtxsid, smiles } = bundled(name)
    return (
      [
        ["Melting Point", melting],
        ["Boiling Point", boiling]
      ] as const
    ).map(([propName, propValue], index) => ({
      id: 2 * n + index + 1,
      dtxsid,
      dtxcid,
      smiles,
      propName,
      propValue,
      propUnit: units[propName],
      sourceName: "Common knowledge",
      sourceDescription: "Rounded, at normal pressure"
    }))
  }),
  ...(
    [
      [exampleA, "Boiling Point", 350],
      [exampleA, "Boiling Point", 360],
      [exampleA, "LogKow: Octanol-Water", 2.5],
      [exampleB, "Melting Point", 40]
    ] as const
  ).map(([{ dtxsid }, propName, propValue], n) =>
    madeUp({
      id: 990_001 + n,
      dtxsid,
      propName,
      propValue,
      propUnit: units[propName],
      propValueOriginal: `${propValue} ${units[propName]}`,
      sourceName: source
    })
  )
]

const madeUpPredictions: ReadonlyArray<PropertyRecords.Predicted> = (
  [
    [exampleA, "Boiling Point", "EXAMPLE_BP_1", 345],
    [exampleA, "Boiling Point", "EXAMPLE_BP_2", 370],
    [exampleA, "LogKow: Octanol-Water", "EXAMPLE_LOGKOW", 2.4],
    [exampleA, "Water Solubility", "EXAMPLE_WS", null],
    [exampleB, "Boiling Point", "EXAMPLE_BP_1", 210]
  ] as const
).map(([{ dtxsid }, propName, modelName, propValue], n) =>
  madeUp({
    id: 990_001 + n,
    dtxsid,
    canonQsarSmiles: "N/A",
    propName,
    propCategory: "Physchem",
    modelName,
    modelId: 990_001 + n,
    sourceName: source,
    propValue,
    propUnit: units[propName],
    propValueError: propValue === null ? "The structure is not known" : null,
    hasQmrf: false
  })
)

const molarMasses = (
  details: ReadonlyArray<DetailRecord.DetailRecord>
): ReadonlyArray<PropertyRecords.Predicted> =>
  withMolarMass.map((name, n) => {
    const { dtxcid, dtxsid, smiles } = bundled(name)
    return {
      id: n + 1,
      dtxsid,
      dtxcid,
      smiles,
      propName: "Molar Mass",
      propCategory: "Physchem",
      propDescription: "The mass of one mole of the substance",
      modelName: "MOLAR_MASS",
      sourceName: "Computed from the formula",
      propValue: details.find((one) => one.dtxsid === dtxsid)?.averageMass ?? null,
      propUnit: "g/mol",
      hasQmrf: false
    }
  })

interface Value {
  readonly dtxsid: string
  readonly propName: string
  readonly unit: string
  readonly value: number
  readonly source: string | undefined
}

interface Sourced extends PropertyRecords.Predicted, PropertyRecords.Experimental {
  readonly source?: string
}

/** The values of records of properties. Those without a value are left out. */
const valuesOf = (records: ReadonlyArray<Sourced>): ReadonlyArray<Value> =>
  records.flatMap((record) => {
    const { dtxsid, propName, propUnit, propValue, source } = record
    return typeof propValue === "number"
      ? [{ dtxsid: dtxsid ?? "", propName: propName ?? "", unit: propUnit ?? "", value: propValue, source }]
      : []
  })

const statistics = (values: ReadonlyArray<number>) => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return {
    count: sorted.length,
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    median: low === undefined || high === undefined ? null : (low + high) / 2,
    average: sorted.length === 0 ? null : sorted.reduce((sum, value) => sum + value, 0) / sorted.length
  }
}

/** Summarizes the values of each substance and property. */
const summaries = (
  predicted: ReadonlyArray<Value>,
  experimental: ReadonlyArray<Value>
): ReadonlyArray<PropertyRecords.Summary> => {
  const groups = Map.groupBy(
    [...predicted, ...experimental],
    ({ dtxsid, propName }) => `${dtxsid} ${propName}`
  )
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { dtxsid, propName, source, unit } = first
    const of = (values: ReadonlyArray<Value>) =>
      statistics(group.filter((one) => values.includes(one)).map(({ value }) => value))
    const [p, e] = [of(predicted), of(experimental)]
    return [
      {
        dtxsid,
        propName,
        unit,
        predictedCount: p.count,
        predictedMin: p.min,
        predictedMax: p.max,
        predictedMedian: p.median,
        predictedAverage: p.average,
        experimentalCount: e.count,
        experimentalMin: e.min,
        experimentalMax: e.max,
        experimentalMedian: e.median,
        experimentalAverage: e.average,
        ...(source === undefined ? {} : { source })
      }
    ]
  })
}

const namesOf = (records: ReadonlyArray<Sourced>): ReadonlyArray<PropertyRecords.PropertyName> =>
  [...new Set(records.map(({ propName }) => propName))]
    .sort()
    .map((propertyName = null) => ({ propertyName }))

const fateData: ReadonlyArray<
  readonly [
    substance: typeof exampleA,
    propName: string,
    unit: string,
    predicted: number,
    measured: number | null
  ]
> = [
  [exampleA, "Bioconcentration Factor", "L/kg", 40, 50],
  [exampleA, "Biodeg. Half-Life", "days", 5, null],
  [exampleB, "Bioconcentration Factor", "L/kg", 400, null]
]

const fateProperties = fateData.map(([{ dtxsid }, propName, unit, predicted, measuredValue], n) => {
  const shared = {
    id: 990_001 + n,
    dtxsid,
    prop_name: propName,
    prop_category: "Env. Fate/transport",
    prop_unit: unit,
    export_date: "2026-01-01",
    source_name: source
  }
  return {
    dtxsid,
    propName,
    experimentalFateData:
      measuredValue === null ? [] : [{ ...shared, prop_type: "experimental", prop_value: measuredValue }],
    predictedFateData: [
      {
        ...shared,
        prop_type: "predicted",
        model_name: "EXAMPLE_FATE",
        prop_value: predicted,
        has_qmrf: false
      }
    ]
  }
})

const fate: RecordsByRow = {
  [Fate.byDtxsid.name]: [exampleA, exampleB].map((substance) =>
    madeUp<PropertyRecords.Fate>({
      dtxsid: substance.dtxsid,
      properties: fateProperties.flatMap(({ dtxsid, ...property }) =>
        dtxsid === substance.dtxsid ? [property] : []
      )
    })
  ),
  [Fate.summary.name]: summaries(
    fateData.map(([{ dtxsid }, propName, unit, value]) => ({ dtxsid, propName, unit, value, source })),
    fateData.flatMap(([{ dtxsid }, propName, unit, , value]) =>
      value === null ? [] : [{ dtxsid, propName, unit, value, source }]
    )
  )
}

/** Makes the example records of properties and of fate by row. */
export const properties = (details: ReadonlyArray<DetailRecord.DetailRecord>): RecordsByRow => {
  const predicted = [...molarMasses(details), ...madeUpPredictions]
  return {
    ...fate,
    [Properties.predicted.name]: predicted,
    [Properties.experimental.name]: measured,
    [Properties.summary.name]: summaries(valuesOf(predicted), valuesOf(measured)),
    [Properties.predictedNames.name]: namesOf(predicted),
    [Properties.experimentalNames.name]: namesOf(measured)
  }
}
