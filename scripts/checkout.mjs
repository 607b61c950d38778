// The checkout: its root, its workspaces, and the environment of every program that the scripts start.
// Refuses a Node that is too old before anything newer than Node 14 is used. Supports POSIX systems (on Windows: WSL).

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The oldest Node that runs the scripts. Everything else runs on the Node of the root's devDependencies. */
const oldestNode = 20

if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  process.stderr.write(
    `This is Node ${process.versions.node}, and the set-up needs Node ${oldestNode} or newer.\n` +
      "Install a newer Node from https://nodejs.org and run the same command again.\n"
  )
  process.exit(1)
}

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const cacheFolder = join(root, "node_modules", ".cache", "chemstream-checkout")

/** The file of an installed program, e.g. `bin("turbo")`.
 * @param {string} name */
export const bin = (name) => join(root, "node_modules", ".bin", name)

/**
 * The environment of every program that the scripts start: the checkout's own tools and Node come first in PATH, and
 * caches and logs stay inside the checkout. An npm started below must not see the variables of the npm that runs this.
 */
export const environment = () => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|config_local_prefix)/.test(name))
  ),
  PATH: [join(root, "node_modules", ".bin"), process.env.PATH ?? ""].join(delimiter),
  XDG_CACHE_HOME: cacheFolder,
  XDG_DATA_HOME: join(cacheFolder, "data"),
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  DO_NOT_TRACK: "1"
})

/**
 * @typedef {{
 *   name: string, version?: string, packageManager?: string,
 *   scripts?: Record<string, string>,
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>
 * }} Manifest
 * @typedef {{ path: string, manifest: Manifest }} Workspace
 */

/** @param {string} folder @returns {Manifest} */
export const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** The workspaces that pnpm-workspace.yaml lists, sorted by folder. @returns {ReadonlyArray<Workspace>} */
export const workspaces = () => {
  const yaml = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
  const list = /^packages:\n((?:[ \t]+-.*\n)+)/m.exec(yaml)?.[1] ?? ""
  return [...list.matchAll(/^\s*-\s*(\S+?)(\/\*)?$/gm)]
    .flatMap(([, folder = "", all]) =>
      all === undefined ? [folder] : readdirSync(join(root, folder)).map((name) => join(folder, name))
    )
    .map((folder) => join(root, folder))
    .filter((path) => existsSync(join(path, "package.json")))
    .sort()
    .map((path) => ({ path, manifest: readManifest(path) }))
}
