// Runs child processes so that none outlives this one: a signal that reaches this process is handed to the
// children, and this process ends after them. It decides nothing about what a failure means to its caller.

import { spawn } from "node:child_process"
import { constants } from "node:os"

/** @type {ReadonlyArray<"SIGINT" | "SIGTERM" | "SIGHUP">} */
const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"]

/**
 * Ctrl-C reaches the whole process group and npm sends it once more. The same signal again within this many
 * milliseconds is the same wish, and a child that takes a second one for "at once" must not see it.
 */
const sameWish = 1000

/** Thrown by `finish` when a signal ended the work: nothing failed, somebody wanted it to stop. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Interrupted by ${signal}.`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** Thrown when the program itself is not there. */
export class ProgramMissing extends Error {
  /** @param {string} program */
  constructor(program) {
    super(`The program "${program}" was not found.`)
    this.program = program
  }
}

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set()
/** @type {NodeJS.Signals | undefined} */
let received
let receivedAt = 0

/** @param {NodeJS.Signals} signal */
const forward = (signal) => {
  const now = Date.now()
  if (received === signal && now - receivedAt < sameWish) return
  received = signal
  receivedAt = now
  for (const child of running) child.kill(signal)
}

/**
 * Runs a program to its end.
 *
 * - `output: "inherit"` gives it this process's stdin, stdout and stderr; `"capture"` closes its stdin and
 *   collects stdout and stderr, in the order they came, into `text`.
 * - `onText` sees captured output as it comes.
 *
 * `code` is the exit code, or 128 + n when signal n ended the program. Fails with `ProgramMissing`.
 *
 * @param {string} program
 * @param {ReadonlyArray<string>} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, output: "inherit" | "capture", onText?: (text: string) => void }} options
 * @returns {Promise<{ code: number, text: string, interruptedBy: NodeJS.Signals | undefined }>}
 */
export const run = (program, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      cwd: options.cwd,
      env: options.env,
      stdio: options.output === "inherit" ? "inherit" : ["ignore", "pipe", "pipe"]
    })
    if (running.size === 0) for (const signal of forwarded) process.on(signal, forward)
    running.add(child)
    const ended = () => {
      running.delete(child)
      if (running.size === 0) for (const signal of forwarded) process.off(signal, forward)
    }
    let text = ""
    for (const pipe of [child.stdout, child.stderr]) {
      pipe?.setEncoding("utf8").on("data", (piece) => {
        text += piece
        options.onText?.(piece)
      })
    }
    child.on("error", (error) => {
      ended()
      reject("code" in error && error.code === "ENOENT" ? new ProgramMissing(program) : error)
    })
    child.on("close", (code, signal) => {
      ended()
      resolve({
        code: signal === null ? (code ?? 1) : 128 + constants.signals[signal],
        text,
        interruptedBy: received
      })
    })
  })

/** Like `run`, but throws `Interrupted` when a signal arrived meanwhile: for a step others follow.
 * @type {typeof run} */
export const finish = async (program, args, options) => {
  const result = await run(program, args, options)
  if (result.interruptedBy !== undefined) throw new Interrupted(result.interruptedBy)
  return result
}
