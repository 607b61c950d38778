/** A service with faults of all kinds, drawn from a seed: what it sends at a time, and what it has seen. */
import { Availability, type Batch } from "@chemstream/batch"
import { Data, Effect } from "effect"
import * as MonotonicClock from "../src/MonotonicClock.ts"

/** A failed request: its signal, and the number of keys that it carried. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly signal: Availability.Signal
  readonly keys: ReadonlyArray<string>
  readonly verdict: Batch.Verdict
}> {
  override get message(): string {
    return typeof this.signal === "object" ? "throttled" : this.signal
  }
}

/** A part of the time in which the service fails. */
export interface Disturbance {
  readonly from: number
  readonly to: number
  readonly kind: "throttled" | "unreachable" | "unavailable" | "elsewhere" | "failed"
  /** Whether a throttled response has the time of the end. */
  readonly isTimed: boolean
}

export interface Plan {
  readonly keys: ReadonlyArray<string>
  readonly size: number
  readonly concurrency: number
  readonly latency: number
  /** Keys whose batches are refused, with the signal. */
  readonly bad: ReadonlyMap<string, "responded" | "failed">
  /** Keys whose batches stop the service for some milliseconds. */
  readonly deadly: ReadonlyMap<string, number>
  readonly unknown: ReadonlySet<string>
  /** Batches of more keys are too slow. */
  readonly largest: number
  readonly disturbances: ReadonlyArray<Disturbance>
}

/** A seeded source of numbers from 0 (inclusive) to 1 (exclusive): mulberry32. */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Draws a plan. */
export const plan = (seed: number): Plan => {
  const next = random(seed)
  const among = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const keys = Array.from({ length: among(20, 150) }, (_, at) => `k${at}`)
  const some = (share: number): ReadonlyArray<string> => keys.filter(() => next() < share)
  const adjacent = (): ReadonlyArray<string> => {
    const from = among(0, keys.length - 1)
    return keys.slice(from, from + among(1, Math.ceil(keys.length / 3)))
  }
  const has = (share: number): boolean => next() < share
  const badKeys = has(0.5) ? (has(0.5) ? adjacent() : some(0.05)) : []
  const kind = has(0.5) ? ("failed" as const) : ("responded" as const)
  const bad = new Map(badKeys.slice(0, keys.length - 18).map((key) => [key, kind] as const))
  const deadlyKeys = has(0.2) ? [keys[among(0, keys.length - 1)] as string] : []
  const deadly = new Map(
    deadlyKeys.filter((key) => !bad.has(key)).map((key) => [key, among(500, 20_000)] as const)
  )
  const unknown = new Set(some(has(0.5) ? 0.1 : 0).filter((key) => !bad.has(key) && !deadly.has(key)))
  const kinds = ["throttled", "unreachable", "unavailable", "elsewhere", "failed"] as const
  const latency = among(1, 2000)
  // With outages of other causes, a deadly key could not be told from a bystander.
  const disturbances = Array.from(
    { length: deadly.size === 0 && has(0.6) ? among(1, 3) : 0 },
    (): Disturbance => {
      const from = among(1, 20_000)
      const kind = kinds[among(0, kinds.length - 1)] as Disturbance["kind"]
      // A failure of a single request cannot be told from a bad key.
      const shortest = kind === "failed" ? 4 * latency : 100
      const isLong = has(0.2)
      return { from, to: from + among(shortest, isLong ? 3_000_000 : 40_000), kind, isTimed: has(0.7) }
    }
  )
  return {
    keys,
    size: among(1, 60),
    concurrency: among(1, 4),
    latency,
    bad,
    deadly,
    unknown,
    largest: has(0.2) ? among(1, 40) : Number.POSITIVE_INFINITY,
    disturbances
  }
}

/** What a service has seen. */
export interface Seen {
  /** Whether the service itself has responded, or accepted a connection. */
  hasResponded: boolean
  /** The failures that mean a wrong address. */
  readonly wrongAddresses: Set<Refused>
  readonly requests: Array<{ readonly at: number; readonly keys: ReadonlyArray<string> }>
  /** The times at which a response asked to wait, and until when. */
  readonly pauses: Array<{ readonly at: number; readonly until: number }>
  readonly deaths: Map<string, number>
}

const isNobody = (signal: Availability.Signal): boolean => signal === "unreachable" || signal === "elsewhere"

/** Returns what a failure means. A service that has never responded until now has a wrong address. */
export const classify = (error: Refused, { hasResponded, wrongAddresses }: Seen): Batch.Verdict => {
  if (!isNobody(error.signal) || hasResponded) return error.verdict
  wrongAddresses.add(error)
  return "stop"
}

/** Makes the call of a service. */
export const serve = (plan: Plan, seen: Seen) => {
  let downUntil = 0
  const respond = Effect.map(Availability.Current, (current) => {
    seen.hasResponded = true
    current?.availability.recordResponse()
  })
  const refuse = (
    signal: Availability.Signal,
    keys: ReadonlyArray<string>,
    verdict: Batch.Verdict = "isolate"
  ) => {
    const isGateway = isNobody(signal) || signal === "unavailable" || signal === "overdue"
    return Effect.flatMap(isGateway ? Effect.void : respond, () =>
      Effect.fail(new Refused({ signal, keys, verdict }))
    )
  }
  return (keys: ReadonlyArray<string>): Effect.Effect<Batch.CallResult<string, Refused>, Refused> =>
    Effect.gen(function* () {
      const at = yield* MonotonicClock.currentMillis
      seen.requests.push({ at, keys })
      if (at < downUntil) return yield* refuse("unreachable", keys)
      const fault = plan.disturbances.find(({ from, to }) => from <= at && at < to)
      if (fault?.kind === "unreachable") return yield* refuse("unreachable", keys)
      yield* Effect.sleep(plan.latency)
      const now = yield* MonotonicClock.currentMillis
      // A service that stops closes the connections that it has accepted.
      if (now < downUntil) return yield* Effect.andThen(respond, refuse("unreachable", keys))
      if (fault !== undefined) {
        if (fault.kind !== "throttled") return yield* refuse(fault.kind, keys)
        const throttled = fault.isTimed ? Math.max(1, fault.to - now) : 0
        if (fault.isTimed) seen.pauses.push({ at: now, until: now + throttled })
        return yield* refuse({ throttled }, keys)
      }
      if (keys.length > plan.largest) {
        yield* Effect.sleep(2000)
        return yield* refuse("overdue", keys, "halve")
      }
      const deadly = keys.find((key) => plan.deadly.has(key))
      if (deadly !== undefined) {
        downUntil = now + (plan.deadly.get(deadly) as number)
        seen.deaths.set(deadly, (seen.deaths.get(deadly) ?? 0) + 1)
        return yield* Effect.andThen(respond, refuse("unreachable", keys))
      }
      const bad = keys.find((key) => plan.bad.has(key))
      if (bad !== undefined) return yield* refuse(plan.bad.get(bad) as Availability.Signal, keys)
      yield* respond
      const known = keys.filter((key) => !plan.unknown.has(key))
      return { records: known.map((key) => ({ key, record: key })) }
    })
}
