/**
 * Chemical details of a stream of substance identifiers, through the batch endpoint (specification, section 4.1).
 *
 * Records stay the bytes they came in (`RawRecord`): they are cut out of the answer and reconciled by their
 * `dtxsid` without being parsed, and can be written as NDJSON as they are.
 */
import { BatchLimit, type DetailProjection, Details, Dtxsid, type InvalidIdentifier } from "@chemstream/api"
import { type BodyReader, CallObserver, ChemClient, type ChemError } from "@chemstream/client"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Result, type Stream } from "effect"
import * as BatchCalls from "./BatchCalls.ts"
import type { Identifier } from "./Identifiers.ts"
import * as Ledger from "./Ledger.ts"
import type { Outcome } from "./Outcome.ts"
import type { Keyed } from "./Reconcile.ts"

/** The most identifiers one call takes. */
export const largestBatch: number = BatchLimit.of(Details.byDtxsidBatch)

/** Calls in flight when not set. */
export const defaultConcurrency = 4

/** How details are asked for. */
export interface Options {
  /** The fields of the records; the service's default when not given. */
  readonly projection?: DetailProjection.DetailProjection | undefined
  /** Identifiers a call, 1 to `largestBatch`; `largestBatch` when not given. */
  readonly batchSize?: number | undefined
  /** Calls in flight; 4 when not given. */
  readonly concurrency?: number | undefined
  /** Whether outcomes keep the order of the input; true when not given. */
  readonly ordered?: boolean | undefined
  /** Whether repeated identifiers are counted instead of asked for again; true when not given. */
  readonly dedupe?: boolean | undefined
  /** Whether an identifier whose check digit does not fit is invalid; asked for all the same when not given. */
  readonly strictIds?: boolean | undefined
  /** Where the run is counted; a ledger of its own when not given. */
  readonly ledger?: Ledger.Ledger | undefined
}

/**
 * The detail records of a stream of substance identifiers, one outcome an identifier.
 *
 * Ends with an error, after the outcomes so far, when the service refuses the API key, and when it could not be
 * reached at all. Every other failure of a call is the `Failed` outcome of its identifiers.
 *
 * @example
 * ```ts
 * import { Details, Identifiers } from "@chemstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = Details.outcomes(Identifiers.fromIterable(["DTXSID7020182"]), { projection: "compact" }).pipe(
 *   Stream.runForEach((outcome) => Effect.log(outcome._tag))
 * )
 * ```
 */
export const outcomes = <E, R>(
  identifiers: Stream.Stream<Identifier, E, R>,
  options: Options = {}
): Stream.Stream<
  Outcome<RawRecord.RawRecord, ChemError.ChemError>,
  E | ChemError.ChemError,
  R | ChemClient.ChemClient
> => {
  const ledger = options.ledger ?? Ledger.make()
  return BatchCalls.outcomes(identifiers, {
    parse: (text) => parse(text, options.strictIds ?? false, ledger),
    call: (ids) => call(ids, options.projection, ledger),
    isFatal: (error) =>
      error._tag === "Unauthorized" ||
      (error._tag === "ConnectionFailed" && error.phase === "connect" && ledger.answers === 0),
    size: Math.max(1, Math.min(options.batchSize ?? largestBatch, largestBatch)),
    concurrency: options.concurrency ?? defaultConcurrency,
    ordered: options.ordered ?? true,
    dedupe: options.dedupe ?? true,
    ledger
  })
}

const parse = (
  text: string,
  strict: boolean,
  ledger: Ledger.Ledger
): Result.Result<string, InvalidIdentifier.InvalidIdentifier> => {
  const parsed = Dtxsid.parse(text)
  if (Result.isFailure(parsed)) return parsed
  const verified = Dtxsid.verify(parsed.success)
  if (Result.isSuccess(verified) || strict) return verified
  ledger.suspicious++
  return parsed
}

const call = (
  ids: ReadonlyArray<string>,
  projection: DetailProjection.DetailProjection | undefined,
  ledger: Ledger.Ledger
): Effect.Effect<ReadonlyArray<Keyed<RawRecord.RawRecord>>, ChemError.ChemError, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const client = yield* ChemClient.ChemClient
    const around = yield* CallObserver.CallObserver
    return yield* client.details
      .byDtxsidBatchWith(readKeyed, ids, { projection })
      .pipe(
        Effect.catchTag("InvalidIdentifier", Effect.die),
        Effect.provideService(CallObserver.CallObserver, counting(ledger, around))
      )
  })

const counting = (ledger: Ledger.Ledger, around: CallObserver.CallObserver): CallObserver.CallObserver => ({
  onRequest: (endpoint) => {
    ledger.requests++
    around.onRequest(endpoint)
  },
  onRetry: (error, delay) => {
    ledger.retries++
    around.onRetry(error, delay)
  },
  onBody: (endpoint, bytes) => {
    ledger.answers++
    ledger.bytes += bytes
    around.onBody(endpoint, bytes)
  }
})

/** Cuts an answer into records and reads the identifier of each; an element without one makes the answer malformed. */
const readKeyed: BodyReader.BodyReader<ReadonlyArray<Keyed<RawRecord.RawRecord>>> = (body) => {
  const cut = RawArray.cut(body)
  if (Result.isFailure(cut)) {
    return Result.fail({ path: `byte ${cut.failure.offset}`, reason: cut.failure.message })
  }
  const keyed: Array<Keyed<RawRecord.RawRecord>> = []
  for (const record of cut.success) {
    const key = RawRecord.value(record, "dtxsid")
    if (typeof key !== "string") {
      return Result.fail({ path: `[${keyed.length}].dtxsid`, reason: "a record without an identifier" })
    }
    keyed.push({ key, record })
  }
  return Result.succeed(keyed)
}
