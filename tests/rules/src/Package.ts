// The packages as the rules see them: folder, manifest and source modules. Reads packages/ of this checkout.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as SourceModule from "./SourceModule.ts"

/** The root of the checkout. */
export const root: string = join(import.meta.dirname, "..", "..", "..")

/** What the rules read of a package.json. */
export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly license?: string
  readonly packageManager?: string
  readonly engines?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly files?: ReadonlyArray<string>
  readonly exports?: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A package; `folder` is its name in packages/, `path` is absolute. */
export interface Package {
  readonly folder: string
  readonly path: string
  readonly manifest: Manifest
  readonly modules: ReadonlyArray<SourceModule.SourceModule>
}

export const readManifest = (path: string): Manifest =>
  JSON.parse(readFileSync(join(path, "package.json"), "utf8"))

/** All packages in packages/, sorted by folder. */
export const readAll = (): ReadonlyArray<Package> =>
  readdirSync(join(root, "packages"))
    .sort()
    .map((folder) => ({ folder, path: join(root, "packages", folder) }))
    .filter(({ path }) => existsSync(join(path, "package.json")))
    .map(({ folder, path }) => ({
      folder,
      path,
      manifest: readManifest(path),
      modules: SourceModule.readAll(join(path, "src"))
    }))

/** The names of what npm offers: the public packages, and the examples, which have no module to hold to a rule. */
export const publicNames = (): ReadonlyArray<string> =>
  [...readAll().map(({ manifest }) => manifest), readManifest(join(root, "examples"))]
    .filter((manifest) => manifest.private !== true)
    .map(({ name }) => name)

/** An entry of a package: how others import it, and its module, relative to src. */
export interface Entry {
  readonly specifier: string
  readonly module: string
}

/**
 * The entries that a manifest exports. One besides the main one is a folder of src, for what needs Node, or one module of
 * it, for who is to load nothing else.
 */
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

/** The package name in a specifier: `@scope/name/deep` gives `@scope/name`; `undefined` for a relative import. */
export const nameIn = (specifier: string): string | undefined =>
  /^(?:@[^/]+\/)?[^./@][^/]*/.exec(specifier)?.[0]
