// The checkout: its root, its workspaces, and the environment of programs that the scripts start. It refuses an old Node
// before it uses anything newer than Node 14. It supports POSIX systems, and WSL on Windows.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The oldest Node that runs the scripts. Everything else runs on the Node in the devDependencies of the root. */
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

/** Returns the path of an installed program, e.g. `bin("turbo")`.
 * @param {string} name */
export const bin = (name) => join(root, "node_modules", ".bin", name)

/**
 * Returns the environment of programs that the scripts start. The tools and the Node of the checkout come first in PATH, and
 * caches and logs stay in the checkout. Variables of the npm that runs a script are removed, because a nested npm reads them.
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
 *   repository?: string,
 * }} Manifest
 * @typedef {{ path: string, manifest: Manifest }} Workspace
 */

/** @param {string} folder @returns {Manifest} */
export const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** Returns the workspaces of pnpm-workspace.yaml, sorted by folder. @returns {ReadonlyArray<Workspace>} */
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
