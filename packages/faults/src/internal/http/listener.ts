/**
 * A port that can be left and taken again: for a service that is not there yet, or dies and comes back.
 */
import { once } from "node:events"
import type { RequestListener, Server } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Chance from "../random.ts"

/**
 * Ports below those that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere): while the service
 * is away no connection may get its port, least of all one that is to this very port.
 */
const ports = { least: 20_000, most: 32_000 }

/** How often another port is tried, and the same one when the service comes back. */
const attempts = 200

/** How long a port that somebody else has is waited for, in milliseconds. */
const busyWait = 25

/** A service on a port of this machine. */
export interface Listener {
  readonly port: number
  /** Connections that are open. */
  readonly connections: () => number
  /** Leaves the port and breaks off what is open. */
  readonly leave: () => void
  /** Takes the port again. */
  readonly comeBack: () => Promise<void>
  /** Leaves it for good. */
  readonly close: () => Promise<void>
}

/** Listens on a free port of loopback, or only keeps one in mind where it `isAway`. */
export const open = async (
  onRequest: RequestListener,
  options: { readonly isAway: boolean }
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
  let server: Server | undefined = await startAnywhere(start)
  const { port } = server.address() as AddressInfo
  let isClosed = false
  let leaving: Promise<unknown> = Promise.resolve()
  const leave = (): void => {
    if (server === undefined) return
    leaving = once(server, "close")
    server.close()
    server.closeAllConnections()
    server = undefined
  }
  if (options.isAway) leave()
  return {
    port,
    connections: () => open,
    leave,
    comeBack: async () => {
      await leaving
      for (let attempt = 1; server === undefined && !isClosed; attempt++) {
        try {
          const started = await start(port)
          server = started
          if (isClosed) leave()
        } catch (error) {
          if (attempt === attempts) throw error
          await new Promise((resolve) => setTimeout(resolve, busyWait))
        }
      }
    },
    close: async () => {
      isClosed = true
      leave()
      await leaving
    }
  }
}

/**
 * Where to look next: never soon at a port that was had before, to which a client may keep a connection; and elsewhere
 * than another process looks.
 */
const chance = Chance.of(process.pid)

const startAnywhere = async (start: (port: number) => Promise<Server>): Promise<Server> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(chance.between(ports.least, ports.most))
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}
