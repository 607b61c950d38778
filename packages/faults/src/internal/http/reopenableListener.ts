/** An HTTP listener that can close its port and reopen it, for a service that starts late or restarts. */
import { once } from "node:events"
import type { RequestListener, Server } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as seededRandom from "../seededRandom.ts"

/**
 * The ports to try. They are below those of outgoing connections (from 32768 on Linux, 49152 elsewhere).
 *
 * Otherwise an outgoing connection could take the port while it is closed, even a connection to this port.
 */
const ports = { least: 20_000, most: 32_000 }

/** The largest number of attempts to find a free port, or to reopen the port. */
const maxAttempts = 200

/** The wait before another attempt to reopen the port, in milliseconds. */
const retryMillis = 25

/** An HTTP listener on loopback. */
export interface Listener {
  readonly port: number
  /** The number of open connections. */
  readonly connections: () => number
  /** Closes the port and all connections. */
  readonly closePort: () => void
  readonly reopen: () => Promise<void>
  /** Closes the port for good. */
  readonly close: () => Promise<void>
}

/** Listens on a free port of loopback. `initiallyClosed` only reserves the port. */
export const open = async (
  onRequest: RequestListener,
  options: { readonly initiallyClosed: boolean }
): Promise<Listener> => {
  let open = 0
  const start = async (port: number): Promise<Server> => {
    const server = createServer(onRequest)
    server.on("connection", (socket) => {
      open++
      socket.on("close", () => open--)
      // Resets are intended, and errors of a client do not matter here.
      socket.on("error", () => {})
    })
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    return server
  }
  let server: Server | undefined = await listenOnFreePort(start)
  const { port } = server.address() as AddressInfo
  let isClosed = false
  let closing: Promise<unknown> = Promise.resolve()
  const closePort = (): void => {
    if (server === undefined) return
    closing = once(server, "close")
    server.close()
    server.closeAllConnections()
    server = undefined
  }
  if (options.initiallyClosed) closePort()
  return {
    port,
    connections: () => open,
    closePort,
    reopen: async () => {
      await closing
      for (let attempt = 1; server === undefined && !isClosed; attempt++) {
        try {
          const started = await start(port)
          server = started
          if (isClosed) closePort()
        } catch (error) {
          if (attempt === maxAttempts) throw error
          await new Promise((resolve) => setTimeout(resolve, retryMillis))
        }
      }
    },
    close: async () => {
      isClosed = true
      closePort()
      await closing
    }
  }
}

/**
 * Seeded per process, so that processes try different ports. A port is not reused soon, because a client may keep a
 * connection to it.
 */
const random = seededRandom.make(process.pid)

const listenOnFreePort = async (start: (port: number) => Promise<Server>): Promise<Server> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(random.between(ports.least, ports.most))
    } catch (error) {
      if (attempt === maxAttempts) throw error
    }
  }
}
