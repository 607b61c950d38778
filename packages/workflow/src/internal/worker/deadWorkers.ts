/**
 * Detects dead worker processes of this machine, and releases their shards, so that their leases need not expire. The engine knows
 * workers as runners (`chemstream_runners`).
 *
 * A worker listens on a local socket as long as its process lives. The operating system refuses connections to the
 * socket of a dead process, and accepts them for a stopped one. Workers of other machines count as alive until their
 * leases expire. So do workers whose socket cannot be reached for any other reason.
 */
import { randomUUID } from "node:crypto"
import { readdirSync, rmSync, statSync } from "node:fs"
import { connect, createServer } from "node:net"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { Clock, Effect, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { transaction } from "../database/transaction.ts"

const isWindows = process.platform === "win32"

/** The error code of a connection to the socket of a dead process. Windows removes a pipe with its process. */
const refusedCode = isWindows ? "ENOENT" : "ECONNREFUSED"

/** The names of sockets of workers. */
const socketPrefix = "chemstream-worker-"

/** A socket of this age, in milliseconds, belongs to a dead process if it has no listener. */
const minAgeMillis = 60_000

const listen: Effect.Effect<string | null, never, Scope.Scope> = Effect.acquireRelease(
  Effect.callback<{ readonly path: string | null; readonly close: () => void }>((resume) => {
    const name = `${socketPrefix}${randomUUID().slice(0, 18)}`
    const path = isWindows ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
    const server = createServer((socket) => socket.destroy())
    server.once("error", () => resume(Effect.succeed({ path: null, close: () => {} })))
    server.listen(path, () => resume(Effect.succeed({ path, close: () => server.close() })))
    // The socket must not keep the process alive.
    server.unref()
  }),
  ({ close }) => Effect.sync(close)
).pipe(Effect.map(({ path }) => path))

/** Whether the process that announced this socket is certainly dead. */
const isDead = (path: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(path)
    const end = (dead: boolean): void => {
      socket.destroy()
      resume(Effect.succeed(dead))
    }
    socket.once("connect", () => end(false))
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code === refusedCode))
    return Effect.sync(() => socket.destroy())
  })

/** Removes the socket of a dead process. Windows has already removed it; sockets of other users stay. */
const remove = (path: string): Effect.Effect<void> =>
  isWindows ? Effect.void : Effect.ignore(Effect.try(() => rmSync(path, { force: true })))

/** Removes the sockets of dead processes, including those that no database mentions any more. */
const removeDeadSockets: Effect.Effect<void> = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  // Other workers come and go meanwhile, so a socket may disappear before it is checked.
  const isOld = (path: string): boolean =>
    now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > minAgeMillis
  const paths = yield* Effect.try(() =>
    readdirSync(tmpdir())
      .filter((name) => name.startsWith(socketPrefix))
      .map((name) => join(tmpdir(), name))
      .filter(isOld)
  )
  for (const path of paths) if (yield* isDead(path)) yield* remove(path)
}).pipe(
  // Nothing to do if the temporary folder cannot be read.
  Effect.ignore
)

/** Listens until the scope closes. Returns the address of the socket, or null if the system permits none. */
export const announce: Effect.Effect<string | null, never, Scope.Scope> = Effect.andThen(
  removeDeadSockets,
  listen
)

/** A worker of this machine. */
export interface Neighbour {
  readonly address: string
  readonly socket: string
}

/** Releases the shards of all workers of this machine whose process is dead. */
export const releaseDeadOfMachine = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(
    sql<Neighbour>`
      SELECT address, socket FROM chemstream_runners WHERE host = ${hostname()} AND socket IS NOT NULL`,
    (neighbours) => releaseDeadAmong(sql, neighbours)
  )

/** Releases the shards of those of these workers whose process is dead. Returns their addresses. */
export const releaseDeadAmong = (
  sql: SqlClient.SqlClient,
  neighbours: ReadonlyArray<Neighbour>
): Effect.Effect<ReadonlySet<string>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const released = new Set<string>()
    for (const { address, socket } of neighbours) {
      if (!(yield* isDead(socket))) continue
      yield* transaction(
        sql,
        Effect.gen(function* () {
          yield* sql`UPDATE chemstream_leases SET address = '', until = 0 WHERE address = ${address}`
          yield* sql`DELETE FROM chemstream_runners WHERE address = ${address}`
          yield* sql`DELETE FROM chemstream_workers WHERE address = ${address}`
        })
      )
      released.add(address)
      // Removed last: without its socket, a dead worker is not recognised, and its shards would wait for the lease.
      yield* remove(socket)
    }
    return released
  })
