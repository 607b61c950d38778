// The files that are generated from the source of the command: the man page and the page of errors.

import * as ErrorPage from "./errorPage.ts"
import * as HelpPages from "./helpPages.ts"
import * as Manual from "./manual.ts"

/** Each file, relative to the root of the repository, with its text. */
export const generate = async (): Promise<Readonly<Record<string, string>>> => ({
  "packages/cli/man/chemstream.1": Manual.toRoff(await HelpPages.read()),
  "docs/errors.md": ErrorPage.toMarkdown()
})
