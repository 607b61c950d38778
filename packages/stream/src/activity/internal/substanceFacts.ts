/**
 * Looks up records of several kinds, and makes one record of facts for each substance. `TopActivity` and `ExposureRatio` say which records
 * and facts.
 */
import type { ChemClient, ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import * as Enrich from "../../lookups/Enrich.ts"
import * as Cost from "../../lookups/internal/requestCost.ts"
import type * as Lookup from "../../lookups/Lookup.ts"

/** The most substances in one batch: all their records are in memory at once. */
const largestBatch = 20

/** The facts of a substance, and their source. */
export interface Description<Parts, Facts extends object> {
  /** The lookups of the records. A substance without any record is missing. */
  readonly parts: Enrich.Parts
  /** The requests of `factsOf`: at least these in a run, at most these for each batch. */
  readonly requests: number
  /** Makes the facts of the substances of a batch, in their order. */
  readonly factsOf: (
    all: ReadonlyArray<Parts>
  ) => Effect.Effect<ReadonlyArray<Facts>, never, ChemClient.ChemClient>
}

/** Makes the lookup of the facts. Its cost is that of the records and of `factsOf`. */
export const lookup = <Parts, Facts extends object>({
  factsOf,
  parts,
  requests
}: Description<Parts, Facts>): Lookup.LookupOfOne<Facts> => {
  const records = Enrich.lookup(parts)
  return {
    ...records,
    size: largestBatch,
    // Those of the records do not fit facts.
    doubtOf: undefined,
    cost: (dialect) => {
      const cost = records.cost?.(dialect) ?? (() => Cost.none)
      // For the fewest requests, those of `factsOf` count once in the run.
      let first = requests
      return (ids) => {
        const { least, most, ...own } = cost(ids)
        const all = {
          ...own,
          least: least + first,
          most: most === undefined ? undefined : most + requests
        }
        first = 0
        return all
      }
    },
    restoreSpelling: undefined,
    requestBatch: (ids, inspection) =>
      Effect.flatMap(
        records.requestBatch(ids, inspection),
        ({ doubt: _, errors = new Map(), records: found, ...rest }) =>
          Effect.map(factsOf(found.map(({ record }) => JSON.parse(RawRecord.toText(record)))), (facts) => ({
            ...rest,
            records: found.map(({ key }, at) => ({
              key,
              record: RawRecord.fromText<Facts>(JSON.stringify(facts[at]))
            })),
            errors: new Map(Array.from(errors, ([id, error]) => [id, causeOf(error)] as const))
          }))
      )
  }
}

/** Returns why a substance failed: the reason of its first part. */
const causeOf = (error: Enrich.Incomplete | ChemError.ChemError): ChemError.ChemError =>
  error._tag === "Incomplete" ? (Object.values(error.errors)[0] as ChemError.ChemError) : error
