// Reads the packages of this checkout: folder and manifest.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The root of the checkout. */
export const root: string = join(import.meta.dirname, "..", "..", "..")

/** The fields of a package.json that the tests read. */
export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly license?: string
  readonly packageManager?: string
  readonly engines?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly files?: ReadonlyArray<string>
  readonly exports?: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** A package. `folder` is its name in packages/, and `path` is absolute. */
export interface Package {
  readonly folder: string
  readonly path: string
  readonly manifest: Manifest
}

export const readManifest = (path: string): Manifest =>
  JSON.parse(readFileSync(join(path, "package.json"), "utf8"))

/** Returns all packages in packages/, sorted by folder. */
export const readAll = (): ReadonlyArray<Package> =>
  readdirSync(join(root, "packages"))
    .sort()
    .map((folder) => ({ folder, path: join(root, "packages", folder) }))
    .filter(({ path }) => existsSync(join(path, "package.json")))
    .map(({ folder, path }) => ({ folder, path, manifest: readManifest(path) }))

/** Returns the names of the public packages, including the examples. */
export const publicNames = (): ReadonlyArray<string> =>
  [...readAll().map(({ manifest }) => manifest), readManifest(join(root, "examples"))]
    .filter((manifest) => manifest.private !== true)
    .map(({ name }) => name)

/** An entry of a package: its specifier, and its module relative to src. */
export interface Entry {
  readonly specifier: string
  readonly module: string
}

/** Returns the entries that a manifest exports: the main one, folders for Node, and single modules. */
export const entriesOf = ({ name, exports }: Manifest): ReadonlyArray<Entry> =>
  Object.entries(exports ?? {}).flatMap(([path, target]) =>
    typeof target === "string"
      ? []
      : [
          {
            specifier: path.replace(".", name),
            module: target.default.replace(/^\.\/dist\/(.+)\.js$/, "$1.ts")
          }
        ]
  )
