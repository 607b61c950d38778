// Generated from packages/api/src/records/ExposureRecords.ts by `npm run generate`. Change the schema there instead.

/** Category of functional uses. */
export interface FunctionalUseCategory {
  /** Number of the record. */
  readonly id?: number | null
  /** Name of the category. */
  readonly category?: string | null
  /** Definition of the category. */
  readonly definition?: string | null
}

/** Document that lists a substance. */
export interface ListPresence {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Number of the document. */
  readonly docid?: number | null
  /** Title of the document. */
  readonly doctitle?: string | null
  /** Subtitle of the document. */
  readonly docsubtitle?: string | null
  /** Date of the document, as printed there. */
  readonly docdate?: string | null
  /** Publisher of the document. */
  readonly organization?: string | null
  /** Function of the substance, in the words of the document. */
  readonly reportedfunction?: string | null
  /** Category of the function, e.g. Flame retardant. */
  readonly functioncategory?: string | null
  /** Part of the product or article that has the substance. */
  readonly component?: string | null
  /** Keywords of the list, separated by semicolons. */
  readonly keywordset?: string | null
}

/** Exposure inferred from biomonitoring, as in the dashboard. */
export interface DashboardBiomonitoring {
  /** Part of the population, as the dashboard names it. */
  readonly label?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Median intake, mg/kg/day. */
  readonly median?: number | null
  /** Upper 95 % bound of the median, mg/kg/day. */
  readonly upper95th?: number | null
  /** Lower 95 % bound of the median, mg/kg/day. */
  readonly lower95th?: number | null
  /** Explanation of the label; the text null if there is none. */
  readonly hoverMsg?: string | null
}

/** Exposure inferred from biomonitoring. */
export interface Biomonitoring {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Part of the population of the United States, e.g. Total. */
  readonly demographic?: string | null
  /** Median intake, mg/kg/day. */
  readonly median?: number | null
  /** Upper 95 % bound of the median, mg/kg/day. */
  readonly upperBound?: number | null
  /** Lower 95 % bound of the median, mg/kg/day. */
  readonly lowerBound?: number | null
  /** Years of the survey, e.g. 15-16. */
  readonly nhanesCohort?: string | null
}

/** Exposure pathway, as in the dashboard. */
export interface DashboardExposurePathway {
  /** Name of the value, e.g. Production Volume. */
  readonly predictor?: string | null
  /** The value, in the unit of units. */
  readonly value?: number | null
  /** Unit of the value. */
  readonly units?: string | null
}

/** Exposure pathways. */
export interface ExposurePathways {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Amount produced in or imported to the United States, in the unit of units. */
  readonly productionVolume?: number | null
  /** Unit of the production volume, e.g. kg/day. */
  readonly units?: string | null
  /** 1 if the Stockholm Convention bans the substance, else 0. */
  readonly stockholmConvention?: number | null
  /** Probability of exposure by diet, from 0 to 1. */
  readonly probabilityDietary?: number | null
  /** Probability of exposure by consumer use, from 0 to 1. */
  readonly probabilityResidential?: number | null
  /** Probability of exposure by pesticides from afar, from 0 to 1. */
  readonly probabilityPesticde?: number | null
  /** Probability of exposure by industry from afar, from 0 to 1. */
  readonly probabilityIndustrial?: number | null
}

/** Exposure prediction, as in the dashboard. */
export interface DashboardExposurePrediction {
  /** Part of the population of the United States, e.g. Total. */
  readonly demographic?: string | null
  /** Model of the prediction, e.g. SEEM3 Consensus. */
  readonly predictor?: string | null
  /** Median of the prediction, in the unit of units. */
  readonly median?: number | null
  /** Upper 95 % bound of the prediction, in the unit of units. */
  readonly u95?: number | null
  /** Unit of the prediction, e.g. mg/kg/day. */
  readonly units?: string | null
}

/** Exposure prediction. */
export interface ExposurePrediction {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Part of the population of the United States, e.g. Total. */
  readonly demographic?: string | null
  /** Model of the prediction, e.g. SEEM3 Consensus. */
  readonly predictor?: string | null
  /** Median of the prediction, in the unit of units. */
  readonly median?: number | null
  /** Median of the prediction, as text. */
  readonly medianText?: string | null
  /** Lower 95 % bound of the prediction, in the unit of units. */
  readonly l95?: number | null
  /** Lower 95 % bound of the prediction, as text. */
  readonly l95Text?: string | null
  /** Upper 95 % bound of the prediction, in the unit of units. */
  readonly u95?: number | null
  /** Upper 95 % bound of the prediction, as text. */
  readonly u95Text?: string | null
  /** Unit of the prediction, e.g. mg/kg/day. */
  readonly units?: string | null
  /** 1 if the substance is in the applicability domain of the model, else 0. */
  readonly ad?: number | null
  /** Article about the model. */
  readonly reference?: string | null
}

/** Functional use. */
export interface FunctionalUse {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Type of the document's data, e.g. Composition. */
  readonly datatype?: string | null
  /** Number of the document. */
  readonly docid?: number | null
  /** Title of the document. */
  readonly doctitle?: string | null
  /** Date of the document, as printed there. */
  readonly docdate?: string | null
  /** Function of the substance, in the words of the document. */
  readonly reportedfunction?: string | null
  /** Category of the function, e.g. Flame retardant. */
  readonly functioncategory?: string | null
}

/** Keyword of lists. */
export interface ListPresenceTag {
  /** Number of the record. */
  readonly id?: number | null
  /** The keyword. */
  readonly tagName?: string | null
  /** Definition of the keyword. */
  readonly tagDefinition?: string | null
  /** Kind of the keyword, e.g. Media. */
  readonly tagKind?: string | null
}

/** Keywords of general use. */
export interface UseKeywords {
  /** Number of the record. */
  readonly id?: number | null
  /** The keywords, separated by commas. */
  readonly keywordset?: string | null
  /** Number of sources with these keywords. */
  readonly sourceCount?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
}

/** Monitored medium. */
export interface MonitoringMedium {
  /** Meaning of the medium. */
  readonly harmonizedMediumDesc?: string | null
  /** Name of the medium, e.g. surface water. */
  readonly harmonizedMedium?: string | null
}

/** Monitoring sample. */
export interface MonitoringSample {
  /** Number of the record. */
  readonly id?: number | null
  /** Name of the data source. */
  readonly fullSourceName?: string | null
  /** Name of the substance in the source. */
  readonly chemicalName?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** CAS registry number. */
  readonly casrn?: string | null
  /** CAS registry number in the source. */
  readonly casnumber?: string | null
  /** Concentration or other result, as text. */
  readonly result?: string | null
  /** Unit of the result, as in the source. */
  readonly units?: string | null
  /** Unit of the result, spelled alike in all records. */
  readonly cleanedUnits?: string | null
  /** Limit of detection. */
  readonly lod?: string | null
  /** Limit of quantification. */
  readonly loq?: string | null
  /** Flag of the source for a result below the limit of detection. */
  readonly detectionFlag?: string | null
  /** Flag of the source about the result. */
  readonly resultFlag?: string | null
  /** 1 if the substance was detected, 2 if not; null if the source does not tell. */
  readonly detected?: number | null
  /** 1 if the source contradicts itself about the detection, else 0. */
  readonly detectedConflict?: number | null
  /** How the detection was determined. */
  readonly notesDetects?: string | null
  /** Species sampled. */
  readonly species?: string | null
  /** Medium in the words of the source. */
  readonly media?: string | null
  /** Medium, e.g. surface water. */
  readonly harmonizedMedium?: string | null
  /** Analytical method. */
  readonly method?: string | null
  /** Identifier of the sampling in the source. */
  readonly collectionActivityId?: string | null
  /** Identifier of the sample in the source. */
  readonly sampleId?: string | null
  /** Identifier of the sample in the monitoring database. */
  readonly mmdbSampleId?: string | null
  /** Date of sampling, as in the source. */
  readonly dates?: string | null
  /** Year of sampling. */
  readonly year?: string | null
  /** Month of sampling. */
  readonly month?: string | null
  /** Time of sampling. */
  readonly time?: string | null
  /** Place of sampling, as in the source. */
  readonly location?: string | null
  /** State or province of sampling. */
  readonly stateOrProvince?: string | null
  /** County of sampling. */
  readonly county?: string | null
  /** Country of sampling. */
  readonly country?: string | null
  /** Flag of the source about the quality of the record. */
  readonly qualityFlag?: string | null
  /** Page of the record in its source. */
  readonly link?: string | null
  /** Citation of the record. */
  readonly reference?: string | null
  /** Release of the monitoring database. */
  readonly version?: string | null
  /** Date of the export, e.g. 2024-12-02. */
  readonly exportDate?: string | null
}

/** Monitoring statistic. */
export interface MonitoringStatistic {
  /** Number of the record. */
  readonly id?: number | null
  /** Name of the data source. */
  readonly fullSourceName?: string | null
  /** Name of the substance in the source. */
  readonly chemicalName?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** CAS registry number. */
  readonly casrn?: string | null
  /** CAS registry number in the source. */
  readonly casnumber?: string | null
  /** Value of the statistic, as text. */
  readonly result?: string | null
  /** Unit of the result, as in the source. */
  readonly units?: string | null
  /** Unit of the result, spelled alike in all records. */
  readonly cleanedUnits?: string | null
  /** Statistic, in the words of the source. */
  readonly statistic?: string | null
  /** Number of samples, as text. */
  readonly sampleSize?: string | null
  /** Limit of detection. */
  readonly lod?: string | null
  /** Limit of quantification. */
  readonly loq?: string | null
  /** Number of samples with the substance, as text. */
  readonly numDetects?: string | null
  /** Number of samples without the substance, as text. */
  readonly numNonDetects?: string | null
  /** Rate of detection, as a percentage or fraction. */
  readonly rateDetects?: string | null
  /** 1 if the substance was detected, 2 if not; null if the source does not tell. */
  readonly detected?: number | null
  /** 1 if the source contradicts itself about the detection, else 0. */
  readonly detectedConflict?: number | null
  /** How the detection was determined. */
  readonly notesDetects?: string | null
  /** Species sampled. */
  readonly species?: string | null
  /** Medium in the words of the source. */
  readonly media?: string | null
  /** Medium, e.g. surface water. */
  readonly harmonizedMedium?: string | null
  /** Population studied. */
  readonly population?: string | null
  /** Part of the population. */
  readonly subPopulation?: string | null
  /** Identifier of the sampling in the source. */
  readonly collectionActivityId?: string | null
  /** Dates of sampling, as in the source. */
  readonly dates?: string | null
  /** First and last year of sampling. */
  readonly years?: string | null
  /** Place of sampling, as in the source. */
  readonly location?: string | null
  /** State or province of sampling. */
  readonly stateOrProvince?: string | null
  /** County of sampling. */
  readonly county?: string | null
  /** Country of sampling. */
  readonly country?: string | null
  /** Flag of the source about the quality of the record. */
  readonly qualityFlag?: string | null
  /** Page of the record in its source. */
  readonly link?: string | null
  /** Citation of the record. */
  readonly reference?: string | null
  /** Release of the monitoring database. */
  readonly version?: string | null
  /** Date of the export, e.g. 2024-12-02. */
  readonly exportDate?: string | null
}

/** Predicted functional use. */
export interface FunctionalUseProbability {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Functional use, e.g. antioxidant. */
  readonly harmonizedFunctionalUse?: string | null
  /** Probability of the use, from 0 to 1. */
  readonly probability?: number | null
}

/** Product use category. */
export interface ProductCategory {
  /** Number of the record. */
  readonly id?: number | null
  /** Kind of the product use category: Formulation, Article or Occupation. */
  readonly kindName?: string | null
  /** General product category, e.g. Home maintenance. */
  readonly genCat?: string | null
  /** Product family in the general category. */
  readonly prodfam?: string | null
  /** Product type in the family. */
  readonly prodtype?: string | null
  /** Definition of the category. */
  readonly definition?: string | null
}

/** Product use of a substance. */
export interface ProductUse {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Product use category: general category, family and type, separated by colons. */
  readonly displayPuc?: string | null
  /** Kind of the product use category: Formulation, Article or Occupation. */
  readonly pucKind?: string | null
  /** Number of products with the substance. */
  readonly prodCount?: number | null
  /** General product category, e.g. Home maintenance. */
  readonly genCat?: string | null
  /** Product family in the general category. */
  readonly prodfam?: string | null
  /** Product type in the family. */
  readonly prodtype?: string | null
  /** Definition of the category. */
  readonly definition?: string | null
}

/** Product with a substance. */
export interface ProductData {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Number of the document. */
  readonly docid?: number | null
  /** Title of the document. */
  readonly doctitle?: string | null
  /** Date of the document, as printed there. */
  readonly docdate?: string | null
  /** Name of the product. */
  readonly productname?: string | null
  /** General product category, e.g. Home maintenance. */
  readonly gencat?: string | null
  /** Product family in the general category. */
  readonly prodfam?: string | null
  /** Product type in the family. */
  readonly prodtype?: string | null
  /** How the product got its category, e.g. Automatic. */
  readonly classificationmethod?: string | null
  /** Smallest amount, as in the document, in the unit of unittype. */
  readonly rawmincomp?: string | null
  /** Largest amount, as in the document, in the unit of unittype. */
  readonly rawmaxcomp?: string | null
  /** Typical amount, as in the document, in the unit of unittype. */
  readonly rawcentralcomp?: string | null
  /** Unit of the amounts, e.g. percent. */
  readonly unittype?: string | null
  /** Smallest weight fraction, from 0 to 1. */
  readonly lowerweightfraction?: number | null
  /** Largest weight fraction, from 0 to 1. */
  readonly upperweightfraction?: number | null
  /** Typical weight fraction, from 0 to 1. */
  readonly centralweightfraction?: number | null
  /** Origin of the weight fractions, e.g. reported. */
  readonly weightfractiontype?: string | null
  /** Part of the product or article that has the substance. */
  readonly component?: string | null
}

/** Production volume. */
export interface ProductionVolume {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Year and kind of the amount, e.g. 2019 NATIONALLY AGGREGATED PV. */
  readonly name?: string | null
  /** Range of the amount with its unit, e.g. 1,000,000,000 - <5,000,000,000 lb. */
  readonly amount?: string | null
}

/** Reported functional use. */
export interface ReportedUse {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Category of the function, e.g. Antioxidant. */
  readonly category?: string | null
  /** The function, as reported. */
  readonly definition?: string | null
}

/** Toxicokinetic parameter. */
export interface ToxicokineticParameter {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /**
   * Parameter: Clint (hepatic clearance), Fup (fraction unbound in plasma), Vd (volume of distribution), Css
   * (plasma concentration at steady state), TK.Half.Life or Days.Css (days to steady state).
   */
  readonly parameter?: string | null
  /** Measured value, as text. */
  readonly measuredText?: string | null
  /** Measured value, in the unit of units. */
  readonly measured?: number | null
  /** Predicted value, as text. */
  readonly predictedText?: string | null
  /** Predicted value, in the unit of units. */
  readonly predicted?: number | null
  /** Unit of the values; null if there is none. */
  readonly units?: string | null
  /** Model of the prediction, e.g. PBTK. */
  readonly model?: string | null
  /** Source of the value, e.g. a DOI. */
  readonly reference?: string | null
  /** Percentile of the population that the prediction is for, e.g. 95%. */
  readonly percentile?: string | null
  /** Species that the value is for. */
  readonly species?: string | null
  /** Species of the data behind the value. */
  readonly dataSourceSpecies?: string | null
}

/** Weight fraction in a product. */
export interface WeightFraction {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Name of the product. */
  readonly prodName?: string | null
  /** Product use category: general category, family and type, separated by colons. */
  readonly displayPuc?: string | null
  /** Kind of the product use category: Formulation, Article or Occupation. */
  readonly pucKind?: string | null
  /** Smallest weight fraction, from 0 to 1. */
  readonly lowerweightfraction?: number | null
  /** Largest weight fraction, from 0 to 1. */
  readonly upperweightfraction?: number | null
  /** Origin of the weight fractions, e.g. reported. */
  readonly weightfractiontype?: string | null
  /** General product category, e.g. Home maintenance. */
  readonly gencat?: string | null
  /** Product family in the general category. */
  readonly prodfam?: string | null
  /** Product type in the family. */
  readonly prod_type?: string | null
  /** Definition of the product use category. */
  readonly pucDefinition?: string | null
  /** Source of the record, e.g. a manufacturer. */
  readonly sourceName?: string | null
  /** Description of the source. */
  readonly sourceDescription?: string | null
  /** Page of the source. */
  readonly sourceUrl?: string | null
  /** Date on which the source was read, e.g. 2019-03-05. */
  readonly sourceDownloadDate?: string | null
  /** Number of products with these data. */
  readonly productCount?: number | null
}
