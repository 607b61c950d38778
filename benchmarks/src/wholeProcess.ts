/**
 * Runs whole processes, and measures their duration, processor time, memory and output.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { compiled } from "./compiled.ts"

/** A program and its arguments. */
export type Program = readonly [program: string, ...args: ReadonlyArray<string>]

/** The usage of a process of Node. */
export interface Usage {
  /** User and system time, in seconds. */
  readonly processor: number
  /** The peak of the resident memory, in MiB. */
  readonly memory: number
}

export interface Finished {
  /** Seconds from start to end. */
  readonly seconds: number
  /** Absent unless requested. */
  readonly usage?: Usage
}

/** Variables in addition to those of this process. */
export type Environment = Readonly<Record<string, string>>

/** Runs a program with its output in a file. Fails if the program fails. */
export const run = async (
  [program, ...args]: Program,
  {
    cwd,
    env,
    output,
    usage = false
  }: {
    /** Default: that of this process. */
    readonly cwd?: string
    readonly env: Environment
    readonly output: string
    readonly usage?: boolean
  }
): Promise<Finished> => {
  const file = await open(output, "w")
  try {
    const started = performance.now()
    const child = spawn(program, usage ? ["--import", await compiled("usage.ts"), ...args] : args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
      stdio: ["ignore", file.fd, "pipe", "pipe"]
    })
    let stderr = ""
    let usageText = ""
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    ;(child.stdio[3] as NodeJS.ReadableStream).setEncoding("utf8").on("data", (text: string) => {
      usageText += text
    })
    const [code] = await once(child, "close")
    const seconds = (performance.now() - started) / 1000
    if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${stderr}`)
    return usage ? { seconds, usage: JSON.parse(usageText) } : { seconds }
  } finally {
    await file.close()
  }
}

/** Returns whether a program succeeds. */
export const works = async (program: Program): Promise<boolean> => {
  try {
    await run(program, { env: {}, output: "/dev/null" })
    return true
  } catch {
    return false
  }
}

/** Returns a digest of a file, to compare files. */
export const digest = async (file: string): Promise<string> => {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 })) hash.update(chunk as Buffer)
  return hash.digest("hex")
}
