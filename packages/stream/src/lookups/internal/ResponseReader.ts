/**
 * Defines the reader of the responses to a lookup, and what it returns. `keyedReader.ts`, `singleValueReader.ts` and `scalarRecord.ts`
 * make readers; `makeLookup.ts` uses them.
 */
import type { Outcome as Core, Reconcile } from "@chemstream/batch"
import type { BodyReader } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import type { Schema } from "effect"
import type { Inspection } from "./inspection.ts"
import type { Lookup } from "./lookupType.ts"

/** The content of a response: records by identifier, other records, and suggestions for unknown identifiers. */
export interface ResponseRecords<R = RawRecord.RawRecord> {
  readonly records: ReadonlyArray<Reconcile.Keyed<R>>
  /** The records without an identifier, or with a second record for the same one. */
  readonly surplus?: ReadonlyArray<Core.Surplus>
  /** Why the service has more records than the response. */
  readonly truncated?: Core.Truncation | undefined
  readonly suggestions?: ReadonlyMap<string, ReadonlyArray<string>>
}

/** Reads the response to a batch. `A` is the type of its records in the contract. */
export interface ResponseReader<out A = unknown>
  extends Pick<Lookup<RawRecord.RawRecord<A>>, "restoreSpelling" | "key"> {
  readonly schema: Schema.Schema<A>
  readonly read: (
    ids: ReadonlyArray<string>,
    validate: Inspection["validate"]
  ) => BodyReader.BodyReader<ResponseRecords>
  /**
   * The field with the identifier. Records without it get the requested identifier in this field. Default:
   * none.
   */
  readonly field?: string | undefined
}
