/**
 * A lookup as a part of another one: asked for sets of identifiers in a run around it, in batches of its own size.
 *
 * What the answers of several parts mean together is `Enrich`'s and `Resolve`'s.
 */
import { Batch } from "@chemstream/batch"
import type { ChemClient, ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Effect, Result } from "effect"
import * as Ledger from "../../runs/Ledger.ts"
import type * as Lookup from "../Lookup.ts"
import { type Calls, callsOf, type OwnError } from "./calls.ts"

type Raw = RawRecord.RawRecord

/** A part in the course of a run. */
export interface Part {
  readonly name: string
  readonly lookup: Lookup.Lookup<Raw>
  readonly call: Calls<Raw, never>["call"]
  readonly batcher: Batch.Batcher<ChemError.ChemError, OwnError>
}

/** The answer of one part to a batch: what it knows of each identifier, by the part's own spelling. */
export interface PartAnswer {
  readonly part: Part
  readonly keyOf: (id: string) => string
  readonly settled: Batch.Settled<Raw, ChemError.ChemError>
  /** Why the part could not be reached at all; its identifiers have failed. */
  readonly ended: ChemError.ChemError | undefined
}

/** Batches in flight share what calls of a part may be in flight, and what it has learned of the size of its batches. */
export const start = (
  name: string,
  lookup: Lookup.Lookup<Raw>,
  options: Pick<Lookup.Options, "concurrency" | "onFailure">
): Part => {
  const ledger = Ledger.make()
  const { call, ...calls } = callsOf<Raw, never>(lookup, options, ledger)
  const batcher = Batch.make({ ...calls, size: lookup.size, ledger })
  return { name, lookup, call, batcher }
}

/** Asks a part. An identifier that it does not take is a defect: what is asked has been parsed. */
export const ask = (
  part: Part,
  ids: ReadonlyArray<string>,
  inspection: Lookup.Inspection,
  onFailure: Lookup.Options["onFailure"]
): Effect.Effect<PartAnswer, ChemError.ChemError, ChemClient.ChemClient> =>
  Effect.suspend(() => {
    const keys = new Map(ids.map((id) => [id, Result.getOrThrow(part.lookup.parse(id))] as const))
    const answer = (settled: PartAnswer["settled"], ended: ChemError.ChemError | undefined): PartAnswer => ({
      part,
      keyOf: (id) => keys.get(id) as string,
      settled,
      ended
    })
    const distinct = [...new Set(keys.values())]
    return part.batcher
      .ask(distinct, (some) => part.call(some, inspection))
      .pipe(
        Effect.map((settled) => answer(settled, undefined)),
        Effect.catchIf(
          (error) =>
            onFailure !== "abort" && error._tag !== "Unauthorized" && error._tag !== "ServiceUnavailable",
          // It could not be reached. That is this part's failure, unless it is that of all.
          (error) =>
            Effect.sync(() =>
              answer(
                {
                  records: new Map(),
                  errors: new Map(distinct.map((key) => [key, error])),
                  suggestions: new Map(),
                  surplus: [],
                  truncated: new Map()
                },
                error
              )
            )
        )
      )
  })
