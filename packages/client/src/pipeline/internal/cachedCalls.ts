/**
 * Runs a call through the cache: serves a current entry, or sends one request for all equal calls and stores the
 * response.
 *
 * `ResponseCache.ts` defines entries and lifetimes. If the store fails, the request is sent.
 */
import { Availability, Options } from "@chemstream/batch"
import { Clock, Deferred, Duration, Effect, Result, Schema } from "effect"
import { type ChemError, NotFound } from "../../errors/ChemError.ts"
import { CallObserver } from "../CallObserver.ts"
import type { CacheFailure, Entry, Store } from "../ResponseCache.ts"
import * as ResponseCache from "../ResponseCache.ts"
import type { Call, CallResponse } from "./pipelineCall.ts"
import { Revalidation } from "./revalidation.ts"

/** Sends a call without the cache. */
type Send = <A>(call: Call<A>) => Effect.Effect<CallResponse<A>, ChemError>

/** The result for fibers that wait for the same call. Undefined: each must send its own. */
type SharedResult = Result.Result<Entry, ChemError> | undefined

/** The lifetimes in milliseconds. */
type Lifetimes = Readonly<Record<keyof ResponseCache.Lifetimes, number>>

/** The body of a missing entry: the `NotFound` that the service sent. */
const Refusal = Schema.fromJsonString(
  Schema.Struct({ status: Schema.Int, message: Schema.String, suggestions: Schema.Array(Schema.String) })
)
const decodeRefusal = Schema.decodeUnknownResult(Refusal)

/** The failures after which a stale entry is served: the service is down. */
const outages: ReadonlySet<ChemError["_tag"]> = new Set([
  "ConnectionFailed",
  "ServiceFailure",
  "RequestTimeout",
  "ServiceUnavailable"
])

/** Makes the cache of a client. `service`: its dialect and address, a part of each key. */
export const make = (
  service: string,
  cache: ResponseCache.ResponseCache,
  send: Send
): (<A>(call: Call<A>) => Effect.Effect<A, ChemError>) => {
  const { missingTtl, staleFor, store, ttl } = Options.complete(ResponseCache.optionSet, cache)
  const lifetimes = {
    ttl: Duration.toMillis(ttl),
    missingTtl: Duration.toMillis(missingTtl),
    staleFor: Duration.toMillis(staleFor)
  }
  const sendOnce = makeSendOnce(store, lifetimes, send)

  const run = <A>(call: Call<A>, key: string): Effect.Effect<A, ChemError> =>
    Effect.gen(function* () {
      const entry = yield* getEntry(cache.store, key)
      const current =
        entry !== undefined && (yield* isUsable(lifetimes, entry, 0)) ? open(call, entry) : undefined
      if (current !== undefined) return yield* serve(call, "current", current)
      const inFlight = sendOnce.inFlight(key)
      if (inFlight === undefined) return yield* sendOnce.send(call, key, entry)
      const outcome = yield* Deferred.await(inFlight)
      if (outcome !== undefined && Result.isFailure(outcome)) return yield* Effect.fail(outcome.failure)
      const shared = outcome === undefined ? undefined : open(call, outcome.success)
      return yield* shared === undefined ? run(call, key) : serve(call, "shared", shared)
    })

  return (call) =>
    Effect.suspend(() => run(call, `${service}\n${call.endpoint}\n${JSON.stringify(call.request)}`))
}

/** Sends one request for all equal calls. */
interface SendOnce {
  /** Returns the result of the call in flight with this key, when it comes. Undefined: no such call is in flight. */
  readonly inFlight: (key: string) => Deferred.Deferred<SharedResult> | undefined
  /** Sends a call. `entry`: its expired entry, if any. */
  readonly send: <A>(call: Call<A>, key: string, entry: Entry | undefined) => Effect.Effect<A, ChemError>
}

/** Makes the sender of a client. The first of equal calls sends the request, and stores the response. */
const makeSendOnce = (store: Store, lifetimes: Lifetimes, send: Send): SendOnce => {
  const inFlight = new Map<string, Deferred.Deferred<SharedResult>>()
  return {
    inFlight: (key) => inFlight.get(key),
    send: (call, key, entry) =>
      Effect.uninterruptibleMask((restore) => {
        const deferred = Deferred.makeUnsafe<SharedResult>()
        inFlight.set(key, deferred)
        let outcome: SharedResult
        return Effect.gen(function* () {
          const response = yield* Effect.result(revalidate(entry, send(withBodyCopy(call))))
          const fresh = toEntry(call, response, yield* Clock.currentTimeMillis)
          if (fresh !== undefined) {
            yield* putEntry(store, key, fresh)
            outcome = Result.succeed(fresh)
          } else if (Result.isFailure(response)) {
            const error = response.failure
            const stale = yield* openStale(call, entry, error, lifetimes)
            if (stale !== undefined) {
              outcome = Result.succeed(stale.entry)
              yield* Effect.logWarning(
                `${call.endpoint}: serving an expired response, because ${error.message}`
              )
              return yield* serve(call, "stale", stale.result)
            }
            // One reader may accept what another refuses, so each sends its own request.
            if (error._tag !== "MalformedResponse") outcome = Result.fail(error)
          }
          return yield* Effect.fromResult(Result.map(response, ({ value }) => value))
        }).pipe(
          restore,
          Effect.ensuring(
            Effect.suspend(() => {
              inFlight.delete(key)
              return Deferred.succeed(deferred, outcome)
            })
          )
        )
      })
  }
}

/** Opens an expired entry, if it may be served after this error. */
const openStale = <A>(
  call: Call<A>,
  entry: Entry | undefined,
  error: ChemError,
  lifetimes: Lifetimes
): Effect.Effect<{ readonly entry: Entry; readonly result: Result.Result<A, ChemError> } | undefined> =>
  entry === undefined || !outages.has(error._tag)
    ? Effect.undefined
    : Effect.map(isUsable(lifetimes, entry, lifetimes.staleFor), (isServed) => {
        const result = isServed ? open(call, entry) : undefined
        return result === undefined ? undefined : { entry, result }
      })

/** Returns how long an entry is served without a request, in milliseconds. */
const lifetimeOf = ({ missingTtl, ttl }: Lifetimes, kind: Entry["kind"]): number => {
  switch (kind) {
    case "found":
      return ttl
    case "partial":
      return Math.min(ttl, missingTtl)
    case "missing":
      return missingTtl
  }
}

/** Whether an entry is younger than its lifetime and this extra time. */
const isUsable = (lifetimes: Lifetimes, entry: Entry, extraMillis: number): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const age = now - entry.storedAt
    // An entry with a time in the future is from a wrong clock, so its age is unknown.
    return age >= 0 && age < lifetimeOf(lifetimes, entry.kind) + extraMillis
  })

/** Sends a call that asks the service to confirm an expired entry (`revalidation.ts`), if the entry has an `ETag`. */
const revalidate = <A, E>(entry: Entry | undefined, send: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  entry !== undefined && entry.kind !== "missing" && entry.etag !== undefined
    ? Effect.provideService(send, Revalidation, {
        etag: entry.etag,
        body: entry.body,
        truncated: entry.truncated
      })
    : send

/** Gives the reader a copy, because it may change the bytes. The cache stores the original. */
const withBodyCopy = <A>(call: Call<A>): Call<A> => ({
  ...call,
  read: (body, truncated) => call.read(body.slice(), truncated)
})

/** Returns the result of an entry for this call. Undefined: the reader refuses the body. */
const open = <A>(call: Call<A>, entry: Entry): Result.Result<A, ChemError> | undefined => {
  if (entry.kind !== "missing") {
    const read = withBodyCopy(call).read(entry.body, entry.truncated)
    return Result.isSuccess(read) ? Result.succeed(read.success) : undefined
  }
  const refusal = decodeRefusal(new TextDecoder().decode(entry.body))
  return Result.isFailure(refusal)
    ? undefined
    : Result.fail(new NotFound({ endpoint: call.endpoint, attempts: 0, ...refusal.success }))
}

/** Returns the entry that stores a response. Undefined: a failure other than `NotFound` is not stored. */
const toEntry = <A>(
  call: Call<A>,
  response: Result.Result<CallResponse<A>, ChemError>,
  storedAt: number
): Entry | undefined => {
  if (Result.isSuccess(response)) {
    const { bytes, etag, truncated } = response.success
    return { kind: call.isPartial(bytes) ? "partial" : "found", body: bytes, etag, truncated, storedAt }
  }
  if (response.failure._tag !== "NotFound") return undefined
  const { message, status, suggestions } = response.failure
  const body = new TextEncoder().encode(JSON.stringify({ status, message, suggestions }))
  return { kind: "missing", body, etag: undefined, storedAt }
}

/** Ends a call with the result of an entry. */
const serve = <A>(
  call: Call<A>,
  how: "current" | "shared" | "stale",
  result: Result.Result<A, ChemError>
): Effect.Effect<A, ChemError> =>
  Effect.gen(function* () {
    const current = yield* Availability.Current
    // A cached response says nothing about the service.
    if (current !== undefined) current.isUnsent = true
    const observer = yield* CallObserver
    observer.onCached?.(call.endpoint, how)
    return yield* Effect.fromResult(result)
  })

const getEntry = (store: Store, key: string): Effect.Effect<Entry | undefined> =>
  Effect.catch(store.get(key), (failure) => Effect.as(logFailure(failure), undefined))

const putEntry = (store: Store, key: string, entry: Entry): Effect.Effect<void> =>
  Effect.catch(store.put(key, entry), logFailure)

const logFailure = (failure: CacheFailure): Effect.Effect<void> =>
  Effect.logWarning(`the cache cannot be used: ${failure.message}`)
