// Generated from packages/api/src/records/PropertyRecords.ts by `npm run generate`. Change the schema there instead.

/** Fate of a substance. */
export interface Fate {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Fate properties, each with its values. */
  readonly properties?: ReadonlyArray<{
    /** Name of the property, e.g. Boiling Point. */
    readonly propName?: string | null
    /** Measured values; null where none is known. */
    readonly experimentalFateData?: ReadonlyArray<{
      /** Number of the record. */
      readonly id?: number | null
      /** Substance identifier (DTXSID…). */
      readonly dtxsid?: string | null
      /** Compound identifier (DTXCID…). */
      readonly dtxcid?: string | null
      /** SMILES of the structure. */
      readonly smiles?: string | null
      /** Name of the property, e.g. Boiling Point. */
      readonly prop_name?: string | null
      /** predicted or experimental. */
      readonly prop_type?: string | null
      /** Category of the property: Env. Fate/transport. */
      readonly prop_category?: string | null
      /** Unit of the value, e.g. °C or mol/L. */
      readonly prop_unit?: string | null
      /** Date of the export of the data, YYYY-MM-DD. */
      readonly export_date?: string | null
      /** Version of the data. */
      readonly data_version?: string | null
      /** Data set with the value, e.g. exp_prop_BCF_v2.0. */
      readonly dataset?: string | null
      /** Measured value, in the unit beside it. */
      readonly prop_value?: number | null
      /** Number of the value in the source database. */
      readonly prop_value_id?: number | null
      /** Value and unit as the source has them. */
      readonly prop_value_original?: string | null
      /** Value in words, where it is not a number. */
      readonly prop_value_text?: string | null
      /** Temperature of the measurement, °C. */
      readonly exp_details_temperature_c?: number | null
      /** Pressure of the measurement, mmHg. */
      readonly exp_details_pressure_mmhg?: number | null
      /** pH of the measurement. */
      readonly exp_details_ph?: number | null
      /** Part of the organism that the value is of, e.g. Whole body. */
      readonly exp_details_response_site?: string | null
      /** Latin name of the species. */
      readonly exp_details_species_latin?: string | null
      /** Common name of the species. */
      readonly exp_details_species_common?: string | null
      /** Group of the species, e.g. Fish. */
      readonly exp_details_species_supercategory?: string | null
      /** Source of the value. */
      readonly source_name?: string | null
      /** Description of the source. */
      readonly source_description?: string | null
      /** Public database with the value. */
      readonly public_source_name?: string | null
      /** Description of the public database. */
      readonly public_source_description?: string | null
      /** Address of the public database. */
      readonly public_source_url?: string | null
      /** Address of the value in the source. */
      readonly direct_url?: string | null
      /** Literature with the value, by author and year. */
      readonly ls_name?: string | null
      /** Citation of the literature. */
      readonly ls_citation?: string | null
      /** DOI of the literature. */
      readonly ls_doi?: string | null
      /** Citation in short, as the public database has it. */
      readonly brief_citation?: string | null
      /** Source from which the public database has the value. */
      readonly public_source_original_name?: string | null
      /** Description of the original source. */
      readonly public_source_original_description?: string | null
      /** Address of the original source. */
      readonly public_source_original_url?: string | null
    } | null> | null
    /** Predicted values; null where there is none. */
    readonly predictedFateData?: ReadonlyArray<{
      /** Number of the record. */
      readonly id?: number | null
      /** Substance identifier (DTXSID…). */
      readonly dtxsid?: string | null
      /** Compound identifier (DTXCID…). */
      readonly dtxcid?: string | null
      /** SMILES of the structure. */
      readonly smiles?: string | null
      /** Name of the property, e.g. Boiling Point. */
      readonly prop_name?: string | null
      /** predicted or experimental. */
      readonly prop_type?: string | null
      /** Category of the property: Env. Fate/transport. */
      readonly prop_category?: string | null
      /** Unit of the value, e.g. °C or mol/L. */
      readonly prop_unit?: string | null
      /** Date of the export of the data, YYYY-MM-DD. */
      readonly export_date?: string | null
      /** Version of the data. */
      readonly data_version?: string | null
      /** SMILES of the structure that the model read; N/A where there is none. */
      readonly canon_qsar_smiles?: string | null
      /** When the substance last changed, ISO 8601 without a time zone. */
      readonly generic_substance_updated_at?: string | null
      /** Meaning of the property; may have HTML. */
      readonly property_description?: string | null
      /** Model that predicted the value, e.g. OPERA_LogP. */
      readonly model_name?: string | null
      /** Number of the model. */
      readonly model_id?: number | null
      /** Software of the model, with its version, e.g. OPERA2.8. */
      readonly source_name?: string | null
      /** Description of the software, with links, as HTML. */
      readonly source_description?: string | null
      /** Measured value of the training set, in the unit of the value. */
      readonly prop_value_experimental?: number | null
      /** Measured value of the training set, as text. */
      readonly prop_value_experimental_string?: string | null
      /** Predicted value, in the unit beside it; null where the model has none. */
      readonly prop_value?: number | null
      /** Predicted value in words, e.g. Not readily biodeg.. */
      readonly prop_value_string?: string | null
      /** Why the model has no value. */
      readonly prop_value_error?: string | null
      /** Method of the local applicability domain, e.g. Combined Applicability Domain. */
      readonly ad_method?: string | null
      /** Value of the local applicability domain, usually 1 inside and 0 outside. */
      readonly ad_value?: number | null
      /** Whether the substance is Inside or Outside of the local applicability domain. */
      readonly ad_conclusion?: string | null
      /** Reason of the conclusion; may have HTML entities. */
      readonly ad_reasoning?: string | null
      /** Method of the global applicability domain, e.g. OPERA Global Index. */
      readonly ad_method_global?: string | null
      /** Value of the global applicability domain, usually 1 inside and 0 outside. */
      readonly ad_value_global?: number | null
      /** Whether the substance is Inside or Outside of the global applicability domain. */
      readonly ad_conclusion_global?: string | null
      /** Reason of the conclusion about the global applicability domain. */
      readonly ad_reasoning_global?: string | null
      /** Whether the model has a QSAR model reporting format (QMRF) document. */
      readonly has_qmrf?: boolean | null
      /** Address of the QMRF document. */
      readonly qmrf_url?: string | null
    } | null> | null
  }> | null
}

/** Fate property of a substance. */
export interface FateProperty {
  /** Name of the property, e.g. Boiling Point. */
  readonly propName?: string | null
  /** Measured values; null where none is known. */
  readonly experimentalFateData?: ReadonlyArray<{
    /** Number of the record. */
    readonly id?: number | null
    /** Substance identifier (DTXSID…). */
    readonly dtxsid?: string | null
    /** Compound identifier (DTXCID…). */
    readonly dtxcid?: string | null
    /** SMILES of the structure. */
    readonly smiles?: string | null
    /** Name of the property, e.g. Boiling Point. */
    readonly prop_name?: string | null
    /** predicted or experimental. */
    readonly prop_type?: string | null
    /** Category of the property: Env. Fate/transport. */
    readonly prop_category?: string | null
    /** Unit of the value, e.g. °C or mol/L. */
    readonly prop_unit?: string | null
    /** Date of the export of the data, YYYY-MM-DD. */
    readonly export_date?: string | null
    /** Version of the data. */
    readonly data_version?: string | null
    /** Data set with the value, e.g. exp_prop_BCF_v2.0. */
    readonly dataset?: string | null
    /** Measured value, in the unit beside it. */
    readonly prop_value?: number | null
    /** Number of the value in the source database. */
    readonly prop_value_id?: number | null
    /** Value and unit as the source has them. */
    readonly prop_value_original?: string | null
    /** Value in words, where it is not a number. */
    readonly prop_value_text?: string | null
    /** Temperature of the measurement, °C. */
    readonly exp_details_temperature_c?: number | null
    /** Pressure of the measurement, mmHg. */
    readonly exp_details_pressure_mmhg?: number | null
    /** pH of the measurement. */
    readonly exp_details_ph?: number | null
    /** Part of the organism that the value is of, e.g. Whole body. */
    readonly exp_details_response_site?: string | null
    /** Latin name of the species. */
    readonly exp_details_species_latin?: string | null
    /** Common name of the species. */
    readonly exp_details_species_common?: string | null
    /** Group of the species, e.g. Fish. */
    readonly exp_details_species_supercategory?: string | null
    /** Source of the value. */
    readonly source_name?: string | null
    /** Description of the source. */
    readonly source_description?: string | null
    /** Public database with the value. */
    readonly public_source_name?: string | null
    /** Description of the public database. */
    readonly public_source_description?: string | null
    /** Address of the public database. */
    readonly public_source_url?: string | null
    /** Address of the value in the source. */
    readonly direct_url?: string | null
    /** Literature with the value, by author and year. */
    readonly ls_name?: string | null
    /** Citation of the literature. */
    readonly ls_citation?: string | null
    /** DOI of the literature. */
    readonly ls_doi?: string | null
    /** Citation in short, as the public database has it. */
    readonly brief_citation?: string | null
    /** Source from which the public database has the value. */
    readonly public_source_original_name?: string | null
    /** Description of the original source. */
    readonly public_source_original_description?: string | null
    /** Address of the original source. */
    readonly public_source_original_url?: string | null
  } | null> | null
  /** Predicted values; null where there is none. */
  readonly predictedFateData?: ReadonlyArray<{
    /** Number of the record. */
    readonly id?: number | null
    /** Substance identifier (DTXSID…). */
    readonly dtxsid?: string | null
    /** Compound identifier (DTXCID…). */
    readonly dtxcid?: string | null
    /** SMILES of the structure. */
    readonly smiles?: string | null
    /** Name of the property, e.g. Boiling Point. */
    readonly prop_name?: string | null
    /** predicted or experimental. */
    readonly prop_type?: string | null
    /** Category of the property: Env. Fate/transport. */
    readonly prop_category?: string | null
    /** Unit of the value, e.g. °C or mol/L. */
    readonly prop_unit?: string | null
    /** Date of the export of the data, YYYY-MM-DD. */
    readonly export_date?: string | null
    /** Version of the data. */
    readonly data_version?: string | null
    /** SMILES of the structure that the model read; N/A where there is none. */
    readonly canon_qsar_smiles?: string | null
    /** When the substance last changed, ISO 8601 without a time zone. */
    readonly generic_substance_updated_at?: string | null
    /** Meaning of the property; may have HTML. */
    readonly property_description?: string | null
    /** Model that predicted the value, e.g. OPERA_LogP. */
    readonly model_name?: string | null
    /** Number of the model. */
    readonly model_id?: number | null
    /** Software of the model, with its version, e.g. OPERA2.8. */
    readonly source_name?: string | null
    /** Description of the software, with links, as HTML. */
    readonly source_description?: string | null
    /** Measured value of the training set, in the unit of the value. */
    readonly prop_value_experimental?: number | null
    /** Measured value of the training set, as text. */
    readonly prop_value_experimental_string?: string | null
    /** Predicted value, in the unit beside it; null where the model has none. */
    readonly prop_value?: number | null
    /** Predicted value in words, e.g. Not readily biodeg.. */
    readonly prop_value_string?: string | null
    /** Why the model has no value. */
    readonly prop_value_error?: string | null
    /** Method of the local applicability domain, e.g. Combined Applicability Domain. */
    readonly ad_method?: string | null
    /** Value of the local applicability domain, usually 1 inside and 0 outside. */
    readonly ad_value?: number | null
    /** Whether the substance is Inside or Outside of the local applicability domain. */
    readonly ad_conclusion?: string | null
    /** Reason of the conclusion; may have HTML entities. */
    readonly ad_reasoning?: string | null
    /** Method of the global applicability domain, e.g. OPERA Global Index. */
    readonly ad_method_global?: string | null
    /** Value of the global applicability domain, usually 1 inside and 0 outside. */
    readonly ad_value_global?: number | null
    /** Whether the substance is Inside or Outside of the global applicability domain. */
    readonly ad_conclusion_global?: string | null
    /** Reason of the conclusion about the global applicability domain. */
    readonly ad_reasoning_global?: string | null
    /** Whether the model has a QSAR model reporting format (QMRF) document. */
    readonly has_qmrf?: boolean | null
    /** Address of the QMRF document. */
    readonly qmrf_url?: string | null
  } | null> | null
}

/** Measured value of a property. */
export interface Experimental {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Compound identifier (DTXCID…). */
  readonly dtxcid?: string | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** Name of the property, e.g. Boiling Point. */
  readonly propName?: string | null
  /** Data set with the value, e.g. exp_prop_BCF_v2.0. */
  readonly dataset?: string | null
  /** Measured value, in the unit beside it. */
  readonly propValue?: number | null
  /** Unit of the value, e.g. °C or mol/L. */
  readonly propUnit?: string | null
  /** Number of the value in the source database. */
  readonly propValueId?: number | null
  /** Value and unit as the source has them. */
  readonly propValueOriginal?: string | null
  /** Value in words, where it is not a number. */
  readonly propValueText?: string | null
  /** Temperature of the measurement, °C. */
  readonly expDetailsTemperatureC?: number | null
  /** Pressure of the measurement, mmHg. */
  readonly expDetailsPressureMmhg?: number | null
  /** pH of the measurement. */
  readonly expDetailsPh?: number | null
  /** Part of the organism that the value is of, e.g. Whole body. */
  readonly expDetailsResponseSite?: string | null
  /** Latin name of the species. */
  readonly expDetailsSpeciesLatin?: string | null
  /** Common name of the species. */
  readonly expDetailsSpeciesCommon?: string | null
  /** Group of the species, e.g. Fish. */
  readonly expDetailsSpeciesSupercategory?: string | null
  /** Source of the value. */
  readonly sourceName?: string | null
  /** Description of the source. */
  readonly sourceDescription?: string | null
  /** Public database with the value. */
  readonly publicSourceName?: string | null
  /** Description of the public database. */
  readonly publicSourceDescription?: string | null
  /** Address of the public database. */
  readonly publicSourceUrl?: string | null
  /** Address of the value in the source. */
  readonly directUrl?: string | null
  /** Literature with the value, by author and year. */
  readonly lsName?: string | null
  /** Citation of the literature. */
  readonly lsCitation?: string | null
  /** DOI of the literature. */
  readonly lsDoi?: string | null
  /** Citation in short, as the public database has it. */
  readonly briefCitation?: string | null
  /** Source from which the public database has the value. */
  readonly publicSourceOriginalName?: string | null
  /** Description of the original source. */
  readonly publicSourceOriginalDescription?: string | null
  /** Address of the original source. */
  readonly publicSourceOriginalUrl?: string | null
}

/** Name of a property. */
export interface PropertyName {
  /** Name of the property, as the other records and the ranges have it. */
  readonly propertyName?: string | null
}

/** Predicted value of a property. */
export interface Predicted {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Compound identifier (DTXCID…). */
  readonly dtxcid?: string | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** SMILES of the structure that the model read; N/A where there is none. */
  readonly canonQsarSmiles?: string | null
  /** When the substance last changed, ISO 8601 without a time zone. */
  readonly genericSubstanceUpdatedAt?: string | null
  /** Name of the property, e.g. Boiling Point. */
  readonly propName?: string | null
  /** Category of the property, e.g. Physchem. */
  readonly propCategory?: string | null
  /** Meaning of the property; may have HTML. */
  readonly propDescription?: string | null
  /** Model that predicted the value, e.g. OPERA_LogP. */
  readonly modelName?: string | null
  /** Number of the model. */
  readonly modelId?: number | null
  /** Software of the model, with its version, e.g. OPERA2.8. */
  readonly sourceName?: string | null
  /** Description of the software, with links, as HTML. */
  readonly sourceDescription?: string | null
  /** Measured value of the training set, in the unit of the value. */
  readonly propValueExperimental?: number | null
  /** Measured value of the training set, as text. */
  readonly propValueExperimentalString?: string | null
  /** Predicted value, in the unit beside it; null where the model has none. */
  readonly propValue?: number | null
  /** Unit of the value, e.g. °C or mol/L. */
  readonly propUnit?: string | null
  /** Predicted value in words, e.g. Not readily biodeg.. */
  readonly propValueString?: string | null
  /** Why the model has no value. */
  readonly propValueError?: string | null
  /** Method of the local applicability domain, e.g. Combined Applicability Domain. */
  readonly adMethod?: string | null
  /** Value of the local applicability domain, usually 1 inside and 0 outside. */
  readonly adValue?: number | null
  /** Whether the substance is Inside or Outside of the local applicability domain. */
  readonly adConclusion?: string | null
  /** Reason of the conclusion; may have HTML entities. */
  readonly adReasoning?: string | null
  /** Method of the global applicability domain, e.g. OPERA Global Index. */
  readonly adMethodGlobal?: string | null
  /** Value of the global applicability domain, usually 1 inside and 0 outside. */
  readonly adValueGlobal?: number | null
  /** Whether the substance is Inside or Outside of the global applicability domain. */
  readonly adConclusionGlobal?: string | null
  /** Reason of the conclusion about the global applicability domain. */
  readonly adReasoningGlobal?: string | null
  /** Whether the model has a QSAR model reporting format (QMRF) document. */
  readonly hasQmrf?: boolean | null
  /** Address of the QMRF document. */
  readonly qmrfUrl?: string | null
}

/** Summary of a property of a substance. */
export interface Summary {
  /** Name of the property, e.g. Boiling Point. */
  readonly propName?: string | null
  /** Unit of the values, e.g. °C. */
  readonly unit?: string | null
  /** Number of predicted values. */
  readonly predictedCount?: number | null
  /** Smallest predicted value, in `unit`. */
  readonly predictedMin?: number | null
  /** Largest predicted value, in `unit`. */
  readonly predictedMax?: number | null
  /** Median of the predicted values, in `unit`. */
  readonly predictedMedian?: number | null
  /** Mean of the predicted values, in `unit`. */
  readonly predictedAverage?: number | null
  /** Number of measured values. */
  readonly experimentalCount?: number | null
  /** Smallest measured value, in `unit`; null where none is known. */
  readonly experimentalMin?: number | null
  /** Largest measured value, in `unit`; null where none is known. */
  readonly experimentalMax?: number | null
  /** Median of the measured values, in `unit`. */
  readonly experimentalMedian?: number | null
  /** Mean of the measured values, in `unit`. */
  readonly experimentalAverage?: number | null
}

/** Value in the summary of one property. */
export interface SummaryValue {
  /** Value, in the unit of the property. */
  readonly propValue?: number | null
  /** Source of the value. */
  readonly sourceName?: string | null
  /** Description of the source; may have HTML. */
  readonly sourceDescription?: string | null
  /** Address of the public database. */
  readonly publicSourceUrl?: string | null
  /** Address of the value in the source. */
  readonly directUrl?: string | null
  /** Part of the organism that the value is of, e.g. Whole body. */
  readonly responseSite?: string | null
  /** Latin name of the species. */
  readonly speciesLatin?: string | null
  /** Whether more about the value is available. */
  readonly availability?: string | null
  /** Whether a page shows the address as a link. */
  readonly showLink?: boolean | null
}
