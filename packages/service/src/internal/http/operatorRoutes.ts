/**
 * Handles the operations: `/`, `/health`, `/ready`, `/metrics`, `/openapi.json` and `/docs`.
 *
 * They are for operators and readers of the documentation, are not part of the contract, and need no key.
 */
import { ChemicalApi, ProblemDetails, type Row } from "@chemstream/api"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, HttpApiSwagger } from "effect/http-api"
import { Store } from "../../Store.ts"
import * as OpenApiDocument from "../openApiDocument.ts"
import { Draining } from "../server/draining.ts"
import { stopping } from "../server/requestLimits.ts"
import { contentType, type Metrics } from "../server/requestMetrics.ts"
import { toStderr } from "../server/stderrLog.ts"
import { versionsOf } from "../storeVersions.ts"
import * as HomePage from "./homePage.ts"
import { reopenedWithin, reopening } from "./problemResponses.ts"
import { refuse } from "./refuse.ts"
import { pathOf } from "./requestPath.ts"

/** The paths. All of them take GET. */
export const paths = {
  home: "/",
  health: "/health",
  ready: "/ready",
  metrics: "/metrics",
  openapi: "/openapi.json",
  docs: "/docs"
} as const

/** The paths of large pages that need no key. */
export const pages: ReadonlySet<string> = new Set([paths.openapi, paths.docs])

/** The largest numbers of requests for pages in flight: in total and of an address. */
export const maxPageRequests = 32
export const maxPageRequestsPerAddress = 8

// The `retry-after` of `/ready`, in seconds.
const retryAfter = 5

// The policy of the viewer: no requests to other hosts.
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Returns the paths that the service itself serves, with or without `/metrics`. */
export const pathsOf = (withMetrics: boolean): ReadonlyArray<(typeof paths)[keyof typeof paths]> =>
  Object.values(paths).filter((path) => withMetrics || path !== paths.metrics)

/** Makes the routes. Leaves out `/metrics` without `metrics`, and `/` if the program has a route there. */
export const layer = (
  rows: ReadonlyArray<Row.Row>,
  metrics: Metrics | undefined,
  isProgramRoute: (request: { readonly url: string }) => boolean
): Layer.Layer<never, never, HttpRouter.HttpRouter | Store> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const store = yield* Store
      const openapi = yield* Effect.cached(
        Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApiDocument.make(rows)))
      )
      const docs = yield* Effect.cached(page(ChemicalApi.make(rows)))
      return Layer.mergeAll(
        isProgramRoute({ url: paths.home })
          ? Layer.empty
          : HttpRouter.add("GET", paths.home, HomePage.make(paths)),
        HttpRouter.add("GET", paths.health, HttpServerResponse.jsonUnsafe({ status: "ok" })),
        HttpRouter.add("GET", paths.ready, ready(store)),
        metrics === undefined ? Layer.empty : HttpRouter.add("GET", paths.metrics, metricsResponse(metrics)),
        HttpRouter.add("GET", paths.openapi, openapi),
        HttpRouter.add("GET", paths.docs, docs)
      )
    })
  )

const metricsResponse = (metrics: Metrics): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.sync(() => HttpServerResponse.text(metrics.format(), { contentType }))

/** The application of a separate port for metrics: responds only to GET and HEAD of `/metrics`. */
export const metricsApp = (
  metrics: Metrics
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    pathOf(request) === paths.metrics && (request.method === "GET" || request.method === "HEAD")
      ? metricsResponse(metrics)
      : Effect.succeed(HttpServerResponse.empty({ status: 404 }))
  )

/** Checks that the database responds, with a query for a record that does not exist. */
const ready = (store: Store["Service"]) =>
  Effect.gen(function* () {
    if ((yield* Draining).isDraining) return yield* refuse(stopping, retryAfter)
    if (versionsOf(store)?.isStale() === true) return yield* refuse(reopening, reopenedWithin)
    return yield* store.detail("").pipe(
      Effect.as(HttpServerResponse.jsonUnsafe({ status: "ready" })),
      Effect.catchTag("StoreError", (error) =>
        Effect.andThen(
          toStderr(Effect.logError("The database does not respond", error)),
          refuse(new ProblemDetails.Unavailable({ detail: "The database does not respond" }), retryAfter)
        )
      )
    )
  })

// Loaded on the first request, because the viewer has megabytes of script.
const page = (api: HttpApi.Top) =>
  Effect.scoped(
    Effect.gen(function* () {
      const viewer = yield* HttpRouter.toHttpEffect(HttpApiSwagger.layer(api, { path: paths.docs }))
      return HttpServerResponse.setHeader(yield* Effect.orDie(viewer), "content-security-policy", policy)
    })
  )
