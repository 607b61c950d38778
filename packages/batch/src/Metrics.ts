/**
 * The metrics and spans of runs, as those of Effect: any exporter of Effect sends them. `recorder` takes the counts from the ledger of a
 * run; waits, progress and successes are recorded where they happen.
 *
 * All names of metrics begin with `chemstream_run_`. Counters end in `_total`, and times are in seconds. The client counts requests
 * and bytes by endpoint (its `pipeline/internal/callTelemetry.ts`).
 */
import { Clock, Context, Effect, Metric, Tracer } from "effect"
import * as Ledger from "./Ledger.ts"
import { amount, effect as anEffect, argument, kind, objectWith, oneOf } from "./Options.ts"

const counter = (name: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.counter(`chemstream_run_${name}_total`, { description, attributes, incremental: true })

const gauge = (name: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.gauge(`chemstream_run_${name}`, { description, attributes })

const items = (outcome: string) => counter("items", "Items of the input that have an outcome", { outcome })

/** The counters of the counts of a ledger. */
const counters = {
  found: items("found"),
  missing: items("missing"),
  failed: items("failed"),
  duplicates: items("duplicate"),
  invalid: items("invalid"),
  records: counter("records", "Records of found items"),
  surplus: counter("surplus_records", "Records that belong to no item"),
  batches: counter("batches", "Requested batches, with the parts of split ones"),
  retries: counter("retries", "Repeated requests and batches")
} as const

const inFlight = /* @__PURE__ */ gauge("batches_in_flight", "Batches whose response has not arrived")
const batchSize = /* @__PURE__ */ gauge("batch_size_items", "Most items in a batch at this moment")

/** Why calls wait: the service asks them to, or it is unavailable. */
export type WaitReason = "throttled" | "unavailable"

const waiting = (reason: WaitReason) =>
  gauge("waiting_calls", "Calls that wait for the service, by the reason", { reason })
const waitingBy = { throttled: waiting("throttled"), unavailable: waiting("unavailable") } as const

const waitReason = /* @__PURE__ */ oneOf(["throttled", "unavailable"])

const expectedItems = /* @__PURE__ */ gauge(
  "expected_items",
  "Items of the whole input; 0 if their number is unknown"
)
const doneItems = /* @__PURE__ */ gauge(
  "done_items",
  "Items of this run that have an outcome, with those of a continued run"
)
const expectedEnd = /* @__PURE__ */ gauge(
  "expected_end_timestamp_seconds",
  "When the run will end at its present rate, in seconds since 1970; 0 if it is unknown"
)

const lastSuccess = /* @__PURE__ */ gauge(
  "last_success_timestamp_seconds",
  "When a run last ended without a failure, in seconds since 1970; absent before the first"
)

/** Records when a run ended without a failure, in seconds since 1970. */
export const recordSuccess = (at: number): Effect.Effect<void> =>
  Metric.update(lastSuccess, argument("at", amount, at))

type Counted = keyof typeof counters

const names = Object.keys(counters) as ReadonlyArray<Counted>

/** Makes the metrics known to exporters, at zero. */
export const register: Effect.Effect<void> = Effect.contextWith((context: Context.Context<never>) =>
  Effect.sync(() => {
    for (const name of names) counters[name].updateUnsafe(0, context)
    const gauges = [inFlight, batchSize, ...Object.values(waitingBy), expectedItems, doneItems, expectedEnd]
    for (const one of gauges) one.modifyUnsafe(0, context)
  })
)

/** Returns an effect that adds to the metrics what has changed in a ledger since its last run; for its first run, since now. */
export const recorder = (ledger: Ledger.Ledger): Effect.Effect<void> => {
  const recorded = { ...argument("ledger", Ledger.kind, ledger) }
  return Effect.contextWith((context: Context.Context<never>) =>
    Effect.sync(() => {
      for (const name of names) {
        const change = ledger[name] - recorded[name]
        if (change > 0) counters[name].updateUnsafe(change, context)
        recorded[name] = ledger[name]
      }
      inFlight.modifyUnsafe(ledger.inFlight - recorded.inFlight, context)
      recorded.inFlight = ledger.inFlight
      batchSize.updateUnsafe(ledger.batchSize, context)
    })
  )
}

/** Counts a call that begins (1) or ends (-1) to wait. */
export const recordWait = (change: 1 | -1, reason: WaitReason, context: Context.Context<never>): void =>
  waitingBy[argument("reason", waitReason, reason)].modifyUnsafe(
    change,
    argument("context", contextKind, context)
  )

/** Counts a call as waiting while an effect runs. */
export const whileWaiting = <A, E, R>(
  reason: WaitReason,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.contextWith((context: Context.Context<R>) => {
    recordWait(1, reason, context)
    return Effect.ensuring(
      argument("effect", anEffect, effect),
      Effect.sync(() => recordWait(-1, reason, context))
    )
  })

/** The progress of a run whose input has a known size. */
export interface Progress {
  /** Items with an outcome. */
  readonly done: number
  /** Items of the whole input. Undefined: unknown. */
  readonly total: number | undefined
  /** Milliseconds until the end. Undefined: unknown. */
  readonly remaining: number | undefined
}

const contextKind = /* @__PURE__ */ kind("a context of Effect", Context.isContext)

const progressKind = /* @__PURE__ */ objectWith("an object with done", { done: amount })

/** Records the progress of a run. A later one replaces it. */
export const recordProgress = (progress: Progress): Effect.Effect<void> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.sync(() => {
      const { done, remaining, total } = argument("progress", progressKind, progress)
      const now = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
      doneItems.updateUnsafe(done, context)
      expectedItems.updateUnsafe(total ?? 0, context)
      expectedEnd.updateUnsafe(remaining === undefined ? 0 : Math.round((now + remaining) / 1000), context)
    })
  )

/** Runs an effect whose calls are no requests, e.g. a plan: without metrics and spans. */
export const unobserved = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() =>
    argument("effect", anEffect, effect).pipe(
      Effect.provideService(Metric.MetricRegistry, new Map()),
      Effect.withTracerEnabled(false)
    )
  )

/**
 * Runs an effect in a span, if the context has a tracer. Effect's default tracer exports nothing, and would cost a third of
 * the time of a small call.
 */
export const withSpan =
  (name: string, attributes: Record<string, unknown>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.contextWith((context: Context.Context<never>) =>
      Context.getOrUndefined(context, Tracer.Tracer) === undefined
        ? argument("effect", anEffect, effect)
        : Effect.useSpan(name, { attributes }, (span) =>
            Effect.withParentSpan(effect, span, { captureStackTrace: false })
          )
    )
