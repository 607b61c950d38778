// Finds and packs the public packages: their manifests, their tarballs, and the siblings of each.

import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

/** The root of the checkout. */
export const root: string = join(import.meta.dirname, "..", "..", "..")

/** The fields of a package.json that these tests read. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly engines?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A public package; `folder` is relative to the root of the checkout. */
export interface PublicPackage {
  readonly name: string
  readonly folder: string
  readonly manifest: Manifest
}

/** The path of each package's tarball, by package name. */
export type Tarballs = Readonly<Record<string, string>>

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))

/** The public packages of `packages/` and the examples, sorted by folder. */
export const all: ReadonlyArray<PublicPackage> = [
  "examples",
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}`)
]
  .filter((folder) => existsSync(join(root, folder, "package.json")))
  .sort()
  .map((folder) => ({ folder, manifest: readManifest(folder) }))
  .filter(({ manifest }) => manifest.private !== true)
  .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }))

/** Returns the public package of a name, or throws. */
export const get = (name: string): PublicPackage => {
  const found = all.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${name} is not a public package of this checkout.`)
  return found
}

/** A package and every sibling that it depends on, directly or through another. */
export const withSiblings = (name: string): ReadonlyArray<PublicPackage> => {
  const found = new Set([get(name)])
  for (const { manifest } of found) {
    const needed = { ...manifest.dependencies, ...manifest.peerDependencies }
    for (const sibling of all) if (sibling.name in needed) found.add(sibling)
  }
  return [...found]
}

/** Packs every public package into a folder. Their `dist` must be built. */
export const pack = async (folder: string): Promise<Tarballs> => {
  const filters = all.flatMap((one) => ["--filter", `./${one.folder}`])
  const { stdout } = await promisify(execFile)(
    join(root, "node_modules", ".bin", "pnpm"),
    ["--recursive", ...filters, "pack", "--json", "--pack-destination", folder],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 }
  )
  const packed: ReadonlyArray<{ readonly name: string; readonly filename: string }> = JSON.parse(stdout)
  const tarballs = Object.fromEntries(packed.map(({ name, filename }) => [name, filename]))
  for (const { name } of all) if (tarballs[name] === undefined) throw new Error(`pnpm did not pack ${name}.`)
  return tarballs
}
