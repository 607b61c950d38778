// Generated from packages/api/src/records/ListRecords.ts by `npm run generate`. Change the schema there instead.

/** List of substances with its members. */
export interface ListWithMembers {
  /** Number of the list. */
  readonly id?: number | null
  /** Name of the list, by which it is requested, e.g. 40CFR1164. */
  readonly listName?: string | null
  /** Title of the list, with its topic in capitals. */
  readonly label?: string | null
  /** Type of the list: federal, international, state or other. */
  readonly type?: string | null
  /** Short description of the list; may have HTML. */
  readonly shortDescription?: string | null
  /** Description of the list and its sources; has HTML. */
  readonly longDescription?: string | null
  /** Number of substances in the list. */
  readonly chemicalCount?: number | null
  /** When the list last changed, ISO 8601 in UTC. */
  readonly updatedAt?: string | null
  /** Substance identifiers (DTXSID…) of the members: one text with commas, or a list. */
  readonly dtxsids?: string | ReadonlyArray<string | null> | null
}

/** List of substances. */
export interface List {
  /** Number of the list. */
  readonly id?: number | null
  /** Name of the list, by which it is requested, e.g. 40CFR1164. */
  readonly listName?: string | null
  /** Title of the list, with its topic in capitals. */
  readonly label?: string | null
  /** Type of the list: federal, international, state or other. */
  readonly type?: string | null
  /** Short description of the list; may have HTML. */
  readonly shortDescription?: string | null
  /** Description of the list and its sources; has HTML. */
  readonly longDescription?: string | null
  /** Number of substances in the list. */
  readonly chemicalCount?: number | null
  /** When the list last changed, ISO 8601 in UTC. */
  readonly updatedAt?: string | null
}

/** Name of a list of substances. */
export interface ListName {
  /** Name of the list, by which it is requested, e.g. 40CFR1164. */
  readonly listName?: string | null
}
