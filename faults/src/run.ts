/**
 * One scenario: the real client and stream against a proxy that misbehaves, and what became of it.
 */
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { FaultProxy, JumpingClock, Scenario } from "@chemstream/faults"
import { Identifiers, Ledger, Lookup } from "@chemstream/stream"
import { Cause, Effect, Exit, Layer, Metric, Option, Redacted, Result, Stream } from "effect"
import * as Holdings from "./Holdings.ts"
import * as Job from "./Job.ts"
import * as Law from "./Law.ts"

/**
 * The longest a run may take, in milliseconds: beyond it hangs. A service that cuts off half of the requests for good makes
 * for a thousand calls, two in flight and each tried six times: minutes on a busy machine.
 */
const deadline = 600_000

/** How long sockets may take to close after their client, in milliseconds. */
const grace = 5_000

/** What a scenario showed. */
export interface Report {
  readonly seed: number
  /** What should not be: breaches of the law, a hang, a defect, a leak. */
  readonly breaches: ReadonlyArray<string>
  readonly identifiers: number
  readonly requests: number
  readonly spoilt: number
  readonly failed: number
  /** Whether the run ended before its time. */
  readonly isEnded: boolean
}

/** The scenario of a seed, as the suite runs it. */
export const scenarioOf = (seed: number): Scenario.Scenario =>
  Scenario.fromSeed(seed, { foreign: Job.foreign })

/** Runs the scenario of a seed. Never fails: what is wrong is in the report. */
export const run = (seed: number): Effect.Effect<Report> =>
  Effect.gen(function* () {
    const scenario = scenarioOf(seed)
    const job = yield* Job.of(scenario)
    const ledger = Ledger.make()
    const omitted = new Set<string>()
    const outcomes: Array<Law.Ran["outcomes"][number]> = []
    const proxy = yield* FaultProxy.make({
      scenario,
      upstream: Holdings.answer,
      onEvent: (event) => {
        for (const record of event.omitted) omitted.add(record)
      }
    })
    const fibers = countFibers()
    const lookup = Lookup.outcomes(Identifiers.fromIterable(job.texts), Job.lookups[job.kind](), {
      ...job.lookup,
      ledger
    }).pipe(Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))))
    const exit = yield* lookup.pipe(
      Effect.provide(clientOf(job, proxy.url)),
      Effect.provide(JumpingClock.layer(scenario.clockJumps)),
      Effect.provideService(Metric.FiberRuntimeMetrics, fibers.service),
      Effect.result,
      Effect.timeoutOption(deadline),
      Effect.exit
    )
    const breaches: Array<string> = []
    if (Exit.isFailure(exit)) breaches.push(`the run died: ${Cause.pretty(exit.cause)}`)
    else if (Option.isNone(exit.value)) breaches.push(`the run was not over after ${deadline / 1000} s`)
    else {
      const error = Result.isFailure(exit.value.value) ? exit.value.value.failure : undefined
      if (error?._tag === "InvalidSetting") breaches.push(error.message)
      else breaches.push(...Law.breaches({ scenario, job, outcomes, ledger, error, omitted }))
    }
    const open = yield* settled(() => proxy.connections + fibers.active())
    if (open > 0) breaches.push(`${proxy.connections} sockets and ${fibers.active()} fibers are left`)
    return {
      seed,
      breaches,
      identifiers: job.texts.length,
      requests: proxy.requests,
      spoilt: proxy.spoilt,
      failed: ledger.failed,
      isEnded: outcomes.length < ledger.read - ledger.duplicates
    }
  }).pipe(Effect.scoped)

const clientOf = (job: Job.Job, baseUrl: string) =>
  ChemClient.layer({
    baseUrl,
    apiKey: Redacted.make("key"),
    retry: job.retry,
    timeouts: job.timeouts,
    limits: { inFlight: job.inFlight },
    circuitBreaker: job.circuitBreaker
  }).pipe(Layer.provide(Transport.layer({ proxy: false })))

/** What is left of something that goes to zero, as soon as it is zero. */
const settled = (count: () => number): Effect.Effect<number> =>
  Effect.gen(function* () {
    for (let waited = 0; count() > 0 && waited < grace; waited += 5) yield* Effect.sleep(5)
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
