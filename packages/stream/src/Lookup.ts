/**
 * What to ask a chemical-information service for a stream of identifiers, and the run that asks it.
 *
 * A lookup says what an identifier looks like, how many go into one call, how they are asked for and whose each record
 * is. The modules of the endpoints make lookups (`Details.byDtxsid()`, `Search.equal()` …); here they are run. Records
 * stay the bytes they came in (`RawRecord`), unless `decode` turns them into values.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { BodyReader, CallObserver, type ChemClient, ChemError } from "@chemstream/client"
import { Drift, RawRecord } from "@chemstream/ndjson"
import { type Duration, Effect, Result, Schema, type Stream } from "effect"
import * as BatchCalls from "./BatchCalls.ts"
import type { Identifier } from "./Identifiers.ts"
import { askValuesOf } from "./internal/askValues.ts"
import type { Inspection } from "./internal/inspection.ts"
import { type Outage, watch } from "./internal/outage.ts"
import { verdict } from "./internal/verdict.ts"
import * as Ledger from "./Ledger.ts"
import type { Outcome } from "./Outcome.ts"
import type { Multiplicity } from "./Reconcile.ts"
import type { Seen } from "./Seen.ts"

export type { Inspection, Outage }

/** Calls in flight when not set. */
export const defaultConcurrency = 4

/** What to ask for. `E` is what an identifier can fail with beside the failure of its call. */
export interface Lookup<R, E = never> {
  /** The endpoint in the contract, e.g. `details.byDtxsidBatch`. */
  readonly endpoint: string
  /** The identifier in canonical spelling, or why the text is none. */
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** Whether the check digit of a parsed identifier fits; every identifier passes where there is none. */
  readonly verify: (id: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** The most identifiers one call takes. */
  readonly size: number
  /** How many records an identifier may have. */
  readonly multiplicity: Multiplicity
  /** What the contract says of a record, where it says anything: the names and kinds of its fields. */
  readonly schema?: Schema.Constraint | undefined
  /**
   * The record of an identifier that was given in another spelling, where a record says what was asked; as it is when not
   * given.
   */
  readonly asGiven?: ((record: R, id: string, given: string) => R) | undefined
  /** Asks for a batch of distinct identifiers. */
  readonly ask: (
    ids: ReadonlyArray<string>,
    inspection: Inspection
  ) => Effect.Effect<
    BatchCalls.Answer<R, ChemError.ChemError | E>,
    ChemError.ChemError,
    ChemClient.ChemClient
  >
}

/** How a lookup is run. */
export interface Options {
  /** Identifiers a call, 1 to the `size` of the lookup; its `size` when not given. */
  readonly batchSize?: number | undefined
  /** Calls in flight; 4 when not given. */
  readonly concurrency?: number | undefined
  /** Whether outcomes keep the order of the input; true when not given. */
  readonly ordered?: boolean | undefined
  /** Whether repeated identifiers are counted instead of asked for again; true when not given. */
  readonly dedupe?: boolean | Seen | undefined
  /** Whether an identifier whose check digit does not fit is invalid; asked for all the same when not given. */
  readonly strictIds?: boolean | undefined
  /**
   * What becomes of a record whose fields are not of the kinds that the contract has: it passes on as it came and is
   * tallied in the ledger's `drift` (`warn`), its identifier is `Failed` (`strict`, which also checks every answer down to
   * the last digit), or nothing is looked at but the identifiers (`off`); `warn` when not given.
   */
  readonly validate?: Drift.Validate | undefined
  /** What is done about a failed batch; `isolate` when not given. */
  readonly onFailure?: BatchCalls.OnFailure | undefined
  /**
   * What is done when the service goes away; what is asked for then fails when not given. Counted in `waiting` of the
   * ledger, and logged.
   */
  readonly outage?: Outage | undefined
  /** The longest an identifier waits for its batch to fill; until the batch is full when not given. */
  readonly window?: Duration.Input | undefined
  /** Where the run is counted; a ledger of its own when not given. */
  readonly ledger?: Ledger.Ledger | undefined
}

/**
 * Runs a lookup over a stream of identifiers: one outcome an identifier.
 *
 * Ends with an error, after the outcomes so far, when the service refuses the API key, when it could not be reached at
 * all or there is nothing but pages under the address, and when it has been away for longer than the client or
 * `outage` waits (`CircuitOpen`). Every other failure of a call is the
 * `Failed` outcome of its identifiers.
 *
 * @example
 * ```ts
 * import { Details, Identifiers, Lookup } from "@chemstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = Lookup.outcomes(
 *   Identifiers.fromIterable(["DTXSID7020182"]),
 *   Details.byDtxsid({ projection: "compact" })
 * ).pipe(Stream.runForEach((outcome) => Effect.log(outcome._tag)))
 * ```
 */
export const outcomes = <R, E, Services, F = never>(
  identifiers: Stream.Stream<Identifier, E, Services>,
  lookup: Lookup<R, F>,
  options: Options = {}
): Stream.Stream<
  Outcome<R, ChemError.ChemError | F>,
  E | ChemError.ChemError | F,
  Services | ChemClient.ChemClient
> => BatchCalls.outcomes(identifiers, settings(lookup, options))

/**
 * As `outcomes`, batch by batch, each with the part of the input it accounts for: what a `Checkpoint` records.
 * `settlement` is what an earlier run over the same input has accounted for; another input fails with `OtherInput`.
 */
export const batches = <R, E, Services, F = never>(
  identifiers: Stream.Stream<Identifier, E, Services>,
  lookup: Lookup<R, F>,
  options: Options & { readonly settlement?: BatchCalls.Settlement | undefined } = {}
): Stream.Stream<
  BatchCalls.SettledBatch<R, ChemError.ChemError | F>,
  E | ChemError.ChemError | F | BatchCalls.OtherInput,
  Services | ChemClient.ChemClient
> => BatchCalls.batches(identifiers, { ...settings(lookup, options), settlement: options.settlement })

/**
 * The same lookup with its records as values, each checked against a schema. An identifier of which a record does not
 * fit is `Failed` with a `MalformedResponse` that says where.
 *
 * The schema must not transform: the value is the one that was parsed, unknown fields included.
 *
 * @example
 * ```ts
 * import { DetailRecord } from "@chemstream/api"
 * import { Details, Lookup } from "@chemstream/stream"
 *
 * const lookup = Lookup.decode(Details.byDtxsid({ projection: "compact" }), DetailRecord.schemas.compact)
 * lookup.endpoint // => "details.byDtxsidBatch"
 * ```
 */
export const decode = <A>(
  lookup: Lookup<RawRecord.RawRecord>,
  schema: Schema.ConstraintDecoder<A>
): Lookup<A> => {
  const read = BodyReader.json(schema)
  const decoded = (
    answer: BatchCalls.Answer<RawRecord.RawRecord, ChemError.ChemError>
  ): BatchCalls.Answer<A, ChemError.ChemError> => {
    const records: Array<{ readonly key: string; readonly record: A }> = []
    const errors = new Map(answer.errors)
    for (const { key, record } of answer.records) {
      const value = read(RawRecord.toBytes(record))
      if (Result.isSuccess(value)) records.push({ key, record: value.success })
      else errors.set(key, misfit(lookup.endpoint, key, value.failure))
    }
    return { ...answer, records, errors }
  }
  // What fits the schema that says what is drift has none.
  const askValues = schema === lookup.schema ? askValuesOf(lookup) : undefined
  const readAll = BodyReader.json<ReadonlyArray<A>>(Schema.Array(schema))
  // An answer that holds something else is read twice; where one has come, there will be more.
  let isWhole = true
  return {
    ...lookup,
    schema,
    // Of values it is not known where they say what was asked.
    asGiven: undefined,
    ask: (ids, inspection) =>
      askValues === undefined || !isWhole || inspection.validate === "strict"
        ? Effect.map(lookup.ask(ids, inspection), decoded)
        : Effect.map(
            askValues(readAll, ids, inspection),
            Result.match({
              onSuccess: (answer) => answer,
              onFailure: (answer) => {
                isWhole = false
                return decoded(answer)
              }
            })
          )
  }
}

const misfit = (
  endpoint: string,
  id: string,
  { path, reason }: BodyReader.BodyProblem
): ChemError.MalformedResponse =>
  new ChemError.MalformedResponse({
    endpoint,
    attempts: 1,
    status: 200,
    path,
    message: `a record of ${id} is not what ${endpoint} answers${path === "" ? "" : `, at ${path}`}: ${reason}`
  })

const settings = <R, F>(
  lookup: Lookup<R, F>,
  options: Options
): BatchCalls.Settings<R, ChemError.ChemError | F, ChemClient.ChemClient> => {
  const ledger = options.ledger ?? Ledger.make()
  const strict = options.strictIds ?? false
  const validate = options.validate ?? "warn"
  const { call, verdict: verdictOf } = watch(options.outage, ledger)
  return {
    parse: (text) => (strict ? Result.flatMap(lookup.parse(text), lookup.verify) : lookup.parse(text)),
    isSuspicious: (id) => Result.isFailure(lookup.verify(id)),
    call: (ids) =>
      counted(
        ledger,
        call(
          ids,
          (some) => lookup.ask(some, { validate, drift: ledger.drift }),
          (some) => lookup.ask(some, { validate: "off", drift: Drift.make() })
        )
      ),
    // Only calls are judged, and those fail with a ChemError.
    judge: (error) =>
      verdictOf(error as ChemError.ChemError) ?? verdict(error as ChemError.ChemError, ledger),
    isUnasked: (error) => (error as ChemError.ChemError).attempts === 0,
    suggestions: (error) => suggestionsOf(error as ChemError.ChemError),
    onFailure: options.onFailure,
    asGiven: lookup.asGiven,
    multiplicity: lookup.multiplicity,
    size: Math.max(1, Math.min(options.batchSize ?? lookup.size, lookup.size)),
    window: options.window,
    concurrency: options.concurrency ?? defaultConcurrency,
    ordered: options.ordered ?? true,
    dedupe: options.dedupe ?? true,
    ledger
  }
}

const suggestionsOf = (error: ChemError.ChemError): ReadonlyArray<string> =>
  error._tag === "NotFound" ? error.suggestions : []

/** Counts the requests of a call in the ledger, and whether it waits for the service's rate limit. */
const counted = <A, E, R>(ledger: Ledger.Ledger, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CallObserver.CallObserver, (around) => {
    let isWaiting = false
    const wait = (next: boolean): void => {
      if (next !== isWaiting) ledger.waiting += next ? 1 : -1
      isWaiting = next
    }
    return call.pipe(
      Effect.provideService(CallObserver.CallObserver, {
        ...around,
        onRequest: (endpoint) => {
          wait(false)
          ledger.requests++
          around.onRequest(endpoint)
        },
        onRetry: (error, delay) => {
          wait(error._tag === "RateLimited")
          ledger.retries++
          around.onRetry(error, delay)
        },
        onBody: (endpoint, bytes, status) => {
          ledger.answers++
          ledger.bytes += bytes
          around.onBody(endpoint, bytes, status)
        },
        onCached: (endpoint, how) => around.onCached?.(endpoint, how)
      }),
      Effect.ensuring(Effect.sync(() => wait(false)))
    )
  })
