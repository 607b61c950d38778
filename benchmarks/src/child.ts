/**
 * Starts modules of this folder as processes, and exchanges messages with them.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { compiled } from "./compiled.ts"

/** The memory of a child process in MiB: resident now, and its peak. */
export interface Memory {
  readonly now: number
  readonly peak: number
}

/** Starts a module, without the flags of this process, and waits for its first message. */
export const start = async <A>(
  module: string,
  options: object
): Promise<{ readonly child: ChildProcess; readonly first: A }> => {
  const child = fork(await compiled(module), [JSON.stringify(options)], { execArgv: [] })
  const first = await Promise.race([
    once(child, "message").then(([message]) => message as A),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`${module} ended with ${code}`)))
  ])
  return { child, first }
}

/** The flag of Node for a small young generation of V8. */
export const smallYoungGeneration = "--max-semi-space-size=1"

/** The suffix of figures with this flag. */
export const withSmallYoungGeneration = `, ${smallYoungGeneration}`

/** Requests the memory of a child. */
export const memory = async (child: ChildProcess): Promise<Memory> => {
  const reply = once(child, "message")
  child.send("memory")
  const [message] = await reply
  return message as Memory
}

/** Stops a child. */
export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  const exited = once(child, "exit")
  child.kill("SIGTERM")
  await exited
}

/** Returns the options of this process, in a child. */
export const options = <A>(): A => JSON.parse(process.argv[2] ?? "{}")

/** Responds to requests for the memory of this process, in a child. */
export const reportMemory = (): void => {
  process.on("message", () => process.send?.(ownMemory()))
}

/** Returns the memory of this process. */
export const ownMemory = (): Memory => ({
  now: Math.round(process.memoryUsage.rss() / 2 ** 20),
  peak: Math.round(peakKibibytes() / 1024)
})

// On Linux `maxRSS` starts at the value of the parent, so the peak is read from the kernel.
const peakKibibytes = (): number => {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1])
}
