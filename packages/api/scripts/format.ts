// Formats generated TypeScript as the project is formatted.

import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Returns the formatted text of a file. The path is relative to the root of the repository. */
export const format = (file: string, text: string): string => {
  const args = ["node_modules/@biomejs/biome/bin/biome", "check", "--write", `--stdin-file-path=${file}`]
  const { status, stderr, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    input: text
  })
  if (status !== 0) throw new Error(`cannot format ${file}: ${stderr}`)
  return stdout
}
