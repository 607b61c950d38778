/** Handles the routes that a program adds to the service (`ServiceRoute`). */
import { Access } from "@chemstream/api"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerRespondable, type HttpServerResponse } from "effect/http"
import type { ServiceRoute } from "../../ServiceRoute.ts"
import { Store } from "../../Store.ts"
import type { Gate } from "./keyAndRateLimit.ts"
import { pathOf } from "./requestPath.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The largest numbers of requests in flight for routes without a key: in total and of an address. */
export const maxOpenRequests = 64
export const maxOpenRequestsPerAddress = 16

/** Returns a function that checks whether a request is for one of these routes. */
export const matcher = (
  routes: ReadonlyArray<ServiceRoute>
): ((request: { readonly url: string }) => boolean) => {
  const paths = new Set<string>(routes.map(({ path }) => path))
  return (request) => paths.has(pathOf(request))
}

export const layer = (
  routes: ReadonlyArray<ServiceRoute>,
  gate: Gate,
  store: Store["Service"]
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.addAll(
    routes.map(({ access, handle, method, path }) => {
      const guarded = withRefusals(access === "open" ? handle : requireKey(gate, handle))
      return HttpRouter.route(method, path, Effect.provideService(guarded, Store, store))
    })
  )

const withRefusals = <R>(handle: Effect.Effect<Response, HttpServerRespondable.Respondable, R>) =>
  Effect.catch(handle, (refusal) => HttpServerRespondable.toResponse(refusal))

const requireKey = (gate: Gate, handle: ServiceRoute["handle"]): ServiceRoute["handle"] =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    gate(headers[Access.defaultKeyHeader] ?? "", handle)
  )
