/**
 * Runs one endless harvest while the service misbehaves in changing ways: `npm run faults -- soak --minutes 60`.
 *
 * It shows that client and stream do not grow over time. The rate is low, to use only some tenths of a core.
 */
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { FaultProxy, Scenario } from "@chemstream/faults"
import { RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Layer, Redacted, Schedule, Stream } from "effect"
import * as Growth from "./ProcessGrowth.ts"
import * as Leaks from "./ProcessLeaks.ts"
import * as RecordService from "./RecordService.ts"
import { scenarioOf } from "./runScenario.ts"

/** Requests per second. */
const pace = 50

/** Identifiers per request. */
const batchSize = 50

/** The duration of a scenario, in milliseconds. */
const scenarioMillis = 5_000

/** The factor by which faults are rarer than in a short scenario. */
const rarity = 10

/** After this many scenarios, the service is down for this many milliseconds. */
const outages = { every: 6, forMillis: 700 }

/** The longest interval between samples, in milliseconds, and the smallest number of samples. */
const sampling = { every: 30_000, atLeast: 30 }

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
  Leaks.detect(() => Effect.runPromise(harvest(options)))

const harvest = ({
  minutes,
  onSample,
  requestsPerSecond = pace
}: Options): Effect.Effect<Omit<Summary, keyof Leaks.Leaks>> =>
  Effect.gen(function* () {
    const proxy = yield* FaultProxy.make({ scenario: Scenario.noFaults, upstream: RecordService.respond })
    const ledger = Ledger.make()
    const growth = Growth.makeRecorder()
    const breaches: Array<string> = []
    const observe = Effect.sync(() => onSample?.(growth.add(Growth.sample()), ledger))
    const millis = minutes * 60_000
    const misbehaviour = yield* misbehave(proxy, millis)
    yield* Effect.forkScoped(
      Effect.repeat(observe, Schedule.spaced(Math.min(sampling.every, millis / sampling.atLeast)))
    )
    yield* Lookup.outcomes(
      Identifiers.fromIterable(identifiers(misbehaviour.isFinished)),
      Details.byDtxsid(),
      {
        batchSize,
        dedupe: false,
        // Strict validation stops corrupted records, so that all others can be compared with the service's.
        validate: "strict",
        ledger
      }
    ).pipe(
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

/** Changes the scenario repeatedly, and ends with a faultless one after this many milliseconds. */
const misbehave = Effect.fnUntraced(function* (proxy: FaultProxy.FaultProxy, millis: number) {
  let scenarios = 0
  let isFinished = false
  const change = Effect.sync(() => {
    if (isFinished) return
    proxy.setScenario(mildScenario(scenarios++))
    if (scenarios % outages.every === 0) proxy.goDown(outages.forMillis)
  })
  const finish = Effect.sync(() => {
    isFinished = true
    proxy.setScenario(Scenario.noFaults)
  })
  yield* Effect.forkScoped(Effect.repeat(change, Schedule.spaced(Math.min(scenarioMillis, millis / 10))))
  yield* Effect.forkScoped(Effect.delay(finish, millis))
  return { isFinished: () => isFinished, scenarios: () => scenarios }
})

/** Yields identifiers until the time is over. */
const identifiers = function* (isFinished: () => boolean): Generator<string> {
  for (let index = 0; !isFinished(); index = (index + 1) % RecordService.size)
    yield RecordService.substance(index)
}

/**
 * Makes a scenario in which work continues: its faults are rare and do not last. None removes records, because their
 * identifiers would be missing.
 */
const mildScenario = (number: number): Scenario.Scenario => {
  const scenario = scenarioOf(number)
  return {
    ...scenario,
    rules: scenario.rules
      .filter(({ fault }) => fault._tag !== "Omission")
      .map((rule) => ({ ...rule, share: rule.share / rarity, times: rule.times ?? 2 }))
  }
}

const breachOf = (outcome: Outcome.Outcome<RawRecord.RawRecord, unknown>): string | undefined => {
  // The rules of a soak test may add records.
  if (outcome._tag === "Surplus") return undefined
  const own = RecordService.records("details", outcome.id)
  switch (outcome._tag) {
    case "Found": {
      const [record] = outcome.records
      return record !== undefined && outcome.records.length === 1 && RawRecord.toText(record) === own[0]
        ? undefined
        : `the record of ${outcome.id} differs from the service's`
    }
    case "Missing":
      return own.length === 0 ? undefined : `${outcome.id} is missing, but the service has it`
    case "Failed":
      return undefined
    case "Invalid":
      return `${outcome.id} is invalid`
  }
}
