// Reads the modules of a package's src folder and what each imports, types included.
// The parser is vite's, so imports in comments and strings are not seen. It resolves relative imports only.

import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { parseSync } from "vite"

/** A module and the specifiers it imports or re-exports, as they are written. `path` is relative to src. */
export interface SourceModule {
  readonly path: string
  readonly imports: ReadonlyArray<string>
}

/** Every specifier in one TypeScript text, in order of appearance; fails on a dynamic import of no fixed name. */
export const importsOf = (path: string, text: string): ReadonlyArray<string> => {
  const { module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) =>
      moduleRequest === null || moduleRequest === undefined ? [] : [moduleRequest.value]
    )
  )
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => {
    const literal = /^["'`]([^"'`$]+)["'`]$/.exec(text.slice(start, end))?.[1]
    if (literal === undefined)
      throw new Error(`${path} imports ${text.slice(start, end)}, which is no fixed name`)
    return literal
  })
  const written = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...exported,
    ...dynamic
  ]
  return [...new Set(written)]
}

/** All modules below a src folder, sorted by path. */
export const readAll = (folder: string): ReadonlyArray<SourceModule> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => ({ path, imports: importsOf(path, readFileSync(join(folder, path), "utf8")) }))

/** The path of a relative import, relative to src; `undefined` for a package or a builtin module. */
export const resolve = (from: SourceModule, specifier: string): string | undefined =>
  specifier.startsWith(".") ? normalize(join(dirname(from.path), specifier)) : undefined

/** The modules reached from one of them by relative imports, itself first. */
export const reachable = (
  modules: ReadonlyArray<SourceModule>,
  path: string
): ReadonlyArray<SourceModule> => {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const entry = byPath.get(path)
  const found = new Set(entry === undefined ? [] : [entry])
  for (const module of found) {
    for (const specifier of module.imports) {
      const next = byPath.get(resolve(module, specifier) ?? "")
      if (next !== undefined) found.add(next)
    }
  }
  return [...found]
}

/** One import cycle as a list of paths that ends where it starts; `undefined` when there is none. */
export const findCycle = (modules: ReadonlyArray<SourceModule>): ReadonlyArray<string> | undefined => {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const done = new Set<string>()
  const visit = (path: string, trail: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    const module = byPath.get(path)
    if (module === undefined || done.has(path)) return undefined
    for (const specifier of module.imports) {
      const next = resolve(module, specifier)
      const cycle = next === undefined ? undefined : visit(next, [...trail, path])
      if (cycle !== undefined) return cycle
    }
    done.add(path)
    return undefined
  }
  for (const module of modules) {
    const cycle = visit(module.path, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}
