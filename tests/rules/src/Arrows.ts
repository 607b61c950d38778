// The one direction the packages point in: what each may import of its siblings, and which of them run anywhere.
// A package is named by its folder in packages/. A new package needs a line here before its tests pass.

/** Direct arrows; what an imported package may import is allowed to the importer too. */
const arrows: Readonly<Record<string, ReadonlyArray<string>>> = {
  api: [],
  ndjson: [],
  client: ["api"],
  stream: ["client", "ndjson"],
  service: ["api", "ndjson"],
  figures: ["api"],
  faults: [],
  workflow: ["stream"],
  cli: ["workflow", "figures", "service", "stream", "ndjson"]
}

/** Packages whose entry must load without Node: no builtin module, no platform package. */
export const portable: ReadonlyArray<string> = ["api", "ndjson", "client", "stream"]

/** The siblings a package may import, all arrows followed; `undefined` for a package without a line. */
export const allowed = (folder: string): ReadonlySet<string> | undefined => {
  const direct = arrows[folder]
  if (direct === undefined) return undefined
  const reached = new Set(direct)
  for (const sibling of reached) for (const next of arrows[sibling] ?? []) reached.add(next)
  return reached
}
