// `npm run generate`: writes every generated file that the repository contains. Each `scripts/generate.ts` of a workspace
// exports the function `generate`, which returns its generated files. `test/generated.test.ts` compares them.

import { globSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { root } from "./Package.ts"

/** Files by their path relative to the root of the repository, each with its text. */
export type Files = Readonly<Record<string, string>>

/** Returns the generated files of all workspaces. The packages must be built. */
export const generate = async (): Promise<Files> => {
  const modules = globSync("{packages/*,docs/*,benchmarks}/scripts/generate.ts", { cwd: root }).sort()
  const all = await Promise.all(
    modules.map(async (path) => {
      const module = (await import(pathToFileURL(join(root, path)).href)) as { generate(): Promise<Files> }
      return module.generate()
    })
  )
  return Object.assign({}, ...all)
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generate())) {
    writeFileSync(join(root, file), text)
    process.stdout.write(`${file}\n`)
  }
}
