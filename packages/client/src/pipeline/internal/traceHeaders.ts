/**
 * Adds the headers of a trace (`traceparent`, `b3`) to a request, so that a service can put its own spans into the span of the call
 * (`callTelemetry.ts`). Requests have no span of their own: that would take more time than the rest of a small call.
 *
 * The headers are sent only if there is a tracer and `HttpClient.TracerPropagationEnabled` is true. A browser may need false,
 * because extra headers cause a preflight request.
 */
import { Context, Tracer } from "effect"
import { HttpClient, HttpClientRequest, HttpTraceContext } from "effect/http"

/** Adds the trace of the call to its request, if the call has a span. */
export const withTrace = (
  request: HttpClientRequest.HttpClientRequest,
  context: Context.Context<never>
): HttpClientRequest.HttpClientRequest => {
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  const isTraced =
    span?._tag === "Span" &&
    Context.getOrUndefined(context, Tracer.Tracer) !== undefined &&
    Context.get(context, HttpClient.TracerPropagationEnabled)
  return isTraced ? HttpClientRequest.setHeaders(request, HttpTraceContext.toHeaders(span)) : request
}

/** The context in which the HTTP client makes no spans of single requests. */
export const withoutRequestSpans: Context.Context<never> = Context.make(
  HttpClient.TracerDisabledWhen,
  () => true
)
