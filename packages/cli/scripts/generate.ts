// Writes what is made from the source of the command: the man page and the page of errors. `node scripts/generate.ts`,
// after a change of a command, an option or the catalogue of errors; a test says when it is due.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ErrorPage from "./errorPage.ts"
import * as HelpPages from "./helpPages.ts"
import * as Manual from "./manual.ts"

const root = join(import.meta.dirname, "..")

/** Each file, relative to the package, with what it must hold. */
export const generate = async (): Promise<Readonly<Record<string, string>>> => ({
  "man/chemstream.1": Manual.toRoff(await HelpPages.read()),
  "../../docs/errors.md": ErrorPage.toMarkdown()
})

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generate())) writeFileSync(join(root, file), text)
}
