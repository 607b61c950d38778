/**
 * Runs a call through the cache: serves a current entry, or sends one request for all equal calls and stores the
 * response.
 *
 * `ResponseCache.ts` defines entries and lifetimes. If the store fails, the request is sent.
 */
import { Clock, Deferred, Duration, Effect, Result, Schema } from "effect"
import { type ChemError, NotFound } from "../../errors/ChemError.ts"
import { CallObserver } from "../CallObserver.ts"
import type * as ResponseCache from "../ResponseCache.ts"
import { type CacheFailure, defaultLifetimes, type Entry, type Store } from "../ResponseCache.ts"
import type { Answer, Call } from "./call.ts"
import { Revalidation } from "./revalidation.ts"

/** Sends a call without the cache. */
type Ask = <A>(call: Call<A>) => Effect.Effect<Answer<A>, ChemError>

/** The result for fibers that wait for the same call. Undefined: each must send its own. */
type Outcome = Result.Result<Entry, ChemError> | undefined

/** The lifetimes in milliseconds. */
type Lifetimes = Readonly<Record<keyof ResponseCache.Lifetimes, number>>

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

export const make = (
  service: string,
  cache: ResponseCache.ResponseCache,
  ask: Ask
): (<A>(call: Call<A>) => Effect.Effect<A, ChemError>) => {
  const lifetimes = {
    ttl: Duration.toMillis(cache.ttl ?? defaultLifetimes.ttl),
    missingTtl: Duration.toMillis(cache.missingTtl ?? defaultLifetimes.missingTtl),
    staleFor: Duration.toMillis(cache.staleFor ?? defaultLifetimes.staleFor)
  }
  const asking = new Map<string, Deferred.Deferred<Outcome>>()

  const answer = <A>(call: Call<A>, key: string): Effect.Effect<A, ChemError> =>
    Effect.gen(function* () {
      const entry = yield* lookUp(cache.store, key)
      const current =
        entry !== undefined && (yield* isUsable(lifetimes, entry, 0)) ? open(call, entry) : undefined
      if (current !== undefined) return yield* give(call, "current", current)
      const others = asking.get(key)
      if (others === undefined) return yield* askFor(call, key, entry)
      const outcome = yield* Deferred.await(others)
      if (outcome !== undefined && Result.isFailure(outcome)) return yield* Effect.fail(outcome.failure)
      const shared = outcome === undefined ? undefined : open(call, outcome.success)
      return yield* shared === undefined ? answer(call, key) : give(call, "shared", shared)
    })

  /** Sends the request for all equal calls. */
  const askFor = <A>(call: Call<A>, key: string, entry: Entry | undefined): Effect.Effect<A, ChemError> =>
    Effect.uninterruptibleMask((restore) => {
      const mine = Deferred.makeUnsafe<Outcome>()
      asking.set(key, mine)
      let outcome: Outcome
      return Effect.gen(function* () {
        const asked = yield* Effect.result(holding(entry, ask(reading(call))))
        const fresh = toEntry(call, asked, yield* Clock.currentTimeMillis)
        if (fresh !== undefined) {
          yield* keep(cache.store, key, fresh)
          outcome = Result.succeed(fresh)
        } else if (Result.isFailure(asked)) {
          const standIn = entry !== undefined && outages.has(asked.failure._tag) ? entry : undefined
          if (standIn !== undefined && (yield* isUsable(lifetimes, standIn, lifetimes.staleFor))) {
            const stale = open(call, standIn)
            if (stale !== undefined) {
              outcome = Result.succeed(standIn)
              yield* Effect.logWarning(
                `${call.endpoint}: an expired answer stands in: ${asked.failure.message}`
              )
              return yield* give(call, "stale", stale)
            }
          }
          // One reader may accept what another refuses, so each sends its own request.
          if (asked.failure._tag !== "MalformedResponse") outcome = Result.fail(asked.failure)
        }
        return yield* Effect.fromResult(Result.map(asked, ({ value }) => value))
      }).pipe(
        restore,
        Effect.ensuring(
          Effect.suspend(() => {
            asking.delete(key)
            return Deferred.succeed(mine, outcome)
          })
        )
      )
    })

  return (call) =>
    Effect.suspend(() => answer(call, `${service}\n${call.endpoint}\n${JSON.stringify(call.question)}`))
}

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

const isUsable = (lifetimes: Lifetimes, entry: Entry, longer: number): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const age = now - entry.storedAt
    // An entry with a time in the future is from a wrong clock, so its age is unknown.
    return age >= 0 && age < lifetimeOf(lifetimes, entry.kind) + longer
  })

const holding = <A, E>(entry: Entry | undefined, ask: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  entry !== undefined && entry.kind !== "missing" && entry.etag !== undefined
    ? Effect.provideService(ask, Revalidation, {
        etag: entry.etag,
        body: entry.body,
        truncated: entry.truncated
      })
    : ask

/** Gives the reader a copy, because it may change the bytes. The cache stores the original. */
const reading = <A>(call: Call<A>): Call<A> => ({
  ...call,
  read: (body, truncated) => call.read(body.slice(), truncated)
})

/** Returns the result of an entry for this call. Undefined: the reader refuses the body. */
const open = <A>(call: Call<A>, entry: Entry): Result.Result<A, ChemError> | undefined => {
  if (entry.kind !== "missing") {
    const read = reading(call).read(entry.body, entry.truncated)
    return Result.isSuccess(read) ? Result.succeed(read.success) : undefined
  }
  const refusal = decodeRefusal(new TextDecoder().decode(entry.body))
  return Result.isFailure(refusal)
    ? undefined
    : Result.fail(new NotFound({ endpoint: call.endpoint, attempts: 0, ...refusal.success }))
}

const toEntry = <A>(
  call: Call<A>,
  asked: Result.Result<Answer<A>, ChemError>,
  storedAt: number
): Entry | undefined => {
  if (Result.isSuccess(asked)) {
    const { bytes, etag, truncated } = asked.success
    return { kind: call.isPartial(bytes) ? "partial" : "found", body: bytes, etag, truncated, storedAt }
  }
  if (asked.failure._tag !== "NotFound") return undefined
  const { message, status, suggestions } = asked.failure
  const body = new TextEncoder().encode(JSON.stringify({ status, message, suggestions }))
  return { kind: "missing", body, etag: undefined, storedAt }
}

const give = <A>(
  call: Call<A>,
  how: "current" | "shared" | "stale",
  answer: Result.Result<A, ChemError>
): Effect.Effect<A, ChemError> =>
  Effect.flatMap(CallObserver, (observer) => {
    observer.onCached?.(call.endpoint, how)
    return Effect.fromResult(answer)
  })

const lookUp = (store: Store, key: string): Effect.Effect<Entry | undefined> =>
  Effect.catch(store.get(key), (failure) => Effect.as(tellOf(failure), undefined))

const keep = (store: Store, key: string, entry: Entry): Effect.Effect<void> =>
  Effect.catch(store.put(key, entry), tellOf)

const tellOf = (failure: CacheFailure): Effect.Effect<void> =>
  Effect.logWarning(`the cache cannot be used: ${failure.message}`)
