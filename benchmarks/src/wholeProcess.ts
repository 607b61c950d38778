/**
 * Whole processes from start to end: how long one takes, what of the processor and of the memory, and what it writes.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { compiled } from "./compiled.ts"

/** A program and its arguments. */
export type Program = readonly [program: string, ...args: ReadonlyArray<string>]

/** What a process of Node says of itself at its end. */
export interface Usage {
  /** Seconds of processor time, of the user and the system. */
  readonly processor: number
  /** Resident memory at most, in MiB. */
  readonly memory: number
}

export interface Ended {
  /** Seconds from start to end. */
  readonly seconds: number
  /** Absent unless requested. */
  readonly usage?: Usage
}

/** The environment of every program: what is set here besides. */
export type Environment = Readonly<Record<string, string>>

/** Runs a program with its output in a file. Fails where it does. */
export const run = async (
  [program, ...args]: Program,
  {
    env,
    output,
    usage = false
  }: { readonly env: Environment; readonly output: string; readonly usage?: boolean }
): Promise<Ended> => {
  const file = await open(output, "w")
  try {
    const started = performance.now()
    const child = spawn(program, usage ? ["--import", await compiled("usage.ts"), ...args] : args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", file.fd, "pipe", "pipe"]
    })
    let said = ""
    let told = ""
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text
    })
    ;(child.stdio[3] as NodeJS.ReadableStream).setEncoding("utf8").on("data", (text: string) => {
      told += text
    })
    const [code] = await once(child, "close")
    const seconds = (performance.now() - started) / 1000
    if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${said}`)
    return usage ? { seconds, usage: JSON.parse(told) } : { seconds }
  } finally {
    await file.close()
  }
}

/** Whether a program succeeds. */
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
