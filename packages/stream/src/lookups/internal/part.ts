/**
 * Runs a lookup as a part of another one: requests sets of identifiers in batches of the part's own size.
 *
 * `Enrich`, `Resolve` and `Suspects` combine the results of several parts. A part requests an identifier once: it remembers the latest
 * results of its run, and awaits those in flight.
 */
import { Batch, type Outcome } from "@chemstream/batch"
import type { ChemClient, ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Deferred, Effect, Result } from "effect"
import * as Ledger from "../../runs/Ledger.ts"
import { type Calls, callsOf, type Options, type OwnError } from "./calls.ts"
import type { Inspection } from "./inspection.ts"
import type { Lookup } from "./lookupType.ts"

type Raw = RawRecord.RawRecord

type Settled = Batch.KeyResults<Raw, ChemError.ChemError>

/** The most identifiers that a part remembers. Their records keep the bytes of their responses. */
const mostKnown = 10_000

/** The result of one identifier. */
interface Known {
  readonly records: ReadonlyArray<Raw> | undefined
  readonly suggestions: ReadonlyArray<string> | undefined
  readonly truncated: Outcome.Truncation | undefined
}

/** A part during a run. */
export interface Part {
  readonly name: string
  readonly lookup: Lookup<Raw>
  readonly call: Calls<Raw, never>["call"]
  readonly batcher: Batch.Batcher<ChemError.ChemError, OwnError>
  /** The results of the latest keys. */
  readonly known: Map<string, Known>
  /** The end of the request of each key in flight. */
  readonly inFlight: Map<string, Deferred.Deferred<void>>
}

/** The result of a part for a set of identifiers. */
export interface PartResult {
  readonly part: Part
  readonly keyOf: (id: string) => string
  readonly settled: Settled
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
  return { name, lookup, call, batcher, known: new Map(), inFlight: new Map() }
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
    return settle(part, distinct, inspection).pipe(
      Effect.map((settled) => resultOf(settled, undefined)),
      Effect.catchIf(
        (error) =>
          onFailure !== "abort" && error._tag !== "Unauthorized" && error._tag !== "ServiceUnavailable",
        // The failure of one part. The caller decides whether all parts failed.
        (error) =>
          Effect.sync(() =>
            resultOf({ ...Batch.union([]), errors: new Map(distinct.map((key) => [key, error])) }, error)
          )
      )
    )
  })

/** Settles keys: those that the part does not know are requested. */
const settle = (
  part: Part,
  keys: ReadonlyArray<string>,
  inspection: Inspection
): Effect.Effect<Settled, ChemError.ChemError, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const { batcher, call, inFlight, known } = part
    const answers = new Map(keys.map((key) => [key, known.get(key)] as const))
    const own = keys.filter((key) => answers.get(key) === undefined && !inFlight.has(key))
    const awaited = keys.filter((key) => answers.get(key) === undefined && inFlight.has(key))
    const others = new Set(awaited.map((key) => inFlight.get(key) as Deferred.Deferred<void>))
    const end = Deferred.makeUnsafe<void>()
    for (const key of own) inFlight.set(key, end)
    const settled = yield* batcher
      .request(own, (some) => call(some, inspection))
      .pipe(
        Effect.tap((results) => Effect.sync(() => remember(known, own, results))),
        Effect.ensuring(
          Effect.suspend(() => {
            for (const key of own) inFlight.delete(key)
            return Deferred.succeed(end, undefined)
          })
        )
      )
    yield* Effect.forEach(others, Deferred.await, { discard: true })
    for (const key of awaited) answers.set(key, known.get(key))
    // What another request has not settled is requested again.
    const failed = awaited.filter((key) => answers.get(key) === undefined)
    const again = failed.length === 0 ? undefined : yield* settle(part, failed, inspection)
    return joined(answers, again === undefined ? [settled] : [settled, again])
  })

const remember = (
  known: Part["known"],
  keys: ReadonlyArray<string>,
  { errors, records, suggestions, truncated }: Settled
): void => {
  for (const key of keys)
    if (!errors.has(key))
      known.set(key, {
        records: records.get(key),
        suggestions: suggestions.get(key),
        truncated: truncated.get(key)
      })
  for (const key of known.keys()) {
    if (known.size <= mostKnown) return
    known.delete(key)
  }
}

/** Joins known results and requested ones. */
const joined = (
  answers: ReadonlyMap<string, Known | undefined>,
  requested: ReadonlyArray<Settled>
): Settled => {
  const all = Batch.union(requested)
  for (const [key, answer] of answers) {
    if (answer?.records !== undefined) all.records.set(key, answer.records)
    if (answer?.suggestions !== undefined) all.suggestions.set(key, answer.suggestions)
    if (answer?.truncated !== undefined) all.truncated.set(key, answer.truncated)
  }
  return all
}
