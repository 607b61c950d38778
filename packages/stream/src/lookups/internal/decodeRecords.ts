/** Decodes the raw records of a lookup to values, for `Lookup.decode` and `Lookup.parse`. */
import { type Batch, Outcome as Core, Reconcile } from "@chemstream/batch"
import { type BodyReader, ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Result } from "effect"
import type { RequestedLookup } from "./lookupCalls.ts"

type RestoreSpelling<R> = (record: R, id: string, given: string) => R

/** Returns what changes in a lookup whose records are decoded with `read`. A record that cannot be read fails its identifier. */
export const decodeRecords = <A, B, F>(
  lookup: RequestedLookup<RawRecord.RawRecord<B>, F> & {
    readonly restoreSpelling?: RestoreSpelling<RawRecord.RawRecord<B>> | undefined
  },
  read: BodyReader.BodyReader<A>
): Pick<RequestedLookup<A, F>, "requestBatch"> & {
  readonly restoreSpelling: RestoreSpelling<A> | undefined
  readonly doubtOf: undefined
} => {
  const { restoreSpelling } = lookup
  // A decoded value no longer has its text, which `restoreSpelling` changes and decodes again.
  const texts = new WeakMap<object, RawRecord.RawRecord<B>>()
  const remember = (value: A, text: RawRecord.RawRecord<B>): A => {
    if (restoreSpelling !== undefined && typeof value === "object" && value !== null) texts.set(value, text)
    return value
  }
  const readAll = (
    ids: ReadonlyArray<string>,
    result: Batch.CallResult<RawRecord.RawRecord<B>, ChemError.ChemError | F>
  ): Batch.CallResult<A, ChemError.ChemError | F> => {
    const isRequested = Reconcile.requested(ids)
    const records: Array<{ readonly key: string; readonly record: A }> = []
    const surplus = (result.surplus ?? []).map((one) => ({
      ...one,
      record: Result.getOrElse(read(RawRecord.toBytes(one.record as RawRecord.RawRecord)), () => one.record)
    }))
    const errors = new Map(result.errors)
    for (const { key, record } of result.records) {
      const value = read(RawRecord.toBytes(record))
      if (Result.isSuccess(value)) records.push({ key, record: remember(value.success, record) })
      else if (isRequested(key)) errors.set(key, schemaViolation(lookup.endpoint, key, value.failure))
      else surplus.push(Core.surplus("unrequested", record, key))
    }
    return { ...result, records, errors, surplus }
  }
  return {
    // The function of the lookup reads raw records.
    doubtOf: undefined,
    restoreSpelling:
      restoreSpelling === undefined
        ? undefined
        : (value, id, given) => {
            const text = typeof value === "object" && value !== null ? texts.get(value) : undefined
            return text === undefined
              ? value
              : Result.getOrElse(read(RawRecord.toBytes(restoreSpelling(text, id, given))), () => value)
          },
    requestBatch: (ids, inspection) =>
      Effect.map(lookup.requestBatch(ids, inspection), (result) => readAll(ids, result))
  }
}

const schemaViolation = (
  endpoint: string,
  id: string,
  { path, reason }: BodyReader.BodyFault
): ChemError.MalformedResponse =>
  ChemError.malformed(
    endpoint,
    1,
    `a record of ${id} violates the schema of ${endpoint}${path === "" ? "" : `, at ${path}`}: ${reason}`,
    path
  )
