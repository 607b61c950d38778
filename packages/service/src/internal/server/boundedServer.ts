/**
 * A `node:http` server whose clients cannot occupy it: every buffer and every wait of a connection has a bound, and is
 * freed without the client's help.
 *
 * `listener` sets the limits and responds to malformed requests.
 */
import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { ClientQuota, clientOf, shareOf } from "./clientQuota.ts"

/** The largest number of requests of a connection in progress. Meanwhile the server reads no further ones. */
export const maxPipelined = 32

/**
 * The largest numbers of requests that were read and wait for earlier ones of their connection: in total and of an
 * address. One read of a connection can have thousands. The connection of a further request is closed.
 */
export const maxWaiting = 16_384
export const maxWaitingPerAddress = 4096

/**
 * How long a connection may stay open after the server has closed its side, or has responded before the end of a body,
 * in milliseconds.
 */
export const lingerTime = 500

interface Connection {
  readonly socket: Socket
  readonly client: string
  /** The responses that are not sent in full, the oldest first. */
  readonly responses: Set<ServerResponse>
  /** The requests that wait for a place in progress. */
  readonly waiting: Array<() => void>
  inProgress: number
  /** The state of the connection at the last check (`progressOf`). */
  progress: string
  checksWithoutProgress: number
}

/** A connection is closed after this many checks without progress. */
export const maxStalledChecks = 8

export class BoundedServer extends Server {
  private readonly open = new Map<Duplex, Connection>()
  private readonly addresses: ClientQuota
  private readonly waiting = new ClientQuota(maxWaiting, maxWaitingPerAddress)
  /** The requests that have arrived before the application listens. */
  private readonly early: Array<() => void> = []

  constructor(options: ServerOptions, maxConnections: number, maxConnectionsPerAddress: number | undefined) {
    super(options)
    this.maxConnections = maxConnections
    this.addresses = new ClientQuota(maxConnections, maxConnectionsPerAddress ?? shareOf(maxConnections, 2))
    // After the listener of Node, so that `resume` also comes here last.
    this.on("connection", (socket: Socket) => this.accept(socket))
    // Called before the listener is added.
    this.on("newListener", (event) => {
      if (event === "request")
        queueMicrotask(() => {
          for (const pass of this.early.splice(0)) pass()
        })
    })
  }

  /** Passes a request to its listeners, or keeps it until earlier ones of its connection have their responses. */
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of every event of the server
  override emit(event: string | symbol, ...args: Array<any>): boolean {
    if (event !== "request" && event !== "checkContinue") return super.emit(event, ...args)
    const [request, response] = args as [IncomingMessage, ServerResponse]
    response.once("finish", () => limitRest(request))
    const connection = this.open.get(request.socket)
    // `emit` returns false if the application does not listen yet.
    const pass = () => void (super.emit(event, ...args) || this.early.push(pass))
    if (connection !== undefined) this.admit(connection, response, pass)
    return true
  }

  /** Returns the responses of a connection that are not sent in full, the oldest first. */
  responsesOf(socket: Duplex): ReadonlyArray<ServerResponse> {
    return [...(this.open.get(socket)?.responses ?? [])]
  }

  /** Closes the connections that have sent nothing of their pending bytes since the last checks. */
  closeStalled(): void {
    for (const connection of this.open.values()) {
      const { socket } = connection
      const progress = progressOf(socket)
      const isStalled = progress !== undefined && progress === connection.progress
      connection.progress = progress ?? ""
      connection.checksWithoutProgress = isStalled ? connection.checksWithoutProgress + 1 : 0
      if (connection.checksWithoutProgress >= maxStalledChecks) socket.destroy()
    }
  }

  private accept(socket: Socket): void {
    const client = clientOf(socket.remoteAddress)
    if (this.addresses.enter(client) !== undefined) {
      socket.destroy()
      return
    }
    const connection: Connection = {
      ...{ socket, client, responses: new Set(), waiting: [] },
      ...{ inProgress: 0, progress: "", checksWithoutProgress: 0 }
    }
    this.open.set(socket, connection)
    // The client may keep its side open for ever.
    socket.once("finish", () => closeSoon(socket))
    // Node resumes a connection after each request.
    socket.on("resume", () => {
      if (connection.waiting.length > 0) socket.pause()
    })
    socket.once("close", () => this.release(connection))
  }

  private admit(connection: Connection, response: ServerResponse, pass: () => void): void {
    connection.responses.add(response)
    if (connection.inProgress < maxPipelined && connection.waiting.length === 0) {
      this.begin(connection, response, pass)
      return
    }
    const { client, socket, waiting } = connection
    if (this.waiting.enter(client) !== undefined) {
      socket.destroy()
      return
    }
    waiting.push(() => this.begin(connection, response, pass))
    socket.pause()
  }

  private begin(connection: Connection, response: ServerResponse, pass: () => void): void {
    connection.inProgress++
    response.once("close", () => {
      connection.inProgress--
      connection.responses.delete(response)
      const next = connection.waiting.shift()
      if (next === undefined) return
      this.waiting.leave(connection.client)
      next()
      if (connection.waiting.length === 0) connection.socket.resume()
    })
    pass()
  }

  private release(connection: Connection): void {
    const { client, responses, socket, waiting } = connection
    this.open.delete(socket)
    this.addresses.leave(client)
    this.waiting.leave(client, waiting.length)
    waiting.length = 0
    // Node closes the response that it was sending, but not the pipelined ones after it.
    for (const response of responses) {
      response.destroy()
      response.emit("close")
    }
  }
}

/** Closes a connection whose side of the server is closed, also if the client keeps its own side open. */
export const closeSoon = (socket: Duplex): void => {
  const timer = setTimeout(() => socket.destroy(), lingerTime)
  timer.unref()
  socket.once("close", () => clearTimeout(timer))
}

// A client may ignore the response to a refused body, and send for ever. Closing at once could lose the response.
const limitRest = (request: IncomingMessage): void => {
  if (request.complete) return
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, lingerTime)
  timer.unref()
  request.socket.once("close", () => clearTimeout(timer))
}

// Returns a text that changes when the system accepts bytes of a connection, or undefined if no bytes are pending.
// `writableLength` alone does not change within a large write, so a slow reader would seem to stall.
const progressOf = (socket: Socket): string | undefined => {
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } | null }
  return socket.writableLength === 0
    ? undefined
    : `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize}`
}
