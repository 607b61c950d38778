// Writes what npm shows of each public package into its package.json: the repository, where to report faults, and the words to
// find it by. The repository is one line of the root's package.json.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

type Manifest = Readonly<Record<string, unknown>> & { readonly name: string; readonly private?: boolean }

/** The words of the field, for every package that knows chemicals. */
const field = ["CompTox", "ToxCast", "DTXSID", "CASRN", "cheminformatics", "toxicology"]

/** The words of each package. */
const keywords: Readonly<Record<string, ReadonlyArray<string>>> = {
  "@chemstream/api": [...field, "schema", "effect"],
  "@chemstream/batch": ["batch", "bulk", "retry", "rate limit", "stream", "effect"],
  "@chemstream/client": [...field, "client", "effect"],
  "@chemstream/examples": [...field, "examples"],
  "@chemstream/explorer": [...field, "explorer"],
  "@chemstream/faults": ["fault injection", "proxy", "testing", "effect"],
  "@chemstream/figures": [...field, "structure", "concentration-response", "report"],
  "@chemstream/ndjson": ["ndjson", "jsonl", "csv", "stream", "transform", "effect"],
  "@chemstream/service": [...field, "server", "effect"],
  "@chemstream/stream": [...field, "batch search", "suspect screening", "stream", "effect"],
  "@chemstream/synthetic": [...field, "test data"],
  "@chemstream/workflow": [...field, "harvest", "postgres", "sqlite", "effect"],
  chemstream: [...field, "batch search", "suspect screening", "ndjson", "cli"]
}

/** Returns the package.json of each public package, relative to the root, with the fields of its repository. */
export const make = (root: string): Readonly<Record<string, string>> => {
  const { repository } = read(root, ".")
  const folders = readdirSync(join(root, "packages")).map((name) => `packages/${name}`)
  const published = [...folders, "examples"]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: read(root, folder) }))
    .filter(({ manifest }) => manifest.private !== true)
  return Object.fromEntries(
    published.map(({ folder, manifest }) => [
      `${folder}/package.json`,
      `${JSON.stringify(complete(manifest, folder, String(repository)), undefined, 2)}\n`
    ])
  )
}

const read = (root: string, folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))

const complete = (manifest: Manifest, folder: string, repository: string): object => {
  const { name, version, description, ...rest } = manifest
  const words = keywords[name]
  if (words === undefined)
    throw new Error(`${name} has no keywords. Add them to docs/reference/src/manifests.ts.`)
  const shown = {
    keywords: words,
    homepage: `${repository}/tree/main/${folder}#readme`,
    bugs: `${repository}/issues`,
    // With the directory, npm resolves the relative links of the README.
    repository: { type: "git", url: `git+${repository}.git`, directory: folder },
    publishConfig: { access: "public" }
  }
  const scripts = {
    ...(manifest["scripts"] as object),
    prepublishOnly: `node ${folder.replace(/[^/]+/g, "..")}/scripts/releasable.mjs`
  }
  // The place of a field is where it is first, its value the last one.
  return { name, version, description, ...shown, ...rest, ...shown, scripts }
}
