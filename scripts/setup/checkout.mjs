// Where things are in this checkout: the root, the installed tools, the workspaces and their manifests.
// Importing it also refuses a Node that is too old, before anything newer than Node 14 is used.
// It writes nothing and starts nothing; it supports POSIX systems (on Windows: WSL).

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The oldest Node that can run the set-up; everything after it runs on the Node of the root's devDependency. */
const oldestNode = 20

if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  process.stderr.write(
    `This is Node ${process.versions.node}, and the set-up needs Node ${oldestNode} or newer.\n` +
      "Install a newer Node from https://nodejs.org and run the same command again.\n"
  )
  process.exit(1)
}

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const binFolder = join(root, "node_modules", ".bin")
export const nodePath = join(binFolder, "node")
export const cacheFolder = join(root, "node_modules", ".cache", "chemstream-checkout")

/** The file of an installed tool, e.g. `bin("vitest")`.
 * @param {string} name */
export const bin = (name) => join(binFolder, name)

/**
 * The environment of every child: the checkout's own tools and Node come first in PATH.
 * What `npm run` says about itself is taken out, or an npm started below it would work on this folder.
 */
export const environment = () => {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(lifecycle|package|config_local_prefix)/.test(name)
  )
  return {
    ...Object.fromEntries(own),
    PATH: [binFolder, process.env.PATH ?? ""].join(delimiter)
  }
}

/**
 * The same for what would write into the user's folders: Biome logs into that of caches, the command keeps compiled code
 * there, and vitest a token in that of data. A checkout writes only into itself.
 */
export const contained = () => ({
  ...environment(),
  XDG_CACHE_HOME: cacheFolder,
  XDG_DATA_HOME: join(cacheFolder, "data")
})

/**
 * @typedef {{
 *   name: string, version?: string, private?: boolean, packageManager?: string,
 *   exports?: Record<string, string | { default?: string }>,
 *   scripts?: Record<string, string>,
 *   bin?: Record<string, string>,
 *   dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>
 * }} Manifest
 * @typedef {{ folder: string, path: string, manifest: Manifest }} Workspace
 */

/** @param {string} folder @returns {Manifest} */
export const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** The folders under `packages:` in pnpm-workspace.yaml, a trailing `*` expanded; sorted by folder. */
export const workspaces = () => {
  const yaml = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
  const list = /^packages:\n((?:[ \t]+-.*\n?)+)/m.exec(yaml)?.[1] ?? ""
  const patterns = list
    .split("\n")
    .map((line) => line.replace(/^\s*-\s*/, "").replace(/["']/g, ""))
    .filter((line) => line !== "")
  const folders = patterns.flatMap((pattern) =>
    pattern.endsWith("/*")
      ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => `${pattern.slice(0, -2)}/${name}`)
      : [pattern]
  )
  return folders
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort()
    .map((folder) => {
      const path = join(root, folder)
      return { folder, path, manifest: readManifest(path) }
    })
}

/** The pnpm version pinned by `packageManager` of the root's package.json. */
export const pinnedPnpm = () => {
  const pin = readManifest(root).packageManager ?? ""
  const version = /^pnpm@(\d+\.\d+\.\d+)/.exec(pin)?.[1]
  if (version === undefined) {
    throw new Error(
      `package.json: "packageManager" is "${pin}"; it must name an exact pnpm, like "pnpm@12.0.0".`
    )
  }
  return version
}
