/**
 * Adapts a lookup to the batching core for one run: its calls, the meaning of their failures, and their counts in the ledger.
 *
 * A probe is a request that asks whether an unavailable service is back (`Availability`).
 */
import type { Rows } from "@chemstream/api"
import { Availability, type Batch, type Reconcile } from "@chemstream/batch"
import { CallObserver, ChemClient, ChemError } from "@chemstream/client"
import { Drift } from "@chemstream/ndjson"
import { Context, Effect, Option } from "effect"
import { type Ledger, observer } from "../../runs/Ledger.ts"
import type { Inspection } from "./inspection.ts"

/** The part of a lookup that calls need. */
export interface RequestedLookup<R, F> {
  readonly endpoint: string
  readonly size: number
  readonly multiplicity: Reconcile.Multiplicity
  readonly requestBatch: (
    ids: ReadonlyArray<string>,
    inspection: Inspection
  ) => Effect.Effect<Batch.CallResult<R, ChemError.ChemError | F>, ChemError.ChemError, ChemClient.ChemClient>
}

/**
 * Makes the requests of lookups: it sends the values that it has no response for. `lookup` says what is requested.
 */
export type Requester = <R, F>(
  lookup: Pick<RequestedLookup<R, F>, "endpoint" | "multiplicity">,
  ids: ReadonlyArray<string>,
  send: (
    ids: ReadonlyArray<string>
  ) => Effect.Effect<Batch.CallResult<R, ChemError.ChemError | F>, ChemError.ChemError, ChemClient.ChemClient>
) => ReturnType<typeof send>

/**
 * What makes the requests of the lookups in a scope. A lookup of many requests, e.g. of `Resolve`, makes each with it. Default: nothing,
 * so each lookup makes its own.
 */
export const Requester: Context.Reference<Requester | undefined> = Context.Reference<Requester | undefined>(
  "@chemstream/stream/Requester",
  { defaultValue: () => undefined }
)

/** The options of a run that affect its calls. */
export interface Options {
  readonly concurrency?: number | undefined
  readonly onFailure?: Batch.OnFailure | undefined
  readonly availability?: Availability.Options | undefined
}

/** The errors that the batching core adds. */
export type OwnError = ChemError.MalformedResponse | ChemError.ServiceUnavailable

/** The calls of a lookup, and the meaning of their failures. */
export interface Calls<R, F> extends Batch.Calls<ChemError.ChemError | F, OwnError> {
  /** Requests a batch. */
  readonly call: (
    ids: ReadonlyArray<string>,
    inspection: Inspection
  ) => Effect.Effect<Batch.CallResult<R, ChemError.ChemError | F>, ChemError.ChemError, ChemClient.ChemClient>
}

/** Makes the calls of one run. The ledger counts them. */
export const callsOf = <R, F>(
  lookup: RequestedLookup<R, F>,
  { availability, concurrency, onFailure }: Options,
  ledger: Ledger
): Calls<R, F> => {
  // Failures that show a wrong address, before the service itself has ever responded. They stop the run.
  const wrongAddressErrors = new WeakSet<ChemError.ChemError>()
  // The service of the client, once the first call has it.
  let service: Availability.Availability | undefined
  const own = Availability.make()
  return {
    call: (ids, inspection) =>
      Effect.flatMap(Availability.Current, (current) =>
        countRequests(
          ledger,
          lookup,
          current?.mode === "probe"
            ? lookup.requestBatch(ids, probeInspection(inspection))
            : request(lookup, ids, inspection, current)
        ).pipe(
          Effect.tapError((error) =>
            Effect.sync(() => {
              if (service?.hasResponded() !== true && isAboutAddress(error, ids))
                wrongAddressErrors.add(error)
            })
          )
        )
      ),
    service: Effect.map(Effect.serviceOption(ChemClient.ChemClient), (client) => {
      service ??= Option.isSome(client) ? client.value.availability : own
      return service
    }),
    // Calls fail only with a ChemError.
    classify: (error) =>
      wrongAddressErrors.has(error as ChemError.ChemError)
        ? "stop"
        : ChemError.verdict(error as ChemError.ChemError, service?.hasResponded() === true),
    signal: (error) => ChemError.signal(error as ChemError.ChemError),
    unavailable: (error) => ChemError.unavailable(lookup.endpoint, error),
    availability,
    limit: (error) => ChemError.limit(error as ChemError.ChemError),
    suggestions: (error) => suggestionsOf(error as ChemError.ChemError),
    unmatched: (key, requested) => ChemError.unmatched(lookup.endpoint, key, requested),
    onFailure,
    multiplicity: lookup.multiplicity,
    concurrency
  }
}

/** Requests a batch, with the requester of the scope if there is one. */
const request = <R, F>(
  lookup: RequestedLookup<R, F>,
  ids: ReadonlyArray<string>,
  inspection: Inspection,
  current: Availability.Current | undefined
): ReturnType<typeof lookup.requestBatch> =>
  Effect.flatMap(Requester, (requester) => {
    if (requester === undefined) return lookup.requestBatch(ids, inspection)
    let isSent = false
    const requested = requester(lookup, ids, (rest) => {
      isSent = true
      return lookup.requestBatch(rest, inspection)
    })
    return Effect.tap(requested, () =>
      Effect.sync(() => {
        if (!isSent && current !== undefined) current.isUnsent = true
      })
    )
  })

/** Keeps the records of a probe out of the drift of the run. */
const probeInspection = ({ memory, run }: Inspection): Inspection => ({
  validate: "off",
  drift: Drift.make(),
  memory,
  run
})

/** Characters that gateways refuse in a path. Such a refusal says nothing about the address. */
const refused = /[/\\%?#;]/

/** Whether a response says that the path does not exist, and not the identifier. */
const isAboutAddress = (error: ChemError.ChemError, ids: ReadonlyArray<string>): boolean =>
  // With a single identifier, the response may be about the identifier.
  (error._tag === "NotFound" && error.gateway === true && ids.length > 1) ||
  (error._tag === "InvalidRequest" && error.status === 404 && !ids.some((id) => refused.test(id)))

const suggestionsOf = (error: ChemError.ChemError): ReadonlyArray<string> =>
  error._tag === "NotFound" ? error.suggestions : []

/** The counts of requests for one value, by endpoint. The endpoint also has batches, which a lookup of many values prefers. */
const singles = new Map<string, "singleWords" | "singleMasses">([
  ["search.equal" satisfies Rows.Name, "singleWords"],
  ["msready.byMass" satisfies Rows.Name, "singleMasses"]
])

/** Counts the requests of a call in the ledger. */
const countRequests = <A, E, R>(
  ledger: Ledger,
  { size }: Pick<RequestedLookup<unknown, unknown>, "size">,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.updateService(call, CallObserver.CallObserver, (around) =>
    CallObserver.all([
      observer(ledger),
      {
        onRequest: (endpoint) => {
          const single = size > 1 ? singles.get(endpoint) : undefined
          if (single !== undefined) ledger[single]++
        }
      },
      around
    ])
  )
