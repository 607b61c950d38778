/**
 * A line of a shell on a terminal of its own, by the program `script`.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { command, environment } from "./process.ts"
import { has } from "./programs.ts"

/** Whether there are terminals for tests. */
export const hasTerminal = process.platform === "linux" && has("script")

/** Runs a line on a terminal, with what appears there. `$NODE` and `$COMMAND` in it are the command. */
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
