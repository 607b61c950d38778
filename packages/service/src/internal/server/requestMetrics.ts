/**
 * Counts requests for Prometheus: by endpoint, method and status, with durations, requests in flight and memory.
 *
 * Each service has its own registry, so that two services in one process do not mix. Labels come from the contract,
 * never from a request: a client cannot create series.
 */
import { Context, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** The media type of the metrics. */
export const contentType = "text/plain; version=0.0.4; charset=utf-8"

const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** The counters of one service. */
export interface Metrics {
  readonly recordArrival: () => void
  readonly recordResponse: (request: {
    /** Null if the request could not be read. */
    readonly method: string | null
    /** The path of the endpoint, or null. */
    readonly route: string | null
    readonly status: number
    readonly seconds: number
  }) => void
  /** Records that the response has been sent in full, or cannot be sent. */
  readonly recordEnd: () => void
  /** Returns all metrics as text. */
  readonly format: () => string
}

/** Makes counters at zero. */
export const make = (): Metrics => {
  const context = Context.make(Metric.MetricRegistry, new Map())
  const inFlight = Metric.gauge("http_requests_in_flight", {
    description: "Requests whose response is not sent in full"
  })
  const memory = Metric.gauge("process_resident_memory_bytes", {
    description: "Memory of the process"
  })
  const requests = series((attributes) =>
    Metric.counter("http_requests_total", {
      description: "Requests with a response",
      attributes,
      incremental: true
    })
  )
  const durations = series((attributes) =>
    Metric.histogram("http_request_duration_seconds", {
      description: "Time from the arrival of a request to its response",
      attributes,
      boundaries
    })
  )
  inFlight.updateUnsafe(0, context)
  return {
    recordArrival: () => inFlight.modifyUnsafe(1, context),
    recordResponse: ({ method, route, seconds, status }) => {
      const existing = method !== null && methods.has(method) ? method : "other"
      const path = route ?? "unknown"
      requests(`${existing} ${status} ${path}`, () => ({
        method: existing,
        route: path,
        status: String(status)
      })).updateUnsafe(1, context)
      durations(path, () => ({ route: path })).updateUnsafe(seconds, context)
    },
    recordEnd: () => inFlight.modifyUnsafe(-1, context),
    format: () => {
      memory.updateUnsafe(process.memoryUsage.rss(), context)
      return PrometheusMetrics.formatUnsafe(context)
    }
  }
}

// Makes one metric for each set of labels.
const series = <M>(makeMetric: (attributes: Record<string, string>) => M) => {
  const metrics = new Map<string, M>()
  return (name: string, attributes: () => Record<string, string>): M => {
    const existing = metrics.get(name)
    if (existing !== undefined) return existing
    const metric = makeMetric(attributes())
    metrics.set(name, metric)
    return metric
  }
}
