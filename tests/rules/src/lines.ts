// `npm run lines`: prints the lines of the shipped sources by package, without blank lines and comments. Generated files
// count. The rows and record schemas of `api` do not: they grow with the endpoints of the service, and hold no logic.

import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./Package.ts"

/** The folders of `packages/api/src` that only declare. */
const declarations = "packages/api/src/{records,rows}/**/*.ts"

/** The shipped sources: TypeScript and TSX. */
const shipped = "packages/{*/src,explorer/page}/**/*.{ts,tsx}"

/** Returns the lines of a text that are neither blank nor part of a comment of their own. */
export const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/^[ \t]*\/\*(?:(?!\*\/).)*\*\/[ \t]*$/gms, "")
    .split("\n")
    .filter((line) => !/^\s*(\/\/|$)/.test(line))

/** Returns the number of lines by package. */
export const linesByPackage = (): ReadonlyMap<string, number> => {
  const omitted = new Set(globSync(declarations, { cwd: root }))
  const lines = new Map<string, number>()
  for (const file of globSync(shipped, { cwd: root }).sort()) {
    if (omitted.has(file)) continue
    const name = file.split("/")[1] as string
    lines.set(name, (lines.get(name) ?? 0) + linesOf(readFileSync(join(root, file), "utf8")).length)
  }
  return lines
}

/** Returns the lines of a text with a function that has a body. Functions that are one expression have none. */
export const bodies = (text: string): ReadonlyArray<string> =>
  linesOf(text).filter((line) =>
    /=> \{|\bfunction\b[^"']*\{|^\s+(async |get |set )?\w+\([^()]*\)(: .+)? \{$/.test(line)
  )

/** Returns the functions with a body in the rows and record schemas, as `FILE: LINE`. */
export const bodiesOfDeclarations = (): ReadonlyArray<string> =>
  globSync(declarations, { cwd: root }).flatMap((file) =>
    bodies(readFileSync(join(root, file), "utf8")).map((line) => `${file}: ${line.trim()}`)
  )

/** Returns the sum of the lines of all packages. */
export const total = (lines: ReadonlyMap<string, number>): number =>
  [...lines.values()].reduce((sum, count) => sum + count, 0)

if (import.meta.main) {
  const lines = linesByPackage()
  for (const [name, count] of [...lines].sort(([, a], [, b]) => b - a).concat([["total", total(lines)]]))
    process.stdout.write(`${String(count).padStart(7)}  ${name}\n`)
}
