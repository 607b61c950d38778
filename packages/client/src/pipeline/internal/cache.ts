/**
 * A call through the cache: a current entry is its answer; otherwise the service is asked, once for all that ask the
 * same at the same time, and what it says is kept.
 *
 * What an entry is and how long it is used is in `ResponseCache.ts`. A store that fails costs the cached answer only.
 */
import { Clock, Deferred, Duration, Effect, Result, Schema } from "effect"
import { type ChemError, NotFound } from "../../errors/ChemError.ts"
import { CallObserver } from "../CallObserver.ts"
import type * as ResponseCache from "../ResponseCache.ts"
import { type CacheFailure, defaultLifetimes, type Entry, type Store } from "../ResponseCache.ts"
import type { Answer, Call } from "./call.ts"
import { Revalidation } from "./revalidation.ts"

/** How a call is answered without a cache. */
type Ask = <A>(call: Call<A>) => Effect.Effect<Answer<A>, ChemError>

/** What the asking fiber hands to those that wait for the same; nothing where each has to ask for itself. */
type Outcome = Result.Result<Entry, ChemError> | undefined

/** The lifetimes in milliseconds. */
type Lifetimes = Readonly<Record<keyof ResponseCache.Lifetimes, number>>

const Refusal = Schema.fromJsonString(
  Schema.Struct({ status: Schema.Int, message: Schema.String, suggestions: Schema.Array(Schema.String) })
)
const decodeRefusal = Schema.decodeUnknownResult(Refusal)

/** The failures after which a stale answer is better than none: the service is down. */
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

  /** Asks the service, on behalf of all who ask the same meanwhile. */
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
          // What one reader refuses another may read: each asks for itself.
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
    // An entry of the future is one of a clock that was wrong: no one knows how old it is.
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

/** The call with a copy for its reader, which may change the bytes: those that came are kept. */
const reading = <A>(call: Call<A>): Call<A> => ({
  ...call,
  read: (body, truncated) => call.read(body.slice(), truncated)
})

/** What an entry says to this call; nothing where its reader refuses the body. */
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
