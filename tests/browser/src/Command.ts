/** The real command as a process. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const command = fileURLToPath(new URL("bin/chemstream.js", import.meta.resolve("chemstream/package.json")))

/** A running command. */
export interface Running {
  readonly child: ChildProcess
  /** Waits for a match of a pattern in standard error, and returns the first one. */
  readonly waitFor: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly stdout: () => string
  readonly exited: Promise<number | null>
}

/** Starts the command, without the settings of the user. */
export const start = (args: ReadonlyArray<string>, env: Record<string, string> = {}): Running => {
  const { CHEMSTREAM_API_KEYS: _, CHEMSTREAM_API_KEY: __, CHEMSTREAM_BASE_URL: ___, ...clean } = process.env
  const child = spawn(process.execPath, [command, ...args], {
    env: { ...clean, XDG_CONFIG_HOME: join(tmpdir(), "chemstream-no-settings"), ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
  })
  const updates = new EventTarget()
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
    updates.dispatchEvent(new Event("text"))
  })
  const exited = once(child, "close").then(([code]) => code as number | null)
  const waitFor = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(stderr)
      if (match !== null) return match
      const hasExited = await Promise.race([once(updates, "text").then(() => false), exited.then(() => true)])
      if (hasExited && !pattern.test(stderr))
        throw new Error(`the command ended without ${pattern}:\n${stderr}`)
    }
  }
  return { child, waitFor, stdout: () => stdout, exited }
}

/** Stops a command and waits for its exit. */
export const stop = async ({ child, exited }: Running): Promise<void> => {
  child.kill("SIGTERM")
  await exited
}

/** `chemstream serve` on a free port, with a key of its own. */
export const serve = async (key: string, ...args: ReadonlyArray<string>) => {
  const running = start(["serve", "--port", "0", "--quiet", ...args], { CHEMSTREAM_API_KEYS: key })
  const [, url = ""] = await running.waitFor(/serves at (http:\S+)/)
  return { running, url }
}
