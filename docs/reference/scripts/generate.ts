// Writes the generated parts of docs/service.md from the contract. `node scripts/generate.ts`, after a change of the
// contract; a test fails until it has run.

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ServicePage from "../src/servicePage.ts"

const root = join(import.meta.dirname, "..", "..", "..")

const page = "docs/service.md"

/** Each file, relative to the root of the repository, with the text it must hold. */
export const generate = async (): Promise<Readonly<Record<string, string>>> => ({
  [page]: ServicePage.fill(readFileSync(join(root, page), "utf8"))
})

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generate())) writeFileSync(join(root, file), text)
}
