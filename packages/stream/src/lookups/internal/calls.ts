/**
 * How the calls of a lookup are made in one run: what the batching core is told of them, with the state of the run.
 */
import { Availability, type Batch, type Reconcile } from "@chemstream/batch"
import { CallObserver, type ChemClient, ChemError } from "@chemstream/client"
import { Drift } from "@chemstream/ndjson"
import { Effect } from "effect"
import type { Ledger } from "../../runs/Ledger.ts"
import type { Inspection } from "./inspection.ts"
import { verdict } from "./verdict.ts"

/** What of a lookup its calls are made from. */
export interface Asked<R, F> {
  readonly endpoint: string
  readonly multiplicity: Reconcile.Multiplicity
  readonly ask: (
    ids: ReadonlyArray<string>,
    inspection: Inspection
  ) => Effect.Effect<Batch.CallResult<R, ChemError.ChemError | F>, ChemError.ChemError, ChemClient.ChemClient>
}

/** What of the options of a run its calls heed. */
export interface Options {
  readonly concurrency?: number | undefined
  readonly onFailure?: Batch.OnFailure | undefined
  readonly availability?: Availability.Options | undefined
}

/** What the core makes a call fail with. */
export type OwnError = ChemError.MalformedResponse | ChemError.ServiceUnavailable

/** How a lookup is called, and what its failures mean. */
export interface Calls<R, F> extends Batch.Calls<ChemError.ChemError | F, OwnError> {
  /** Asks for a batch. */
  readonly call: (
    ids: ReadonlyArray<string>,
    inspection: Inspection
  ) => Effect.Effect<Batch.CallResult<R, ChemError.ChemError | F>, ChemError.ChemError, ChemClient.ChemClient>
}

/** Makes the calls of one run, which are counted in its ledger. */
export const callsOf = <R, F>(
  lookup: Asked<R, F>,
  { availability, concurrency, onFailure }: Options,
  ledger: Ledger
): Calls<R, F> => {
  // What came of calls before the service itself had answered anything, and says that the address is wrong.
  const wrongAddress = new WeakSet<ChemError.ChemError>()
  let waits = false
  return {
    call: (ids, inspection) =>
      Effect.flatMap(Availability.Current, (current) => {
        waits = current?.availability.waits === true
        const asked = lookup.ask(ids, current?.mode === "probe" ? glance(inspection) : inspection)
        return Effect.tapError(counted(ledger, asked), (error) =>
          Effect.sync(() => {
            if (current?.availability.hasAnswered() === false && isOfTheAddress(error, ids)) {
              wrongAddress.add(error)
            }
          })
        )
      }),
    // Only calls are judged, and those fail with a ChemError.
    classify: (error) =>
      wrongAddress.has(error as ChemError.ChemError)
        ? "end"
        : verdict(error as ChemError.ChemError, ledger, waits),
    signal: (error) => ChemError.signal(error as ChemError.ChemError),
    unavailable: ({ message }) =>
      new ChemError.ServiceUnavailable({ endpoint: lookup.endpoint, attempts: 0, message }),
    availability,
    isReached: ledger.answers > 0,
    suggestions: (error) => suggestionsOf(error as ChemError.ChemError),
    unmatched: (key, asked) =>
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

/** A probe leaves no trace in the tally of the run. */
const glance = ({ memory }: Inspection): Inspection => ({ validate: "off", drift: Drift.make(), memory })

/** Characters that gateways refuse in a path: what they answer then is not about the address. */
const refused = /[/\\%?#;]/

/** Whether a response says that there is no such path. */
const isOfTheAddress = (error: ChemError.ChemError, ids: ReadonlyArray<string>): boolean =>
  // For a single value the same words may be about the value.
  (error._tag === "NotFound" && error.gateway === true && ids.length > 1) ||
  (error._tag === "InvalidRequest" && error.status === 404 && !ids.some((id) => refused.test(id)))

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
