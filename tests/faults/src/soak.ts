/**
 * Runs one endless harvest while the service misbehaves in changing ways: `npm run faults -- soak --minutes 60`.
 *
 * It shows what no single run can: that client and stream do not grow over time. It is slow on purpose, some tenths
 * of a core.
 */
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { FaultProxy, Scenario } from "@chemstream/faults"
import { RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Layer, Redacted, Schedule, Stream } from "effect"
import * as Growth from "./Growth.ts"
import * as Leaks from "./Leaks.ts"
import * as RecordService from "./RecordService.ts"
import { scenarioOf } from "./run.ts"

/** Requests per second. */
const pace = 50

/** Identifiers per request. */
const batchSize = 50

/** The duration of a scenario, in milliseconds. */
const shift = 5_000

/** How much rarer faults are than in a short scenario. */
const rarity = 10

/** The service goes down once in this many scenarios, for this many milliseconds. */
const deaths = { every: 6, forMillis: 700 }

/** The interval between samples in milliseconds, and the smallest number of samples. */
const look = { every: 30_000, atLeast: 30 }

/** The result of a soak test. */
export interface Summary extends Leaks.Leaks {
  readonly minutes: number
  readonly scenarios: number
  readonly requests: number
  readonly faulted: number
  readonly counts: Ledger.Counts
  readonly growth: Growth.Growth
  /** Wrong outcomes, one sentence each; the first hundred. */
  readonly breaches: ReadonlyArray<string>
}

/** The options of a soak test. */
export interface Options {
  readonly minutes: number
  /** Requests per second. Default: 50. */
  readonly requestsPerSecond?: number | undefined
  /** Called with each sample. */
  readonly onSample?: ((sample: Growth.Sample, ledger: Ledger.Ledger) => void) | undefined
}

/** Runs for this many minutes. */
export const soak = (options: Options): Promise<Summary> =>
  Leaks.of(() => Effect.runPromise(harvest(options)))

const harvest = ({
  minutes,
  onSample,
  requestsPerSecond = pace
}: Options): Effect.Effect<Omit<Summary, keyof Leaks.Leaks>> =>
  Effect.gen(function* () {
    const proxy = yield* FaultProxy.make({ scenario: Scenario.noFaults, upstream: RecordService.answer })
    const ledger = Ledger.make()
    const growth = Growth.follow()
    const breaches: Array<string> = []
    const observe = Effect.sync(() => onSample?.(growth.add(Growth.sample()), ledger))
    const millis = minutes * 60_000
    const misbehaviour = yield* misbehave(proxy, millis)
    yield* Effect.forkScoped(
      Effect.repeat(observe, Schedule.spaced(Math.min(look.every, millis / look.atLeast)))
    )
    yield* Lookup.outcomes(Identifiers.fromIterable(endless(misbehaviour.isOver)), Details.byDtxsid(), {
      batchSize,
      dedupe: false,
      // No corrupted record may pass, so that every record can be compared with the service's own.
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
      scenarios: misbehaviour.scenarios(),
      requests: proxy.requests,
      faulted: proxy.faults,
      counts,
      growth: growth.result(),
      breaches
    }
  }).pipe(Effect.scoped)

/** Changes the scenario from time to time, and ends with a faultless one after this many milliseconds. */
const misbehave = Effect.fnUntraced(function* (proxy: FaultProxy.FaultProxy, millis: number) {
  let scenarios = 0
  let isOver = false
  const change = Effect.sync(() => {
    if (isOver) return
    proxy.setScenario(shiftOf(scenarios++))
    if (scenarios % deaths.every === 0) proxy.goDown(deaths.forMillis)
  })
  const finish = Effect.sync(() => {
    isOver = true
    proxy.setScenario(Scenario.noFaults)
  })
  yield* Effect.forkScoped(Effect.repeat(change, Schedule.spaced(Math.min(shift, millis / 10))))
  yield* Effect.forkScoped(Effect.delay(finish, millis))
  return { isOver: () => isOver, scenarios: () => scenarios }
})

/** Identifiers without end, until the time is over. */
const endless = function* (isOver: () => boolean): Generator<string> {
  for (let place = 0; !isOver(); place = (place + 1) % RecordService.size)
    yield RecordService.substance(place)
}

/**
 * Makes a scenario in which work continues: rare faults, none of them lasting, and none that removes records: their
 * identifiers might be missing.
 */
const shiftOf = (number: number): Scenario.Scenario => {
  const scenario = scenarioOf(number)
  return {
    ...scenario,
    rules: scenario.rules
      .filter(({ fault }) => fault._tag !== "Omission")
      .map((rule) => ({ ...rule, share: rule.share / rarity, times: rule.times ?? 2 }))
  }
}

const breachOf = (outcome: Outcome.Outcome<RawRecord.RawRecord, unknown>): string | undefined => {
  // Rules of a soak test add records.
  if (outcome._tag === "Surplus") return undefined
  const own = RecordService.records("details", outcome.id)
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
