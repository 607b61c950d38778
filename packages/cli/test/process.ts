/**
 * The real command as a real process, from its built `dist`.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

/** Where no settings of the user are found. */
const noSettings = join(tmpdir(), "chemstream-no-settings")

const command = fileURLToPath(new URL("../bin/chemstream.js", import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly child: ChildProcess
  /** Standard output so far. */
  readonly stdout: () => string
  /** The first match of a pattern in standard output, once it is there. */
  readonly prints: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Standard error so far. */
  readonly stderr: () => string
  readonly ended: Promise<Ended>
  /** The first match of a pattern in standard error, once it is there. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>
}

export interface Surroundings {
  readonly env?: Record<string, string>
  /** What standard input holds. */
  readonly input?: string | Uint8Array
  /** Whether standard input stays open after that. */
  readonly isOpen?: boolean
  readonly cwd?: string
}

/** Starts the command; the test ends it if it has not ended by then. */
export const start = (
  args: ReadonlyArray<string>,
  { cwd, env = {}, input = "", isOpen = false }: Surroundings = {}
): Started => {
  const { CHEMSTREAM_API_KEY: _, CHEMSTREAM_API_KEYS: __, CHEMSTREAM_BASE_URL: ___, ...clean } = process.env
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: { ...clean, XDG_CONFIG_HOME: noSettings, ...env },
    stdio: "pipe"
  })
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
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await ended
  })
  const matching = (stream: Readable, text: () => string, pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(text())
        if (match !== null) resolve(match)
      }
      stream.on("data", look)
      child.on("close", () => reject(new Error(`ended without ${pattern}: ${text()}${stderr}`)))
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

/** A folder that goes away with the test. */
export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "chemstream-"))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Starts `chemstream serve`, on a free port unless told which; gives what a client needs to know as environment variables. */
export const serve = async (...args: ReadonlyArray<string>) => {
  const key = "test-key"
  const port = args.includes("--port") ? [] : ["--port", "0"]
  const service = start(["serve", ...port, ...args], { env: { CHEMSTREAM_API_KEYS: `other,${key}` } })
  const [, url = ""] = await service.says(/serves at (http:\S+)/)
  return { service, url, env: { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: key } }
}
