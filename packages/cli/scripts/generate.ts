// The files that are generated for the command: the man page, the pages of errors and of families, and the names of the lookups.

import * as ErrorPage from "./errorPage.ts"
import * as FamilyPages from "./familyPages.ts"
import * as HelpPages from "./helpPages.ts"
import * as LookupNames from "./lookupNames.ts"
import * as Manual from "./manual.ts"

/** Each file, relative to the root of the repository, with its text. */
export const generate = async (): Promise<Readonly<Record<string, string>>> => ({
  "packages/cli/man/chemstream.1": Manual.toRoff(await HelpPages.read()),
  "docs/errors.md": ErrorPage.toMarkdown(),
  ...FamilyPages.generate(),
  [LookupNames.file]: LookupNames.toText()
})
