// The checkout: its root, its manifests, and the names of its public packages.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The root of the checkout. */
export const root: string = join(import.meta.dirname, "..", "..", "..")

/** The fields of a package.json that the tests read. */
export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly scripts?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Reads the package.json of a folder. */
export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** Returns the manifests of the public packages, including the examples. */
export const published = (): ReadonlyArray<Manifest> =>
  [
    ...readdirSync(join(root, "packages")).map((folder) => join(root, "packages", folder)),
    join(root, "examples")
  ]
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map(readManifest)
    .filter((manifest) => manifest.private !== true)
