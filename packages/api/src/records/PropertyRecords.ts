/**
 * The records of properties and of fate of the public service (docs/families/properties.md, docs/families/fate.md).
 *
 * The value of a property is in the unit beside it. Records of properties have names in camel case. The records in those
 * of fate have the same fields in snake case.
 */
import {
  flag,
  integer,
  lazyRecord,
  number,
  objects,
  objectsOrNulls,
  text
} from "../schemas/internal/lazyRecord.ts"
import type * as Types from "./internal/types/PropertyRecords.ts"

const dtxsid = text("Substance identifier (DTXSID…)")
const dtxcid = text("Compound identifier (DTXCID…)")
const smiles = text("SMILES of the structure")
const propName = text("Name of the property, e.g. Boiling Point")
const propUnit = text("Unit of the value, e.g. °C or mol/L")

/** The fields of predicted values, under names that the two kinds of records share. */
const meaning = {
  qsarSmiles: text("SMILES of the structure that the model read; N/A where there is none"),
  updatedAt: text("When the substance last changed, ISO 8601 without a time zone"),
  category: text("Category of the property, e.g. Physchem"),
  propertyDescription: text("Meaning of the property; may have HTML"),
  modelName: text("Model that predicted the value, e.g. OPERA_LogP"),
  modelId: integer("Number of the model"),
  modelSource: text("Software of the model, with its version, e.g. OPERA2.8"),
  modelSourceDescription: text("Description of the software, with links, as HTML"),
  measured: number("Measured value of the training set, in the unit of the value"),
  measuredText: text("Measured value of the training set, as text"),
  predicted: number("Predicted value, in the unit beside it; null where the model has none"),
  predictedText: text("Predicted value in words, e.g. Not readily biodeg."),
  error: text("Why the model has no value"),
  adMethod: text("Method of the local applicability domain, e.g. Combined Applicability Domain"),
  adValue: number("Value of the local applicability domain, usually 1 inside and 0 outside"),
  adConclusion: text("Whether the substance is Inside or Outside of the local applicability domain"),
  adReasoning: text("Reason of the conclusion; may have HTML entities"),
  adMethodGlobal: text("Method of the global applicability domain, e.g. OPERA Global Index"),
  adValueGlobal: number("Value of the global applicability domain, usually 1 inside and 0 outside"),
  adConclusionGlobal: text("Whether the substance is Inside or Outside of the global applicability domain"),
  adReasoningGlobal: text("Reason of the conclusion about the global applicability domain"),
  hasQmrf: flag("Whether the model has a QSAR model reporting format (QMRF) document"),
  qmrfUrl: text("Address of the QMRF document")
} as const

/** The fields of measured values, under shared names. */
const observed = {
  dataset: text("Data set with the value, e.g. exp_prop_BCF_v2.0"),
  value: number("Measured value, in the unit beside it"),
  valueId: integer("Number of the value in the source database"),
  original: text("Value and unit as the source has them"),
  valueText: text("Value in words, where it is not a number"),
  temperature: number("Temperature of the measurement", "°C"),
  pressure: number("Pressure of the measurement", "mmHg"),
  ph: number("pH of the measurement"),
  site: text("Part of the organism that the value is of, e.g. Whole body"),
  latin: text("Latin name of the species"),
  common: text("Common name of the species"),
  supercategory: text("Group of the species, e.g. Fish"),
  source: text("Source of the value"),
  sourceDescription: text("Description of the source"),
  publicSource: text("Public database with the value"),
  publicSourceDescription: text("Description of the public database"),
  publicSourceUrl: text("Address of the public database"),
  directUrl: text("Address of the value in the source"),
  literature: text("Literature with the value, by author and year"),
  citation: text("Citation of the literature"),
  doi: text("DOI of the literature"),
  briefCitation: text("Citation in short, as the public database has it"),
  firstSource: text("Source from which the public database has the value"),
  firstSourceDescription: text("Description of the original source"),
  firstSourceUrl: text("Address of the original source")
} as const

/** The schema of a value of a property that a model predicted. */
export const Predicted = lazyRecord<Types.Predicted>(
  { title: "Predicted value of a property", family: "properties" },
  {
    id: integer("Number of the record"),
    dtxsid,
    dtxcid,
    smiles,
    canonQsarSmiles: meaning.qsarSmiles,
    genericSubstanceUpdatedAt: meaning.updatedAt,
    propName,
    propCategory: meaning.category,
    propDescription: meaning.propertyDescription,
    modelName: meaning.modelName,
    modelId: meaning.modelId,
    sourceName: meaning.modelSource,
    sourceDescription: meaning.modelSourceDescription,
    propValueExperimental: meaning.measured,
    propValueExperimentalString: meaning.measuredText,
    propValue: meaning.predicted,
    propUnit,
    propValueString: meaning.predictedText,
    propValueError: meaning.error,
    adMethod: meaning.adMethod,
    adValue: meaning.adValue,
    adConclusion: meaning.adConclusion,
    adReasoning: meaning.adReasoning,
    adMethodGlobal: meaning.adMethodGlobal,
    adValueGlobal: meaning.adValueGlobal,
    adConclusionGlobal: meaning.adConclusionGlobal,
    adReasoningGlobal: meaning.adReasoningGlobal,
    hasQmrf: meaning.hasQmrf,
    qmrfUrl: meaning.qmrfUrl
  }
)

/** A value of a property that a model predicted. */
export type Predicted = Types.Predicted

/** The schema of a measured value of a property. */
export const Experimental = lazyRecord<Types.Experimental>(
  { title: "Measured value of a property", family: "properties" },
  {
    id: integer("Number of the record"),
    dtxsid,
    dtxcid,
    smiles,
    propName,
    dataset: observed.dataset,
    propValue: observed.value,
    propUnit,
    propValueId: observed.valueId,
    propValueOriginal: observed.original,
    propValueText: observed.valueText,
    expDetailsTemperatureC: observed.temperature,
    expDetailsPressureMmhg: observed.pressure,
    expDetailsPh: observed.ph,
    expDetailsResponseSite: observed.site,
    expDetailsSpeciesLatin: observed.latin,
    expDetailsSpeciesCommon: observed.common,
    expDetailsSpeciesSupercategory: observed.supercategory,
    sourceName: observed.source,
    sourceDescription: observed.sourceDescription,
    publicSourceName: observed.publicSource,
    publicSourceDescription: observed.publicSourceDescription,
    publicSourceUrl: observed.publicSourceUrl,
    directUrl: observed.directUrl,
    lsName: observed.literature,
    lsCitation: observed.citation,
    lsDoi: observed.doi,
    briefCitation: observed.briefCitation,
    publicSourceOriginalName: observed.firstSource,
    publicSourceOriginalDescription: observed.firstSourceDescription,
    publicSourceOriginalUrl: observed.firstSourceUrl
  }
)

/** A measured value of a property. */
export type Experimental = Types.Experimental

/** The schema of the summary of a property: its predicted and its measured values. */
export const Summary = lazyRecord<Types.Summary>(
  { title: "Summary of a property of a substance", family: "properties" },
  {
    propName,
    unit: text("Unit of the values, e.g. °C"),
    predictedCount: integer("Number of predicted values"),
    predictedMin: number("Smallest predicted value, in `unit`"),
    predictedMax: number("Largest predicted value, in `unit`"),
    predictedMedian: number("Median of the predicted values, in `unit`"),
    predictedAverage: number("Mean of the predicted values, in `unit`"),
    experimentalCount: integer("Number of measured values"),
    experimentalMin: number("Smallest measured value, in `unit`; null where none is known"),
    experimentalMax: number("Largest measured value, in `unit`; null where none is known"),
    experimentalMedian: number("Median of the measured values, in `unit`"),
    experimentalAverage: number("Mean of the measured values, in `unit`")
  }
)

/** The summary of a property: its predicted and its measured values. */
export type Summary = Types.Summary

/** The schema of a value in the summary of one property. */
export const SummaryValue = lazyRecord<Types.SummaryValue>(
  { title: "Value in the summary of one property", family: "properties" },
  {
    propValue: number("Value, in the unit of the property"),
    sourceName: text("Source of the value"),
    sourceDescription: text("Description of the source; may have HTML"),
    publicSourceUrl: text("Address of the public database"),
    directUrl: text("Address of the value in the source"),
    responseSite: text("Part of the organism that the value is of, e.g. Whole body"),
    speciesLatin: text("Latin name of the species"),
    availability: text("Whether more about the value is available"),
    showLink: flag("Whether a page shows the address as a link")
  }
)

/** A value in the summary of one property. */
export type SummaryValue = Types.SummaryValue

/** The schema of the name of a property. */
export const PropertyName = lazyRecord<Types.PropertyName>(
  { title: "Name of a property", family: "properties" },
  { propertyName: text("Name of the property, as the other records and the ranges have it") }
)

/** The name of a property. */
export type PropertyName = Types.PropertyName

/** The fields that measured and predicted values of fate have. */
const snakeCase = {
  id: integer("Number of the record"),
  dtxsid,
  dtxcid,
  smiles,
  prop_name: propName,
  prop_type: text("predicted or experimental"),
  prop_category: text("Category of the property: Env. Fate/transport"),
  prop_unit: propUnit,
  export_date: text("Date of the export of the data, YYYY-MM-DD"),
  data_version: text("Version of the data")
} as const

/** The measured values in a fate record. */
const experimentalFate = objectsOrNulls("Measured values; null where none is known", {
  ...snakeCase,
  dataset: observed.dataset,
  prop_value: observed.value,
  prop_value_id: observed.valueId,
  prop_value_original: observed.original,
  prop_value_text: observed.valueText,
  exp_details_temperature_c: observed.temperature,
  exp_details_pressure_mmhg: observed.pressure,
  exp_details_ph: observed.ph,
  exp_details_response_site: observed.site,
  exp_details_species_latin: observed.latin,
  exp_details_species_common: observed.common,
  exp_details_species_supercategory: observed.supercategory,
  source_name: observed.source,
  source_description: observed.sourceDescription,
  public_source_name: observed.publicSource,
  public_source_description: observed.publicSourceDescription,
  public_source_url: observed.publicSourceUrl,
  direct_url: observed.directUrl,
  ls_name: observed.literature,
  ls_citation: observed.citation,
  ls_doi: observed.doi,
  brief_citation: observed.briefCitation,
  public_source_original_name: observed.firstSource,
  public_source_original_description: observed.firstSourceDescription,
  public_source_original_url: observed.firstSourceUrl
})

/** The predicted values in a fate record. */
const predictedFate = objectsOrNulls("Predicted values; null where there is none", {
  ...snakeCase,
  canon_qsar_smiles: meaning.qsarSmiles,
  generic_substance_updated_at: meaning.updatedAt,
  property_description: meaning.propertyDescription,
  model_name: meaning.modelName,
  model_id: meaning.modelId,
  source_name: meaning.modelSource,
  source_description: meaning.modelSourceDescription,
  prop_value_experimental: meaning.measured,
  prop_value_experimental_string: meaning.measuredText,
  prop_value: meaning.predicted,
  prop_value_string: meaning.predictedText,
  prop_value_error: meaning.error,
  ad_method: meaning.adMethod,
  ad_value: meaning.adValue,
  ad_conclusion: meaning.adConclusion,
  ad_reasoning: meaning.adReasoning,
  ad_method_global: meaning.adMethodGlobal,
  ad_value_global: meaning.adValueGlobal,
  ad_conclusion_global: meaning.adConclusionGlobal,
  ad_reasoning_global: meaning.adReasoningGlobal,
  has_qmrf: meaning.hasQmrf,
  qmrf_url: meaning.qmrfUrl
})

const fateOfProperty = {
  propName,
  experimentalFateData: experimentalFate,
  predictedFateData: predictedFate
} as const

/** The schema of a fate property with its values, as the response to one substance has it. */
export const FateProperty = lazyRecord<Types.FateProperty>(
  { title: "Fate property of a substance", family: "fate" },
  fateOfProperty
)

/** A fate property with its values. */
export type FateProperty = Types.FateProperty

/** The schema of the fate of a substance: all of its fate properties. */
export const Fate = lazyRecord<Types.Fate>(
  { title: "Fate of a substance", family: "fate", "x-primary-key": ["dtxsid"] },
  { dtxsid, properties: objects("Fate properties, each with its values", fateOfProperty) }
)

/** The fate of a substance: all of its fate properties. */
export type Fate = Types.Fate
