/**
 * Runs the built command of `dist` as a process.
 *
 * Tests of a file may run concurrently, so processes, folders and services are kept until all of them have finished.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"

/** A folder without settings of the user. */
const noSettings = join(tmpdir(), "chemstream-no-settings")

/** The script that starts the command. */
export const command = fileURLToPath(new URL("../bin/chemstream.js", import.meta.url))

/** The cache folder of the checkout. All processes share the compiled code in it, so only the first ones start slowly. */
const cacheHome = fileURLToPath(new URL("../node_modules/.cache", import.meta.url))

const cleanups: Array<() => unknown> = []

afterAll(async () => {
  // In reverse order: a process stops before its folder is removed.
  for (const cleanup of cleanups.reverse()) await cleanup()
}, 60_000)

/** Runs `cleanup` after all tests of the file. */
export const cleanUp = (cleanup: () => unknown): void => void cleanups.push(cleanup)

/** The environment of a user without settings, and `more`. */
export const environment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => {
  const {
    CHEMSTREAM_API_KEY: _,
    CHEMSTREAM_API_KEYS: __,
    CHEMSTREAM_BASE_URL: ___,
    CHEMSTREAM_DIALECT: ____,
    ...clean
  } = process.env
  return { ...clean, XDG_CACHE_HOME: cacheHome, XDG_CONFIG_HOME: noSettings, ...more }
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly child: ChildProcess
  /** Standard output so far. */
  readonly stdout: () => string
  /** Waits for the first match of a pattern in standard output. */
  readonly prints: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Standard error so far. */
  readonly stderr: () => string
  readonly ended: Promise<Ended>
  /** Waits for the first match of a pattern in standard error. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>
}

export interface Surroundings {
  readonly env?: Record<string, string>
  /** The content of standard input. */
  readonly input?: string | Uint8Array
  /** Whether standard input stays open after its content. */
  readonly isOpen?: boolean
  readonly cwd?: string
}

/** Starts the command. A process that outlives the tests of the file is killed. */
export const start = (
  args: ReadonlyArray<string>,
  { cwd, env, input = "", isOpen = false }: Surroundings = {}
): Started => {
  const child = spawn(process.execPath, [command, ...args], { cwd, env: environment(env), stdio: "pipe" })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  child.stdin.on("error", () => {}).write(input)
  if (!isOpen) child.stdin.end()
  const ended = once(child, "close").then(
    ([code]): Ended => ({ code: code as number | null, stdout, stderr })
  )
  cleanUp(async () => {
    child.kill("SIGKILL")
    await ended
  })
  const matching = (stream: Readable, text: () => string, pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        stream.off("data", look)
        child.off("close", fail)
      }
      const look = (): void => {
        const match = pattern.exec(text())
        if (match === null) return
        stop()
        resolve(match)
      }
      const fail = (): void => {
        stop()
        reject(new Error(`ended without ${pattern}: ${text()}${stderr}`))
      }
      stream.on("data", look)
      child.on("close", fail)
      look()
    })
  return {
    child,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    prints: (pattern) => matching(child.stdout, () => stdout, pattern),
    says: (pattern) => matching(child.stderr, () => stderr, pattern)
  }
}

/** Runs the command to its end. */
export const run = (args: ReadonlyArray<string>, surroundings?: Surroundings): Promise<Ended> =>
  start(args, surroundings).ended

/** A new folder, removed after all tests of the file. */
export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "chemstream-"))
  cleanUp(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Starts `chemstream serve`. Default: on a free port. Returns the environment variables of a client. */
export const serve = async (...args: ReadonlyArray<string>) => {
  const key = "test-key"
  const port = args.includes("--port") ? [] : ["--port", "0"]
  const service = start(["serve", ...port, ...args], { env: { CHEMSTREAM_API_KEYS: `other,${key}` } })
  const [, url = ""] = await service.says(/serves at (http:\S+)/)
  return { service, url, env: { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: key } }
}

const services = new Map<string, ReturnType<typeof serve>>()

/**
 * The service that all tests of a file share: `chemstream serve` with these arguments, started at first use. A test that
 * stops its service or reads its log starts one of its own with `serve`.
 */
export const sharedService = (...args: ReadonlyArray<string>): ReturnType<typeof serve> => {
  const name = args.join(" ")
  const known = services.get(name)
  if (known !== undefined) return known
  const started = serve(...args)
  services.set(name, started)
  // The service stops in order, because a killed one writes no compiled code for the next.
  cleanUp(async () => {
    const { service } = await started
    service.child.kill("SIGTERM")
    await service.ended
  })
  return started
}

/**
 * Longer than the time in which a second signal counts as an echo of the first (`process/signals.ts`), in
 * milliseconds.
 */
const longerThanEcho = 600

/** Sends the second signal to a command that has reported the first one, and waits until it reports the second. */
export const twice = async ({ child, says }: Started, signal: NodeJS.Signals): Promise<void> => {
  await setTimeout(longerThanEcho)
  child.kill(signal)
  await says(/stopping at once\n/)
}
