// Generated from packages/api/src/records/AllRecord.ts by `npm run generate`. Change the schema there instead.

/** Chemical in the list of all. */
export interface StandardRecord {
  /** Number of the record in the service, as text or number. */
  readonly id?: string | number | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** Molecular formula, Hill order. */
  readonly molFormula?: string | null
  /** Average molecular mass, in dalton. */
  readonly averageMass?: number | null
  /** Curation level in words. */
  readonly qcLevelDesc?: string | null
  /** IUPAC name. */
  readonly iupacName?: string | null
  /** InChI; may end in a newline. */
  readonly inchiString?: string | null
  /** InChIKey. */
  readonly inchikey?: string | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** Curation level: 1 (best) to 5. */
  readonly qcLevel?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
  /** Monoisotopic mass, dalton. */
  readonly monoisotopicMass?: number | null
}

/** Identifiers of a chemical in the list of all. */
export interface IdRecord {
  /** Number of the record in the service, as text or number. */
  readonly id?: string | number | null
  /** Compound identifier (DTXCID…); null where no single structure is known. */
  readonly dtxcid?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
}
