// Tests that the folders of a package import each other one way, so that a reader can follow them from top to bottom.

import { globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, it } from "vitest"
import { readAll } from "../src/Package.ts"

/** The pairs that still import each other. The list only gets shorter. */
const known: Readonly<Record<string, ReadonlyArray<string>>> = {
  api: ["endpoints rows", "evaluation records", "identifiers masses", "records schemas"],
  cli: [
    "flags input",
    "flags run",
    "flags terminal",
    "input output",
    "input tables",
    "output tables",
    "run tables"
  ],
  stream: ["lookups runs"]
}

/** The first folder of a path relative to `src`. Undefined: the file is in `src` itself. */
const folderOf = (path: string): string | undefined => /^([^/]+)\//.exec(path)?.[1]

/** Returns the pairs of folders that import each other. */
const pairsOf = (files: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const edges = new Set<string>()
  for (const [file, text] of files) {
    for (const [, specifier = ""] of text.matchAll(/from "(\.[^"]+)"/g)) {
      const [from, to] = [folderOf(file), folderOf(normalize(join(dirname(file), specifier)))]
      if (from !== undefined && to !== undefined && from !== to) edges.add(`${from} ${to}`)
    }
  }
  return [...edges].filter((edge) => {
    const [from = "", to = ""] = edge.split(" ")
    return from < to && edges.has(`${to} ${from}`)
  })
}

describe("the folders of a package", () => {
  it("are a pair if they import each other, directly", () => {
    const text = (to: string): string => `import { x } from "../${to}.ts"\n`
    const files = [
      ["a/one.ts", text("b/two")],
      ["b/two.ts", text("c/three")],
      ["c/three.ts", text("b/two")],
      ["main.ts", 'import { x } from "./a/one.ts"\n'],
      ["c/four.ts", text("main")]
    ] as const
    expect(pairsOf(new Map(files))).toEqual(["b c"])
  })

  it.each(readAll())("import each other one way: $folder", ({ folder, path }) => {
    const src = join(path, "src")
    const files = globSync("**/*.ts", { cwd: src }).map(
      (file) => [file, readFileSync(join(src, file), "utf8")] as const
    )
    expect([...pairsOf(new Map(files))].sort()).toEqual(known[folder] ?? [])
  })
})
