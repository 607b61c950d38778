/**
 * Runs a lookup as a part of another one: requests sets of identifiers in batches of the part's own size.
 *
 * `Enrich`, `Resolve` and `Suspects` combine the results of several parts.
 */
import { Batch } from "@chemstream/batch"
import type { ChemClient, ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Effect, Result } from "effect"
import * as Ledger from "../../runs/Ledger.ts"
import { type Calls, callsOf, type Options, type OwnError } from "./calls.ts"
import type { Inspection } from "./inspection.ts"
import type { Lookup } from "./lookupType.ts"

type Raw = RawRecord.RawRecord

/** A part during a run. */
export interface Part {
  readonly name: string
  readonly lookup: Lookup<Raw>
  readonly call: Calls<Raw, never>["call"]
  readonly batcher: Batch.Batcher<ChemError.ChemError, OwnError>
}

/** The result of a part for a set of identifiers. */
export interface PartResult {
  readonly part: Part
  readonly keyOf: (id: string) => string
  readonly settled: Batch.KeyResults<Raw, ChemError.ChemError>
  /** The failure of the whole part. All its identifiers have failed. */
  readonly failure: ChemError.ChemError | undefined
}

/** Starts a part for one run. All batches share its limit of calls in flight and its batch size. */
export const start = (
  name: string,
  lookup: Lookup<Raw>,
  options: Pick<Options, "concurrency" | "onFailure">
): Part => {
  const ledger = Ledger.make()
  const { call, ...calls } = callsOf<Raw, never>(lookup, options, ledger)
  const batcher = Batch.make({ ...calls, size: lookup.size, ledger })
  return { name, lookup, call, batcher }
}

/** Requests identifiers. They must be valid for the part. */
export const request = (
  part: Part,
  ids: ReadonlyArray<string>,
  inspection: Inspection,
  onFailure: Options["onFailure"]
): Effect.Effect<PartResult, ChemError.ChemError, ChemClient.ChemClient> =>
  Effect.suspend(() => {
    const keys = new Map(ids.map((id) => [id, Result.getOrThrow(part.lookup.parse(id))] as const))
    const resultOf = (
      settled: PartResult["settled"],
      failure: ChemError.ChemError | undefined
    ): PartResult => ({
      part,
      keyOf: (id) => keys.get(id) as string,
      settled,
      failure
    })
    const distinct = [...new Set(keys.values())]
    return part.batcher
      .request(distinct, (some) => part.call(some, inspection))
      .pipe(
        Effect.map((settled) => resultOf(settled, undefined)),
        Effect.catchIf(
          (error) =>
            onFailure !== "abort" && error._tag !== "Unauthorized" && error._tag !== "ServiceUnavailable",
          // The failure of one part. The caller decides whether all parts failed.
          (error) =>
            Effect.sync(() =>
              resultOf(
                {
                  records: new Map(),
                  errors: new Map(distinct.map((key) => [key, error])),
                  suggestions: new Map(),
                  surplus: [],
                  truncated: new Map(),
                  bytes: 0
                },
                error
              )
            )
        )
      )
  })
