// Generated from packages/api/src/records/SynonymRecord.ts by `npm run generate`. Change the schema there instead.

/** Synonym. */
export interface FlatSynonym {
  /** The synonym. */
  readonly synonym?: string | null
  /** Its quality, e.g. Valid, Good, Other. */
  readonly quality?: string | null
}

/** Synonyms of a substance, by quality. */
export interface SynonymRecord {
  /** Beilstein registry numbers. */
  readonly beilstein?: ReadonlyArray<string | null> | null
  /** Further CAS registry numbers. */
  readonly alternateCasrn?: ReadonlyArray<string | null> | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** Pesticide chemical code, or a list of them. */
  readonly pcCode?: string | ReadonlyArray<string | null> | null
  /** CAS registry numbers that are no longer in use. */
  readonly deletedCasrn?: ReadonlyArray<string | null> | null
  /** Other synonyms. */
  readonly other?: ReadonlyArray<string | null> | null
  /** Synonyms validated by experts. */
  readonly valid?: ReadonlyArray<string | null> | null
  /** Synonyms of good quality. */
  readonly good?: ReadonlyArray<string | null> | null
  /** Beilstein registry numbers. */
  readonly deleted?: ReadonlyArray<string | null> | null
  /** Further CAS registry numbers. */
  readonly alternate?: ReadonlyArray<string | null> | null
}
