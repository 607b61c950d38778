/**
 * The example records of exposure. Uses of real substances are common knowledge. All other records are made up, except
 * the names of uses, products and media.
 */
import { Exposure, type ExposureRecords } from "@chemstream/api"
import { bundled } from "./bundledSubstance.ts"
import { type ExampleSubstance, exampleA, exampleB, madeUp, source } from "./examples.ts"
import type { RecordsByRow } from "./recordsByRow.ts"

/** What well-known substances are used for, with the category of the use. */
const uses: ReadonlyArray<readonly [preferredName: string, use: string, category: string]> = [
  ["Bisphenol A", "monomer of polycarbonates and epoxy resins", "Monomers"],
  ["Styrene", "monomer of polystyrene", "Monomers"],
  ["Vinyl chloride", "monomer of polyvinyl chloride", "Monomers"],
  ["Toluene", "solvent", "Solvent"],
  ["Acetone", "solvent", "Solvent"],
  ["Methanol", "solvent", "Solvent"],
  ["Di(2-ethylhexyl) phthalate", "plasticizer", "Plasticizer"],
  ["3,3',5,5'-Tetrabromobisphenol A", "flame retardant", "Flame retardant"],
  ["Butylated hydroxytoluene", "antioxidant", "Antioxidant"],
  ["Glyphosate", "herbicide", "Pesticide"],
  ["DEET", "insect repellent", "Pesticide"],
  ["Triclosan", "antimicrobial", "Antimicrobial"]
]

const categories: ReadonlyArray<readonly [category: string, definition: string]> = [
  ["Antimicrobial", "Kills microorganisms, or stops their growth."],
  ["Antioxidant", "Slows down oxidation."],
  ["Flame retardant", "Slows down ignition or the spread of a fire."],
  ["Monomers", "Small molecules that are joined into polymers."],
  ["Pesticide", "Kills or repels pests, such as insects or weeds."],
  ["Plasticizer", "Makes plastics softer and easier to bend."],
  ["Solvent", "Dissolves other substances."]
]

const cleaner = {
  gencat: "Cleaning products",
  prodfam: "general household cleaning",
  prodtype: "all-purpose"
}
const paint = { gencat: "Home maintenance", prodfam: "paint", prodtype: "interior paint" }
const puc = ({ gencat, prodfam, prodtype }: typeof cleaner): string => `${gencat}:${prodfam}:${prodtype}`
const cleanerDefinition = "Cleaners for several kinds of surfaces in a household."
const paintDefinition = "Paints for walls inside of buildings."

const tags: ReadonlyArray<readonly [name: string, definition: string, kind: string]> = [
  ["cleaning", "cleaning products, or their use", "Products"],
  ["surface_water", "rivers, lakes and reservoirs", "Media"],
  ["detected", "substances that were measured, not only looked for", "Modifiers"]
]

const media: ReadonlyArray<readonly [medium: string, meaning: string]> = [
  ["ambient air", "Air outdoors"],
  ["drinking water", "Water that people drink"],
  ["indoor dust", "Dust inside of buildings"],
  ["sediment", "Sediment of rivers, lakes or seas"],
  ["soil", "Soil"],
  ["surface water", "Water of rivers, lakes or reservoirs"],
  ["wildlife (fish)", "Fish in the wild"]
]

const kinetics: ReadonlyArray<ExposureRecords.ToxicokineticParameter> = [
  { parameter: "Clint", measured: 20, units: "uL/min/million hepatocytes" },
  { parameter: "Fup", measured: 0.05 },
  { parameter: "Vd", predicted: 2, units: "L/kg", model: "1compartment" },
  { parameter: "Css", predicted: 1.5, units: "mg/L", model: "PBTK", percentile: "50%" },
  { parameter: "Css", predicted: 4.5, units: "mg/L", model: "PBTK", percentile: "95%" }
]

const textOf = (value: number | null | undefined): string =>
  value === null || value === undefined ? "NA" : String(value)

const prediction = (
  id: number,
  { dtxsid }: ExampleSubstance,
  demographic: string,
  median: number
): ExposureRecords.ExposurePrediction & { readonly source: string } => {
  const [l95, u95] = [median / 100, Number((median * 100).toPrecision(3))]
  return madeUp({
    id,
    dtxsid,
    demographic,
    predictor: "SEEM3 Consensus",
    median,
    medianText: textOf(median),
    l95,
    l95Text: textOf(l95),
    u95,
    u95Text: textOf(u95),
    units: "mg/kg/day",
    ad: 1,
    reference: source
  })
}

const monitored = {
  fullSourceName: source,
  chemicalName: exampleA.name,
  dtxsid: exampleA.dtxsid,
  preferredName: exampleA.name,
  casrn: exampleA.casrn,
  units: "ng/L",
  cleanedUnits: "ng/l",
  lod: "1",
  detected: 1,
  detectedConflict: 0,
  media: "river water",
  harmonizedMedium: "surface water",
  country: "Exampleland",
  exportDate: "2026-01-01"
}

const substanceRecords: RecordsByRow = {
  [Exposure.functionalUse.name]: [
    ...uses.map(([name, reportedfunction, functioncategory], n): ExposureRecords.FunctionalUse => {
      const { dtxsid } = bundled(name)
      return {
        id: n + 1,
        dtxsid,
        datatype: "Function",
        doctitle: "Common knowledge",
        reportedfunction,
        functioncategory
      }
    }),
    ...[exampleA, exampleB].map(({ dtxsid }, n) =>
      madeUp<ExposureRecords.FunctionalUse>({
        id: 990_001 + n,
        dtxsid,
        datatype: "Function",
        docid: 990_001,
        doctitle: "Example document",
        reportedfunction: ["solvent", "plasticizer"][n] ?? null,
        functioncategory: ["Solvent", "Plasticizer"][n] ?? null
      })
    )
  ],
  [Exposure.functionalUseProbability.name]: [
    ["plasticizer", 0.1],
    ["solvent", 0.8]
  ].map(([harmonizedFunctionalUse, probability]) =>
    madeUp({ dtxsid: exampleA.dtxsid, harmonizedFunctionalUse, probability })
  ),
  [Exposure.productData.name]: [
    madeUp<ExposureRecords.ProductData>({
      id: 990_001,
      dtxsid: exampleA.dtxsid,
      docid: 990_002,
      doctitle: "Example cleaner",
      docdate: "01/01/2026",
      productname: "example cleaner",
      ...cleaner,
      classificationmethod: "Manual",
      rawmincomp: "1",
      rawmaxcomp: "5",
      unittype: "percent",
      lowerweightfraction: 0.01,
      upperweightfraction: 0.05,
      weightfractiontype: "reported"
    }),
    madeUp<ExposureRecords.ProductData>({
      id: 990_002,
      dtxsid: exampleA.dtxsid,
      docid: 990_003,
      doctitle: "Example paint",
      productname: "example paint",
      ...paint,
      classificationmethod: "Manual",
      rawcentralcomp: "2",
      unittype: "percent",
      centralweightfraction: 0.02,
      weightfractiontype: "reported"
    })
  ],
  [Exposure.listPresence.name]: [exampleA, exampleB].map(({ dtxsid }, n) =>
    madeUp<ExposureRecords.ListPresence>({
      id: 990_001 + n,
      dtxsid,
      docid: 990_004,
      doctitle: "Example list of substances in rivers",
      organization: "Example agency",
      keywordset: "detected; surface_water"
    })
  ),
  [Exposure.httk.name]: kinetics.map((parameter, n) =>
    madeUp<ExposureRecords.ToxicokineticParameter>({
      id: 990_001 + n,
      dtxsid: exampleA.dtxsid,
      model: "NA",
      percentile: "NA",
      ...parameter,
      measuredText: textOf(parameter.measured),
      predictedText: textOf(parameter.predicted),
      reference: source,
      species: "Human",
      dataSourceSpecies: "Human"
    })
  ),
  [Exposure.seem.name]: [
    [exampleA, 1000, 0.9, 0.2],
    [exampleB, 10, 0.1, 0.9]
  ].map(([substance, productionVolume, probabilityResidential, probabilityIndustrial]) =>
    madeUp({
      dtxsid: (substance as ExampleSubstance).dtxsid,
      productionVolume,
      units: "kg/day",
      stockholmConvention: 0,
      probabilityDietary: 0.1,
      probabilityResidential,
      probabilityPesticde: 0,
      probabilityIndustrial
    })
  ),
  [Exposure.seemDemographic.name]: [
    prediction(990_001, exampleA, "Total", 1e-5),
    prediction(990_002, exampleA, "Age 6-11", 2e-5),
    prediction(990_003, exampleB, "Total", 1e-7)
  ]
}

const monitoring: RecordsByRow = {
  [Exposure.mmdbAggregate.name]: ["median", "maximum"].map((statistic, n) =>
    madeUp<ExposureRecords.MonitoringStatistic>({
      id: 990_001 + n,
      ...monitored,
      result: ["10", "50"][n] ?? null,
      statistic,
      sampleSize: "20",
      numDetects: "15",
      numNonDetects: "5",
      rateDetects: "75%",
      years: "2020-2021"
    })
  ),
  [Exposure.mmdbSingleSample.name]: ["10", "50"].map((result, n) =>
    madeUp<ExposureRecords.MonitoringSample>({
      id: 990_001 + n,
      ...monitored,
      result,
      sampleId: `EX${n + 1}`,
      year: "2020",
      month: String(n + 6)
    })
  ),
  [Exposure.mmdbMediums.name]: media.map(([harmonizedMedium, harmonizedMediumDesc]) => ({
    harmonizedMediumDesc,
    harmonizedMedium
  }))
}

const dashboard: RecordsByRow = {
  [Exposure.ccdProductUseCategories.name]: [
    madeUp<ExposureRecords.ProductUse>({
      id: 990_001,
      dtxsid: exampleA.dtxsid,
      displayPuc: puc(cleaner),
      pucKind: "Formulation",
      prodCount: 1,
      genCat: cleaner.gencat,
      prodfam: cleaner.prodfam,
      prodtype: cleaner.prodtype,
      definition: cleanerDefinition
    })
  ],
  [Exposure.ccdProductionVolume.name]: [2018, 2019].map((year, n) =>
    madeUp<ExposureRecords.ProductionVolume>({
      id: 990_001 + n,
      dtxsid: exampleA.dtxsid,
      name: `${year} NATIONALLY AGGREGATED PV`,
      amount: "500,000 - <1,000,000 lb"
    })
  ),
  [Exposure.ccdMonitoringData.name]: ["Total", "Female"].map((demographic, n) =>
    madeUp<ExposureRecords.Biomonitoring>({
      id: 990_001 + n,
      dtxsid: exampleA.dtxsid,
      demographic,
      median: 1e-5,
      upperBound: 2e-5,
      lowerBound: 5e-6,
      nhanesCohort: "15-16"
    })
  ),
  [Exposure.ccdKeywords.name]: [
    madeUp<ExposureRecords.UseKeywords>({
      id: 990_001,
      keywordset: "cleaning, detected",
      sourceCount: 2,
      dtxsid: exampleA.dtxsid
    })
  ],
  [Exposure.ccdFunctionalUse.name]: [
    madeUp<ExposureRecords.ReportedUse>({
      id: 990_001,
      dtxsid: exampleA.dtxsid,
      category: "Solvent",
      definition: "solvent"
    })
  ],
  [Exposure.ccdChemWeightFractions.name]: [
    madeUp<ExposureRecords.WeightFraction>({
      id: 990_001,
      dtxsid: exampleA.dtxsid,
      prodName: "example cleaner",
      displayPuc: puc(cleaner),
      pucKind: "Formulation",
      lowerweightfraction: 0.01,
      upperweightfraction: 0.05,
      weightfractiontype: "reported",
      gencat: cleaner.gencat,
      prodfam: cleaner.prodfam,
      prod_type: cleaner.prodtype,
      pucDefinition: cleanerDefinition,
      sourceName: source,
      productCount: 1
    })
  ]
}

/** The example records of exposure by row. */
export const exposure: RecordsByRow = {
  ...substanceRecords,
  ...monitoring,
  ...dashboard,
  [Exposure.functionalUseCategories.name]: categories.map(
    ([category, definition], n): ExposureRecords.FunctionalUseCategory => ({
      id: n + 1,
      category,
      definition
    })
  ),
  [Exposure.productCategories.name]: [
    [cleaner, cleanerDefinition] as const,
    [paint, paintDefinition] as const
  ].map(
    ([{ gencat, prodfam, prodtype }, definition], n): ExposureRecords.ProductCategory => ({
      id: n + 1,
      kindName: "Formulation",
      genCat: gencat,
      prodfam,
      prodtype,
      definition
    })
  ),
  [Exposure.listPresenceTags.name]: tags.map(
    ([tagName, tagDefinition, tagKind], n): ExposureRecords.ListPresenceTag => ({
      id: n + 1,
      tagName,
      tagDefinition,
      tagKind
    })
  )
}
