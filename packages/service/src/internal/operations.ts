/**
 * The endpoints for those who run the service and those who read about it: `/health`, `/ready`, `/metrics`,
 * `/openapi.json` and `/docs`. They are no part of the contract and need no key.
 */
import { Problem } from "@chemstream/api"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiSwagger, OpenApi } from "effect/http-api"
import { Store } from "../Store.ts"
import { contract } from "./contract.ts"
import { Draining } from "./draining.ts"
import { stopping } from "./limits.ts"
import { contentType, type Metrics } from "./metrics.ts"
import { refuse } from "./refusals.ts"
import { toStderr } from "./stderrLog.ts"

/** The paths, all of them for GET. */
export const paths = {
  health: "/health",
  ready: "/ready",
  metrics: "/metrics",
  openapi: "/openapi.json",
  docs: "/docs"
} as const

// How long a caller of /ready is told to wait, in seconds.
const retryAfter = 5

// Keeps the page to what it holds: a browser fetches nothing from another host, whatever the viewer would like to.
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The routes. */
export const layer = (metrics: Metrics): Layer.Layer<never, never, HttpRouter.HttpRouter | Store> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const store = yield* Store
      const openapi = yield* Effect.cached(
        Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(contract)))
      )
      const docs = yield* Effect.cached(page)
      return Layer.mergeAll(
        HttpRouter.add("GET", paths.health, HttpServerResponse.jsonUnsafe({ status: "ok" })),
        HttpRouter.add("GET", paths.ready, ready(store)),
        HttpRouter.add(
          "GET",
          paths.metrics,
          Effect.sync(() => HttpServerResponse.text(metrics.format(), { contentType }))
        ),
        HttpRouter.add("GET", paths.openapi, openapi),
        HttpRouter.add("GET", paths.docs, docs)
      )
    })
  )

/** Ready means that the database answers: it is asked for a record that nobody has. */
const ready = (store: Store["Service"]) =>
  Effect.gen(function* () {
    if ((yield* Draining).isDraining) return yield* refuse(stopping, retryAfter)
    return yield* store.detail("").pipe(
      Effect.as(HttpServerResponse.jsonUnsafe({ status: "ready" })),
      Effect.catchTag("StoreError", (error) =>
        Effect.andThen(
          toStderr(Effect.logError("The database does not answer", error)),
          refuse(new Problem.Unavailable({ detail: "The database does not answer" }), retryAfter)
        )
      )
    )
  })

// The viewer is megabytes of script: it is loaded when the page is asked for, not when the service starts.
const page = Effect.scoped(
  Effect.gen(function* () {
    const viewer = yield* HttpRouter.toHttpEffect(HttpApiSwagger.layer(contract, { path: paths.docs }))
    return HttpServerResponse.setHeader(yield* Effect.orDie(viewer), "content-security-policy", policy)
  })
)
