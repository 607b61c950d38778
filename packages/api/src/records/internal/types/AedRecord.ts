// Generated from packages/api/src/records/AedRecord.ts by `npm run generate`. Change the schema there instead.

/** Activity-exposure-dose record. */
export interface AedRecord {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** Name of the assay endpoint. */
  readonly aenm?: string | null
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Administered equivalent doses, in the units of aedValUnit. */
  readonly aedVal?: ReadonlyArray<number | null> | null
  /** Kinds of dose. */
  readonly aedType?: ReadonlyArray<string | null> | null
  /** Toxicokinetic models. */
  readonly httkModel?: ReadonlyArray<string | null> | null
  /** Units of the doses, e.g. mg/kg/day. */
  readonly aedValUnit?: ReadonlyArray<string | null> | null
  /** Versions of the toxicokinetic package. */
  readonly httkVersion?: ReadonlyArray<string | null> | null
  /** Kinds of potency the doses are computed from, e.g. ac50. */
  readonly potencyValType?: ReadonlyArray<string | null> | null
  /** Versions of the in-vitro database. */
  readonly invitrodbVersion?: ReadonlyArray<string | null> | null
  /** Percentiles of the variability between individuals. */
  readonly interindividualVarPerc?: ReadonlyArray<number | null> | null
}
