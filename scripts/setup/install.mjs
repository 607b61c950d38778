// Installs the dependencies with the pinned pnpm, and with them the Node that everything else runs on.
// Skipped while the lock file, the workspace file and every package.json are those of the last install.
// It uses npx only when the pinned pnpm is not installed yet; nothing is installed globally.

import { existsSync } from "node:fs"
import { join } from "node:path"
import { bin, environment, nodePath, pinnedPnpm, readManifest, root, workspaces } from "./checkout.mjs"
import { finish, ProgramMissing } from "./child.mjs"
import { progress, SetupFailure, say, seconds } from "./message.mjs"
import * as Stamp from "./stamp.mjs"

/** Words in the output of npm and pnpm that mean: the registry was not reached. */
const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL|NO_OFFLINE|dns error|error sending request/i

/** Installs if needed; says whether it did. Fails with `SetupFailure`. @returns {Promise<boolean>} */
export const ensureInstalled = async () => {
  const value = currentValue()
  if (Stamp.isCurrent("install", value) && isPresent()) return false

  const started = performance.now()
  const version = pinnedPnpm()
  Stamp.remove("install")
  say(`Installing the dependencies with pnpm ${version} …`)
  const [program, args] =
    installedPnpm() === version ? [bin("pnpm"), []] : ["npx", ["--yes", `pnpm@${version}`]]
  const line = progress()
  const result = await finish(program, [...args, "install", "--frozen-lockfile", "--reporter=append-only"], {
    cwd: root,
    // CI: pnpm must not ask; there is nobody to answer. Retries: npx would wait over a minute without a network.
    env: { npm_config_fetch_retries: "1", ...environment(), CI: "true" },
    output: "capture",
    onText: line.show
  }).catch((error) => {
    throw error instanceof ProgramMissing
      ? new SetupFailure(
          `The program "${program}" was not found. It comes with npm: install Node with npm and try again.`
        )
      : error
  })
  line.clear()
  if (result.code !== 0) throw failure(result.text, result.code)
  if (!isPresent()) {
    throw new SetupFailure(
      `pnpm ended well, but ${nodePath} or a node_modules folder of a workspace is missing.\n` +
        "Delete node_modules and run the same command again."
    )
  }
  Stamp.write("install", value)
  say(`Installed in ${seconds(started)}.`)
  return true
}

const currentValue = () =>
  Stamp.ofContents(
    [
      "pnpm-lock.yaml",
      "pnpm-workspace.yaml",
      "package.json",
      ...workspaces().map(({ folder }) => join(folder, "package.json"))
    ].map((file) => join(root, file)),
    [process.platform, process.arch]
  )

const isPresent = () =>
  existsSync(nodePath) &&
  workspaces().every(
    ({ path, manifest }) =>
      Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length === 0 ||
      existsSync(join(path, "node_modules"))
  )

const installedPnpm = () => {
  const folder = join(root, "node_modules", "pnpm")
  return existsSync(join(folder, "package.json")) ? readManifest(folder).version : undefined
}

/** @param {string} text @param {number} code */
const failure = (text, code) => {
  if (/OUTDATED_LOCKFILE/.test(text)) {
    return new SetupFailure(
      `${text}\nThe install failed: pnpm-lock.yaml does not fit a package.json.\n` +
        `Run \`npx pnpm@${pinnedPnpm()} install\`, and commit the lock file with the change.`
    )
  }
  if (unreachable.test(text)) {
    return new SetupFailure(
      `${text}\nThe install failed: the npm registry could not be reached.\n` +
        "The set-up needs it once; after that everything works offline. Connect (or point npm to a mirror with\n" +
        "`npm config set registry URL`) and run the same command again."
    )
  }
  return new SetupFailure(
    `${text}\nThe install failed: pnpm ended with exit code ${code}; its output is above.`
  )
}
