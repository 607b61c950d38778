/** The tests of `slowReaders.test.ts` with the default limits. */
import { connect, type Socket } from "node:net"
import { Effect, type Scope } from "effect"
import { expect, it } from "vitest"
import { knownId, queriesWith, stubService } from "./stubService.ts"
import { key, path, retryUntil, run, send } from "./testService.ts"

const large = JSON.stringify({ dtxsid: knownId, iupacName: "x".repeat(12_000_000) })

const stalled = (port: number): Effect.Effect<Socket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = connect(port, "127.0.0.1")
      socket.on("error", () => {})
      socket.pause()
      socket.write(`GET ${path}${knownId} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n\r\n`)
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

it(
  "with eight requests in flight allowed, eight stalled readers delay others for less than 40 seconds",
  {
    timeout: 120_000
  },
  () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith(large), { maxConcurrent: 8 })
        for (let n = 0; n < 8; n++) yield* stalled(service.port)
        const status = Effect.map(send(service, `${path}DTXSID9020112`), (response) => response.status)
        expect(yield* retryUntil(status, (code) => code === 503)).toBe(503)
        const begun = performance.now()
        expect(yield* retryUntil(status, (code) => code !== 503)).toBe(404)
        expect(performance.now() - begun).toBeLessThan(40_000)
      })
    )
)
