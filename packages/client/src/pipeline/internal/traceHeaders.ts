/**
 * Puts the requests of a call into its span (`callTelemetry.ts`), and sends the trace to the service.
 *
 * The HTTP layer's own span would take more time than the rest of a small call. The trace is sent (`traceparent`,
 * `b3`) only if there is a tracer and `HttpClient.TracerPropagationEnabled` is true. A browser may need false,
 * because extra headers cause a preflight request.
 */
import { Context, Tracer } from "effect"
import { HttpClient, HttpClientRequest, HttpTraceContext } from "effect/http"

/** Adds the trace of the call to its request, if there is one. */
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

/** Disables the spans of single requests. */
export const withoutRequestSpans: Context.Context<never> = Context.make(
  HttpClient.TracerDisabledWhen,
  () => true
)
