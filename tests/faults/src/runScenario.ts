/** Runs one scenario: the real client and stream against a misbehaving proxy. */
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { FaultProxy, JumpingClock, LateName, Scenario } from "@chemstream/faults"
import { Identifiers, Ledger, Lookup } from "@chemstream/stream"
import { Cause, Effect, Exit, Layer, Logger, Metric, Redacted, Result, Stream } from "effect"
import * as Job from "./LookupJob.ts"
import * as RecordService from "./RecordService.ts"
import * as Law from "./RunLaws.ts"

/** After this time without a request or an outcome, in milliseconds, a run counts as hung. Its total time may be longer. */
const maxIdle = 120_000

/**
 * Returns the largest number of requests of a run: all attempts, and two more to prove that a value fails alone, and
 * bisecting down to each identifier, four times, and the probes of the longest wait.
 */
const requestLimit = ({ retry, texts }: Job.Job): number =>
  4 * (retry.attempts + 2) * (texts.length + 10) + Job.mostProbes

/** The time that sockets may take to close after their client, in milliseconds. */
const closeTimeout = 5_000

/** The result of a scenario. */
export interface Report {
  readonly seed: number
  /** Breaches of the laws, hangs, defects and leaks, one sentence each. */
  readonly breaches: ReadonlyArray<string>
  readonly identifiers: number
  readonly requests: number
  readonly faulted: number
  readonly failed: number
  /** Whether the run stopped early. */
  readonly hasStoppedEarly: boolean
}

/** Returns the scenario of a seed, with the records that may be inserted. */
export const scenarioOf = (seed: number): Scenario.Scenario =>
  Scenario.fromSeed(seed, { surplus: Job.foreign })

/** Runs the scenario of a seed. Never fails: problems are in the report. */
export const run = (seed: number): Effect.Effect<Report> =>
  Effect.gen(function* () {
    const scenario = scenarioOf(seed)
    const job = yield* Job.of(scenario)
    const ledger = Ledger.make()
    const omitted = new Set<string>()
    const outcomes: Array<Law.RunResult["outcomes"][number]> = []
    const proxy = yield* FaultProxy.make({
      scenario,
      upstream: RecordService.respond,
      onEvent: (event) => {
        for (const record of event.omitted) omitted.add(record)
      }
    })
    const { nameDelay } = scenario
    const baseUrl =
      nameDelay !== 0 ? proxy.url.replace("127.0.0.1", yield* LateName.make(nameDelay)) : proxy.url
    const fibers = countFibers()
    const lookup = Lookup.outcomes(Identifiers.fromIterable(job.texts), Job.lookups[job.kind](), {
      ...job.lookup,
      ledger
    }).pipe(Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))))
    const exit = yield* lookup.pipe(
      Effect.provide(clientOf(job, baseUrl)),
      Effect.provide(JumpingClock.layer(scenario.clockJumps)),
      Effect.provide(Logger.layer([])),
      Effect.provideService(Metric.FiberRuntimeMetrics, fibers.service),
      Effect.result,
      Effect.raceFirst(detectHang(() => [proxy.requests, outcomes.length], requestLimit(job))),
      Effect.exit
    )
    const breaches: Array<string> = []
    if (Exit.isFailure(exit)) breaches.push(`the run has a defect: ${Cause.pretty(exit.cause)}`)
    else if (typeof exit.value === "string") breaches.push(exit.value)
    else {
      const isServed = proxy.faults < proxy.requests
      const error = Result.isFailure(exit.value) ? exit.value.failure : undefined
      if (error?._tag === "InvalidOption") breaches.push(error.message)
      else breaches.push(...Law.breaches({ scenario, job, outcomes, ledger, error, omitted, isServed }))
    }
    const open = yield* waitForZero(() => proxy.connections + fibers.active())
    if (open > 0) breaches.push(`${proxy.connections} sockets and ${fibers.active()} fibers are left`)
    return {
      seed,
      breaches,
      identifiers: job.texts.length,
      requests: proxy.requests,
      faulted: proxy.faults,
      failed: ledger.failed,
      hasStoppedEarly: outcomes.length - ledger.surplus < ledger.read - ledger.duplicates
    }
  }).pipe(Effect.scoped)

const clientOf = (job: Job.Job, baseUrl: string) =>
  ChemClient.layer({
    baseUrl,
    apiKey: Redacted.make("key"),
    retry: job.retry,
    timeouts: job.timeouts,
    limits: { inFlight: job.inFlight }
  }).pipe(Layer.provide(Transport.layer({ proxy: false })))

/** Returns a message when a run hangs or sends too many requests. */
const detectHang = (
  progress: () => readonly [requests: number, outcomes: number],
  limit: number
): Effect.Effect<string> =>
  Effect.gen(function* () {
    let idle = 0
    let last = ""
    while (idle < maxIdle) {
      yield* Effect.sleep(1000)
      const [requests, outcomes] = progress()
      if (requests > limit) return `the run did not finish within ${requests} requests`
      const now = `${requests} ${outcomes}`
      idle = now === last ? idle + 1000 : 0
      last = now
    }
    return `the run hung for ${maxIdle / 1000} s`
  })

/** Waits until a number is zero, and returns the number at the end. */
const waitForZero = (count: () => number): Effect.Effect<number> =>
  Effect.gen(function* () {
    for (let waited = 0; count() > 0 && waited < closeTimeout; waited += 5) yield* Effect.sleep(5)
    return count()
  })

const countFibers = () => {
  let active = 0
  const service: Metric.FiberRuntimeMetricsService = {
    recordFiberStart: () => {
      active++
    },
    recordFiberEnd: () => {
      active--
    }
  }
  return { service, active: () => active }
}
