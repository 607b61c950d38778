/**
 * One harvest that goes on and on while the service misbehaves in ever other ways: `npm run faults -- soak --minutes 60`.
 *
 * What a single run cannot show: that a client and a stream that have worked for long hold no more than at the start.
 * Slow on purpose, some tenths of a core, so that a machine can do something else meanwhile.
 */
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { FaultProxy, Scenario } from "@chemstream/faults"
import { RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Layer, Redacted, Schedule, Stream } from "effect"
import * as Aftermath from "./Aftermath.ts"
import * as Growth from "./Growth.ts"
import * as Holdings from "./Holdings.ts"
import { scenarioOf } from "./run.ts"

/** Requests a second. */
const pace = 50

/** Identifiers a request. */
const batchSize = 50

/** How long a scenario lasts, in milliseconds. */
const shift = 5_000

/** How much rarer faults are than in a scenario of some seconds. */
const rarity = 10

/** Every so many scenarios the service dies, for so many milliseconds. */
const deaths = { every: 6, forMillis: 700 }

/** How often the process is looked at, in milliseconds, and how often at least. */
const look = { every: 30_000, atLeast: 30 }

/** What a soak showed. */
export interface Summary extends Aftermath.Aftermath {
  readonly minutes: number
  readonly scenarios: number
  readonly requests: number
  readonly faulted: number
  readonly counts: Ledger.Counts
  readonly growth: Growth.Growth
  /** Outcomes that should not be, each in a sentence; the first hundred. */
  readonly breaches: ReadonlyArray<string>
}

/** How a soak is run. */
export interface Options {
  readonly minutes: number
  /** Requests a second; 50 when not given. */
  readonly requestsPerSecond?: number | undefined
  /** Is told how the process is whenever it is looked at. */
  readonly onSample?: ((sample: Growth.Sample, ledger: Ledger.Ledger) => void) | undefined
}

/** Runs for so many minutes. */
export const soak = (options: Options): Promise<Summary> =>
  Aftermath.of(() => Effect.runPromise(harvest(options)))

const harvest = ({
  minutes,
  onSample,
  requestsPerSecond = pace
}: Options): Effect.Effect<Omit<Summary, keyof Aftermath.Aftermath>> =>
  Effect.gen(function* () {
    const proxy = yield* FaultProxy.make({ scenario: Scenario.calm, upstream: Holdings.answer })
    const ledger = Ledger.make()
    const growth = Growth.follow()
    const breaches: Array<string> = []
    let scenarios = 0
    let isOver = false

    const misbehave = Effect.sync(() => {
      if (isOver) return
      proxy.setScenario(shiftOf(scenarios++))
      if (scenarios % deaths.every === 0) proxy.goDown(deaths.forMillis)
    })
    const observe = Effect.sync(() => onSample?.(growth.add(Growth.sample()), ledger))
    const millis = minutes * 60_000
    yield* Effect.forkScoped(Effect.repeat(misbehave, Schedule.spaced(Math.min(shift, millis / 10))))
    yield* Effect.forkScoped(
      Effect.repeat(observe, Schedule.spaced(Math.min(look.every, millis / look.atLeast)))
    )
    yield* Effect.forkScoped(
      Effect.delay(
        Effect.sync(() => {
          isOver = true
          proxy.setScenario(Scenario.calm)
        }),
        millis
      )
    )
    yield* Lookup.outcomes(Identifiers.fromIterable(endless(() => isOver)), Details.byDtxsid(), {
      batchSize,
      dedupe: false,
      // Nothing that was corrupted may pass, so that every record can be held against the service's own.
      validate: "strict",
      ledger
    }).pipe(
      Stream.runForEach((outcome) =>
        Effect.sync(() => {
          const breach = breachOf(outcome)
          if (breach !== undefined && breaches.length < 100) breaches.push(breach)
        })
      ),
      Effect.provide(
        ChemClient.layer({
          baseUrl: proxy.url,
          apiKey: Redacted.make("key"),
          retry: RetryPolicy.make({ attempts: 3, baseDelay: 20, maxDelay: 500 }),
          timeouts: { headers: 2_000, body: 2_000 },
          limits: { requestsPerSecond }
        }).pipe(Layer.provide(Transport.layer({ proxy: false })))
      ),
      Effect.orDie
    )
    const { drift: _, inFlight: __, slowest: ___, waiting: ____, batchSize: _____, ...counts } = ledger
    return {
      minutes,
      scenarios,
      requests: proxy.requests,
      faulted: proxy.faulted,
      counts,
      growth: growth.result(),
      breaches
    }
  }).pipe(Effect.scoped)

/** Identifiers without end, until it is over. */
const endless = function* (isOver: () => boolean): Generator<string> {
  for (let place = 0; !isOver(); place = (place + 1) % Holdings.size) yield Holdings.substance(place)
}

/**
 * A scenario in which work goes on: its faults are rarer, and none lasts. Without the fault that takes records away: of
 * those nobody could tell whether they are missing.
 */
const shiftOf = (number: number): Scenario.Scenario => {
  const scenario = scenarioOf(number)
  return {
    ...scenario,
    rules: scenario.rules
      .filter(({ fault }) => fault._tag !== "Omitted")
      .map((rule) => ({ ...rule, share: rule.share / rarity, times: rule.times ?? 2 }))
  }
}

const breachOf = (outcome: Outcome.Outcome<RawRecord.RawRecord, unknown>): string | undefined => {
  // Rules of a soak put records in.
  if (outcome._tag === "Surplus") return undefined
  const own = Holdings.records("details", outcome.id)
  switch (outcome._tag) {
    case "Found": {
      const [record] = outcome.records
      return record !== undefined && outcome.records.length === 1 && RawRecord.toText(record) === own[0]
        ? undefined
        : `${outcome.id} has a record that is not the service's own`
    }
    case "Missing":
      return own.length === 0 ? undefined : `${outcome.id} is called missing, and the service has it`
    case "Failed":
      return undefined
    case "Invalid":
      return `${outcome.id} is called invalid`
  }
}
