// Generated from packages/api/src/records/SearchHit.ts by `npm run generate`. Change the schema there instead.

/** Search hit. */
export interface SearchHit {
  /** Substance identifier; null in a miss. */
  readonly dtxsid?: string | null
  /** Compound identifier (DTXCID…); null where no single structure is known. */
  readonly dtxcid?: string | null
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** The kind of name that matched, e.g. Approved Name. */
  readonly searchName?: string | null
  /** The value that matched; in a miss the value searched for. */
  readonly searchValue?: string | null
  /** Rank of the kind of name: smaller is better. */
  readonly rank?: number | null
  /** 1 where a structure image is available, else 0. */
  readonly hasStructureImage?: number | null
  /** Whether the structure is a Markush (generic) structure. */
  readonly isMarkush?: boolean | null
  /** Messages about a value that was not found. */
  readonly searchMsgs?: ReadonlyArray<string | null> | null
  /** Values that may have been meant. */
  readonly suggestions?: ReadonlyArray<string | null> | null
  /** Whether the value was given before in the same batch. */
  readonly isDuplicate?: boolean | null
}
