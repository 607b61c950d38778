/**
 * Collects single identifiers of many fibers into batches (`RequestResolver` of Effect), for the calls `get`, e.g. `details.get`.
 *
 * A batch is sent when its window has passed or it is full. Duplicates are sent once. The batching core splits a
 * batch that is too large. Surplus records are logged. A batch runs in the context of the fiber that began it, with
 * the observers of all callers and links to their spans. An interrupted caller leaves its batch without effect on the
 * others.
 */
import { Availability, Batch, Outcome, type Reconcile } from "@chemstream/batch"
import { Array as Arr, Context, type Duration, Effect, Exit, Request, RequestResolver } from "effect"
import type { BodyReader } from "../../BodyReader.ts"
import * as ChemError from "../../errors/ChemError.ts"
import * as CallObserver from "../../pipeline/CallObserver.ts"
import type { Failure } from "./callOperation.ts"

/** How to request identifiers of one kind in batches. A `form` is what else a request says, e.g. its projection: each has its own batches. */
export interface Source<Id extends string, F extends string, A> {
  readonly endpoint: string
  /** The maximum number of identifiers in one call. */
  readonly largest: number
  readonly call: (
    ids: ReadonlyArray<Id>,
    form: F,
    read: BodyReader<ReadonlyArray<A>>
  ) => Effect.Effect<ReadonlyArray<A>, Failure>
  readonly read: (form: F) => BodyReader<ReadonlyArray<A>>
  /** The number of records that an identifier may have. */
  readonly multiplicity: Reconcile.Multiplicity
  /** Returns the identifier of a record in canonical spelling. Undefined: it has none. */
  readonly keyOf: (record: A) => string | undefined
}

/** Gets the records of an identifier: at least one, or `NotFound`. */
export type Get<Id extends string, F extends string, A> = (
  id: Id,
  form: F
) => Effect.Effect<Arr.NonEmptyReadonlyArray<A>, Failure>

/** Makes the `get` of a source. */
export type MakeGet = <Id extends string, F extends string, A>(source: Source<Id, F, A>) => Get<Id, F, A>

interface GetRequest<Id, F, A> extends Request.Request<Arr.NonEmptyReadonlyArray<A>, Failure> {
  readonly id: Id
  readonly form: F
}

/** The callers that wait for an identifier. */
type Waiting<Id extends string, F, A> = ReadonlyMap<Id, ReadonlyArray<Request.Entry<GetRequest<Id, F, A>>>>

/** Makes the batches of a client. `availability`: that of its service. */
export const make =
  (
    settings: { readonly window: Duration.Input; readonly size: number },
    availability: Availability.Availability
  ): MakeGet =>
  <Id extends string, F extends string, A>(source: Source<Id, F, A>): Get<Id, F, A> => {
    const getRequest = Request.of<GetRequest<Id, F, A>>()
    const batcher = Batch.make<Failure, ChemError.MalformedResponse | ChemError.ServiceUnavailable>({
      size: Math.min(settings.size, source.largest),
      // The limits of the client apply.
      concurrency: Number.MAX_SAFE_INTEGER,
      multiplicity: source.multiplicity,
      service: Effect.succeed(availability),
      classify: (error) => meaningOf(error, availability),
      limit: (error) => (error._tag === "InvalidIdentifier" ? undefined : ChemError.limit(error)),
      unmatched: (key, requested) => ChemError.unmatched(source.endpoint, key, requested),
      unavailable: (error) => ChemError.unavailable(source.endpoint, error)
    })

    const settle = (waiting: Waiting<Id, F, A>, form: F): Effect.Effect<void> =>
      CallObserver.withRequestCount((requests) =>
        Effect.matchEffect(
          batcher.request([...waiting.keys()], (ids) => callSource(source, ids as ReadonlyArray<Id>, form)),
          {
            onSuccess: (outcomes) =>
              Effect.map(
                Effect.forEach(outcomes.surplus, (record) =>
                  Effect.logWarning(`${source.endpoint}: ${Outcome.surplusMessage(record)}`)
                ),
                () => completeCallers(source, waiting, outcomes, requests())
              ),
            // Every further request would fail in the same way.
            onFailure: (error) =>
              Effect.sync(() => {
                for (const entries of waiting.values())
                  for (const entry of entries) entry.completeUnsafe(Exit.fail(error))
              })
          }
        )
      )

    const resolver = RequestResolver.makeWith<GetRequest<Id, F, A>>({
      batchKey: ({ request }) => request.form,
      delay: Effect.sleep(settings.window),
      collectWhile: (entries) => entries.size < batcher.size(),
      runAll: (entries) =>
        Effect.provideService(
          settle(
            Map.groupBy(entries, ({ request }) => request.id),
            entries[0].request.form
          ),
          CallObserver.CallObserver,
          combineObservers(entries)
        )
    }).pipe(RequestResolver.withSpan(`${source.endpoint} batch`))

    return (id, form) => Effect.request(getRequest({ id, form }), resolver)
  }

/**
 * Returns what a failure means for a batch. One that is about the service fails all callers at once: the policy of their client has waited
 * already. A batch that was too slow may be too large instead.
 */
const meaningOf = (error: Failure, availability: Availability.Availability): Batch.Verdict => {
  if (error._tag === "InvalidIdentifier") return "isolate"
  const isAboutService = availability.judges(ChemError.signal(error), { patience: Availability.patience({}) })
  return isAboutService && error._tag !== "RequestTimeout"
    ? "fail"
    : ChemError.verdict(error, availability.hasResponded())
}

const callSource = <Id extends string, F extends string, A>(
  source: Source<Id, F, A>,
  ids: ReadonlyArray<Id>,
  form: F
): Effect.Effect<Batch.CallResult<A, Failure>, Failure> =>
  CallObserver.withRequestCount((requests) =>
    Effect.map(source.call(ids, form, source.read(form)), (response) => {
      const records: Array<Reconcile.Keyed<A>> = []
      const surplus: Array<Outcome.Surplus> = []
      for (const record of response) {
        const key = source.keyOf(record)
        if (key === undefined) surplus.push(Outcome.surplus("unidentified", record))
        else records.push({ key, record })
      }
      return surplus.length === 0
        ? { records }
        : { records, surplus, doubt: ChemError.unidentified(source.endpoint, requests(), surplus.length) }
    })
  )

/** Completes each caller with the records of its identifier, or with the reason why there are none. */
const completeCallers = <Id extends string, F extends string, A>(
  { endpoint }: Source<Id, F, A>,
  waiting: Waiting<Id, F, A>,
  { errors, records }: Batch.KeyResults<A, Failure>,
  attempts: number
): void => {
  for (const [id, entries] of waiting) {
    const error = errors.get(id)
    const found = records.get(id)
    const result: Exit.Exit<Arr.NonEmptyReadonlyArray<A>, Failure> = error !== undefined
      ? Exit.fail(error)
      : found !== undefined && Arr.isReadonlyArrayNonEmpty(found)
        ? Exit.succeed(found)
        : Exit.fail(notFound(endpoint, id, attempts, waiting.size))
    for (const entry of entries) entry.completeUnsafe(result)
  }
}

const notFound = (endpoint: string, id: string, attempts: number, size: number): ChemError.NotFound =>
  new ChemError.NotFound({
    endpoint,
    attempts,
    status: 200,
    suggestions: [],
    message: `not found: the service has no record of ${id} (requested in a batch of ${size})`
  })

/** Makes one observer of those of all callers. A shared observer sees a request once. */
const combineObservers = (
  entries: ReadonlyArray<{ readonly context: Context.Context<never> }>
): CallObserver.CallObserver =>
  CallObserver.all(new Set(entries.map(({ context }) => Context.get(context, CallObserver.CallObserver))))
