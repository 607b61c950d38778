// Finds the documentation of the checkout, and all its code blocks. A new place for documentation needs a line here.

import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./checkout.ts"
import * as Fence from "./Fence.ts"

const markdown = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "packages/*/README.md",
  "docs/**/*.md",
  "examples/README.md"
]
const modules = ["packages/*/src/**/*.ts"]

const find = (patterns: ReadonlyArray<string>) =>
  globSync([...patterns], { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()

const read = (file: string) => readFileSync(join(root, file), "utf8")

/** Returns every block of every file, in the order of files and lines. */
export const blocks = (): ReadonlyArray<Fence.Fence> => [
  ...find(markdown).flatMap((file) => Fence.inMarkdown(file, read(file))),
  ...find(modules).flatMap((file) => Fence.inDocstrings(file, read(file)))
]
