/** The records of hazard data of the public service (docs/families/hazard.md). */
import {
  flag,
  flagOrText,
  integer,
  lazyRecord,
  number,
  text,
  textOrNumber
} from "../schemas/internal/lazyRecord.ts"
import type * as Types from "./internal/types/HazardRecords.ts"

const id = integer("Number of the record")
const dtxsid = text("Substance identifier (DTXSID…)")
const casrn = text("CAS registry number")
const name = text("Name of the substance")
const sex = text("Sex of the animals, e.g. M/F")
const strain = text("Strain of the animals")

/** The fields of a toxicity value. */
const toxvalRecord = {
  id,
  dtxsid,
  casrn,
  name,
  source: text("Database or organization that the record comes from, e.g. ECHA IUCLID"),
  subsource: text("Part of the source"),
  toxvalType: text("Kind of the value, e.g. NOAEL, LD50 or RfD"),
  toxvalTypeDefinition: text("Definition of the kind"),
  toxvalSubtype: text("Variant of the kind, e.g. acute"),
  toxvalTypeSuperCategory: text("Category of the kind, e.g. Dose Response Summary Value"),
  qualifier: text("Relation of the true value to the number: =, <, <=, > or >="),
  toxvalNumeric: number("The value, in the unit of toxvalUnits"),
  toxvalUnits: text("Unit of the value, e.g. mg/kg-day or mg/L"),
  riskAssessmentClass: text("Use of the value in risk assessment, e.g. cancer"),
  humanEco: text("Whether the value is for human health or ecology, e.g. human health"),
  studyType: text("Type of study, e.g. subchronic"),
  studyDurationClass: text("Class of the duration, e.g. chronic"),
  studyDurationValue: number("Duration of the study, in the unit of studyDurationUnits"),
  studyDurationUnits: text("Unit of the duration, e.g. weeks"),
  speciesCommon: text("Common name of the species"),
  strain,
  latinName: text("Scientific name of the species"),
  speciesSupercategory: text("Group of the species, e.g. Mammals"),
  sex,
  generation: text("Generation of the animals, e.g. F1"),
  lifestage: text("Stage of life, e.g. adult"),
  exposureRoute: text("Route of exposure, e.g. oral"),
  exposureMethod: text("Method of exposure, e.g. gavage"),
  exposureForm: text("Carrier of the substance, e.g. feed"),
  media: text("Medium of exposure, e.g. fresh water"),
  toxicologicalEffect: text("Effects behind the value, separated by |"),
  experimentalRecord: text("Whether the value was measured, e.g. experimental or undetermined"),
  studyGroup: text("Name of the group of records that come from one study"),
  longRef: text("Citation of the study"),
  doi: text("DOI of the study"),
  title: text("Title of the study"),
  author: text("Authors of the study"),
  year: text("Year of the study"),
  guideline: text("Test guideline that the study followed"),
  quality: text("Reliability of the study in the words of the source, e.g. a Klimisch score"),
  qcCategory: text("How the record was checked"),
  sourceHash: text("Digest that identifies the record of the source"),
  externalSourceId: text("Identifier of the record in its source"),
  externalSourceIdDesc: text("Kind of that identifier"),
  sourceUrl: text("Page of the source"),
  subsourceUrl: text("Page of the part of the source"),
  storedSourceRecord: text("Stored copy of the source's record")
}

/** The fields of the source before they were standardized. */
const toxvalOriginal = {
  toxvalTypeOriginal: text("Kind of the value, as in the source"),
  toxvalSubtypeOriginal: text("Variant of the kind, as in the source"),
  toxvalNumericOriginal: number("The value, as in the source"),
  toxvalUnitsOriginal: text("Unit of the value, as in the source"),
  studyTypeOriginal: text("Type of study, as in the source"),
  studyDurationClassOriginal: text("Class of the duration, as in the source"),
  studyDurationValueOriginal: text("Duration of the study, as in the source"),
  studyDurationUnitsOriginal: text("Unit of the duration, as in the source"),
  speciesOriginal: text("Species, as in the source"),
  strainOriginal: text("Strain, as in the source"),
  sexOriginal: text("Sex, as in the source"),
  generationOriginal: text("Generation, as in the source"),
  lifestageOriginal: text("Stage of life, as in the source"),
  exposureRouteOriginal: text("Route of exposure, as in the source"),
  exposureMethodOriginal: text("Method of exposure, as in the source"),
  exposureFormOriginal: text("Carrier of the substance, as in the source"),
  mediaOriginal: text("Medium of exposure, as in the source"),
  toxicologicalEffectOriginal: text("Effects behind the value, as in the source"),
  originalYear: text("Year of the study, as in the source")
}

/** The schema of a toxicity value of ToxValDB. */
export const ToxicityValue = lazyRecord<Types.ToxicityValue>(
  { title: "Toxicity value", family: "hazard" },
  { ...toxvalRecord, ...toxvalOriginal }
)

/** A toxicity value of ToxValDB. */
export type ToxicityValue = Types.ToxicityValue

/** The schema of a result on irritation of skin or eyes, or sensitization of skin. */
export const SkinEyeResult = lazyRecord<Types.SkinEyeResult>(
  { title: "Skin or eye result", family: "hazard" },
  {
    id,
    authority: text("Weight of the source, e.g. Authoritative or Screening"),
    classification: text("Classification in the words of the source, e.g. Skin Sens. 1"),
    dtxsid,
    endpoint: text("Skin Sensitization, Skin Irritation or Eye Irritation"),
    glp: text("Whether the study followed good laboratory practice"),
    guideline: text("Test guideline that the study followed"),
    recordUrl: text("Page of the source"),
    reliability: text("Reliability of the study, e.g. a Klimisch score"),
    resultText: text("Result in words, with the reason of the score"),
    score: text("Hazard score, from L (low) to VH (very high)"),
    skinEyeHash: text("Digest that identifies the record"),
    skinEyeId: integer("Number of the record in its source"),
    skinEyeUuid: text("UUID of the record in its source"),
    source: text("Source of the result, e.g. ECHA CLP"),
    species: text("Species of the animals"),
    strain,
    studyType: text("Type of study, e.g. skin sensitization"),
    year: integer("Year of the study; -1 if unknown")
  }
)

/** A result on irritation of skin or eyes, or sensitization of skin. */
export type SkinEyeResult = Types.SkinEyeResult

/** The schema of a cancer call of one source. */
export const CancerCall = lazyRecord<Types.CancerCall>(
  { title: "Cancer call of a source", family: "hazard" },
  {
    id,
    dtxsid,
    source: text("Source of the call, e.g. IARC"),
    exposureRoute: text("Route of exposure that the call is for"),
    cancerCall: text("Carcinogenicity in the words of the source"),
    url: text("Page of the source about the substance")
  }
)

/** A cancer call of one source. */
export type CancerCall = Types.CancerCall

const genetoxCall = text("Call over all tests, e.g. negative")
const micronucleus = text("Call over the micronucleus tests")
const clowderDocId = text("Addresses of the stored documents behind the record")

/** The schema of a summary of the genotoxicity tests of a substance. */
export const GenotoxicitySummary = lazyRecord<Types.GenotoxicitySummary>(
  { title: "Genotoxicity summary", family: "hazard", "x-primary-key": ["dtxsid"] },
  {
    id,
    ames: text("Call over the Ames tests"),
    clowderDocId,
    dtxsid,
    genetoxCall,
    genetoxSummaryId: integer("Number of the summary"),
    micronucleus,
    reportsNegative: integer("Number of negative results"),
    reportsOther: integer("Number of results that are neither positive nor negative"),
    reportsPositive: integer("Number of positive results")
  }
)

/** A summary of the genotoxicity tests of a substance. */
export type GenotoxicitySummary = Types.GenotoxicitySummary

/** The fields of the result of a genotoxicity test. */
const testResult = {
  year: integer("Year of the study"),
  source: text("Source of the result, e.g. NTP"),
  dtxsid,
  species: text("Species of the animals or cells"),
  assayCategory: text("in vitro or in vivo"),
  assayResult: text("positive, negative or other"),
  assayType: text("Test, e.g. Ames"),
  metabolicActivation: text("Whether the test had metabolic activation"),
  strain: text("Strain of the animals or bacteria")
}

/** The schema of the result of a genotoxicity test. */
export const GenotoxicityTest = lazyRecord<Types.GenotoxicityTest>(
  { title: "Genotoxicity test", family: "hazard" },
  {
    ...testResult,
    id,
    assayCode: text("Code of the test"),
    assayPotency: integer("Potency in the test"),
    assayTypeStandard: text("Standardized name of the test"),
    chemicalId: text("Identifier of the substance in the source"),
    clowderDocId,
    comment: text("Comment of the source"),
    cytotoxicity: text("Whether the substance was cytotoxic"),
    dataQuality: integer("Rank of the quality of the data"),
    documentNumber: integer("Number of the document"),
    documentSource: text("Source of the document"),
    doseResponse: text("Whether the response depends on the dose"),
    duration: integer("Duration of the test"),
    genetoxCall,
    genetoxDetailsId: integer("Number of the result"),
    genetoxNote: text("Note on the result"),
    genetoxResults: text("Result in the words of the source"),
    genetoxSummaryId: integer("Number of the summary that the result counts in"),
    glp: integer("Whether the study followed good laboratory practice, as a number"),
    guideline: text("Test guideline that the study followed"),
    index: text("Index of the result in its source"),
    micronucleus,
    panelReport: text("Report of the panel of experts"),
    protocolEra: text("Era of the protocol"),
    reference: text("Citation of the study"),
    referenceUrl: text("Page of the study"),
    reportsNeg: text("Number of negative results, as text"),
    reportsOther: text("Number of other results, as text"),
    reportsPos: text("Number of positive results, as text"),
    sex,
    title: text("Title of the study"),
    useme: integer("Mark of the records to use")
  }
)

/** The result of a genotoxicity test. */
export type GenotoxicityTest = Types.GenotoxicityTest

/** The schema of the result of a genotoxicity test, as the dashboard shows it. */
export const DashboardGenotoxicityTest = lazyRecord<Types.DashboardGenotoxicityTest>(
  { title: "Genotoxicity test, as in the dashboard", family: "hazard" },
  { ...testResult, assayType: text("Test and its standardized name, separated by |") }
)

/** The result of a genotoxicity test, as the dashboard shows it. */
export type DashboardGenotoxicityTest = Types.DashboardGenotoxicityTest

/** The fields of an ADME parameter. */
const kinetics = {
  dtxsid,
  description: text(
    "Parameter: Clint (hepatic clearance), Fup (fraction unbound in plasma), Vd (volume of distribution), Css (plasma concentration at steady state), TK.Half.Life or Days.Css (days to steady state)"
  ),
  measured: text("Measured value, as text, in the unit of unit"),
  predicted: text("Predicted value, as text, in the unit of unit"),
  unit: text("Unit of the values; null if there is none"),
  model: text("Model of the prediction, e.g. PBTK"),
  reference: text("Source of the value, e.g. a DOI"),
  percentile: text("Percentile of the population that the prediction is for, e.g. 95%"),
  species: text("Species that the value is for"),
  dataSourceSpecies: text("Species of the data behind the value")
}

/** The schema of a parameter of absorption, distribution, metabolism or excretion. */
export const KineticParameter = lazyRecord<Types.KineticParameter>(
  { title: "ADME parameter", family: "hazard" },
  { id, ...kinetics }
)

/** A parameter of absorption, distribution, metabolism or excretion. */
export type KineticParameter = Types.KineticParameter

/** The schema of such a parameter as the dashboard shows it, with a label. */
export const DashboardKineticParameter = lazyRecord<Types.DashboardKineticParameter>(
  { title: "ADME parameter, as in the dashboard", family: "hazard" },
  {
    ...kinetics,
    description: text("Explanation of the parameter"),
    label: text("Parameter, as the dashboard names it, e.g. Volume of Distribution")
  }
)

/** Such a parameter as the dashboard shows it, with a label. */
export type DashboardKineticParameter = Types.DashboardKineticParameter

/** The schema of a provisional peer-reviewed toxicity value (PPRTV) assessment. */
export const PprtvAssessment = lazyRecord<Types.PprtvAssessment>(
  { title: "PPRTV assessment", family: "hazard" },
  {
    id,
    dtxsid,
    pprtvSubstanceId: integer("Number of the substance among the assessments"),
    name,
    casrn,
    lastRevision: integer("Year of the last revision"),
    pprtvAssessment: text("Document of the assessment"),
    irisLink: text("Page of the IRIS assessment"),
    rfcValue: text("Reference concentration with its unit, e.g. 3 x 10-3 mg/m3"),
    rfdValue: text("Reference dose with its unit, e.g. 7 x 10-5 mg/kg-day"),
    woe: text("Weight of evidence for carcinogenicity, in words")
  }
)

/** A provisional peer-reviewed toxicity value (PPRTV) assessment. */
export type PprtvAssessment = Types.PprtvAssessment

/** The schema of an assessment of the Integrated Risk Information System (IRIS). */
export const IrisAssessment = lazyRecord<Types.IrisAssessment>(
  { title: "IRIS assessment", family: "hazard" },
  {
    dtxsid,
    chemicalName: name,
    casrn,
    lastSignificantRevision: text("Date of the last significant revision, e.g. 1988-09-26"),
    literatureScreeningReview: text("Whether the literature was screened for new studies, e.g. Yes"),
    criticalEffectsSystems: text("Organ systems of the critical effects"),
    rfdChronic: text("Chronic reference dose with its unit, e.g. 5 x 10 -2 mg/kg-day"),
    rfdSubchronic: text("Subchronic reference dose with its unit"),
    rfcChronic: text("Chronic reference concentration with its unit"),
    rfcSubchronic: text("Subchronic reference concentration with its unit"),
    tumorSite: text("Sites of tumors"),
    irisUrl: text("Page of the assessment")
  }
)

/** An assessment of the Integrated Risk Information System (IRIS). */
export type IrisAssessment = Types.IrisAssessment

/** The schema of an assessment in the Health Assessment Workspace Collaborative (HAWC). */
export const HawcAssessment = lazyRecord<Types.HawcAssessment>(
  { title: "HAWC assessment", family: "hazard" },
  {
    id,
    name: text("Name of the assessment"),
    year: integer("Year of the assessment"),
    dtxsid,
    ccdUrl: text("Page of the substance in the dashboard"),
    hawcUrl: text("Page of the assessment")
  }
)

/** An assessment in the Health Assessment Workspace Collaborative (HAWC). */
export type HawcAssessment = Types.HawcAssessment

const studyId = integer("Number of the study")
const studyType = text(
  "Type of study: ACU acute, SAC subacute, SUB subchronic, CHR chronic, DEV developmental, MGR multigeneration reproductive, NEU neurological, DNT developmental neurotoxicity"
)
const endpointCategory = text(
  "Category of the endpoint: systemic, developmental, reproductive or cholinesterase"
)
const endpointType = text("Type of the endpoint, e.g. clinical chemistry")
const endpointTarget = text("Organ, tissue or measure of the endpoint, e.g. body weight")
/** The fields that say from which release of ToxRefDB a record is. */
const released = {
  exportDate: text("Date of the export from ToxRefDB, e.g. 2024-12-02"),
  version: text("Version of ToxRefDB, e.g. v2_1")
}

/** The fields of an animal study in ToxRefDB. `year` is the type of a field that differs between records. */
const study = <Y>(year: (description: string) => Y) => ({
  studyId,
  dtxsid,
  casrn,
  name,
  studySource: text("Source of the study, e.g. opp_der or ntp"),
  studySourceId: text("Identifier of the document in its source"),
  citation: text("Citation of the document"),
  studyYear: year("Year of the study"),
  studyType,
  studyTypeGuideline: text("Test guideline that the study is closest to"),
  species: text("Species of the animals"),
  strainGroup: text("Group of the strain"),
  strain,
  adminRoute: text("Route of administration, e.g. Oral"),
  adminMethod: text("Method of administration, e.g. Feed")
})

/** The fields of the time of dosing. */
const dosing = {
  doseStart: integer("Start of dosing, in the unit of doseStartUnit"),
  doseStartUnit: text("Unit of the start, e.g. GD (day of gestation)"),
  doseEnd: integer("End of dosing, in the unit of doseEndUnit"),
  doseEndUnit: text("Unit of the end")
}

/** The fields of a dosed group of animals. `duration` and `amount` are the types of fields that differ between records. */
const treatment = <D, A>(duration: (description: string) => D, amount: (description: string) => A) => ({
  doseDuration: duration("Duration of dosing, in the unit of doseDurationUnit"),
  doseDurationUnit: text("Unit of the duration, e.g. week"),
  ...dosing,
  dosePeriod: text("Period of dosing before the animals were examined, e.g. terminal"),
  doseLevel: integer("Rank of the dose; 0 is the control"),
  conc: amount("Concentration given, in the unit of concUnit"),
  concUnit: text("Unit of the concentration, e.g. ppm"),
  vehicle: text("Carrier of the substance"),
  doseComment: text("Comment on the dose"),
  doseAdjusted: amount("Dose by body weight, in the unit of doseAdjustedUnit"),
  doseAdjustedUnit: text("Unit of the dose by body weight, usually mg/kg/day"),
  sex: text("Sex of the animals: M, F or MF"),
  generation: text("Generation of the animals, e.g. F0 or fetal"),
  lifeStage: text("Stage of life at the examination, e.g. adult"),
  numAnimals: amount("Number of animals in the group"),
  tgComment: text("Comment on the group")
})

/** The fields of an examined effect. `amount` and `truth` are the types of fields that differ between records. */
const effect = <A, T>(amount: (description: string) => A, truth: (description: string) => T) => ({
  endpointCategory,
  endpointType,
  endpointTarget,
  effectDesc: text("Effect, e.g. body weight gain"),
  effectDescFree: text("Effect in the words of the document"),
  cancerRelated: flag("Whether the effect relates to cancer"),
  targetSite: text("Place in the target, e.g. a type of cell"),
  direction: integer("Direction of the change over the doses: 1 is an increase, -1 a decrease"),
  effectComment: text("Comment on the effect"),
  treatmentRelated: truth("Whether the effect differs significantly from the control at this dose"),
  criticalEffect: flag("Whether the effect is adverse at this dose"),
  sampleSize: text("Number of animals examined, as text"),
  effectVal: amount("Size of the effect, in the unit of effectValUnit"),
  effectValUnit: text("Unit of the size, e.g. incidence"),
  effectVar: amount("Variation of the size, as effectVarType says"),
  effectVarType: text("Measure of the variation, e.g. SEM"),
  time: amount("Time of the examination, in the unit of timeUnit"),
  timeUnit: text("Unit of the time"),
  noQuantDataReported: flag("Whether the effect was reported without numbers")
})

/**
 * The schema of an examination of a dosed group in ToxRefDB, with or without an effect. A batch sends most numbers as
 * text, with `tbsKey` and without `id`, `exportDate` and `version`.
 */
export const ToxrefData = lazyRecord<Types.ToxrefData>(
  { title: "ToxRefDB data", family: "hazard" },
  {
    id,
    ...study(textOrNumber),
    ...treatment(textOrNumber, textOrNumber),
    ...effect(textOrNumber, flagOrText),
    ...released,
    tbsKey: integer("Number of the record in a batch")
  }
)

/** An examination of a dosed group in ToxRefDB, with or without an effect. */
export type ToxrefData = Types.ToxrefData

/** The schema of an effect in a dosed group in ToxRefDB. */
export const ToxrefEffect = lazyRecord<Types.ToxrefEffect>(
  { title: "ToxRefDB effect", family: "hazard" },
  { id, ...study(integer), ...treatment(integer, number), ...effect(number, flag), ...released }
)

/** An effect in a dosed group in ToxRefDB. */
export type ToxrefEffect = Types.ToxrefEffect

/** The schema of an endpoint that a study in ToxRefDB was to observe. */
export const ToxrefObservation = lazyRecord<Types.ToxrefObservation>(
  { title: "ToxRefDB observation", family: "hazard" },
  {
    id,
    studyId,
    dtxsid,
    casrn,
    name,
    studyType,
    guidelineNumber: text("Number of the test guideline, e.g. 870.3700"),
    guidelineName: text("Name of the test guideline"),
    endpointCategory,
    endpointType,
    endpointTarget,
    status: text("Whether the endpoint was tested and reported, in words"),
    defaultStatus: flag("Whether the status is assumed from the guideline"),
    testedStatus: flag("Whether the endpoint was tested"),
    reportedStatus: flag("Whether the endpoint was reported"),
    ...released
  }
)

/** An endpoint that a study in ToxRefDB was to observe. */
export type ToxrefObservation = Types.ToxrefObservation

/** The schema of a study in ToxRefDB. */
export const ToxrefStudy = lazyRecord<Types.ToxrefStudy>(
  { title: "ToxRefDB study", family: "hazard" },
  { id, ...study(integer), ...dosing, ...released }
)

/** A study in ToxRefDB. */
export type ToxrefStudy = Types.ToxrefStudy
