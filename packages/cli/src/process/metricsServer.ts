/**
 * Serves the metrics of the process to Prometheus, on the loopback address.
 */
import { HttpListener } from "@chemstream/service"
import { Effect, type Scope } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { type CommandFailure, reasonOf, runFailure } from "../CommandFailure.ts"

/** The largest number of open connections. */
const maxConnections = 64

/** Serves until the scope closes. Returns the port; 0 picks a free one. */
export const serve = (port: number): Effect.Effect<number, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const services = yield* Effect.context<never>()
    const server = yield* Effect.orDie(HttpListener.make({ maxConnections }))
    server.on("request", (request, response) => {
      if (request.url !== "/metrics") return response.writeHead(404).end()
      response
        .writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" })
        .end(PrometheusMetrics.formatUnsafe(services))
      return
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
    )
    return yield* Effect.tryPromise({
      try: () =>
        new Promise<number>((resolve, reject) => {
          server.once("error", reject)
          server.listen(port, "127.0.0.1", () => {
            const address = server.address()
            resolve(typeof address === "object" && address !== null ? address.port : port)
          })
        }),
      catch: (cause) => runFailure(`cannot serve metrics: ${reasonOf(cause)}`)
    })
  })
