/** The records of exposure of the public service (docs/families/exposure.md). */
import { integer, lazyRecord, number, text } from "../schemas/internal/lazyRecord.ts"
import type * as Types from "./internal/types/ExposureRecords.ts"

const id = integer("Number of the record")
const dtxsid = text("Substance identifier (DTXSID…)")
const docid = integer("Number of the document")
const doctitle = text("Title of the document")
const docdate = text("Date of the document, as printed there")
const reportedfunction = text("Function of the substance, in the words of the document")
const functioncategory = text("Category of the function, e.g. Flame retardant")
const component = text("Part of the product or article that has the substance")
const gencat = text("General product category, e.g. Home maintenance")
const prodfam = text("Product family in the general category")
const prodtype = text("Product type in the family")
const weightfractiontype = text("Origin of the weight fractions, e.g. reported")
const displayPuc = text("Product use category: general category, family and type, separated by colons")
const pucKind = text("Kind of the product use category: Formulation, Article or Occupation")

/** The schema of a functional use of a substance, reported in a document. */
export const FunctionalUse = lazyRecord<Types.FunctionalUse>(
  { title: "Functional use", family: "exposure" },
  {
    id,
    dtxsid,
    datatype: text("Type of the document's data, e.g. Composition"),
    docid,
    doctitle,
    docdate,
    reportedfunction,
    functioncategory
  }
)

/** A functional use of a substance, reported in a document. */
export type FunctionalUse = Types.FunctionalUse

/** The schema of a functional use that a structure model predicts. */
export const FunctionalUseProbability = lazyRecord<Types.FunctionalUseProbability>(
  { title: "Predicted functional use", family: "exposure" },
  {
    dtxsid,
    harmonizedFunctionalUse: text("Functional use, e.g. antioxidant"),
    probability: number("Probability of the use, from 0 to 1")
  }
)

/** A functional use that a structure model predicts. */
export type FunctionalUseProbability = Types.FunctionalUseProbability

/** The schema of a category of functional uses. */
export const FunctionalUseCategory = lazyRecord<Types.FunctionalUseCategory>(
  { title: "Category of functional uses", family: "exposure" },
  { id, category: text("Name of the category"), definition: text("Definition of the category") }
)

/** A category of functional uses. */
export type FunctionalUseCategory = Types.FunctionalUseCategory

/** The schema of a product that contains a substance. */
export const ProductData = lazyRecord<Types.ProductData>(
  { title: "Product with a substance", family: "exposure" },
  {
    id,
    dtxsid,
    docid,
    doctitle,
    docdate,
    productname: text("Name of the product"),
    gencat,
    prodfam,
    prodtype,
    classificationmethod: text("How the product got its category, e.g. Automatic"),
    rawmincomp: text("Smallest amount, as in the document, in the unit of unittype"),
    rawmaxcomp: text("Largest amount, as in the document, in the unit of unittype"),
    rawcentralcomp: text("Typical amount, as in the document, in the unit of unittype"),
    unittype: text("Unit of the amounts, e.g. percent"),
    lowerweightfraction: number("Smallest weight fraction, from 0 to 1"),
    upperweightfraction: number("Largest weight fraction, from 0 to 1"),
    centralweightfraction: number("Typical weight fraction, from 0 to 1"),
    weightfractiontype,
    component
  }
)

/** A product that contains a substance. */
export type ProductData = Types.ProductData

/** The schema of a product use category (PUC). */
export const ProductCategory = lazyRecord<Types.ProductCategory>(
  { title: "Product use category", family: "exposure" },
  {
    id,
    kindName: pucKind,
    genCat: gencat,
    prodfam,
    prodtype,
    definition: text("Definition of the category")
  }
)

/** A product use category (PUC). */
export type ProductCategory = Types.ProductCategory

/** The schema of a document that lists a substance. */
export const ListPresence = lazyRecord<Types.ListPresence>(
  { title: "Document that lists a substance", family: "exposure" },
  {
    id,
    dtxsid,
    docid,
    doctitle,
    docsubtitle: text("Subtitle of the document"),
    docdate,
    organization: text("Publisher of the document"),
    reportedfunction,
    functioncategory,
    component,
    keywordset: text("Keywords of the list, separated by semicolons")
  }
)

/** A document that lists a substance. */
export type ListPresence = Types.ListPresence

/** The schema of a keyword of lists. */
export const ListPresenceTag = lazyRecord<Types.ListPresenceTag>(
  { title: "Keyword of lists", family: "exposure" },
  {
    id,
    tagName: text("The keyword"),
    tagDefinition: text("Definition of the keyword"),
    tagKind: text("Kind of the keyword, e.g. Media")
  }
)

/** A keyword of lists. */
export type ListPresenceTag = Types.ListPresenceTag

/** The schema of a toxicokinetic parameter of a substance. */
export const ToxicokineticParameter = lazyRecord<Types.ToxicokineticParameter>(
  { title: "Toxicokinetic parameter", family: "exposure" },
  {
    id,
    dtxsid,
    parameter: text(
      "Parameter: Clint (hepatic clearance), Fup (fraction unbound in plasma), Vd (volume of distribution), Css (plasma concentration at steady state), TK.Half.Life or Days.Css (days to steady state)"
    ),
    measuredText: text("Measured value, as text"),
    measured: number("Measured value, in the unit of units"),
    predictedText: text("Predicted value, as text"),
    predicted: number("Predicted value, in the unit of units"),
    units: text("Unit of the values; null if there is none"),
    model: text("Model of the prediction, e.g. PBTK"),
    reference: text("Source of the value, e.g. a DOI"),
    percentile: text("Percentile of the population that the prediction is for, e.g. 95%"),
    species: text("Species that the value is for"),
    dataSourceSpecies: text("Species of the data behind the value")
  }
)

/** A toxicokinetic parameter of a substance. */
export type ToxicokineticParameter = Types.ToxicokineticParameter

/** The schema of the production volume and the likely exposure pathways of a substance. */
export const ExposurePathways = lazyRecord<Types.ExposurePathways>(
  { title: "Exposure pathways", family: "exposure" },
  {
    dtxsid,
    productionVolume: number("Amount produced in or imported to the United States, in the unit of units"),
    units: text("Unit of the production volume, e.g. kg/day"),
    stockholmConvention: integer("1 if the Stockholm Convention bans the substance, else 0"),
    probabilityDietary: number("Probability of exposure by diet, from 0 to 1"),
    probabilityResidential: number("Probability of exposure by consumer use, from 0 to 1"),
    probabilityPesticde: number("Probability of exposure by pesticides from afar, from 0 to 1"),
    probabilityIndustrial: number("Probability of exposure by industry from afar, from 0 to 1")
  }
)

/** The production volume and the likely exposure pathways of a substance. */
export type ExposurePathways = Types.ExposurePathways

const predictor = text("Model of the prediction, e.g. SEEM3 Consensus")

/** The schema of one value of `ExposurePathways`, as the dashboard shows it: a row for each, with its name. */
export const DashboardExposurePathway = lazyRecord<Types.DashboardExposurePathway>(
  { title: "Exposure pathway, as in the dashboard", family: "exposure" },
  {
    predictor: text("Name of the value, e.g. Production Volume"),
    value: number("The value, in the unit of units"),
    units: text("Unit of the value")
  }
)

/** One value of `ExposurePathways`, as the dashboard shows it: a row for each, with its name. */
export type DashboardExposurePathway = Types.DashboardExposurePathway

const demographic = text("Part of the population of the United States, e.g. Total")
const median = number("Median of the prediction, in the unit of units")
const u95 = number("Upper 95 % bound of the prediction, in the unit of units")
const predictionUnits = text("Unit of the prediction, e.g. mg/kg/day")

/** The schema of a predicted exposure of a part of the population. */
export const ExposurePrediction = lazyRecord<Types.ExposurePrediction>(
  { title: "Exposure prediction", family: "exposure" },
  {
    id,
    dtxsid,
    demographic,
    predictor,
    median,
    medianText: text("Median of the prediction, as text"),
    l95: number("Lower 95 % bound of the prediction, in the unit of units"),
    l95Text: text("Lower 95 % bound of the prediction, as text"),
    u95,
    u95Text: text("Upper 95 % bound of the prediction, as text"),
    units: predictionUnits,
    ad: integer("1 if the substance is in the applicability domain of the model, else 0"),
    reference: text("Article about the model")
  }
)

/** A predicted exposure of a part of the population. */
export type ExposurePrediction = Types.ExposurePrediction

/** The schema of a predicted exposure, as the dashboard shows it. */
export const DashboardExposurePrediction = lazyRecord<Types.DashboardExposurePrediction>(
  { title: "Exposure prediction, as in the dashboard", family: "exposure" },
  { demographic, predictor, median, u95, units: predictionUnits }
)

/** A predicted exposure, as the dashboard shows it. */
export type DashboardExposurePrediction = Types.DashboardExposurePrediction

/** The fields of a substance in the monitoring database (MMDB). */
const substance = {
  id,
  fullSourceName: text("Name of the data source"),
  chemicalName: text("Name of the substance in the source"),
  dtxsid,
  preferredName: text("Preferred name of the substance"),
  casrn: text("CAS registry number"),
  casnumber: text("CAS registry number in the source")
}

const limits = {
  lod: text("Limit of detection"),
  loq: text("Limit of quantification")
}

/** The fields that say whether, and in which sample, a substance was detected. */
const detection = {
  detected: integer("1 if the substance was detected, 2 if not; null if the source does not tell"),
  detectedConflict: integer("1 if the source contradicts itself about the detection, else 0"),
  notesDetects: text("How the detection was determined"),
  species: text("Species sampled"),
  media: text("Medium in the words of the source"),
  harmonizedMedium: text("Medium, e.g. surface water")
}

const place = {
  location: text("Place of sampling, as in the source"),
  stateOrProvince: text("State or province of sampling"),
  county: text("County of sampling"),
  country: text("Country of sampling")
}

const origin = {
  qualityFlag: text("Flag of the source about the quality of the record"),
  link: text("Page of the record in its source"),
  reference: text("Citation of the record"),
  version: text("Release of the monitoring database"),
  exportDate: text("Date of the export, e.g. 2024-12-02")
}

const units = text("Unit of the result, as in the source")
const cleanedUnits = text("Unit of the result, spelled alike in all records")
const collectionActivityId = text("Identifier of the sampling in the source")

/** The schema of a statistic of the Multimedia Monitoring Database (MMDB). */
export const MonitoringStatistic = lazyRecord<Types.MonitoringStatistic>(
  { title: "Monitoring statistic", family: "exposure" },
  {
    ...substance,
    result: text("Value of the statistic, as text"),
    units,
    cleanedUnits,
    statistic: text("Statistic, in the words of the source"),
    sampleSize: text("Number of samples, as text"),
    ...limits,
    numDetects: text("Number of samples with the substance, as text"),
    numNonDetects: text("Number of samples without the substance, as text"),
    rateDetects: text("Rate of detection, as a percentage or fraction"),
    ...detection,
    population: text("Population studied"),
    subPopulation: text("Part of the population"),
    collectionActivityId,
    dates: text("Dates of sampling, as in the source"),
    years: text("First and last year of sampling"),
    ...place,
    ...origin
  }
)

/** A statistic of the Multimedia Monitoring Database (MMDB). */
export type MonitoringStatistic = Types.MonitoringStatistic

/** The schema of a sample of the Multimedia Monitoring Database (MMDB). */
export const MonitoringSample = lazyRecord<Types.MonitoringSample>(
  { title: "Monitoring sample", family: "exposure" },
  {
    ...substance,
    result: text("Concentration or other result, as text"),
    units,
    cleanedUnits,
    ...limits,
    detectionFlag: text("Flag of the source for a result below the limit of detection"),
    resultFlag: text("Flag of the source about the result"),
    ...detection,
    method: text("Analytical method"),
    collectionActivityId,
    sampleId: text("Identifier of the sample in the source"),
    mmdbSampleId: text("Identifier of the sample in the monitoring database"),
    dates: text("Date of sampling, as in the source"),
    year: text("Year of sampling"),
    month: text("Month of sampling"),
    time: text("Time of sampling"),
    ...place,
    ...origin
  }
)

/** A sample of the Multimedia Monitoring Database (MMDB). */
export type MonitoringSample = Types.MonitoringSample

/** The schema of a medium of the Multimedia Monitoring Database (MMDB). */
export const MonitoringMedium = lazyRecord<Types.MonitoringMedium>(
  { title: "Monitored medium", family: "exposure" },
  {
    harmonizedMediumDesc: text("Meaning of the medium"),
    harmonizedMedium: text("Name of the medium, e.g. surface water")
  }
)

/** A medium of the Multimedia Monitoring Database (MMDB). */
export type MonitoringMedium = Types.MonitoringMedium

/** The schema of a product use category with products that contain a substance. */
export const ProductUse = lazyRecord<Types.ProductUse>(
  { title: "Product use of a substance", family: "exposure" },
  {
    id,
    dtxsid,
    displayPuc,
    pucKind,
    prodCount: integer("Number of products with the substance"),
    genCat: gencat,
    prodfam,
    prodtype,
    definition: text("Definition of the category")
  }
)

/** A product use category with products that contain a substance. */
export type ProductUse = Types.ProductUse

/** The schema of the production volume of a substance in one year. */
export const ProductionVolume = lazyRecord<Types.ProductionVolume>(
  { title: "Production volume", family: "exposure" },
  {
    id,
    dtxsid,
    name: text("Year and kind of the amount, e.g. 2019 NATIONALLY AGGREGATED PV"),
    amount: text("Range of the amount with its unit, e.g. 1,000,000,000 - <5,000,000,000 lb")
  }
)

/** The production volume of a substance in one year. */
export type ProductionVolume = Types.ProductionVolume

/** The schema of an exposure inferred from the biomonitoring of a part of the population (NHANES). */
export const Biomonitoring = lazyRecord<Types.Biomonitoring>(
  { title: "Exposure inferred from biomonitoring", family: "exposure" },
  {
    id,
    dtxsid,
    demographic,
    median: number("Median intake", "mg/kg/day"),
    upperBound: number("Upper 95 % bound of the median", "mg/kg/day"),
    lowerBound: number("Lower 95 % bound of the median", "mg/kg/day"),
    nhanesCohort: text("Years of the survey, e.g. 15-16")
  }
)

/** An exposure inferred from the biomonitoring of a part of the population (NHANES). */
export type Biomonitoring = Types.Biomonitoring

/** The schema of such an exposure, as the dashboard shows it. */
export const DashboardBiomonitoring = lazyRecord<Types.DashboardBiomonitoring>(
  { title: "Exposure inferred from biomonitoring, as in the dashboard", family: "exposure" },
  {
    label: text("Part of the population, as the dashboard names it"),
    dtxsid,
    median: number("Median intake", "mg/kg/day"),
    upper95th: number("Upper 95 % bound of the median", "mg/kg/day"),
    lower95th: number("Lower 95 % bound of the median", "mg/kg/day"),
    hoverMsg: text("Explanation of the label; the text null if there is none")
  }
)

/** Such an exposure, as the dashboard shows it. */
export type DashboardBiomonitoring = Types.DashboardBiomonitoring

/** The schema of a set of keywords about the use of a substance. */
export const UseKeywords = lazyRecord<Types.UseKeywords>(
  { title: "Keywords of general use", family: "exposure" },
  {
    id,
    keywordset: text("The keywords, separated by commas"),
    sourceCount: integer("Number of sources with these keywords"),
    dtxsid
  }
)

/** A set of keywords about the use of a substance. */
export type UseKeywords = Types.UseKeywords

/** The schema of a category of reported functional uses of a substance. */
export const ReportedUse = lazyRecord<Types.ReportedUse>(
  { title: "Reported functional use", family: "exposure" },
  {
    id,
    dtxsid,
    category: text("Category of the function, e.g. Antioxidant"),
    definition: text("The function, as reported")
  }
)

/** A category of reported functional uses of a substance. */
export type ReportedUse = Types.ReportedUse

/** The schema of the weight fraction of a substance in a product. */
export const WeightFraction = lazyRecord<Types.WeightFraction>(
  { title: "Weight fraction in a product", family: "exposure" },
  {
    id,
    dtxsid,
    prodName: text("Name of the product"),
    displayPuc,
    pucKind,
    lowerweightfraction: number("Smallest weight fraction, from 0 to 1"),
    upperweightfraction: number("Largest weight fraction, from 0 to 1"),
    weightfractiontype,
    gencat,
    prodfam,
    prod_type: prodtype,
    pucDefinition: text("Definition of the product use category"),
    sourceName: text("Source of the record, e.g. a manufacturer"),
    sourceDescription: text("Description of the source"),
    sourceUrl: text("Page of the source"),
    sourceDownloadDate: text("Date on which the source was read, e.g. 2019-03-05"),
    productCount: integer("Number of products with these data")
  }
)

/** The weight fraction of a substance in a product. */
export type WeightFraction = Types.WeightFraction
