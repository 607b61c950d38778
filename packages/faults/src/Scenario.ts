/**
 * How a service misbehaves, as a value: what goes wrong, how often, and when; the same in every run.
 *
 * A fault strikes a request by what it asks for, not by when it comes: so the same requests meet the same faults in
 * whatever order they are sent, and one that is sent again meets the next. `fromSeed` makes scenarios; a `FaultProxy`
 * acts them out, and a `JumpingClock` and a `LateName` the part of them that happens in one's own process.
 */
import { Schema } from "effect"
import { Fault } from "./Fault.ts"
import * as Random from "./internal/random.ts"

const Natural = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))

const Positive = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 }))

const Millis = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 86_400_000 }))

/**
 * A fault that strikes some requests: a `share` of them, 0 to 1. Those it strikes it spoils `times` times, and then lets
 * them through to the next rule that strikes them; it never does where `times` is not given.
 */
export const Rule = Schema.Struct({
  fault: Fault,
  share: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  times: Schema.optionalKey(Positive)
})

/** A fault of all requests for a while: of the `length` requests that come after the first `after` ones. */
export const Burst = Schema.Struct({ fault: Fault, after: Natural, length: Positive })

/** The service dies when so many requests have come, and is back on the same port after a time, in milliseconds. */
export const Outage = Schema.Struct({ after: Positive, forMillis: Millis })

/** The wall clock is set to another time: so many milliseconds after the start, forwards or backwards by `byMillis`. */
export const Jump = Schema.Struct({ afterMillis: Millis, byMillis: Schema.Finite })

/** How a service misbehaves. Times in milliseconds. */
export const Scenario = Schema.Struct({
  /** What all chance follows from. */
  seed: Schema.Int,
  /** Nothing listens on the port for so long at the start; 0 is a service that is there. */
  startsAfterMillis: Millis,
  /** Nobody can resolve the name of the host for so long at the start; 0 is a name that is known. */
  namelessMillis: Millis,
  /** The wait before each answer, and up to how much longer it may be. */
  latencyMillis: Millis,
  jitterMillis: Millis,
  rules: Schema.Array(Rule),
  bursts: Schema.Array(Burst),
  outages: Schema.Array(Outage),
  clockJumps: Schema.Array(Jump)
})

/** A value of it. */
export type Scenario = typeof Scenario.Type

type Rule = typeof Rule.Type

/** A service without faults: what others are made from. */
export const calm: Scenario = {
  seed: 0,
  startsAfterMillis: 0,
  namelessMillis: 0,
  latencyMillis: 0,
  jitterMillis: 0,
  rules: [],
  bursts: [],
  outages: [],
  clockJumps: []
}

/** What scenarios are made of. */
export interface Ingredients {
  /** Records that nobody asks for, as JSON texts; one of no known form when not given. */
  readonly foreign?: ReadonlyArray<string> | undefined
}

/**
 * The scenario of a seed: always the same. About one in sixteen has no fault at all, and half of them only such as a
 * client gets over that tries a request some five times (`worst`).
 *
 * @example
 * ```ts
 * import { Scenario } from "@chemstream/faults"
 *
 * const scenario = Scenario.fromSeed(7)
 * scenario.rules.length <= 4 // => true
 * JSON.stringify(Scenario.fromSeed(7)) === JSON.stringify(scenario) // => true
 * ```
 */
export const fromSeed = (seed: number, ingredients: Ingredients = {}): Scenario => {
  const random = Random.of(Random.hash(seed, "scenario"))
  const base = { ...calm, seed }
  if (random.happens(1 / 16)) return base
  const recoverable = random.happens(0.5)
  // Of its own: one draw more from `chance` would make another scenario of every seed that is on record.
  const nameRandom = Random.of(Random.hash(seed, "name"))
  const ruleCount = random.between(1, recoverable ? 2 : 4)
  const rules = Array.from({ length: ruleCount }, (): Rule => {
    const rule = { fault: faultOf(random, ingredients), share: random.pick([0.05, 0.2, 0.5, 1]) }
    return recoverable || random.happens(0.6) ? { ...rule, times: random.between(1, 2) } : rule
  })
  return {
    ...base,
    startsAfterMillis: !recoverable && random.happens(0.15) ? random.between(5, 150) : 0,
    namelessMillis: !recoverable && nameRandom.happens(0.1) ? nameRandom.between(5, 150) : 0,
    latencyMillis: random.pick([0, 0, 1, 5, 20]),
    jitterMillis: random.pick([0, 2, 10, 30]),
    rules,
    bursts: recoverable || random.happens(0.6) ? [] : [burstOf(random)],
    outages: recoverable || random.happens(0.7) ? [] : [outageOf(random)],
    clockJumps: random.happens(0.7) ? [] : [jumpOf(random), jumpOf(random)]
  }
}

/**
 * How often a request fails at most in a scenario before it is answered: infinite where a fault lasts, where the service
 * dies, and where faults come in bursts. A client that tries a request more often than this gets an answer to everything.
 *
 * @example
 * ```ts
 * import { Scenario } from "@chemstream/faults"
 *
 * const rule = { fault: { _tag: "Truncated", at: 0.5 }, share: 1, times: 2 } as const
 * Scenario.worst({ ...Scenario.calm, rules: [rule] }) // => 2
 * Scenario.worst(Scenario.calm) // => 0
 * ```
 */
export const maxFailures = ({
  bursts,
  namelessMillis,
  outages,
  rules,
  startsAfterMillis
}: Scenario): number =>
  bursts.length > 0 || outages.length > 0 || startsAfterMillis > 0 || namelessMillis > 0
    ? Number.POSITIVE_INFINITY
    : rules.reduce((sum, { times }) => sum + (times ?? Number.POSITIVE_INFINITY), 0)

const faultOf = (random: Random.Random, ingredients: Ingredients): Fault => {
  const share = Math.round(random.unit() * 1000) / 1000
  switch (random.between(0, 15)) {
    case 0:
    case 1:
      return errorStatus(random, 429)
    case 2:
    case 3:
      return errorStatus(random, random.pick([500, 502, 503, 504]))
    case 4:
      return { _tag: "Silence" }
    case 5:
      return { _tag: "Cut", at: "before", how: random.pick(["reset", "close"]) }
    case 6:
    case 7:
      return { _tag: "Cut", at: share, how: random.pick(["reset", "close"]) }
    case 8:
      return { _tag: "Truncated", at: share }
    case 9:
      return { _tag: "Corrupted", bytes: random.between(1, 20) }
    case 10:
      return { _tag: "Page" }
    case 11:
      return { _tag: "WrongType", contentType: random.pick(["text/html", "text/plain", "image/png", ""]) }
    case 12:
      return { _tag: "Drip", bytes: random.pick([200, 1000, 5000]), everyMillis: random.between(0, 3) }
    case 13:
      return { _tag: "Duplicated", records: random.between(1, 20) }
    case 14:
      return random.happens(0.5) ? { _tag: "Omitted", records: random.between(1, 20) } : { _tag: "Shuffled" }
    default:
      return { _tag: "Foreign", records: ingredients.foreign ?? ['{"foreign":true}'] }
  }
}

const errorStatus = (random: Random.Random, status: number): Fault => ({
  _tag: "Status",
  status,
  body: random.pick(["problem", "page", "nothing"]),
  ...(random.happens(0.5)
    ? { retryAfter: { seconds: random.pick([0, 0, 1]), as: random.pick(["number", "date"]) } }
    : {})
})

const burstOf = (random: Random.Random): typeof Burst.Type => ({
  fault: errorStatus(random, random.pick([429, 500, 502, 503])),
  after: random.between(0, 10),
  length: random.between(1, 20)
})

const outageOf = (random: Random.Random): typeof Outage.Type => ({
  after: random.between(1, 10),
  forMillis: random.between(1, 200)
})

const jumpOf = (random: Random.Random): typeof Jump.Type => ({
  afterMillis: random.between(0, 100),
  byMillis: random.pick([-86_400_000, -3_600_000, -1_500, 1_500, 3_600_000, 86_400_000])
})
