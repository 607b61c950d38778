// Installs the dependencies with the pinned pnpm. One of them is the Node that runs everything else.
// Does nothing if the lock file, pnpm-workspace.yaml and every package.json are unchanged since the last install.

import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bin, cacheFolder, environment, readManifest, root, workspaces } from "./checkout.mjs"
import { ProgramMissing, run } from "./run.mjs"

const stampFile = join(cacheFolder, "install.stamp")

/** Matches the output of npm and pnpm when they cannot reach the registry. */
const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL|NO_OFFLINE|dns error|error sending request/i

/** `node_modules/.bin/chemstream`: runs the command on the installed Node, because the Node of the machine may be too old. */
const commandScript = `#!/bin/sh
bin=$(dirname "$0")
exec "$bin/node" "$bin/../../packages/cli/bin/chemstream.js" "$@"
`

/** Installs missing dependencies. On failure, it prints the reason and exits. */
export const ensureInstalled = async () => {
  const stamp = currentStamp()
  if (
    isInstalled() &&
    existsSync(bin("chemstream")) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, "utf8") === stamp
  )
    return
  rmSync(stampFile, { force: true })

  const version = (readManifest(root).packageManager ?? "").replace(/^pnpm@/, "")
  process.stderr.write(`Installing the dependencies with pnpm ${version} …\n`)
  const isPinned = installedPnpm() === version
  const [program, args] = isPinned ? [bin("pnpm"), []] : ["npx", ["--yes", `pnpm@${version}`]]
  const { code, output } = await run(program, [...args, "install", "--frozen-lockfile"], {
    capture: true,
    // With CI, pnpm asks no questions. With more retries and without a network, npx waits for over a minute.
    env: { npm_config_fetch_retries: "1", ...environment(), CI: "true" }
  }).catch((error) => {
    if (!(error instanceof ProgramMissing)) throw error
    return { code: 1, output: `The program "${program}" was not found. Install Node with npm.` }
  })
  if (code !== 0 || !isInstalled()) {
    process.stderr.write(`${output}\nThe installation failed: ${adviceFor(output)}\n`)
    process.exit(code === 0 ? 1 : code)
  }
  // This is a script, because a dependency of the root on the command would put its sources into the hash of every task.
  rmSync(bin("chemstream"), { force: true })
  writeFileSync(bin("chemstream"), commandScript, { mode: 0o755 })
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(stampFile, stamp)
}

const currentStamp = () => {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`)
  const files = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"].map((file) => join(root, file))
  for (const file of [...files, ...workspaces().map(({ path }) => join(path, "package.json"))])
    hash.update(`\0${file}\0`).update(readFileSync(file))
  return hash.digest("hex")
}

const isInstalled = () =>
  existsSync(bin("node")) &&
  workspaces().every(
    ({ path, manifest }) =>
      Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length === 0 ||
      existsSync(join(path, "node_modules"))
  )

const installedPnpm = () => {
  const folder = join(root, "node_modules", "pnpm")
  return existsSync(join(folder, "package.json")) ? readManifest(folder).version : undefined
}

/** @param {string} output */
const adviceFor = (output) => {
  if (/OUTDATED_LOCKFILE/.test(output))
    return "pnpm-lock.yaml does not match a package.json. Run `npx pnpm install` and commit the lock file."
  if (unreachable.test(output))
    return (
      "the npm registry could not be reached. The set-up needs it once. Afterwards, everything works offline.\n" +
      "Connect, or set a mirror with `npm config set registry URL`, and run the same command again."
    )
  return "the output of pnpm is above. If it does not help, delete node_modules and run the same command again."
}
