// Writes docs/service.md, whose tables are generated from the contract, docs/options.md from the declarations of options, and the
// fields of the repository in each package.json.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Manifests from "../src/manifests.ts"
import * as OptionsPage from "../src/optionsPage.ts"
import * as ServicePage from "../src/servicePage.ts"

const root = join(import.meta.dirname, "..", "..", "..")

const page = "docs/service.md"

/** Returns each file, relative to the root of the repository, with its text. */
export const generate = async (): Promise<Readonly<Record<string, string>>> => ({
  ...Manifests.make(root),
  "docs/options.md": OptionsPage.make(),
  [page]: ServicePage.fill(readFileSync(join(root, page), "utf8"))
})
