// Formats generated TypeScript as the project is formatted.

import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Returns the formatted files, each with its path relative to the root of the repository. One process formats all. */
export const format = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const folder = mkdtempSync(join(tmpdir(), "chemstream-format-"))
  try {
    const config = {
      extends: [join(root, "biome.json")],
      vcs: { enabled: false },
      linter: { enabled: false }
    }
    writeFileSync(join(folder, "biome.json"), JSON.stringify(config))
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
    const args = [biome, "check", "--write", "--colors=off", ...Object.keys(files)]
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" })
    if (status !== 0) throw new Error(`cannot format the generated files: ${stderr}`)
    return Object.fromEntries(
      Object.keys(files).map((file) => [file, readFileSync(join(folder, file), "utf8")])
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
