/**
 * A port that can be left and taken again: for a service that is not there yet, or dies and comes back.
 */
import { once } from "node:events"
import type { RequestListener, Server } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Random from "../random.ts"

/**
 * Ports below those that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere): while the service
 * is away no connection may get its port, least of all one that is to this very port.
 */
const ports = { least: 20_000, most: 32_000 }

/** How often another port is tried, and the same one when the service comes back. */
const attempts = 200

/** How long a port that somebody else has is waited for, in milliseconds. */
const retryMillis = 25

/** A service on a port of this machine. */
export interface Listener {
  readonly port: number
  /** Connections that are open. */
  readonly connections: () => number
  /** Leaves the port and breaks off what is open. */
  readonly closePort: () => void
  /** Takes the port again. */
  readonly reopen: () => Promise<void>
  /** Leaves it for good. */
  readonly close: () => Promise<void>
}

/** Listens on a free port of loopback, or only keeps one in mind where it `isAway`. */
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
      // A reset is what this is for; what a client does is its own affair.
      socket.on("error", () => {})
    })
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    return server
  }
  let server: Server | undefined = await listenAnywhere(start)
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
          if (attempt === attempts) throw error
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
 * Where to look next: never soon at a port that was had before, to which a client may keep a connection; and elsewhere
 * than another process looks.
 */
const random = Random.of(process.pid)

const listenAnywhere = async (start: (port: number) => Promise<Server>): Promise<Server> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(random.between(ports.least, ports.most))
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}
