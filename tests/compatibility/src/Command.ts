// Runs the built command of this checkout as a process, without settings of the user.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(import.meta.resolve("chemstream/package.json")).replace(
  /package\.json$/,
  "bin/chemstream.js"
)

/** A process that has ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A running process. */
export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Waits for the first match of a pattern in standard error. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>
}

/** Where a process runs. */
export interface Surroundings {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** The content of standard input. */
  readonly input?: string | undefined
  /** Whether standard input stays open after its content. Default: false. */
  readonly isOpen?: boolean
}

/** Starts the command. */
export const start = (
  args: ReadonlyArray<string>,
  { cwd, env = {}, input = "", isOpen = false }: Surroundings
): Started => {
  const clean = Object.entries(process.env).filter(([name]) => !/^CHEMSTREAM_|_proxy$/i.test(name))
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { ...Object.fromEntries(clean), XDG_CONFIG_HOME: cwd, ...env },
    stdio: "pipe"
  })
  const text = { stdout: "", stderr: "" }
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (part: string) => {
      text[name] += part
    })
  }
  child.stdin.on("error", () => {}).write(input)
  if (!isOpen) child.stdin.end()
  const ended = once(child, "close").then(([code]): Ended => ({ code: code as number | null, ...text }))
  const says = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(text.stderr)
        if (match !== null) resolve(match)
      }
      child.stderr.on("data", look)
      child.on("close", () => reject(new Error(`ended without ${pattern}: ${text.stderr}`)))
      look()
    })
  return { child, ended, says }
}

/** Runs the command to its end. */
export const run = (args: ReadonlyArray<string>, surroundings: Surroundings): Promise<Ended> =>
  start(args, surroundings).ended
