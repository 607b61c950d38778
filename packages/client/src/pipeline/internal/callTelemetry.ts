/**
 * Records a call: a span, metrics by endpoint, and a debug log line. They never have the API key or the requested
 * values.
 *
 * It gets the events from `CallObserver`; other observers get them, too. The README lists the names.
 */
import { Clock, Context, Effect, Exit, Metric, Tracer } from "effect"
import type { ChemError } from "../../errors/ChemError.ts"
import { CallObserver, wrap } from "../CallObserver.ts"
import type { Call } from "./pipelineCall.ts"

/** From 1 ms to about a minute, doubling. */
const durations = Metric.exponentialBoundaries({ start: 0.001, factor: 2, count: 17 })

type Attributes = { readonly endpoint: string }

const counter = (name: string, description: string, attributes: Attributes) =>
  Metric.counter(`chemstream_client_${name}_total`, { description, incremental: true, attributes })

const makeMetrics = (attributes: Attributes) => ({
  requests: counter("requests", "Requests sent, with retries", attributes),
  retries: counter("retries", "Retries of failed requests", attributes),
  throttled: counter("throttled_responses", "Responses with status 429", attributes),
  bytes: counter("response_bytes", "Bytes of the bodies read, after content decoding", attributes),
  cached: counter("cached_calls", "Calls served by the cache", attributes),
  failures: counter("failed_calls", "Calls that failed", attributes),
  running: Metric.gauge("chemstream_client_calls_in_flight", { description: "Calls in flight", attributes }),
  duration: Metric.histogram("chemstream_client_call_duration_seconds", {
    description: "Duration of a call, with its waits",
    boundaries: durations,
    attributes
  })
})

type Metrics = ReturnType<typeof makeMetrics>

const byEndpoint = new Map<string, Metrics>()

/** Returns the metrics of an endpoint. */
const metricsOf = (endpoint: string): Metrics => {
  // Made once: `Metric.withAttributes` would merge the attributes at every update.
  const metrics = byEndpoint.get(endpoint) ?? makeMetrics({ endpoint })
  byEndpoint.set(endpoint, metrics)
  return metrics
}

/** The facts of a finished call. */
interface Facts {
  attempts: number
  bytes: number
  status: number | undefined
  cached: string | undefined
}

/** Runs a call, and records it. */
export const observe = <A>(call: Call<A>, run: Effect.Effect<A, ChemError>): Effect.Effect<A, ChemError> =>
  Effect.contextWith((context: Context.Context<never>) =>
    // The built-in tracer exports nothing, and would add a third to the time of a small call.
    Context.getOrUndefined(context, Tracer.Tracer) === undefined
      ? recordCall(call, run, context, undefined)
      : Effect.useSpan(`chemstream.${call.endpoint}`, (span) =>
          Effect.withParentSpan(recordCall(call, run, context, span), span, { captureStackTrace: false })
        )
  )

/** Runs a call, and adds it to the metrics, the log and its span, if it has one. */
const recordCall = <A>(
  call: Call<A>,
  run: Effect.Effect<A, ChemError>,
  context: Context.Context<never>,
  span: Tracer.Span | undefined
): Effect.Effect<A, ChemError> =>
  Effect.suspend(() => {
    const clock = Context.get(context, Clock.Clock)
    const metric = metricsOf(call.endpoint)
    const facts: Facts = { attempts: 0, bytes: 0, status: undefined, cached: undefined }
    const startedAt = clock.monotonicTimeNanosUnsafe()
    metric.running.modifyUnsafe(1, context)
    return run.pipe(
      Effect.provideService(CallObserver, makeObserver(context, facts, span)),
      Effect.onExit((exit) => {
        const milliseconds = Number(clock.monotonicTimeNanosUnsafe() - startedAt) / 1e6
        metric.running.modifyUnsafe(-1, context)
        metric.duration.updateUnsafe(milliseconds / 1000, context)
        if (Exit.isFailure(exit)) metric.failures.updateUnsafe(1, context)
        if (span !== undefined) annotate(span, call, facts)
        const { batchSize, endpoint } = call
        return Effect.logDebug(endpoint, { ...facts, batchSize, milliseconds, outcome: exit._tag })
      })
    )
  })

/** Makes the observer of one call, which also tells the observers around it. */
const makeObserver = (
  context: Context.Context<never>,
  facts: Facts,
  span: Tracer.Span | undefined
): CallObserver => {
  const clock = Context.get(context, Clock.Clock)
  return wrap(Context.get(context, CallObserver), {
    onRequest: (endpoint) => {
      facts.attempts++
      metricsOf(endpoint).requests.updateUnsafe(1, context)
    },
    onRetry: (error, delay) => {
      metricsOf(error.endpoint).retries.updateUnsafe(1, context)
      span?.event("retry", clock.currentTimeNanosUnsafe(), { error: error._tag, delay })
    },
    onBody: (endpoint, bytes, status) => {
      facts.bytes += bytes
      facts.status = status
      const metric = metricsOf(endpoint)
      metric.bytes.updateUnsafe(bytes, context)
      if (status === 429) metric.throttled.updateUnsafe(1, context)
    },
    onCached: (endpoint, how) => {
      facts.cached = how
      metricsOf(endpoint).cached.updateUnsafe(1, context)
    }
  })
}

const annotate = (span: Tracer.Span, call: Call<unknown>, facts: Facts): void => {
  span.attribute("chemstream.endpoint", call.endpoint)
  span.attribute("chemstream.batch_size", call.batchSize)
  span.attribute("chemstream.attempts", facts.attempts)
  span.attribute("chemstream.response_bytes", facts.bytes)
  if (facts.status !== undefined) span.attribute("http.response.status_code", facts.status)
  if (facts.cached !== undefined) span.attribute("chemstream.cached", facts.cached)
}
