// Runs a program and waits for it.

import { spawn } from "node:child_process"
import { constants } from "node:os"
import { environment, root } from "./checkout.mjs"

/** The error of a program that is not installed. */
export class ProgramMissing extends Error {}

/**
 * Runs a program in the root of the checkout. After Ctrl-C, this process waits, because the terminal also sends it to the
 * program. SIGTERM and SIGHUP are forwarded. With `capture`, the program gets no input, and its output is returned.
 *
 * @param {string} program
 * @param {ReadonlyArray<string>} args
 * @param {{ capture?: boolean, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ code: number, output: string }>} `code` is 128 + n when signal n ended the program.
 */
export const run = (program, args, { capture = false, env = environment() } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      cwd: root,
      env,
      stdio: capture ? ["ignore", "pipe", "pipe"] : "inherit"
    })
    const wait = () => {}
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => child.kill(signal)
    process.on("SIGINT", wait).on("SIGTERM", forward).on("SIGHUP", forward)
    let output = ""
    for (const pipe of [child.stdout, child.stderr])
      pipe?.setEncoding("utf8").on("data", (text) => (output += text))
    child.on("error", (error) =>
      reject("code" in error && error.code === "ENOENT" ? new ProgramMissing(program) : error)
    )
    child.on("close", (code, signal) => {
      process.off("SIGINT", wait).off("SIGTERM", forward).off("SIGHUP", forward)
      resolve({ code: signal === null ? (code ?? 1) : 128 + constants.signals[signal], output })
    })
  })
