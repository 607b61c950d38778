/**
 * Serves small texts about this process over HTTP: its metrics, its health.
 */
import { HttpListener } from "@chemstream/service"
import { Effect, type Scope } from "effect"
import { type CommandFailure, reasonOf, runFailure } from "../CommandFailure.ts"

/** The largest number of open connections. */
const maxConnections = 64

export interface Response {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Where to listen. */
interface Place {
  readonly host: string
  readonly port: number
  /** What it serves, in messages. */
  readonly what: string
}

/** Serves paths until the scope closes. Returns its URL; port 0 picks a free one. */
export const serve = (
  { host, port, what }: Place,
  routes: Readonly<Record<string, () => Promise<Response>>>
): Effect.Effect<string, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* Effect.orDie(HttpListener.make({ maxConnections }))
    server.on("request", async (request, response) => {
      const route = routes[(request.url ?? "").split("?")[0] ?? ""]
      if (route === undefined) return response.writeHead(404).end()
      const { body, status, type } = await route()
      return response.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(body)
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
    )
    return yield* Effect.tryPromise({
      try: () =>
        new Promise<string>((resolve, reject) => {
          server.once("error", reject)
          server.listen(port, host, () => {
            const address = server.address()
            const actual = typeof address === "object" && address !== null ? address.port : port
            resolve(`http://${host.includes(":") ? `[${host}]` : host}:${actual}`)
          })
        }),
      catch: (cause) => runFailure(`cannot serve ${what} (--${what}-port): ${reasonOf(cause)}`)
    })
  })
