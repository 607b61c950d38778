/**
 * Runs a shell command on a pseudo-terminal, with the program `script`.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { command, environment } from "./process.ts"
import { has } from "./programs.ts"

/** Whether there are terminals for tests. */
export const hasTerminal = process.platform === "linux" && has("script")

/** Runs a shell command on a terminal. Returns the text that appears. `$NODE` and `$COMMAND` start the command. */
export const onTerminal = async (
  line: string,
  env: Record<string, string>,
  cwd?: string
): Promise<string> => {
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd,
    env: environment({ ...env, TERM: "xterm", CI: "", NODE: process.execPath, COMMAND: command }),
    stdio: ["ignore", "pipe", "inherit"]
  })
  const chunks: Array<Buffer> = []
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
  await once(child, "close")
  return Buffer.concat(chunks).toString("utf8").replaceAll("\r\n", "\n")
}
