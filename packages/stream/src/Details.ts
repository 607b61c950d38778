/**
 * Chemical details of a stream of substance identifiers, through the batch endpoint (specification, section 4.1).
 *
 * Records stay the bytes they came in (`RawRecord`): they are cut out of the answer and reconciled by their
 * `dtxsid` without being parsed, and can be written as NDJSON as they are.
 */
import { BatchLimit, type DetailProjection, Details, Dtxsid, type InvalidIdentifier } from "@chemstream/api"
import { type BodyReader, CallObserver, ChemClient, ChemError } from "@chemstream/client"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Result, type Stream } from "effect"
import * as BatchCalls from "./BatchCalls.ts"
import type { Identifier } from "./Identifiers.ts"
import * as Ledger from "./Ledger.ts"
import type { Outcome } from "./Outcome.ts"
import type { Keyed } from "./Reconcile.ts"

/** The most identifiers one call takes. */
export const largestBatch: number = BatchLimit.of(Details.byDtxsidBatch).values

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
    parse: (text) => parse(text, options.strictIds ?? false),
    call: (ids) => call(ids, options.projection, ledger),
    isFatal: (error) =>
      error._tag === "Unauthorized" ||
      ((error._tag === "ConnectionFailed" || error._tag === "RequestTimeout") &&
        error.phase === "connect" &&
        ledger.answers === 0),
    size: Math.max(1, Math.min(options.batchSize ?? largestBatch, largestBatch)),
    concurrency: options.concurrency ?? defaultConcurrency,
    ordered: options.ordered ?? true,
    dedupe: options.dedupe ?? true,
    ledger
  })
}

const parse = (text: string, strict: boolean): Result.Result<string, InvalidIdentifier.InvalidIdentifier> => {
  const parsed = Dtxsid.parse(text)
  return strict ? Result.flatMap(parsed, Dtxsid.verify) : parsed
}

const call = (
  ids: ReadonlyArray<string>,
  projection: DetailProjection.DetailProjection | undefined,
  ledger: Ledger.Ledger
): Effect.Effect<
  BatchCalls.Answer<RawRecord.RawRecord, ChemError.ChemError>,
  ChemError.ChemError,
  ChemClient.ChemClient
> =>
  Effect.gen(function* () {
    ledger.suspicious += ids.filter(isSuspicious).length
    const client = yield* ChemClient.ChemClient
    const around = yield* CallObserver.CallObserver
    const observer = counting(ledger, around)
    let attempts = 0
    const { records, unidentified } = yield* client
      .raw(
        "details.byDtxsidBatch",
        { payload: ids, query: projection === undefined ? {} : { projection } },
        readKeyed(new Set(ids))
      )
      .pipe(
        Effect.catchTag("InvalidIdentifier", Effect.die),
        Effect.provideService(CallObserver.CallObserver, {
          ...observer,
          onRequest: (endpoint) => {
            attempts++
            observer.onRequest(endpoint)
          }
        })
      )
    ledger.surplus += unidentified
    return unidentified === 0 ? { records } : { records, doubt: doubtful(unidentified, attempts) }
  })

const isSuspicious = (id: string): boolean =>
  Result.isFailure(Result.flatMap(Dtxsid.parse(id), Dtxsid.verify))

const doubtful = (unidentified: number, attempts: number): ChemError.MalformedResponse =>
  new ChemError.MalformedResponse({
    endpoint: "details.byDtxsidBatch",
    attempts,
    status: 200,
    path: "dtxsid",
    message: `the service answered ${unidentified} records without a dtxsid, one of which may be this substance's`
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
  onBody: (endpoint, bytes, status) => {
    ledger.answers++
    ledger.bytes += bytes
    around.onBody(endpoint, bytes, status)
  },
  onCached: (endpoint, how) => around.onCached?.(endpoint, how)
})

interface Read {
  readonly records: ReadonlyArray<Keyed<RawRecord.RawRecord>>
  /** How many records carry no identifier. */
  readonly unidentified: number
}

/**
 * Cuts an answer into records and reads the identifier of each. Malformed, and so tried again, is what is not JSON
 * to the last digit, and an answer in which no record is of an identifier asked for.
 */
const readKeyed =
  (asked: ReadonlySet<string>): BodyReader.BodyReader<Read> =>
  (body) => {
    const text = RawRecord.fromBytes(startsWithMark(body) ? body.subarray(3) : body)
    const cut = Result.andThen(RawRecord.check(text), () => RawArray.cut(body))
    if (Result.isFailure(cut)) {
      return Result.fail({ path: `byte ${cut.failure.offset}`, reason: cut.failure.message })
    }
    const records: Array<Keyed<RawRecord.RawRecord>> = []
    let isExpected = cut.success.length === 0
    for (const record of cut.success) {
      const key = canonical(RawRecord.value(record, "dtxsid"))
      if (key === undefined) continue
      isExpected ||= asked.has(key)
      records.push({ key, record })
    }
    return isExpected
      ? Result.succeed({ records, unidentified: cut.success.length - records.length })
      : Result.fail({ path: "dtxsid", reason: "no record is of an identifier that was asked for" })
  }

/** A byte-order mark, which some services send and JSON does not allow. */
const startsWithMark = (body: Uint8Array): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf

/** An identifier as it is asked for: a service may spell it otherwise. */
const canonical = (dtxsid: unknown): string | undefined =>
  typeof dtxsid === "string" ? Result.getOrElse(Dtxsid.parse(dtxsid), () => dtxsid) : undefined
