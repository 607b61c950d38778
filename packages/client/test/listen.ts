/** Starts a server of a test on a free loopback port, and stops it with its connections when the scope ends. */
import type { AddressInfo, Server, Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** Returns the port. */
export const listen = (server: Server): Effect.Effect<number, never, Scope.Scope> =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})))
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () =>
        Effect.promise(() => {
          for (const socket of sockets) socket.destroy()
          return new Promise((resolve) => server.close(resolve))
        })
    )
    return (server.address() as AddressInfo).port
  })
