// Builds the packages into their dist folders with turbo, which knows their order and has its cache inside the
// checkout. Skipped without starting turbo while no input of a build has changed since the last one.

import { existsSync } from "node:fs"
import { join } from "node:path"
import { bin, cacheFolder, environment, root, workspaces } from "./checkout.mjs"
import { finish } from "./child.mjs"
import { progress, SetupFailure, say, seconds } from "./message.mjs"
import * as Stamp from "./stamp.mjs"

/** Root files that change what every build makes. */
const shared = ["package.json", "pnpm-lock.yaml", "tsconfig.base.json", "turbo.json"]

/** What is in a package's folder and no input of its build. */
const noInput = new Set(["node_modules", "dist", "out", "test", ".turbo", "README.md", "CHANGELOG.md"])

/** Builds if needed; says whether it did. Fails with `SetupFailure`. @returns {Promise<boolean>} */
export const ensureBuilt = async () => {
  const built = workspaces().filter(({ manifest }) => manifest.scripts?.["build"] !== undefined)
  const value = Stamp.ofTimes(
    [...shared.map((file) => join(root, file)), ...built.map(({ path }) => path)],
    noInput
  )
  if (Stamp.isCurrent("build", value) && built.every(hasEntry)) return false

  const started = performance.now()
  Stamp.remove("build")
  say("Building the packages …")
  const line = progress()
  const result = await finish(
    bin("turbo"),
    ["run", "build", "--output-logs=errors-only", `--cache-dir=${join(cacheFolder, "turbo")}`],
    {
      cwd: root,
      env: {
        ...environment(),
        TURBO_TELEMETRY_DISABLED: "1",
        TURBO_NO_UPDATE_NOTIFIER: "1",
        DO_NOT_TRACK: "1"
      },
      output: "capture",
      onText: line.show
    }
  )
  line.clear()
  if (result.code !== 0) {
    throw new SetupFailure(
      `${result.text}\nThe build failed: turbo ended with exit code ${result.code}; its output is above.`
    )
  }
  const missing = built.filter((workspace) => !hasEntry(workspace))
  if (missing.length > 0) {
    throw new SetupFailure(
      `The build ended well, but made no entry point in ${missing.map(({ folder }) => folder).join(", ")}.\n` +
        "Check that `exports` in its package.json names what its build script writes."
    )
  }
  Stamp.write("build", value)
  say(`Built in ${seconds(started)}.`)
  return true
}

/** @param {import("./checkout.mjs").Workspace} workspace */
const hasEntry = ({ path, manifest }) => {
  const entry = manifest.exports?.["."]
  const file = typeof entry === "string" ? entry : entry?.default
  return file === undefined || existsSync(join(path, file))
}
