// Writes docs/service.md. Its tables are generated from the contract.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as ServicePage from "../src/servicePage.ts"

const root = join(import.meta.dirname, "..", "..", "..")

const page = "docs/service.md"

/** Returns each file, relative to the root of the repository, with its text. */
export const generate = async (): Promise<Readonly<Record<string, string>>> => ({
  [page]: ServicePage.fill(readFileSync(join(root, page), "utf8"))
})
