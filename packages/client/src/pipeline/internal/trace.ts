/**
 * The requests of a call within its span (`observation.ts`): no spans of their own, and the trace handed on to the service.
 *
 * The HTTP layer's own span, with every header as an attribute, takes more time than all else the client does for a
 * small request. The trace goes with the request (`traceparent`, `b3`) only where somebody traces, and not where
 * `HttpClient.TracerPropagationEnabled` is false, as a browser may need: it asks the service before it sends headers.
 */
import { Context, Tracer } from "effect"
import { HttpClient, HttpClientRequest, HttpTraceContext } from "effect/http"

/** The request with the trace of its call, where there is one to hand on. */
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

/** For the requests: no spans of their own. */
export const untraced: Context.Context<never> = Context.make(HttpClient.TracerDisabledWhen, () => true)
