// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * The calls of the group `assays` (docs/families/assays.md).
 *
 * A malformed identifier fails with `InvalidIdentifier`, and a batch above its limit with `BatchTooLarge`,
 * both without a request. An empty batch sends no request. The mode `F` says whether calls return effects or
 * promises (`Mode`).
 */
import type { AssayRecords, Assays, Row } from "@chemstream/api"
import type { Effects, Mode, One, Records } from "./Mode.ts"

/** The forms of assay endpoints, by projection. */
export type AllForms = Row.RecordsByForm<typeof Assays.all>

/** The forms of assay annotations, by projection. */
export interface AnnotationForms {
  readonly "assay-all": AssayRecords.Annotation
  readonly "ccd-assay-annotation": AssayRecords.DashboardAnnotation
  readonly "ccd-assay-gene": ReadonlyArray<AssayRecords.Gene>
  readonly "ccd-assay-citations": ReadonlyArray<AssayRecords.Citation>
  readonly "ccd-tcpl-processing": ReadonlyArray<AssayRecords.ProcessingStep>
  readonly "ccd-assay-reagents": ReadonlyArray<AssayRecords.Reagent>
  readonly "ccd-assay-aop": ReadonlyArray<AssayRecords.Aop>
}

/** The forms of tested substances, by projection. */
export type ChemicalsForms = Row.RecordsByForm<typeof Assays.chemicals>

/** The forms of single-concentration results, by projection. */
export type SingleConcForms = Row.RecordsByForm<typeof Assays.singleConc>

/** The calls of the group `assays`. */
export interface AssayCalls<F extends Mode = Effects> {
  /**
   * Gets the assay endpoints (GET). The response is several megabytes. Genes, lists and publications are one
   * object or a list. The list of the dashboard counts the active and the tested substances. The list may be
   * empty.
   */
  readonly all: <P extends keyof AllForms = "assay-all">(options?: {
    readonly projection?: P | undefined
  }) => Records<F, AllForms[P]>

  /**
   * Gets the analytical quality record of a substance (GET). Masses and properties are texts. The record of
   * the substance has no sample. The list may be empty.
   */
  readonly analyticalQc: (dtxsid: string) => Records<F, AssayRecords.AnalyticalQc>

  /**
   * Gets the assay annotation of an assay endpoint (GET). Genes, lists and publications are one object or a
   * list. Fails with `NotFound` if there is none.
   */
  readonly annotation: <P extends keyof AnnotationForms = "assay-all">(
    aeid: number,
    options?: { readonly projection?: P | undefined }
  ) => One<F, AnnotationForms[P]>

  /**
   * Gets the assay annotations of up to 200 assay endpoints in one request (POST). Unknown ones have none, and
   * the order may differ from the request.
   */
  readonly annotationBatch: (aeids: ReadonlyArray<number>) => Records<F, AssayRecords.Annotation>

  /**
   * Gets the adverse outcome pathway of an assay endpoint (GET). A record links an assay endpoint, a gene, a
   * key event and a pathway. The list may be empty.
   */
  readonly aopByAeid: (aeid: number) => Records<F, AssayRecords.Aop>

  /**
   * Gets the adverse outcome pathway of a key event (GET). A record links an assay endpoint, a gene, a key
   * event and a pathway. The list may be empty.
   */
  readonly aopByEvent: (eventNumber: number) => Records<F, AssayRecords.Aop>

  /**
   * Gets the adverse outcome pathway of a gene of NCBI (GET). A record links an assay endpoint, a gene, a key
   * event and a pathway. The list may be empty.
   */
  readonly aopByGene: (entrezGeneId: number) => Records<F, AssayRecords.Aop>

  /**
   * Gets the number of the assay endpoint with exactly this name (GET). The response to an unknown name is
   * empty. Fails with `NotFound` if there is none.
   */
  readonly byEndpointName: (endpoint: string) => One<F, number>

  /**
   * Gets the assay endpoint of a gene (GET). The counts are texts, e.g. `131/1066(12.29%)`. The list may be
   * empty.
   */
  readonly byGene: (geneSymbol: string) => Records<F, AssayRecords.EndpointOfGene>

  /**
   * Gets the tested substances (GET). With `ccdassaydetails`, a record is the detail record of a substance
   * with its result; `ac50` and `top` are texts. The list may be empty.
   */
  readonly chemicals: <P extends keyof ChemicalsForms = "dtxsidsonly">(
    aeid: number,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, ChemicalsForms[P]>

  /** Gets the number of assay endpoints (GET). */
  readonly count: () => One<F, number>

  /**
   * Gets the receptor activity prediction of a substance (GET). They are for the androgen and the estrogen
   * receptor. Values are texts: 0 or 1, an area under the curve, or a strength. `-` means that the model does
   * not predict it. The list may be empty.
   */
  readonly models: (dtxsid: string) => Records<F, AssayRecords.Model>

  /**
   * Gets the receptor activity prediction of a model of a substance (GET). They are for the androgen and the
   * estrogen receptor. Values are texts: 0 or 1, an area under the curve, or a strength. `-` means that the
   * model does not predict it. The list may be empty.
   */
  readonly modelsByName: (dtxsid: string, model: string) => Records<F, AssayRecords.Model>

  /** Gets the assay name of the name of an assay (GET). The list may be empty. */
  readonly searchContain: (assayName: string) => Records<F, AssayRecords.AssayHit>

  /** Gets the assay name of the name of an assay (GET). The list may be empty. */
  readonly searchEqual: (assayName: string) => Records<F, AssayRecords.AssayHit>

  /**
   * Gets the assay name of the name of an assay (GET). Where an assay has exactly this name, the others are
   * left out. The list may be empty.
   */
  readonly searchStartWith: (assayName: string) => Records<F, AssayRecords.AssayHit>

  /**
   * Gets the single-concentration result of an assay endpoint (GET). Concentrations are in `testedConcUnit`.
   * An endpoint has thousands of records, together megabytes. The list may be empty.
   */
  readonly singleConc: <P extends keyof SingleConcForms = "single-conc">(
    aeid: number,
    options?: { readonly projection?: P | undefined }
  ) => Records<F, SingleConcForms[P]>
}
