/**
 * Sends values one by one once a service has refused batches, although it responds to single values.
 *
 * `nameSearch.ts` and `massWindowSearch.ts` use it. A batch that is only too large is halved by the run.
 */
import type { Reconcile } from "@chemstream/batch"
import { type ChemClient, ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Effect, Result, Semaphore } from "effect"
import type { Inspection } from "../inspection.ts"
import type { Lookup } from "../lookupType.ts"

/** The two lookups of the same values, and how failures of batches are read. */
interface Options<R, M extends Reconcile.Multiplicity = Reconcile.Multiplicity> {
  readonly batch: Lookup<R, never, M>
  readonly single: Lookup<R>
  /** Whether a batch of one value is always sent as a single value. Default: false. */
  readonly oneIsSingle?: boolean
  /** The name of one value. */
  readonly noun: string
  readonly nouns: string
  /** Whether a failed batch may mean that the service has no batches. */
  readonly mayRefuse: (error: ChemError.ChemError) => boolean
  /** Whether a failure of a batch is about its size, if the service has batches. Default: what the failure says. */
  readonly isAboutSize?: (error: ChemError.ChemError) => boolean
}

/** What is known about the batches of a service. */
interface State<R> {
  isAccepted: boolean
  refusal: ChemError.ChemError | undefined
  /** The response to the value that showed the refusal. Its own request takes it. */
  shown: { readonly id: string; readonly result: CallResult<R> } | undefined
  readonly lock: Semaphore.Semaphore
}

type CallResult<R> = Effect.Success<ReturnType<Lookup<R>["requestBatch"]>>

type Call<R> = Effect.Effect<CallResult<R>, ChemError.ChemError, ChemClient.ChemClient>

/**
 * Returns the lookup of batches, which sends single values after a refusal. Before any batch has succeeded, a failed one is compared with a
 * batch of one value, and that with the single value. If only the single value succeeds, the service refuses batches.
 */
export const unlessRefused = <R extends RawRecord.RawRecord, M extends Reconcile.Multiplicity>(
  options: Options<R, M>
): Lookup<R, never, M> => {
  const { batch, mayRefuse, oneIsSingle = false, single } = options
  const start = (): State<R> => ({
    isAccepted: false,
    refusal: undefined,
    shown: undefined,
    lock: Semaphore.makeUnsafe(1)
  })
  const alone = (state: State<R>, ids: ReadonlyArray<string>, inspection: Inspection): Call<R> => {
    const { shown } = state
    if (shown === undefined || shown.id !== ids[0]) return single.requestBatch(ids, inspection)
    state.shown = undefined
    return Effect.succeed(shown.result)
  }
  /** Sends batches of one value from now on. */
  const oneByOne = (state: State<R>, ids: ReadonlyArray<string>, inspection: Inspection): Call<R> =>
    ids.length === 1
      ? alone(state, ids, inspection)
      : Effect.fail(tooLarge(state.refusal as ChemError.ChemError, ids.length, 1))
  return {
    ...batch,
    requestBatch: (ids, inspection) =>
      Effect.suspend(() => {
        const state = inspection.memory?.(start) ?? start()
        if (state.refusal !== undefined || (oneIsSingle && ids.length === 1))
          return oneByOne(state, ids, inspection)
        return batch.requestBatch(ids, inspection).pipe(
          Effect.tap(() =>
            Effect.sync(() => {
              state.isAccepted = true
            })
          ),
          Effect.catchIf(mayRefuse, (error) =>
            Effect.flatMap(state.lock.withPermits(1)(examine(options, state, ids, inspection, error)), () => {
              if (state.refusal !== undefined) return oneByOne(state, ids, inspection)
              const isTooLarge = ids.length > 1 && options.isAboutSize?.(error) === true
              return Effect.fail(isTooLarge ? tooLarge(error, ids.length) : error)
            })
          )
        )
      })
  }
}

/** Finds out whether a failed batch is a refusal of all batches. Says so once. */
const examine = <R>(
  { batch, mayRefuse, noun, nouns, single }: Options<R>,
  state: State<R>,
  ids: ReadonlyArray<string>,
  inspection: Inspection,
  error: ChemError.ChemError
): Effect.Effect<void, never, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    if (state.isAccepted || state.refusal !== undefined) return
    const id = ids.find((one) => plain.test(one)) ?? (ids[0] as string)
    if (ids.length > 1) {
      const ofOne = yield* Effect.result(batch.requestBatch([id], inspection))
      state.isAccepted = Result.isSuccess(ofOne)
      if (Result.isSuccess(ofOne) || !mayRefuse(ofOne.failure)) return
    }
    const result = yield* Effect.result(single.requestBatch([id], inspection))
    if (Result.isSuccess(result)) state.shown = { id, result: result.success }
    else if (!isUnknown(result.failure) || !isAboutRequest(error)) return
    state.refusal = error
    yield* Effect.logWarning(
      `the service refuses batches of ${nouns}, so each ${noun} is a request of its own`,
      error.message
    )
  })

/** Whether the service does not know a value. */
const isUnknown = (error: ChemError.ChemError): boolean => error._tag === "NotFound" && error.gateway !== true

/** Whether a failure is about the request, not about its values. */
const isAboutRequest = (error: ChemError.ChemError): boolean => {
  switch (error._tag) {
    case "NotFound":
      return error.gateway === true
    case "InvalidRequest":
      return error.status !== 400
    default:
      return error._tag === "BatchTooLarge"
  }
}

/** A value that no gateway refuses in a path. */
const plain = /^\w[\w ,.-]*$/

/** The path or its method does not exist, or a gateway forbids the request. */
const statuses = new Set<number | undefined>([400, 403, 404, 405])

/** Whether a failed batch may mean that the service has no batches, or none of this size. */
export const isRefusal = (error: ChemError.ChemError): boolean => {
  switch (error._tag) {
    case "BatchTooLarge":
      // A limit is one of the contract or of the service, which then has batches.
      return error.limit === undefined
    case "NotFound":
      return true
    case "ServiceFailure":
      return error.status === 500 || error.status === 501
    case "InvalidRequest":
      return error.dialect === undefined && statuses.has(error.status)
    default:
      return false
  }
}

const tooLarge = (
  { attempts, endpoint, message }: ChemError.ChemError,
  batchSize: number,
  limit?: number
): ChemError.BatchTooLarge =>
  new ChemError.BatchTooLarge({
    endpoint,
    attempts,
    message,
    batchSize,
    ...(limit === undefined ? {} : { limit })
  })
