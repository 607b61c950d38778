// Generated from packages/api/src/records/BioactivitySummary.ts by `npm run generate`. Change the schema there instead.

/** Bioactivity summary of a chemical in a tissue. */
export interface TissueSummary {
  /** Family of the target the endpoint is meant for. */
  readonly intendedTargetFamily?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Tissue the endpoint is in. */
  readonly tissue?: string | null
  /** Concentration of the largest median response, log10 µM. */
  readonly maxMedConc?: number | null
  /** Continuous hit call, active from 0.9. */
  readonly continuousHitCall?: number | null
  /** Name of the chemical. */
  readonly chemicalName?: string | null
  /** Active or Inactive. */
  readonly hitCall?: string | null
  /** Cutoff of activity, response units. */
  readonly cutOff?: number | null
  /** Concentration of half the top, log10 µM. */
  readonly logAC50?: number | null
  /** Concentration of half the top, µM. */
  readonly ac50?: number | null
  /** Concentration at the cutoff, µM. */
  readonly acc?: number | null
}

/** Bioactivity summary of a chemical. */
export interface ChemicalSummary {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** Active samples in multi-concentration screening: hit call of at least 0.9. */
  readonly activeMc?: number | null
  /** Samples in multi-concentration screening. */
  readonly totalMc?: number | null
  /** Active samples in single-concentration screening: hit call 1. */
  readonly activeSc?: number | null
  /** Samples in single-concentration screening. */
  readonly totalSc?: number | null
  /** Median of log10 AC50 (µM) over active cytotoxicity endpoints. */
  readonly cytotoxMedianRaw?: number | null
  /** Median absolute deviation of the same, log10 units. */
  readonly cytotoxMad?: number | null
  /** Median of cytotoxMad over all chemicals, log10 units. */
  readonly globalMad?: number | null
  /** Cytotoxicity median, log10 µM. */
  readonly cytotoxMedianLog?: number | null
  /** Cytotoxicity median, µM. */
  readonly cytotoxMedianUm?: number | null
  /** Lower bound of the cytotoxicity burst, µM. */
  readonly cytotoxLowerUm?: number | null
  /** Lower bound of the cytotoxicity burst, log10 µM. */
  readonly cytotoxLowerLog?: number | null
  /** Cytotoxicity endpoints tested. */
  readonly ntested?: number | null
  /** Cytotoxicity endpoints active. */
  readonly nhit?: number | null
}

/** Bioactivity summary of an assay endpoint. */
export interface EndpointSummary {
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Active samples in multi-concentration screening: hit call of at least 0.9. */
  readonly activeMc?: number | null
  /** Samples in multi-concentration screening. */
  readonly totalMc?: number | null
  /** Active samples in single-concentration screening: hit call 1. */
  readonly activeSc?: number | null
  /** Samples in single-concentration screening. */
  readonly totalSc?: number | null
}
