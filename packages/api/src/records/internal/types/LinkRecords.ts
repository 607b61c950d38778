// Generated from packages/api/src/records/LinkRecords.ts by `npm run generate`. Change the schema there instead.

/** Counts of references of a substance. */
export interface ExtraData {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** PubChem compound number (CID), in spite of the name; not a DTXCID. */
  readonly dtxcid?: number | null
  /** Number of references in all sources together. */
  readonly refs?: number | null
  /** Number of patents in Google Patents. */
  readonly googlePatent?: number | null
  /** Number of articles in PubChem's literature; null where none is known. */
  readonly literature?: number | null
  /** Number of articles in PubMed; null where none is known. */
  readonly pubmed?: number | null
}

/** Link to the GHS classification of a substance. */
export interface GhsLink {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Whether PubChem has a GHS classification of the substance. */
  readonly isSafetyData?: boolean | null
  /** Page of PubChem with the GHS classification; null where it has none. */
  readonly safetyUrl?: string | null
}

/** Link to the Wikipedia article of a substance. */
export interface WikipediaLink {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Article of Wikipedia with safety data; null where it has none. */
  readonly safetyUrl?: string | null
}

/** Substance with a structure. */
export interface StructureMatch {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
}
