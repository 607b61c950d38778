/**
 * The requests of a call within its span (`observed.ts`): no spans of their own, and the trace handed on to the service.
 *
 * The HTTP layer's own span, with every header as an attribute, takes more time than all else the client does for a
 * small request. The trace goes with the request (`traceparent`, `b3`) only where somebody traces, and not where
 * `HttpClient.TracerPropagationEnabled` is false, as a browser may need: it asks the service before it sends headers.
 */
import { Context, Effect, Tracer } from "effect"
import { HttpClient, HttpClientRequest, HttpTraceContext } from "effect/http"

export const traced = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
  client.pipe(
    HttpClient.mapRequestEffect((request) =>
      Effect.contextWith((context: Context.Context<never>) => {
        const span = Context.getOrUndefined(context, Tracer.ParentSpan)
        const isTraced =
          span?._tag === "Span" &&
          Context.getOrUndefined(context, Tracer.Tracer) !== undefined &&
          Context.get(context, HttpClient.TracerPropagationEnabled)
        return Effect.succeed(
          isTraced ? HttpClientRequest.setHeaders(request, HttpTraceContext.toHeaders(span)) : request
        )
      })
    ),
    HttpClient.transformResponse(Effect.provideService(HttpClient.TracerDisabledWhen, () => true))
  )
