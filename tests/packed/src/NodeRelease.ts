// Installs the Node releases for the tests into the cache of the checkout. The release of the checkout itself is a
// dependency of its root.

import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "./PublicPackage.ts"

/** The oldest release that the packages support. */
export const oldest = "22.19.0"

/** The newest release of the newer line with long-term support. */
const longTerm = "24.21.0"

const cacheFolder = join(root, "node_modules", ".cache", "chemstream-checkout", "node")

/** The release that runs these tests: the checkout's own. */
const own = process.versions.node

/** Every release to test, from old to new. */
export const versions: ReadonlyArray<string> = [...new Set([oldest, longTerm, own])]

const folderOf = (version: string): string => join(cacheFolder, version)

/** The executable of a release. */
export const binaryOf = (version: string): string =>
  version === own ? process.execPath : join(folderOf(version), "node_modules", "node", "bin", "node")

/** Installs a missing release, and checks the version of its executable. */
export const ensureInstalled = async (version: string): Promise<void> => {
  const run = promisify(execFile)
  if (!existsSync(binaryOf(version))) {
    mkdirSync(cacheFolder, { recursive: true })
    // Renamed when complete, so that an interrupted installation does not count.
    const partial = mkdtempSync(join(cacheFolder, "partial-"))
    try {
      const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
      await run("npm", ["install", `node@${version}`, "--prefix", partial, ...flags])
      rmSync(folderOf(version), { recursive: true, force: true })
      renameSync(partial, folderOf(version))
    } finally {
      rmSync(partial, { recursive: true, force: true })
    }
  }
  const { stdout } = await run(binaryOf(version), ["--version"])
  if (stdout.trim() !== `v${version}`)
    throw new Error(`${binaryOf(version)} is Node ${stdout.trim()}, not v${version}. Delete its folder.`)
}
