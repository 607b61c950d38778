/**
 * How the calls of a lookup are made in one run: what the batching core is told of them, with the state of the run.
 */
import type { Batch, Reconcile } from "@chemstream/batch"
import { CallObserver, type ChemClient, ChemError } from "@chemstream/client"
import { Effect } from "effect"
import type { Ledger } from "../Ledger.ts"
import type { Inspection } from "./inspection.ts"
import { type Outage, watch } from "./outage.ts"
import { verdict } from "./verdict.ts"

/** What of a lookup its calls are made from. */
export interface Asked<R, F> {
  readonly endpoint: string
  readonly multiplicity: Reconcile.Multiplicity
  readonly ask: (
    ids: ReadonlyArray<string>,
    inspection: Inspection
  ) => Effect.Effect<Batch.Answer<R, ChemError.ChemError | F>, ChemError.ChemError, ChemClient.ChemClient>
}

/** What of the options of a run its calls heed. */
export interface Options {
  readonly concurrency?: number | undefined
  readonly onFailure?: Batch.OnFailure | undefined
  readonly outage?: Outage | undefined
}

/** How a lookup is called, and what its failures mean. */
export interface Calls<R, F> extends Batch.Calls<ChemError.ChemError | F, ChemError.MalformedResponse> {
  /** Asks for a batch as one inspection says; as the other where it is only to see whether the service answers. */
  readonly call: (
    ids: ReadonlyArray<string>,
    inspection: Inspection,
    glance: Inspection
  ) => Effect.Effect<Batch.Answer<R, ChemError.ChemError | F>, ChemError.ChemError, ChemClient.ChemClient>
}

/** Makes the calls of one run, which are counted in its ledger. */
export const callsOf = <R, F>(
  lookup: Asked<R, F>,
  { concurrency, onFailure, outage }: Options,
  ledger: Ledger
): Calls<R, F> => {
  const { call, verdict: verdictOf } = watch(outage, ledger)
  return {
    call: (ids, inspection, glance) =>
      counted(
        ledger,
        call(
          ids,
          (some) => lookup.ask(some, inspection),
          (some) => lookup.ask(some, glance)
        )
      ),
    // Only calls are judged, and those fail with a ChemError.
    classify: (error) =>
      verdictOf(error as ChemError.ChemError) ?? verdict(error as ChemError.ChemError, ledger),
    isUnasked: (error) => (error as ChemError.ChemError).attempts === 0,
    suggestions: (error) => suggestionsOf(error as ChemError.ChemError),
    foreign: (key, asked) =>
      new ChemError.MalformedResponse({
        endpoint: lookup.endpoint,
        attempts: 1,
        status: 200,
        path: "",
        message: `no record of the answer is of an identifier that was asked for: ${asked} was, and the first record is of ${JSON.stringify(key)}`
      }),
    onFailure,
    multiplicity: lookup.multiplicity,
    concurrency
  }
}

const suggestionsOf = (error: ChemError.ChemError): ReadonlyArray<string> =>
  error._tag === "NotFound" ? error.suggestions : []

/** Counts the requests of a call in the ledger, and whether it waits for the service's rate limit. */
const counted = <A, E, R>(ledger: Ledger, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CallObserver.CallObserver, (around) => {
    let isWaiting = false
    const wait = (next: boolean): void => {
      if (next !== isWaiting) ledger.waiting += next ? 1 : -1
      isWaiting = next
    }
    return call.pipe(
      Effect.provideService(
        CallObserver.CallObserver,
        CallObserver.wrap(around, {
          onRequest: () => {
            wait(false)
            ledger.requests++
          },
          onRetry: (error) => {
            wait(error._tag === "RateLimited")
            ledger.retries++
          },
          onBody: (_, bytes) => {
            ledger.answers++
            ledger.bytes += bytes
          }
        })
      ),
      Effect.ensuring(Effect.sync(() => wait(false)))
    )
  })
