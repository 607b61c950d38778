// Generated from packages/api/src/records/BioactivityData.ts by `npm run generate`. Change the schema there instead.

/** Bioactivity data record. */
export interface BioactivityData {
  /** Number of the data record (level 4). */
  readonly m4id?: number | null
  /** Number of the model selection (level 5). */
  readonly m5id?: number | null
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Sample identifier. */
  readonly spid?: string | null
  /** Number of the substance. */
  readonly chid?: number | null
  /** CAS registry number. */
  readonly casn?: string | null
  /** Name of the chemical. */
  readonly chnm?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Baseline median absolute deviation of the endpoint, response units. */
  readonly bmad?: number | null
  /** Largest response, response units. */
  readonly respMax?: number | null
  /** Smallest response, response units. */
  readonly respMin?: number | null
  /** Largest mean response over the concentrations, response units. */
  readonly maxMean?: number | null
  /** Concentration of maxMean, log10 µM. */
  readonly maxMeanConc?: number | null
  /** Largest median response over the concentrations, response units. */
  readonly maxMed?: number | null
  /** Concentration of maxMed, log10 µM. */
  readonly maxMedConc?: number | null
  /** Largest concentration tested, log10 µM. */
  readonly logcMax?: number | null
  /** Smallest concentration tested, log10 µM. */
  readonly logcMin?: number | null
  /** Number of concentrations; 1 is single-concentration screening. */
  readonly nconc?: number | null
  /** Number of points. */
  readonly npts?: number | null
  /** Number of replicates a concentration. */
  readonly nrep?: number | null
  /** Number of concentrations whose median response is above three times bmad. */
  readonly nmedGtbl?: number | null
  /** Number of the test plate. */
  readonly tmpi?: number | null
  /** Winning model, e.g. hill. */
  readonly modl?: string | null
  /** Continuous hit call, active from 0.9; in single-concentration data 1 or 0. */
  readonly hitc?: number | null
  /** Fit category. */
  readonly fitc?: number | null
  /** Cutoff of activity, response units. */
  readonly coff?: number | null
  /** Activity probability. */
  readonly actp?: number | null
  /** Direction of the fit. */
  readonly modelType?: number | null
  /** 1 for the sample that represents its chemical, else 0. */
  readonly chidRep?: number | null
  /** Stock concentration. */
  readonly stkc?: number | null
  /** Unit of the stock concentration. */
  readonly stkcUnit?: string | null
  /** Unit of the concentrations tested. */
  readonly testedConcUnit?: string | null
  /** The points: parallel arrays. */
  readonly mc3Param?: {
    /** Concentrations of the points, log10 µM. */
    readonly logc?: ReadonlyArray<number | null> | null
    /** Responses of the points. */
    readonly resp?: ReadonlyArray<number | null> | null
    /** Concentrations of the points, µM. */
    readonly conc?: ReadonlyArray<number | null> | null
  } | null
  /** Parameters of every model fitted, by name. */
  readonly mc4Param?: { readonly [name: string]: number | null } | null
  /** Parameters of the winning model: ac50 in µM, top in response units, hitcall, …. */
  readonly mc5Param?: { readonly [name: string]: number | null } | null
  /** Caution flags of the fit: parallel arrays. */
  readonly mc6Param?: {
    /** Warning flags. */
    readonly flag?: ReadonlyArray<string | null> | null
    /** Numbers of the methods that raised them. */
    readonly mc6MthdId?: ReadonlyArray<number | null> | null
  } | null
  /** Largest concentration tested, µM. */
  readonly concMax?: number | null
  /** Smallest concentration tested, µM. */
  readonly concMin?: number | null
  /** Number of concentrations whose median response is above three times bmad. */
  readonly nmedGtblPos?: number | null
  /** Number of concentrations whose median response is below three times bmad, negated. */
  readonly nmedGtblNeg?: number | null
}

/** Point of the summary plot of bioactivity. */
export interface PlotPoint {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Assay endpoint identifier, as number or text. */
  readonly aeid?: string | number | null
  /** Number of the data record (level 4). */
  readonly m4id?: number | null
  /** Sample identifier. */
  readonly spid?: string | null
  /** Winning model, e.g. hill. */
  readonly modl?: string | null
  /** Continuous hit call, active from 0.9; in single-concentration data 1 or 0. */
  readonly hitc?: number | null
  /** Cutoff of activity, response units. */
  readonly coff?: number | null
  /** Top of the winning model, response units. */
  readonly top?: number | null
  /** Concentration of half the top, µM. */
  readonly ac50?: number | null
  /** Smallest concentration tested, log10 µM. */
  readonly logcMin?: number | null
  /** Largest concentration tested, log10 µM. */
  readonly logcMax?: number | null
  /** Top of the winning model as a multiple of the cutoff. */
  readonly topOverCutoff?: number | null
}
