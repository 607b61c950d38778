// Generated from packages/api/src/records/HazardRecords.ts by `npm run generate`. Change the schema there instead.

/** ADME parameter, as in the dashboard. */
export interface DashboardKineticParameter {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Explanation of the parameter. */
  readonly description?: string | null
  /** Measured value, as text, in the unit of unit. */
  readonly measured?: string | null
  /** Predicted value, as text, in the unit of unit. */
  readonly predicted?: string | null
  /** Unit of the values; null if there is none. */
  readonly unit?: string | null
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
  /** Parameter, as the dashboard names it, e.g. Volume of Distribution. */
  readonly label?: string | null
}

/** ADME parameter. */
export interface KineticParameter {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /**
   * Parameter: Clint (hepatic clearance), Fup (fraction unbound in plasma), Vd (volume of distribution), Css
   * (plasma concentration at steady state), TK.Half.Life or Days.Css (days to steady state).
   */
  readonly description?: string | null
  /** Measured value, as text, in the unit of unit. */
  readonly measured?: string | null
  /** Predicted value, as text, in the unit of unit. */
  readonly predicted?: string | null
  /** Unit of the values; null if there is none. */
  readonly unit?: string | null
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

/** Cancer call of a source. */
export interface CancerCall {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Source of the call, e.g. IARC. */
  readonly source?: string | null
  /** Route of exposure that the call is for. */
  readonly exposureRoute?: string | null
  /** Carcinogenicity in the words of the source. */
  readonly cancerCall?: string | null
  /** Page of the source about the substance. */
  readonly url?: string | null
}

/** Genotoxicity summary. */
export interface GenotoxicitySummary {
  /** Number of the record. */
  readonly id?: number | null
  /** Call over the Ames tests. */
  readonly ames?: string | null
  /** Addresses of the stored documents behind the record. */
  readonly clowderDocId?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Call over all tests, e.g. negative. */
  readonly genetoxCall?: string | null
  /** Number of the summary. */
  readonly genetoxSummaryId?: number | null
  /** Call over the micronucleus tests. */
  readonly micronucleus?: string | null
  /** Number of negative results. */
  readonly reportsNegative?: number | null
  /** Number of results that are neither positive nor negative. */
  readonly reportsOther?: number | null
  /** Number of positive results. */
  readonly reportsPositive?: number | null
}

/** Genotoxicity test, as in the dashboard. */
export interface DashboardGenotoxicityTest {
  /** Year of the study. */
  readonly year?: number | null
  /** Source of the result, e.g. NTP. */
  readonly source?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Species of the animals or cells. */
  readonly species?: string | null
  /** in vitro or in vivo. */
  readonly assayCategory?: string | null
  /** positive, negative or other. */
  readonly assayResult?: string | null
  /** Test and its standardized name, separated by |. */
  readonly assayType?: string | null
  /** Whether the test had metabolic activation. */
  readonly metabolicActivation?: string | null
  /** Strain of the animals or bacteria. */
  readonly strain?: string | null
}

/** Genotoxicity test. */
export interface GenotoxicityTest {
  /** Year of the study. */
  readonly year?: number | null
  /** Source of the result, e.g. NTP. */
  readonly source?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Species of the animals or cells. */
  readonly species?: string | null
  /** in vitro or in vivo. */
  readonly assayCategory?: string | null
  /** positive, negative or other. */
  readonly assayResult?: string | null
  /** Test, e.g. Ames. */
  readonly assayType?: string | null
  /** Whether the test had metabolic activation. */
  readonly metabolicActivation?: string | null
  /** Strain of the animals or bacteria. */
  readonly strain?: string | null
  /** Number of the record. */
  readonly id?: number | null
  /** Code of the test. */
  readonly assayCode?: string | null
  /** Potency in the test. */
  readonly assayPotency?: number | null
  /** Standardized name of the test. */
  readonly assayTypeStandard?: string | null
  /** Identifier of the substance in the source. */
  readonly chemicalId?: string | null
  /** Addresses of the stored documents behind the record. */
  readonly clowderDocId?: string | null
  /** Comment of the source. */
  readonly comment?: string | null
  /** Whether the substance was cytotoxic. */
  readonly cytotoxicity?: string | null
  /** Rank of the quality of the data. */
  readonly dataQuality?: number | null
  /** Number of the document. */
  readonly documentNumber?: number | null
  /** Source of the document. */
  readonly documentSource?: string | null
  /** Whether the response depends on the dose. */
  readonly doseResponse?: string | null
  /** Duration of the test. */
  readonly duration?: number | null
  /** Call over all tests, e.g. negative. */
  readonly genetoxCall?: string | null
  /** Number of the result. */
  readonly genetoxDetailsId?: number | null
  /** Note on the result. */
  readonly genetoxNote?: string | null
  /** Result in the words of the source. */
  readonly genetoxResults?: string | null
  /** Number of the summary that the result counts in. */
  readonly genetoxSummaryId?: number | null
  /** Whether the study followed good laboratory practice, as a number. */
  readonly glp?: number | null
  /** Test guideline that the study followed. */
  readonly guideline?: string | null
  /** Index of the result in its source. */
  readonly index?: string | null
  /** Call over the micronucleus tests. */
  readonly micronucleus?: string | null
  /** Report of the panel of experts. */
  readonly panelReport?: string | null
  /** Era of the protocol. */
  readonly protocolEra?: string | null
  /** Citation of the study. */
  readonly reference?: string | null
  /** Page of the study. */
  readonly referenceUrl?: string | null
  /** Number of negative results, as text. */
  readonly reportsNeg?: string | null
  /** Number of other results, as text. */
  readonly reportsOther?: string | null
  /** Number of positive results, as text. */
  readonly reportsPos?: string | null
  /** Sex of the animals, e.g. M/F. */
  readonly sex?: string | null
  /** Title of the study. */
  readonly title?: string | null
  /** Mark of the records to use. */
  readonly useme?: number | null
}

/** HAWC assessment. */
export interface HawcAssessment {
  /** Number of the record. */
  readonly id?: number | null
  /** Name of the assessment. */
  readonly name?: string | null
  /** Year of the assessment. */
  readonly year?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Page of the substance in the dashboard. */
  readonly ccdUrl?: string | null
  /** Page of the assessment. */
  readonly hawcUrl?: string | null
}

/** IRIS assessment. */
export interface IrisAssessment {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Name of the substance. */
  readonly chemicalName?: string | null
  /** CAS registry number. */
  readonly casrn?: string | null
  /** Date of the last significant revision, e.g. 1988-09-26. */
  readonly lastSignificantRevision?: string | null
  /** Whether the literature was screened for new studies, e.g. Yes. */
  readonly literatureScreeningReview?: string | null
  /** Organ systems of the critical effects. */
  readonly criticalEffectsSystems?: string | null
  /** Chronic reference dose with its unit, e.g. 5 x 10 -2 mg/kg-day. */
  readonly rfdChronic?: string | null
  /** Subchronic reference dose with its unit. */
  readonly rfdSubchronic?: string | null
  /** Chronic reference concentration with its unit. */
  readonly rfcChronic?: string | null
  /** Subchronic reference concentration with its unit. */
  readonly rfcSubchronic?: string | null
  /** Sites of tumors. */
  readonly tumorSite?: string | null
  /** Page of the assessment. */
  readonly irisUrl?: string | null
}

/** PPRTV assessment. */
export interface PprtvAssessment {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Number of the substance among the assessments. */
  readonly pprtvSubstanceId?: number | null
  /** Name of the substance. */
  readonly name?: string | null
  /** CAS registry number. */
  readonly casrn?: string | null
  /** Year of the last revision. */
  readonly lastRevision?: number | null
  /** Document of the assessment. */
  readonly pprtvAssessment?: string | null
  /** Page of the IRIS assessment. */
  readonly irisLink?: string | null
  /** Reference concentration with its unit, e.g. 3 x 10-3 mg/m3. */
  readonly rfcValue?: string | null
  /** Reference dose with its unit, e.g. 7 x 10-5 mg/kg-day. */
  readonly rfdValue?: string | null
  /** Weight of evidence for carcinogenicity, in words. */
  readonly woe?: string | null
}

/** Skin or eye result. */
export interface SkinEyeResult {
  /** Number of the record. */
  readonly id?: number | null
  /** Weight of the source, e.g. Authoritative or Screening. */
  readonly authority?: string | null
  /** Classification in the words of the source, e.g. Skin Sens. 1. */
  readonly classification?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Skin Sensitization, Skin Irritation or Eye Irritation. */
  readonly endpoint?: string | null
  /** Whether the study followed good laboratory practice. */
  readonly glp?: string | null
  /** Test guideline that the study followed. */
  readonly guideline?: string | null
  /** Page of the source. */
  readonly recordUrl?: string | null
  /** Reliability of the study, e.g. a Klimisch score. */
  readonly reliability?: string | null
  /** Result in words, with the reason of the score. */
  readonly resultText?: string | null
  /** Hazard score, from L (low) to VH (very high). */
  readonly score?: string | null
  /** Digest that identifies the record. */
  readonly skinEyeHash?: string | null
  /** Number of the record in its source. */
  readonly skinEyeId?: number | null
  /** UUID of the record in its source. */
  readonly skinEyeUuid?: string | null
  /** Source of the result, e.g. ECHA CLP. */
  readonly source?: string | null
  /** Species of the animals. */
  readonly species?: string | null
  /** Strain of the animals. */
  readonly strain?: string | null
  /** Type of study, e.g. skin sensitization. */
  readonly studyType?: string | null
  /** Year of the study; -1 if unknown. */
  readonly year?: number | null
}

/** ToxRefDB data. */
export interface ToxrefData {
  /** Number of the record. */
  readonly id?: number | null
  /** Number of the study. */
  readonly studyId?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** CAS registry number. */
  readonly casrn?: string | null
  /** Name of the substance. */
  readonly name?: string | null
  /** Source of the study, e.g. opp_der or ntp. */
  readonly studySource?: string | null
  /** Identifier of the document in its source. */
  readonly studySourceId?: string | null
  /** Citation of the document. */
  readonly citation?: string | null
  /** Year of the study. */
  readonly studyYear?: string | number | null
  /**
   * Type of study: ACU acute, SAC subacute, SUB subchronic, CHR chronic, DEV developmental, MGR
   * multigeneration reproductive, NEU neurological, DNT developmental neurotoxicity.
   */
  readonly studyType?: string | null
  /** Test guideline that the study is closest to. */
  readonly studyTypeGuideline?: string | null
  /** Species of the animals. */
  readonly species?: string | null
  /** Group of the strain. */
  readonly strainGroup?: string | null
  /** Strain of the animals. */
  readonly strain?: string | null
  /** Route of administration, e.g. Oral. */
  readonly adminRoute?: string | null
  /** Method of administration, e.g. Feed. */
  readonly adminMethod?: string | null
  /** Duration of dosing, in the unit of doseDurationUnit. */
  readonly doseDuration?: string | number | null
  /** Unit of the duration, e.g. week. */
  readonly doseDurationUnit?: string | null
  /** Start of dosing, in the unit of doseStartUnit. */
  readonly doseStart?: number | null
  /** Unit of the start, e.g. GD (day of gestation). */
  readonly doseStartUnit?: string | null
  /** End of dosing, in the unit of doseEndUnit. */
  readonly doseEnd?: number | null
  /** Unit of the end. */
  readonly doseEndUnit?: string | null
  /** Period of dosing before the animals were examined, e.g. terminal. */
  readonly dosePeriod?: string | null
  /** Rank of the dose; 0 is the control. */
  readonly doseLevel?: number | null
  /** Concentration given, in the unit of concUnit. */
  readonly conc?: string | number | null
  /** Unit of the concentration, e.g. ppm. */
  readonly concUnit?: string | null
  /** Carrier of the substance. */
  readonly vehicle?: string | null
  /** Comment on the dose. */
  readonly doseComment?: string | null
  /** Dose by body weight, in the unit of doseAdjustedUnit. */
  readonly doseAdjusted?: string | number | null
  /** Unit of the dose by body weight, usually mg/kg/day. */
  readonly doseAdjustedUnit?: string | null
  /** Sex of the animals: M, F or MF. */
  readonly sex?: string | null
  /** Generation of the animals, e.g. F0 or fetal. */
  readonly generation?: string | null
  /** Stage of life at the examination, e.g. adult. */
  readonly lifeStage?: string | null
  /** Number of animals in the group. */
  readonly numAnimals?: string | number | null
  /** Comment on the group. */
  readonly tgComment?: string | null
  /** Category of the endpoint: systemic, developmental, reproductive or cholinesterase. */
  readonly endpointCategory?: string | null
  /** Type of the endpoint, e.g. clinical chemistry. */
  readonly endpointType?: string | null
  /** Organ, tissue or measure of the endpoint, e.g. body weight. */
  readonly endpointTarget?: string | null
  /** Effect, e.g. body weight gain. */
  readonly effectDesc?: string | null
  /** Effect in the words of the document. */
  readonly effectDescFree?: string | null
  /** Whether the effect relates to cancer. */
  readonly cancerRelated?: boolean | null
  /** Place in the target, e.g. a type of cell. */
  readonly targetSite?: string | null
  /** Direction of the change over the doses: 1 is an increase, -1 a decrease. */
  readonly direction?: number | null
  /** Comment on the effect. */
  readonly effectComment?: string | null
  /** Whether the effect differs significantly from the control at this dose. */
  readonly treatmentRelated?: boolean | string | null
  /** Whether the effect is adverse at this dose. */
  readonly criticalEffect?: boolean | null
  /** Number of animals examined, as text. */
  readonly sampleSize?: string | null
  /** Size of the effect, in the unit of effectValUnit. */
  readonly effectVal?: string | number | null
  /** Unit of the size, e.g. incidence. */
  readonly effectValUnit?: string | null
  /** Variation of the size, as effectVarType says. */
  readonly effectVar?: string | number | null
  /** Measure of the variation, e.g. SEM. */
  readonly effectVarType?: string | null
  /** Time of the examination, in the unit of timeUnit. */
  readonly time?: string | number | null
  /** Unit of the time. */
  readonly timeUnit?: string | null
  /** Whether the effect was reported without numbers. */
  readonly noQuantDataReported?: boolean | null
  /** Date of the export from ToxRefDB, e.g. 2024-12-02. */
  readonly exportDate?: string | null
  /** Version of ToxRefDB, e.g. v2_1. */
  readonly version?: string | null
  /** Number of the record in a batch. */
  readonly tbsKey?: number | null
}

/** ToxRefDB effect. */
export interface ToxrefEffect {
  /** Number of the record. */
  readonly id?: number | null
  /** Number of the study. */
  readonly studyId?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** CAS registry number. */
  readonly casrn?: string | null
  /** Name of the substance. */
  readonly name?: string | null
  /** Source of the study, e.g. opp_der or ntp. */
  readonly studySource?: string | null
  /** Identifier of the document in its source. */
  readonly studySourceId?: string | null
  /** Citation of the document. */
  readonly citation?: string | null
  /** Year of the study. */
  readonly studyYear?: number | null
  /**
   * Type of study: ACU acute, SAC subacute, SUB subchronic, CHR chronic, DEV developmental, MGR
   * multigeneration reproductive, NEU neurological, DNT developmental neurotoxicity.
   */
  readonly studyType?: string | null
  /** Test guideline that the study is closest to. */
  readonly studyTypeGuideline?: string | null
  /** Species of the animals. */
  readonly species?: string | null
  /** Group of the strain. */
  readonly strainGroup?: string | null
  /** Strain of the animals. */
  readonly strain?: string | null
  /** Route of administration, e.g. Oral. */
  readonly adminRoute?: string | null
  /** Method of administration, e.g. Feed. */
  readonly adminMethod?: string | null
  /** Duration of dosing, in the unit of doseDurationUnit. */
  readonly doseDuration?: number | null
  /** Unit of the duration, e.g. week. */
  readonly doseDurationUnit?: string | null
  /** Start of dosing, in the unit of doseStartUnit. */
  readonly doseStart?: number | null
  /** Unit of the start, e.g. GD (day of gestation). */
  readonly doseStartUnit?: string | null
  /** End of dosing, in the unit of doseEndUnit. */
  readonly doseEnd?: number | null
  /** Unit of the end. */
  readonly doseEndUnit?: string | null
  /** Period of dosing before the animals were examined, e.g. terminal. */
  readonly dosePeriod?: string | null
  /** Rank of the dose; 0 is the control. */
  readonly doseLevel?: number | null
  /** Concentration given, in the unit of concUnit. */
  readonly conc?: number | null
  /** Unit of the concentration, e.g. ppm. */
  readonly concUnit?: string | null
  /** Carrier of the substance. */
  readonly vehicle?: string | null
  /** Comment on the dose. */
  readonly doseComment?: string | null
  /** Dose by body weight, in the unit of doseAdjustedUnit. */
  readonly doseAdjusted?: number | null
  /** Unit of the dose by body weight, usually mg/kg/day. */
  readonly doseAdjustedUnit?: string | null
  /** Sex of the animals: M, F or MF. */
  readonly sex?: string | null
  /** Generation of the animals, e.g. F0 or fetal. */
  readonly generation?: string | null
  /** Stage of life at the examination, e.g. adult. */
  readonly lifeStage?: string | null
  /** Number of animals in the group. */
  readonly numAnimals?: number | null
  /** Comment on the group. */
  readonly tgComment?: string | null
  /** Category of the endpoint: systemic, developmental, reproductive or cholinesterase. */
  readonly endpointCategory?: string | null
  /** Type of the endpoint, e.g. clinical chemistry. */
  readonly endpointType?: string | null
  /** Organ, tissue or measure of the endpoint, e.g. body weight. */
  readonly endpointTarget?: string | null
  /** Effect, e.g. body weight gain. */
  readonly effectDesc?: string | null
  /** Effect in the words of the document. */
  readonly effectDescFree?: string | null
  /** Whether the effect relates to cancer. */
  readonly cancerRelated?: boolean | null
  /** Place in the target, e.g. a type of cell. */
  readonly targetSite?: string | null
  /** Direction of the change over the doses: 1 is an increase, -1 a decrease. */
  readonly direction?: number | null
  /** Comment on the effect. */
  readonly effectComment?: string | null
  /** Whether the effect differs significantly from the control at this dose. */
  readonly treatmentRelated?: boolean | null
  /** Whether the effect is adverse at this dose. */
  readonly criticalEffect?: boolean | null
  /** Number of animals examined, as text. */
  readonly sampleSize?: string | null
  /** Size of the effect, in the unit of effectValUnit. */
  readonly effectVal?: number | null
  /** Unit of the size, e.g. incidence. */
  readonly effectValUnit?: string | null
  /** Variation of the size, as effectVarType says. */
  readonly effectVar?: number | null
  /** Measure of the variation, e.g. SEM. */
  readonly effectVarType?: string | null
  /** Time of the examination, in the unit of timeUnit. */
  readonly time?: number | null
  /** Unit of the time. */
  readonly timeUnit?: string | null
  /** Whether the effect was reported without numbers. */
  readonly noQuantDataReported?: boolean | null
  /** Date of the export from ToxRefDB, e.g. 2024-12-02. */
  readonly exportDate?: string | null
  /** Version of ToxRefDB, e.g. v2_1. */
  readonly version?: string | null
}

/** ToxRefDB observation. */
export interface ToxrefObservation {
  /** Number of the record. */
  readonly id?: number | null
  /** Number of the study. */
  readonly studyId?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** CAS registry number. */
  readonly casrn?: string | null
  /** Name of the substance. */
  readonly name?: string | null
  /**
   * Type of study: ACU acute, SAC subacute, SUB subchronic, CHR chronic, DEV developmental, MGR
   * multigeneration reproductive, NEU neurological, DNT developmental neurotoxicity.
   */
  readonly studyType?: string | null
  /** Number of the test guideline, e.g. 870.3700. */
  readonly guidelineNumber?: string | null
  /** Name of the test guideline. */
  readonly guidelineName?: string | null
  /** Category of the endpoint: systemic, developmental, reproductive or cholinesterase. */
  readonly endpointCategory?: string | null
  /** Type of the endpoint, e.g. clinical chemistry. */
  readonly endpointType?: string | null
  /** Organ, tissue or measure of the endpoint, e.g. body weight. */
  readonly endpointTarget?: string | null
  /** Whether the endpoint was tested and reported, in words. */
  readonly status?: string | null
  /** Whether the status is assumed from the guideline. */
  readonly defaultStatus?: boolean | null
  /** Whether the endpoint was tested. */
  readonly testedStatus?: boolean | null
  /** Whether the endpoint was reported. */
  readonly reportedStatus?: boolean | null
  /** Date of the export from ToxRefDB, e.g. 2024-12-02. */
  readonly exportDate?: string | null
  /** Version of ToxRefDB, e.g. v2_1. */
  readonly version?: string | null
}

/** ToxRefDB study. */
export interface ToxrefStudy {
  /** Number of the record. */
  readonly id?: number | null
  /** Number of the study. */
  readonly studyId?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** CAS registry number. */
  readonly casrn?: string | null
  /** Name of the substance. */
  readonly name?: string | null
  /** Source of the study, e.g. opp_der or ntp. */
  readonly studySource?: string | null
  /** Identifier of the document in its source. */
  readonly studySourceId?: string | null
  /** Citation of the document. */
  readonly citation?: string | null
  /** Year of the study. */
  readonly studyYear?: number | null
  /**
   * Type of study: ACU acute, SAC subacute, SUB subchronic, CHR chronic, DEV developmental, MGR
   * multigeneration reproductive, NEU neurological, DNT developmental neurotoxicity.
   */
  readonly studyType?: string | null
  /** Test guideline that the study is closest to. */
  readonly studyTypeGuideline?: string | null
  /** Species of the animals. */
  readonly species?: string | null
  /** Group of the strain. */
  readonly strainGroup?: string | null
  /** Strain of the animals. */
  readonly strain?: string | null
  /** Route of administration, e.g. Oral. */
  readonly adminRoute?: string | null
  /** Method of administration, e.g. Feed. */
  readonly adminMethod?: string | null
  /** Start of dosing, in the unit of doseStartUnit. */
  readonly doseStart?: number | null
  /** Unit of the start, e.g. GD (day of gestation). */
  readonly doseStartUnit?: string | null
  /** End of dosing, in the unit of doseEndUnit. */
  readonly doseEnd?: number | null
  /** Unit of the end. */
  readonly doseEndUnit?: string | null
  /** Date of the export from ToxRefDB, e.g. 2024-12-02. */
  readonly exportDate?: string | null
  /** Version of ToxRefDB, e.g. v2_1. */
  readonly version?: string | null
}

/** Toxicity value. */
export interface ToxicityValue {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** CAS registry number. */
  readonly casrn?: string | null
  /** Name of the substance. */
  readonly name?: string | null
  /** Database or organization that the record comes from, e.g. ECHA IUCLID. */
  readonly source?: string | null
  /** Part of the source. */
  readonly subsource?: string | null
  /** Kind of the value, e.g. NOAEL, LD50 or RfD. */
  readonly toxvalType?: string | null
  /** Definition of the kind. */
  readonly toxvalTypeDefinition?: string | null
  /** Variant of the kind, e.g. acute. */
  readonly toxvalSubtype?: string | null
  /** Category of the kind, e.g. Dose Response Summary Value. */
  readonly toxvalTypeSuperCategory?: string | null
  /** Relation of the true value to the number: =, <, <=, > or >=. */
  readonly qualifier?: string | null
  /** The value, in the unit of toxvalUnits. */
  readonly toxvalNumeric?: number | null
  /** Unit of the value, e.g. mg/kg-day or mg/L. */
  readonly toxvalUnits?: string | null
  /** Use of the value in risk assessment, e.g. cancer. */
  readonly riskAssessmentClass?: string | null
  /** Whether the value is for human health or ecology, e.g. human health. */
  readonly humanEco?: string | null
  /** Type of study, e.g. subchronic. */
  readonly studyType?: string | null
  /** Class of the duration, e.g. chronic. */
  readonly studyDurationClass?: string | null
  /** Duration of the study, in the unit of studyDurationUnits. */
  readonly studyDurationValue?: number | null
  /** Unit of the duration, e.g. weeks. */
  readonly studyDurationUnits?: string | null
  /** Common name of the species. */
  readonly speciesCommon?: string | null
  /** Strain of the animals. */
  readonly strain?: string | null
  /** Scientific name of the species. */
  readonly latinName?: string | null
  /** Group of the species, e.g. Mammals. */
  readonly speciesSupercategory?: string | null
  /** Sex of the animals, e.g. M/F. */
  readonly sex?: string | null
  /** Generation of the animals, e.g. F1. */
  readonly generation?: string | null
  /** Stage of life, e.g. adult. */
  readonly lifestage?: string | null
  /** Route of exposure, e.g. oral. */
  readonly exposureRoute?: string | null
  /** Method of exposure, e.g. gavage. */
  readonly exposureMethod?: string | null
  /** Carrier of the substance, e.g. feed. */
  readonly exposureForm?: string | null
  /** Medium of exposure, e.g. fresh water. */
  readonly media?: string | null
  /** Effects behind the value, separated by |. */
  readonly toxicologicalEffect?: string | null
  /** Whether the value was measured, e.g. experimental or undetermined. */
  readonly experimentalRecord?: string | null
  /** Name of the group of records that come from one study. */
  readonly studyGroup?: string | null
  /** Citation of the study. */
  readonly longRef?: string | null
  /** DOI of the study. */
  readonly doi?: string | null
  /** Title of the study. */
  readonly title?: string | null
  /** Authors of the study. */
  readonly author?: string | null
  /** Year of the study. */
  readonly year?: string | null
  /** Test guideline that the study followed. */
  readonly guideline?: string | null
  /** Reliability of the study in the words of the source, e.g. a Klimisch score. */
  readonly quality?: string | null
  /** How the record was checked. */
  readonly qcCategory?: string | null
  /** Digest that identifies the record of the source. */
  readonly sourceHash?: string | null
  /** Identifier of the record in its source. */
  readonly externalSourceId?: string | null
  /** Kind of that identifier. */
  readonly externalSourceIdDesc?: string | null
  /** Page of the source. */
  readonly sourceUrl?: string | null
  /** Page of the part of the source. */
  readonly subsourceUrl?: string | null
  /** Stored copy of the source's record. */
  readonly storedSourceRecord?: string | null
  /** Kind of the value, as in the source. */
  readonly toxvalTypeOriginal?: string | null
  /** Variant of the kind, as in the source. */
  readonly toxvalSubtypeOriginal?: string | null
  /** The value, as in the source. */
  readonly toxvalNumericOriginal?: number | null
  /** Unit of the value, as in the source. */
  readonly toxvalUnitsOriginal?: string | null
  /** Type of study, as in the source. */
  readonly studyTypeOriginal?: string | null
  /** Class of the duration, as in the source. */
  readonly studyDurationClassOriginal?: string | null
  /** Duration of the study, as in the source. */
  readonly studyDurationValueOriginal?: string | null
  /** Unit of the duration, as in the source. */
  readonly studyDurationUnitsOriginal?: string | null
  /** Species, as in the source. */
  readonly speciesOriginal?: string | null
  /** Strain, as in the source. */
  readonly strainOriginal?: string | null
  /** Sex, as in the source. */
  readonly sexOriginal?: string | null
  /** Generation, as in the source. */
  readonly generationOriginal?: string | null
  /** Stage of life, as in the source. */
  readonly lifestageOriginal?: string | null
  /** Route of exposure, as in the source. */
  readonly exposureRouteOriginal?: string | null
  /** Method of exposure, as in the source. */
  readonly exposureMethodOriginal?: string | null
  /** Carrier of the substance, as in the source. */
  readonly exposureFormOriginal?: string | null
  /** Medium of exposure, as in the source. */
  readonly mediaOriginal?: string | null
  /** Effects behind the value, as in the source. */
  readonly toxicologicalEffectOriginal?: string | null
  /** Year of the study, as in the source. */
  readonly originalYear?: string | null
}
