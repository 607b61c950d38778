// A TCP proxy in front of a Postgres. It can leave its connections open and forward nothing more, as a failover or a
// router that forgets connections does, or cut them. New connections work.
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** The direction in which nothing is forwarded. */
export type Direction = "to the server" | "to the client" | "both"

export interface PostgresProxy {
  /** The address of the database through the proxy. */
  readonly url: string
  /** The number of open connections of clients. */
  readonly connections: () => number
  /** Forwards nothing more on the open connections, or on some of them, and leaves them open. */
  readonly silence: (direction: Direction, which?: (index: number) => boolean) => void
  /** Forwards nothing more to the server on the next connections, this many, that send a statement with this text. */
  readonly silenceAfter: (text: string, count: number) => void
  /** The number of named statements that clients have prepared. */
  readonly namedStatements: () => number
  /** The number of statements that clients have executed. */
  readonly statements: () => number
  /** Forwards nothing more on the open connections, and nothing on new ones until `heal`. */
  readonly partition: () => void
  readonly heal: () => void
  /** Resets the open connections, or some of them. */
  readonly cut: (which?: (index: number) => boolean) => void
  readonly stop: () => Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
}

/** Starts a proxy in front of the database of this address. */
export const start = async (target: string): Promise<PostgresProxy> => {
  const { hostname, port } = new URL(target)
  const pairs = new Set<Pair>()
  let named = 0
  let statements = 0
  let isPartitioned = false
  let awaited = { text: "", count: 0 }
  /** The connections that were opened during a partition. */
  const lost = new Set<Socket>()
  const silenceSocket = (socket: Socket): void => {
    socket.removeAllListeners("data")
    socket.pause()
  }
  const proxy = createServer((client) => {
    if (isPartitioned) {
      lost.add(client.on("error", () => {}))
      return
    }
    const server = connect(Number(port), hostname)
    const pair = { client, server }
    pairs.add(pair)
    for (const [socket, other] of [
      [client, server],
      [server, client]
    ] as const) {
      socket.on("error", () => {})
      socket.on("close", () => {
        pairs.delete(pair)
        other.destroy()
      })
      socket.on("data", (bytes) => other.write(bytes))
    }
    client.on("data", (bytes: Buffer) => {
      if (awaited.count === 0 || !bytes.includes(awaited.text)) return
      awaited.count--
      silenceSocket(client)
    })
    client.on("data", readMessages({ onNamed: () => named++, onStatement: () => statements++ }))
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const url = new URL(target)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    connections: () => pairs.size,
    namedStatements: () => named,
    statements: () => statements,
    silence: (direction, which = () => true) => {
      for (const [index, { client, server }] of [...pairs].entries()) {
        if (!which(index)) continue
        if (direction !== "to the client") silenceSocket(client)
        if (direction !== "to the server") silenceSocket(server)
      }
    },
    silenceAfter: (text, count) => {
      awaited = { text, count }
    },
    partition: () => {
      isPartitioned = true
      for (const { client, server } of pairs) for (const socket of [client, server]) silenceSocket(socket)
    },
    heal: () => {
      isPartitioned = false
    },
    cut: (which = () => true) => {
      for (const [index, { client }] of [...pairs].entries()) if (which(index)) client.resetAndDestroy()
    },
    stop: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve())
        for (const client of lost) client.destroy()
        for (const { client, server } of pairs) {
          client.destroy()
          server.destroy()
        }
      })
  }
}

const [parse, execute, query] = ["P", "E", "Q"].map((type) => type.charCodeAt(0))

/** Returns a reader of the messages of a client, which reports prepared statements with a name, and executed ones. */
const readMessages = (reports: {
  readonly onNamed: () => void
  readonly onStatement: () => void
}): ((bytes: Buffer) => void) => {
  let rest = Buffer.alloc(0)
  let hasStarted = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      // The first message has no type.
      const start = hasStarted ? 1 : 0
      if (rest.length < start + 4) return
      const end = start + rest.readInt32BE(start)
      if (rest.length < end) return
      if (hasStarted && rest[0] === parse && rest[start + 4] !== 0) reports.onNamed()
      if (hasStarted && (rest[0] === execute || rest[0] === query)) reports.onStatement()
      hasStarted = true
      rest = rest.subarray(end)
    }
  }
}
