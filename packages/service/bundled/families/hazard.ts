/** The example records of hazard data. All are made up. */
import { Hazard, HazardRecords } from "@chemstream/api"
import { SchemaAST } from "effect"
import { type ExampleSubstance, exampleA, exampleB, madeUp, source } from "./examples.ts"
import type { RecordsByRow } from "./recordsByRow.ts"

const rat = { speciesCommon: "Rat", latinName: "Rattus norvegicus", speciesSupercategory: "Mammals" }

/** All fields as unknown, like ToxValDB writes them. */
const unknownToxval = ((ast) =>
  Object.fromEntries(SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => [name, "-"]) : []))(
  HazardRecords.ToxicityValue().ast
)

const toxval = (
  id: number,
  { casrn, dtxsid, name }: ExampleSubstance,
  toxvalNumeric: number,
  fields: Omit<HazardRecords.ToxicityValue, "toxvalNumeric"> & {
    readonly toxvalType: string
    readonly toxvalUnits: string
  }
): HazardRecords.ToxicityValue => ({
  ...unknownToxval,
  id,
  dtxsid,
  casrn,
  name,
  source,
  qualifier: "=",
  toxvalNumeric,
  toxvalNumericOriginal: toxvalNumeric,
  toxvalUnitsOriginal: fields.toxvalUnits,
  toxvalTypeOriginal: fields.toxvalType,
  studyDurationValue: -999,
  experimentalRecord: "undetermined",
  ...fields
})

const doseResponse = { toxvalTypeSuperCategory: "Dose Response Summary Value", humanEco: "human health" }
const toxicityValue = {
  toxvalTypeSuperCategory: "Toxicity Value",
  humanEco: "human health",
  exposureRoute: "oral"
}
const mortality = { toxvalTypeSuperCategory: "Mortality Response Summary Value", toxvalUnits: "mg/L" }

const toxvals: ReadonlyArray<HazardRecords.ToxicityValue> = [
  toxval(990_001, exampleA, 10, {
    ...doseResponse,
    ...rat,
    toxvalType: "NOAEL",
    toxvalUnits: "mg/kg-day",
    studyType: "subchronic",
    studyDurationValue: 90,
    studyDurationUnits: "days",
    sex: "M/F",
    exposureRoute: "oral",
    exposureMethod: "feed"
  }),
  toxval(990_002, exampleA, 30, {
    ...doseResponse,
    ...rat,
    toxvalType: "LOAEL",
    toxvalUnits: "mg/kg-day",
    studyType: "subchronic",
    studyDurationValue: 90,
    studyDurationUnits: "days",
    sex: "M/F",
    exposureRoute: "oral",
    exposureMethod: "feed",
    toxicologicalEffect: "body weight decrease|liver weight increase"
  }),
  toxval(990_003, exampleA, 0.1, { ...toxicityValue, toxvalType: "RfD", toxvalUnits: "mg/kg-day" }),
  toxval(990_004, exampleA, 5, {
    ...mortality,
    toxvalType: "LC50",
    humanEco: "eco",
    studyType: "acute",
    speciesCommon: "Fathead Minnow",
    latinName: "Pimephales promelas",
    speciesSupercategory: "Fish",
    media: "fresh water"
  }),
  toxval(990_005, exampleB, 100, {
    ...doseResponse,
    ...rat,
    toxvalType: "NOAEL",
    toxvalUnits: "mg/kg-day",
    studyType: "developmental",
    sex: "F",
    exposureRoute: "oral",
    exposureMethod: "gavage"
  }),
  toxval(990_006, exampleB, 1, { ...toxicityValue, toxvalType: "RfD", toxvalUnits: "mg/kg-day" })
]

const skinEye = (
  id: number,
  { dtxsid }: ExampleSubstance,
  fields: HazardRecords.SkinEyeResult
): HazardRecords.SkinEyeResult => ({
  id,
  authority: "Screening",
  dtxsid,
  reliability: "-",
  skinEyeHash: "-",
  skinEyeId: id,
  source,
  species: "-",
  strain: "-",
  studyType: "-",
  year: -1,
  ...fields
})

const kinetics = [
  ["Clint", "20", "NA", "uL/min/million hepatocytes", "NA", "NA"],
  ["Fup", "0.05", "NA", null, "NA", "NA"],
  ["Css", "NA", "1.5", "mg/L", "PBTK", "50%"],
  ["Css", "NA", "4.5", "mg/L", "PBTK", "95%"]
] as const

const study = ({ casrn, dtxsid, name }: ExampleSubstance, studyId: number, studyType: string) => ({
  studyId,
  dtxsid,
  casrn,
  name,
  studyType
})

const developmental = {
  ...study(exampleA, 990_001, "DEV"),
  studyTypeGuideline: "Prenatal developmental toxicity study"
}
const subchronic = {
  ...study(exampleB, 990_002, "SUB"),
  studyTypeGuideline: "90-day oral toxicity in rodents"
}

const rats = {
  studySource: "other",
  studyYear: 2020,
  species: "rat",
  adminRoute: "Oral",
  exportDate: "2026-01-01"
}

const studies: ReadonlyArray<HazardRecords.ToxrefStudy> = [
  {
    id: 990_001,
    ...developmental,
    ...rats,
    adminMethod: "Gavage/Intubation",
    doseStart: 6,
    doseStartUnit: "GD",
    doseEnd: 15,
    doseEndUnit: "GD"
  },
  {
    id: 990_002,
    ...subchronic,
    ...rats,
    adminMethod: "Feed",
    doseStart: 0,
    doseStartUnit: "day",
    doseEnd: 90,
    doseEndUnit: "day"
  }
]

/** The groups of the studies: a control, and a dose that has an effect. */
const groups: ReadonlyArray<HazardRecords.ToxrefEffect> = studies.flatMap((one, n) =>
  [0, 30].map((doseAdjusted, doseLevel) => ({
    ...one,
    id: 990_001 + 10 * n + doseLevel,
    dosePeriod: "terminal",
    doseLevel,
    doseAdjusted,
    doseAdjustedUnit: "mg/kg/day",
    sex: "F",
    generation: "F0",
    lifeStage: "adult",
    numAnimals: 10,
    endpointCategory: "systemic",
    endpointType: "in life observation",
    endpointTarget: "body weight",
    effectDesc: "body weight gain",
    cancerRelated: false,
    direction: -1,
    treatmentRelated: doseLevel === 1,
    criticalEffect: doseLevel === 1,
    sampleSize: "10",
    noQuantDataReported: false
  }))
)

const observations: ReadonlyArray<HazardRecords.ToxrefObservation> = [developmental, subchronic].flatMap(
  ({ studyTypeGuideline, ...own }, n) =>
    ["body weight", "food consumption"].map((endpointTarget, index) => ({
      id: 990_001 + 10 * n + index,
      ...own,
      guidelineName: studyTypeGuideline,
      endpointCategory: "systemic",
      endpointType: "in life observation",
      endpointTarget,
      status: index === 0 ? "tested and reported" : "not tested",
      defaultStatus: index !== 0,
      testedStatus: index === 0,
      reportedStatus: index === 0,
      exportDate: "2026-01-01"
    }))
)

/** The example records of hazard data by row. */
export const hazard: RecordsByRow = {
  [Hazard.toxval.name]: toxvals,
  [Hazard.skinEye.name]: [
    skinEye(990_001, exampleA, {
      endpoint: "Skin Irritation",
      classification: "Skin Irrit. 2",
      resultText: "Causes skin irritation",
      score: "M"
    }),
    skinEye(990_002, exampleA, {
      endpoint: "Skin Sensitization",
      classification: "Not classified",
      resultText: "Not sensitizing",
      score: "L"
    }),
    skinEye(990_003, exampleB, {
      endpoint: "Eye Irritation",
      classification: "Eye Irrit. 2",
      resultText: "Causes serious eye irritation",
      score: "H"
    })
  ],
  [Hazard.cancer.name]: [
    {
      id: 990_001,
      dtxsid: exampleA.dtxsid,
      source,
      exposureRoute: "oral",
      cancerCall: "Not likely to be carcinogenic"
    },
    {
      id: 990_002,
      dtxsid: exampleB.dtxsid,
      source,
      exposureRoute: "inhalation",
      cancerCall: "Inadequate information"
    }
  ] satisfies ReadonlyArray<HazardRecords.CancerCall>,
  [Hazard.genetox.name]: [
    madeUp<HazardRecords.GenotoxicitySummary>({
      id: 990_001,
      ames: "negative",
      dtxsid: exampleA.dtxsid,
      genetoxCall: "negative",
      genetoxSummaryId: 990_001,
      micronucleus: "negative",
      reportsNegative: 2,
      reportsOther: 0,
      reportsPositive: 0
    })
  ],
  [Hazard.genetoxDetails.name]: [
    {
      id: 990_001,
      source,
      dtxsid: exampleA.dtxsid,
      species: "Not specified",
      assayCategory: "in vitro",
      assayResult: "negative",
      assayType: "Ames"
    },
    {
      id: 990_002,
      source,
      dtxsid: exampleA.dtxsid,
      species: "rat",
      assayCategory: "in vivo",
      assayResult: "negative",
      assayType: "in vivo micronucleus (rat)"
    }
  ] satisfies ReadonlyArray<HazardRecords.GenotoxicityTest>,
  [Hazard.iris.name]: [
    madeUp<HazardRecords.IrisAssessment>({
      dtxsid: exampleA.dtxsid,
      chemicalName: exampleA.name,
      casrn: exampleA.casrn,
      lastSignificantRevision: "2026-01-01",
      literatureScreeningReview: "No",
      rfdChronic: "1 x 10 -1 mg/kg-day"
    })
  ],
  [Hazard.pprtv.name]: [
    madeUp<HazardRecords.PprtvAssessment>({
      id: 990_001,
      dtxsid: exampleB.dtxsid,
      pprtvSubstanceId: 990_001,
      name: exampleB.name,
      casrn: exampleB.casrn,
      lastRevision: 2026,
      irisLink: "Not available",
      rfcValue: "Not available",
      rfdValue: "1 x 10-0 mg/kg-day",
      woe: "Inadequate information to assess carcinogenic potential"
    })
  ],
  [Hazard.hawc.name]: [
    madeUp<HazardRecords.HawcAssessment>({
      id: 990_001,
      name: "Example assessment",
      year: 2026,
      dtxsid: exampleA.dtxsid
    })
  ],
  [Hazard.admeIvive.name]: kinetics.map(([description, measured, predicted, unit, model, percentile], n) =>
    madeUp<HazardRecords.KineticParameter>({
      id: 990_001 + n,
      dtxsid: exampleA.dtxsid,
      description,
      measured,
      predicted,
      unit,
      model,
      reference: source,
      percentile,
      species: "Human",
      dataSourceSpecies: "Human"
    })
  ),
  [Hazard.toxrefData.name]: groups.map(madeUp),
  [Hazard.toxrefEffects.name]: groups.filter(({ treatmentRelated }) => treatmentRelated).map(madeUp),
  [Hazard.toxrefObservations.name]: observations.map(madeUp),
  [Hazard.toxrefSummary.name]: studies.map(madeUp)
}
