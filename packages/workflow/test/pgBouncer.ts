// Starts a PgBouncer in front of a Postgres, if this machine has one.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { delimiter, join } from "node:path"

/** How a pooler shares its sessions. */
export type Mode = "session" | "transaction" | "statement"

export interface PgBouncer {
  /** The address of the database through the pooler. */
  readonly url: string
  readonly stop: () => Promise<void>
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The program. Undefined if this machine has none. */
export const program: string | undefined = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
  .map((folder) => join(folder, "pgbouncer"))
  .find(isExecutable)

/** Starts a pooler in front of the database of this address. */
export const start = async (target: string, mode: Mode): Promise<PgBouncer> => {
  const { hostname, password, pathname, port, username } = new URL(target)
  const folder = mkdtempSync(join(tmpdir(), "chemstream-pgbouncer-"))
  // As root, the pooler runs as another user.
  chmodSync(folder, 0o755)
  const own = await freePort()
  const file = join(folder, "pgbouncer.ini")
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
auth_type = any
unix_socket_dir =
pool_mode = ${mode}
ignore_startup_parameters = extra_float_digits
default_pool_size = 30
`,
    { mode: 0o644 }
  )
  // It refuses to run as root.
  const user = userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const pooler = spawn(program ?? "pgbouncer", ["-q", file], { stdio: "ignore", cwd: "/", ...user })
  await untilListening(own)
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`,
    stop: async () => {
      pooler.kill("SIGKILL")
      if (pooler.exitCode === null && pooler.signalCode === null) await once(pooler, "exit")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const untilListening = async (port: number): Promise<void> => {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, "127.0.0.1")
    const isUp = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    })
    socket.destroy()
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("PgBouncer did not start")
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
