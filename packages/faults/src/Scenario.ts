/**
 * Describes a misbehaving service as a value: its faults, how often they occur, and when.
 *
 * The content of a request decides whether a rule applies, not its time. So the same requests get the same faults in
 * any order, and a retry gets the next fault. `fromSeed` makes scenarios, and `FaultProxy` applies them.
 * `JumpingClock` and `LateName` apply the parts that happen in the client's process.
 */
import { Duration, Schema } from "effect"
import { Fault } from "./Fault.ts"
import { argument } from "./internal/checkArgument.ts"
import { Shift, Time } from "./internal/scenarioTime.ts"
import * as seededRandom from "./internal/seededRandom.ts"

const Natural = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))

const Positive = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 }))

/**
 * Applies a fault to a share of the requests. `share` is from 0 to 1.
 *
 * The first `times` attempts of such a request get the fault; later attempts get the fault of the next rule. Without
 * `times`, every attempt gets the fault.
 */
export const Rule = Schema.Struct({
  fault: Fault,
  share: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  times: Schema.optionalKey(Positive)
})

/** Applies a fault to the `length` requests after the first `after` requests. */
export const Burst = Schema.Struct({ fault: Fault, after: Natural, length: Positive })

/** Takes the service down at request number `after`. It restarts on the same port after `duration`. */
export const Outage = Schema.Struct({ after: Positive, duration: Time })

/** Sets the wall clock forwards or backwards by `by`, when `after` has passed since the start. */
export const Jump = Schema.Struct({ after: Time, by: Shift })

/** A misbehaving service. A time is a number of milliseconds, or a text such as "2 seconds". */
export const Scenario = Schema.Struct({
  /** The seed of all random choices. */
  seed: Schema.Int,
  /** How long the port is closed at the start. 0: the service is up at once. */
  startDelay: Time,
  /** How long the host name does not resolve at the start. 0: it resolves at once. */
  nameDelay: Time,
  /** The wait before each response, and the largest random addition to it. */
  latency: Time,
  jitter: Time,
  rules: Schema.Array(Rule),
  bursts: Schema.Array(Burst),
  outages: Schema.Array(Outage),
  clockJumps: Schema.Array(Jump)
})

/** A misbehaving service. */
export type Scenario = typeof Scenario.Type

type Rule = typeof Rule.Type

/** A service without faults, the base of other scenarios. */
export const noFaults: Scenario = {
  seed: 0,
  startDelay: 0,
  nameDelay: 0,
  latency: 0,
  jitter: 0,
  rules: [],
  bursts: [],
  outages: [],
  clockJumps: []
}

/** The data of generated scenarios. */
export interface GeneratorOptions {
  /** Records that were not requested, as JSON texts. Default: one record without an identifier. */
  readonly surplus?: ReadonlyArray<string> | undefined
}

/**
 * Returns the scenario of a seed, always the same.
 *
 * One in 16 has no faults. Half of the others have only faults that a client with five attempts per request
 * recovers from (see `maxFailures`).
 *
 * @example
 *
 * ```ts
 * import { Scenario } from "@chemstream/faults"
 *
 * const scenario = Scenario.fromSeed(7)
 * scenario.rules.length <= 4 // => true
 * JSON.stringify(Scenario.fromSeed(7)) === JSON.stringify(scenario) // => true
 * ```
 */
export const fromSeed = (seed: number, options: GeneratorOptions = {}): Scenario => {
  const random = seededRandom.make(seededRandom.hash(argument("seed", Schema.Int, seed), "scenario"))
  const base = { ...noFaults, seed }
  if (random.happens(1 / 16)) return base
  const recoverable = random.happens(0.5)
  // Has its own generator, so that existing seeds keep their other draws.
  const nameRandom = seededRandom.make(seededRandom.hash(seed, "name"))
  const ruleCount = random.between(1, recoverable ? 2 : 4)
  const rules = Array.from({ length: ruleCount }, (): Rule => {
    const rule = { fault: faultOf(random, options), share: random.pick([0.05, 0.2, 0.5, 1]) }
    return recoverable || random.happens(0.6) ? { ...rule, times: random.between(1, 2) } : rule
  })
  return {
    ...base,
    startDelay: !recoverable && random.happens(0.15) ? random.between(5, 150) : 0,
    nameDelay: !recoverable && nameRandom.happens(0.1) ? nameRandom.between(5, 150) : 0,
    latency: random.pick([0, 0, 1, 5, 20]),
    jitter: random.pick([0, 2, 10, 30]),
    rules,
    bursts: recoverable || random.happens(0.6) ? [] : [burstOf(random)],
    outages: recoverable || random.happens(0.7) ? [] : [outageOf(random)],
    clockJumps: random.happens(0.7) ? [] : [jumpOf(random), jumpOf(random)]
  }
}

/**
 * Returns how often a request can fail before it gets a response.
 *
 * Returns Infinity for rules without `times`, bursts, outages, a late start and a late host name. A client with more
 * attempts per request gets every response.
 *
 * @example
 *
 * ```ts
 * import { Scenario } from "@chemstream/faults"
 *
 * const rule = { fault: { _tag: "Truncation", at: 0.5 }, share: 1, times: 2 } as const
 * Scenario.maxFailures({ ...Scenario.noFaults, rules: [rule] }) // => 2
 * Scenario.maxFailures(Scenario.noFaults) // => 0
 * ```
 */
export const maxFailures = (scenario: Scenario): number => {
  const { bursts, nameDelay, outages, rules, startDelay } = argument("scenario", Scenario, scenario)
  return bursts.length > 0 ||
    outages.length > 0 ||
    Duration.toMillis(startDelay) > 0 ||
    Duration.toMillis(nameDelay) > 0
    ? Number.POSITIVE_INFINITY
    : rules.reduce((sum, { times }) => sum + (times ?? Number.POSITIVE_INFINITY), 0)
}

const faultOf = (random: seededRandom.Random, options: GeneratorOptions): Fault => {
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
      return { _tag: "Truncation", at: share }
    case 9:
      return { _tag: "Corruption", bytes: random.between(1, 20) }
    case 10:
      return { _tag: "Page" }
    case 11:
      return { _tag: "WrongType", contentType: random.pick(["text/html", "text/plain", "image/png", ""]) }
    case 12:
      return { _tag: "Drip", bytes: random.pick([200, 1000, 5000]), every: random.between(0, 3) }
    case 13:
      return { _tag: "Duplication", records: random.between(1, 20) }
    case 14:
      return random.happens(0.5) ? { _tag: "Omission", records: random.between(1, 20) } : { _tag: "Shuffle" }
    default:
      return { _tag: "Surplus", records: options.surplus ?? ['{"foreign":true}'] }
  }
}

const errorStatus = (random: seededRandom.Random, status: number): Fault => ({
  _tag: "Status",
  status,
  body: random.pick(["problem", "page", "nothing"]),
  ...(random.happens(0.5)
    ? { retryAfter: { seconds: random.pick([0, 0, 1]), as: random.pick(["number", "date"]) } }
    : {})
})

const burstOf = (random: seededRandom.Random): typeof Burst.Type => ({
  fault: errorStatus(random, random.pick([429, 500, 502, 503])),
  after: random.between(0, 10),
  length: random.between(1, 20)
})

const outageOf = (random: seededRandom.Random): typeof Outage.Type => ({
  after: random.between(1, 10),
  duration: random.between(1, 200)
})

const jumpOf = (random: seededRandom.Random): typeof Jump.Type => ({
  after: random.between(0, 100),
  by: random.pick([-86_400_000, -3_600_000, -1_500, 1_500, 3_600_000, 86_400_000])
})
